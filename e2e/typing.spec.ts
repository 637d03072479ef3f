/** What is typed reaches the engine, before the editor is there and when the text is long. */
import { deflateRawSync } from "node:zlib";
import { expect } from "@playwright/test";
import { manyKernels } from "../src/engine/import/ptx/testing/many-kernels.ts";
import { becomeIdle, dropFile, typeSource, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";
import { noteTexts } from "./told-text.ts";

/** Long enough to come into the editor in three pieces. */
const TEXT = manyKernels(20, 24);

test("what is typed, pasted, dropped, formatted, replaced, undone and done again reaches the engine, as what changed in the text", async ({
  page,
}) => {
  test.slow();
  const told = await noteTexts(page);
  await test.step("before the editor is there, a plain field shows the text, and of a long one the beginning, which cannot be changed", async () => {
    let fail = (): void => undefined;
    const failed = new Promise<void>((done) => (fail = done));
    const editor = /assets\/monaco-.*\.js$/;
    await page.route(editor, async (route) => {
      await failed;
      await route.abort();
    });
    const source = "\n".repeat(20_000);
    await page.goto(`./#v1.${deflateRawSync(Buffer.from(JSON.stringify({ source })), { level: 9 }).toString("base64url")}`);
    const [field, cut] = [page.getByLabel("Source text"), page.getByTestId("cut")];
    await expect(cut).toHaveText("19,600 more lines, once the editor is loaded", { timeout: 45_000 });
    await expect(field).toHaveJSProperty("readOnly", true);
    await becomeIdle(page);
    fail();
    await expect(cut).toHaveText("15,000 more lines: the text is too long for this field. Reload the page to load the editor.");
    await expect(field).toHaveJSProperty("readOnly", true);
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator('[data-example="two-adds"]').click();
    await expect(field).toHaveJSProperty("readOnly", false);
    await expect(field).toHaveValue(/two_adds/);
    await field.fill(".kernel other(n: R0)\nBB0:\n    EXIT\n");
    await expect(page.getByLabel("Kernel")).toContainText("other");
    await page.unroute(editor);
    await page.reload();
    await waitForEditor(page);
    await expect(page.locator(".monaco-editor").first()).toContainText("other");
  });
  const quiet = watchConsole(page);
  const lines = [".kernel k(n: R0, out: RD0)", "BB0:", "    IADD   R1, R0, 1", "    STG [RD0], R1", "    EXIT", ""];
  await typeSource(page, lines.join("\n"));
  const code = page.locator(".monaco-editor").first();
  /** The shown lines, from the first to the last. */
  const shown = (): Promise<string> =>
    code.locator(".view-line").evaluateAll((views) =>
      views
        .map((view) => ({ top: view.getBoundingClientRect().top, text: (view.textContent ?? "").replaceAll("\u00a0", " ") }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text)
        .join("\n"),
    );
  /** The engine has what is on screen, with this in it, or (a pattern to avoid) without. */
  const reaches = async (holds: string, without = /^never$/): Promise<void> => {
    await expect(async () => {
      const { text } = await told();
      expect(text).toContain(holds);
      expect(text).not.toMatch(without);
      expect(text).toBe(await shown());
    }).toPass();
  };
  /** Presses a key and waits for its effect: what the editor adds to an edit automatically may be a separate undo step. */
  const press = async (key: string, holds: string, without?: RegExp): Promise<void> => {
    await expect(async () => {
      await page.keyboard.press(key);
      const arrived = async (): Promise<boolean> => {
        const { text } = await told();
        return text.includes(holds) && without?.test(text) !== true;
      };
      await expect.poll(arrived, { timeout: 2_000 }).toBe(true);
    }).toPass();
    await reaches(holds, without);
  };
  const keys = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  await reaches("STG [RD0], R1");
  await keys("Control+Home", "End", "Enter");
  await page.keyboard.insertText("// é 😀 \uFF21");
  await reaches("😀");
  await keys("Backspace", "Backspace", "Backspace");
  await reaches("// é \nBB0");
  // Two places at once.
  await keys("ArrowDown", "ArrowDown", "Home", "Shift+Alt+ArrowDown");
  await page.keyboard.insertText("// ");
  await keys("Escape");
  await reaches("// IADD");
  expect((await told()).text).toMatch(/\/\/ +STG/);
  await press("Control+z", "STG", /\/\/ *IADD/);
  await keys("Control+End");
  await page.keyboard.insertText(lines.join("\n").replace(".kernel k", ".kernel pasted"));
  await reaches("pasted");
  await press("Control+z", "STG", /pasted/);
  await press("Control+y", "pasted");
  await typeSource(page, lines.join("\n"));
  await waitForRun(page);
  await keys("Shift+Alt+F");
  await reaches("IADD    R1, R0, 1");
  // Every R1 at once.
  await keys("Control+Home", "Control+h");
  await page.keyboard.insertText("R1");
  await keys("Tab");
  await page.keyboard.insertText("R9");
  await keys("Control+Alt+Enter", "Escape");
  await reaches("STG     [RD0], R9", /R1\b/);
  const { edits, characters, text } = await told();
  expect(edits).toBeGreaterThan(5);
  expect(characters).toBeLessThan(edits * text.length);
  // Another program, and the one before it again.
  await dropFile(page, "other.ori", ".kernel other()\nFIRST:\n    BAR.SYNC\n    EXIT\n");
  await reaches("BAR.SYNC");
  await code.click();
  await press("Control+z", "R9");
  // Lines that arrive as one input event are inserted unchanged, and one undo removes them.
  const before = ".kernel k(n: R0)\nBB0:\n    EXIT\n";
  await dropFile(page, "before.ori", before);
  await expect.poll(async () => (await told()).text).toBe(before);
  await code.click();
  const deep = ".kernel z(n: R0)\nA:\n    MOV R1, 5\n        // deep\n    EXIT\n";
  for (const [key, after] of [
    ["Control+End", before + deep],
    ["Control+A", deep],
  ] as const) {
    await page.keyboard.press(key);
    await page.keyboard.insertText(deep);
    await expect.poll(async () => (await told()).text).toBe(after);
    await page.keyboard.press("Control+z");
    await expect.poll(async () => (await told()).text).toBe(before);
  }
  await test.step("a long text comes in pieces that undo takes back as one, and a key tells the engine of itself alone", async () => {
    const text = async (): Promise<string> => (await told()).text;
    const before = await text();
    await code.click();
    await dropFile(page, "library.ptx", TEXT);
    // Immediately: some of it may not have reached the editor yet.
    await page.waitForFunction(
      (length) => (window as unknown as { readonly told: { readonly text: string } }).told.text.length === length,
      TEXT.length,
    );
    await page.keyboard.press("Control+z");
    await expect.poll(text).toBe(before);
    await page.keyboard.press("Control+y");
    await expect.poll(async () => (await text()) === TEXT).toBe(true);
    // While its rest is read.
    const { edits, characters } = await told();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("//m");
    await expect.poll(async () => (await text()) === `//m${TEXT}`).toBe(true);
    const after = await told();
    expect(after.edits).toBeGreaterThan(edits);
    expect(after.characters - characters).toBeLessThan(100);
    // The editor also has all of it.
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("// end");
    await expect.poll(async () => (await text()) === `//m${TEXT}// end`).toBe(true);
    await waitForRun(page);
  });
  quiet();
});
