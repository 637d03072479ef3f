/** What is typed reaches the engine. */
import { expect } from "@playwright/test";
import { dropFile, openPageAt, typeSource, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";
import { noteTexts } from "./told-text.ts";

test("what is typed, pasted, dropped, formatted, replaced, undone and done again reaches the engine, as what changed in the text", async ({
  page,
}) => {
  test.slow();
  const quiet = watchConsole(page);
  const told = await noteTexts(page);
  await openPageAt(page, "two-adds");
  const lines = [".kernel k(n: R0, out: RD0)", "BB0:", "    IADD   R1, R0, 1", "    STG [RD0], R1", "    EXIT", ""];
  await typeSource(page, lines.join("\n"));
  const code = page.locator(".monaco-editor").first();
  /** The lines as they are shown, from the first to the last. */
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
  /** Presses a key and waits for its effect: what the editor adds to an edit by itself may be an undo step of its own. */
  const press = async (key: string, holds: string, without?: RegExp): Promise<void> => {
    await expect(async () => {
      await page.keyboard.press(key);
      const arrived = async (): Promise<boolean> => {
        const { text } = await told();
        return text.includes(holds) && without?.test(text) !== true;
      };
      await expect.poll(arrived, { timeout: 3_000 }).toBe(true);
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
  // Lines that arrive as one input event are put in as they are, and one undo takes them back.
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
  quiet();
});
