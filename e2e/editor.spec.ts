import { expect } from "@playwright/test";
import {
  dropFile,
  focusTimeline,
  hoverWord,
  openExample,
  openMenu,
  openPageAt,
  openTab,
  showLine,
  typeSource,
  waitForEditor,
  waitForRun,
  watchConsole,
} from "./page.ts";
import { test } from "./test.ts";

/** What Markdown would make links of. */
const EVIL = "`` [a prize](https://evil.example/x) `` ` <https://evil.example> www.evil.example";
const PTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x; // ${EVIL}
L:
  clz.b32 %r2, %r1;
  add.s32 %r1, %r1, 1;
  setp.lt.s32 %p1, %r1, 64;
  @%p1 bra L;
  st.global.u32 [%rd1], %r2;
  ret;
}
`;

// One visit: the editor costs more to load than most that is done with it.
test("the editor says what a line is and became, completes, renames, formats, corrects, has the page's colours, and Tab leaves it", async ({
  page,
}) => {
  test.slow();
  const quiet = watchConsole(page);
  await openPageAt(page, "common-tails");
  await waitForEditor(page);
  await test.step("a hover reaches over the pane beside the text", async () => {
    const hover = await hoverWord(page, "ISUB", "R1", "defined:");
    const box = await hover.boundingBox();
    const pane = await page.locator("#pane-editor").boundingBox();
    if (box === null || pane === null) throw new Error("nothing is shown");
    const right = box.x + box.width - 12;
    expect(right).toBeGreaterThan(pane.x + pane.width);
    const top = await page.evaluate(
      ([x = 0, y = 0]) => (document.elementFromPoint(x, y)?.closest(".monaco-hover") ?? null) !== null,
      [right, box.y + 12],
    );
    expect(top).toBe(true);
  });
  await test.step("signs say which lines were moved, deleted and replaced, and their hover what became of them", async () => {
    const signs = (diff: string) => page.locator(`.monaco-editor .ori-diff-${diff}`);
    await expect(signs("moved")).toHaveCount(0);
    await focusTimeline(page);
    await page.keyboard.press("ControlOrMeta+End");
    await showLine(page, "LOP.XOR");
    await expect(signs("moved").first()).toBeVisible();
    await showLine(page, "SHL");
    await expect(signs("deleted").first()).toBeVisible();

    await openExample(page, "two-adds");
    await focusTimeline(page);
    await page.keyboard.press("ControlOrMeta+End");
    await expect(signs("replaced")).toHaveCount(1);
    // Beside the sign for the pointer, in the hover of the line for the keys: which phase it was, and what it is now.
    const hover = await hoverWord(page, "R5, R0, R1", "R5", "Now: MOV R5, R4");
    await expect(hover).toContainText("Replaced by Value numbering (GvnCse)");
    await expect(signs("replaced")).toHaveAttribute("title", /^Replaced by Value numbering/);
  });
  await test.step("a line of PTX, its Ori instructions and its place in the graph know one another", async () => {
    await dropFile(page, "evil.ptx", PTX);
    await waitForRun(page);
    await expect(page.getByLabel("Kernel")).toContainText("k");
    const code = page.locator(".monaco-editor").first();

    // From the text to the graph: the instruction, what it became, where.
    const hover = await hoverWord(page, "clz.b32", "clz", "number of leading zeros");
    await expect(hover).toContainText("in Ori, block L");
    await expect(hover).toContainText("FLO");
    const pointed = page.locator('.react-flow [data-inst][data-pointed="true"]');
    await expect(pointed.filter({ hasText: "FLO" })).toHaveCount(1);
    expect(await pointed.count()).toBeGreaterThan(1);
    await page.mouse.move(700, 5);
    await expect(pointed).toHaveCount(0);

    // By the keyboard: the register under the cursor.
    await code.click();
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    for (let i = 0; i < 6; i++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+F1");
    await expect(hover).toContainText("%r1 · .b32 · R");
    await expect(hover).toContainText("line 10: mov.u32 %r1, %tid.x;");
    await expect(hover).toContainText("[a prize](https://evil.example/x)");
    await expect(hover.locator("a[href], a[data-href]")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");

    // From the graph to the text, without moving anything.
    const card = page.locator(".react-flow [data-inst]").filter({ hasText: "FLO" });
    await card.hover();
    await expect(card).toHaveAttribute("title", "PTX line 12: clz.b32 %r2, %r1;");
    await expect(code.locator(".ori-pointed-line")).toHaveCount(1);

    // And from the program at this step.
    await openTab(page, "At this step");
    await page.getByRole("option").filter({ hasText: "FLO" }).hover();
    const strip = page.getByRole("button", { name: /PTX line 12: clz\.b32/ });
    await expect(strip).toBeVisible();
    await expect(pointed.filter({ hasText: "FLO" })).toHaveCount(1);
    await strip.click();
    await expect(page.getByRole("tab", { name: "Source" })).toHaveAttribute("aria-selected", "true");
  });
  await test.step("a hover shows a line of Ori, too, as it is", async () => {
    await typeSource(page, `.kernel k(n: R0)\nBB0:\n    MOV R7, R0 // ${EVIL}\n    IADD R1, R7, 1\n    EXIT`);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Home");
    for (let i = 0; i < "IADD R1, R".length; i++) await page.keyboard.press("ArrowRight");
    const hover = page.locator(".monaco-hover:visible");
    await expect(async () => {
      await page.keyboard.press("Shift+F1");
      await expect(hover).toContainText("defined:", { timeout: 2_000 });
    }).toPass();
    await expect(hover).toContainText("[a prize](https://evil.example/x)");
    await expect(hover.locator("a[href], a[data-href]")).toHaveCount(0);
    await page.keyboard.press("Escape");
  });
  const code = page.locator(".monaco-editor").first();
  const widget = page.locator(".suggest-widget.visible");
  await test.step("Enter after a whole word is a new line, and Tab takes the suggestion", async () => {
    await typeSource(page, ".kernel k(n: R0)\nBB0:\n    MOV R1, ");
    await page.keyboard.type("R0", { delay: 150 });
    // As slowly as a person: the list is open, and its first entry is the very word.
    await expect(widget).toContainText("R0");
    await page.keyboard.press("Enter");
    await page.keyboard.type("EXIT", { delay: 150 });
    await expect(widget).toContainText("EXIT");
    await page.keyboard.press("Enter");
    await expect(code.locator(".view-line")).toHaveText([/\.kernel/, /BB0:/, /^\s*MOV\sR1,\sR0$/, /^\s*EXIT$/, /^\s*$/]);
    await page.keyboard.type("ISE", { delay: 150 });
    await expect(widget).toContainText("ISETP");
    await page.keyboard.press("Tab");
    await expect(code.locator(".view-line").last()).toHaveText(/^\s*ISETP$/);
  });
  await test.step("Enter takes a suggestion that was asked for or chosen", async () => {
    await typeSource(page, ".kernel k(n: R0)\nBB0:\n    ISE");
    await page.keyboard.press("Control+Space");
    await expect(widget).toContainText("ISETP");
    const colours = await widget.locator(".monaco-list-row.focused").evaluate((row) => {
      const part = row.querySelector(".highlight");
      return [part === null ? "" : getComputedStyle(part).color, getComputedStyle(row).backgroundColor];
    });
    expect(colours[0]).not.toBe(colours[1]);
    await page.keyboard.press("Enter");
    await expect(code.locator(".view-line").last()).toHaveText(/^\s*ISETP$/);
    await page.keyboard.type(" P0, R0, 1\n    EXI");
    await expect(widget).toContainText("EXIT");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(code.locator(".view-line").last()).toHaveText(/^\s*EXIT$/);
  });
  await test.step("F12 goes to a label and F2 renames a register", async () => {
    await typeSource(page, ".kernel k(n: R0)\nA:\n    MOV R7, R0\n    BRA C\nC:\n    IADD R1, R7, 1\n    EXIT");
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.press("F12");
    await expect(page.locator(".monaco-editor .active-line-number").first()).toHaveText("5");
    await page.keyboard.type("X");
    await expect(code).toContainText(/X\s*C:/);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
    for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F2");
    await expect(page.locator(".rename-input")).toBeFocused();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("R42");
    await page.keyboard.press("Enter");
    await expect(code).toContainText(/IADD\s+R1,\s+R42,\s+1/);
  });
  await test.step("formatting prints the program canonically", async () => {
    await typeSource(page, ".kernel k(n: R0)\nBB0:\nMOV   R1,R0\nEXIT");
    await expect(page.getByRole("button", { name: "No problems" })).toBeVisible();
    await page.keyboard.press("Shift+Alt+F");
    await expect(code).toContainText(/MOV\s+R1,\s+R0/);
  });
  await test.step("an unknown opcode asks what was meant, and one press writes it", async () => {
    await typeSource(page, ".kernel k(n: R0)\nA:\n    IAD R1, R0, 1\n    EXIT\n");
    await expect(page.getByTestId("problems")).toContainText("Did you mean IADD?");
    await page.locator(".monaco-editor .view-line").nth(2).click();
    await page.keyboard.press("Alt+Enter");
    await expect(code).toContainText("IADD R1");
    await expect(page.getByTestId("problems")).toHaveCount(0);
  });
  await test.step("the menu of the text has what the page has no better way to, in its words", async () => {
    await page.locator(".monaco-editor .view-line").filter({ hasText: "IADD" }).click({ button: "right" });
    await expect(page.getByRole("menuitem", { name: "Go to the definition" })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: /Peek|Command Palette|Go to Symbol/ })).toHaveCount(0);
    await page.keyboard.press("Escape");
  });
  await test.step("text and menu have the other theme's colours, the text in the frame in which the page has them", async () => {
    for (const next of ["dark", "light"]) {
      /** Chooses the menu entry once the text has been read: it is missing for a moment, when the opcodes arrive. */
      const press = async (theme: string) => {
        const names = ["bg", "text", "syn-mnemonic", "syn-pred", "syn-number", "syn-label", "syn-special", "syn-comment"];
        const probe = document.createElement("i");
        document.body.append(probe);
        /** For each piece of text, the page's name of its colour and of its background. */
        const read = () => {
          const byColour = new Map(
            names.map((name) => {
              probe.style.color = `var(--${name})`;
              return [getComputedStyle(probe).color, name];
            }),
          );
          return [...document.querySelectorAll(".monaco-editor .view-line span[class*=mtk]")].map((piece) => {
            const ground = piece.closest(".monaco-editor");
            const behind = ground === null ? "" : getComputedStyle(ground).backgroundColor;
            return [piece.textContent, byColour.get(getComputedStyle(piece).color), byColour.get(behind)];
          });
        };
        const before = read();
        const drawn = before.flat();
        if (!["bg", "syn-mnemonic", "syn-number"].every((name) => drawn.includes(name))) {
          probe.remove();
          return null;
        }
        const entries = [...document.querySelectorAll<HTMLElement>('[role="menuitemcheckbox"]')];
        entries.find((entry) => entry.textContent?.includes(`Theme: ${theme}`))?.click();
        // What follows from the press, and no frame yet.
        await Promise.resolve();
        const after = read();
        probe.remove();
        return { before, after, theme: document.documentElement.dataset.theme };
      };
      let pieces: Awaited<ReturnType<typeof press>> = null;
      await expect(async () => {
        for (let i = 0; i < 2; i++) await page.keyboard.press("Escape");
        await openMenu(page, "View");
        await expect(page.getByRole("menuitemcheckbox", { name: `Theme: ${next}` })).toBeVisible({ timeout: 5_000 });
        pieces = await page.evaluate(press, next);
        expect(pieces).not.toBeNull();
      }).toPass();
      const { before, after, theme } = pieces ?? { before: [], after: null, theme: null };
      expect(theme).toBe(next);
      expect(after).toEqual(before);
      // Where the lines are seen: the first one may have been scrolled away.
      await page
        .locator(".monaco-editor .editor-scrollable")
        .first()
        .click({ button: "right", position: { x: 90, y: 60 } });
      const menu = page.locator(".shadow-root-host .monaco-menu").first();
      await expect(menu).toBeVisible();
      const drawn = await menu.evaluate((element) => {
        const overlay = getComputedStyle(document.documentElement).getPropertyValue("--overlay").trim();
        const probe = document.createElement("i");
        probe.style.background = overlay;
        document.body.append(probe);
        const wanted = getComputedStyle(probe).backgroundColor;
        probe.remove();
        const grounds: string[] = [];
        for (let e: Element | null = element; e !== null; e = e.parentElement) grounds.push(getComputedStyle(e).backgroundColor);
        return { wanted, found: grounds.includes(wanted) };
      });
      expect(drawn).toEqual({ wanted: drawn.wanted, found: true });
      await page.keyboard.press("Escape");
    }
  });
  await test.step("Tab leaves the editor, Ctrl+M makes it a character, and a hint says so", async () => {
    await code.click();
    await expect(page.getByText("Tab leaves the editor")).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(code).not.toHaveClass(/focused/);
    await code.click();
    await page.keyboard.press("Control+M");
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Tab");
    await expect(code).toHaveClass(/focused/);
  });
  quiet();
});
