import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import {
  expectStep,
  focusTimeline,
  openExample,
  openMenu,
  openPage,
  openTab,
  place,
  showLine,
  typeSource,
  waitForEditor,
  waitForRun,
  watchConsole,
} from "./page.ts";
import { test } from "./test.ts";

test("an error in the text keeps the last result, marked stale, and lists the problem", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nBB0:\n    ISETP.GE P0, R1, R0\n    EXIT\n");
  await waitForRun(page);
  await typeSource(page, ".kernel k(n: R0)\nBB0:\n    ISETQ.GE P0, R1, R0\n    EXIT\n");
  await expect(page.getByTestId("problems").getByRole("button").first()).toContainText("ISETQ");
  await expect(page.getByText("result of the last valid text")).toBeVisible();
  await expect(page.getByTestId("phase")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeVisible();
  await typeSource(page, ".kernel k(n: R0)\nBB0:\n    ISETP.GE P0, R1, R0\n    EXIT\n");
  await expect(page.getByText("result of the last valid text")).toHaveCount(0);
  quiet();
});

const PTX = `.version 8.4
.target sm_90
.address_size 64

.visible .entry pasted(
\t.param .u64 pasted_param_0
)
{
\t.reg .b32 \t%r<3>;
\t.reg .b64 \t%rd<3>;

\tld.param.u64 \t%rd1, [pasted_param_0];
\tcvta.to.global.u64 \t%rd2, %rd1;
\tmov.u32 \t%r1, %tid.x;
\tst.global.u32 \t[%rd2], %r1;
\tret;
}
`;

const GARBAGE = [
  "",
  "\u0000\u0001\ud800 \u{1f9e8}",
  "{".repeat(5000),
  ".kernel",
  "BB0:\n".repeat(300),
  "<script>alert(1)</script>",
  "\n\n\n.target sm_0\n@@@",
];

test("no text blanks the page", async ({ page }) => {
  await openPage(page);
  for (const text of GARBAGE) {
    await typeSource(page, text);
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByRole("banner")).toContainText("Oriscope");
    await expect(page.locator('[data-editor="monaco"]')).toBeVisible();
  }
  await openExample(page, "diamond");
  await expect(page.getByTestId("phase")).toBeVisible();
});

for (const fragment of ["v1.", "v1.AAAA", "v9.abc", "v1.%00%ff", "nonsense", "embed/v1.!!!!", `v1.${"A".repeat(20_000)}`]) {
  test(`a bad link says so and leaves a page: ${fragment.slice(0, 24)}`, async ({ page }) => {
    await page.goto(`./#${fragment}`);
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByTestId("refused")).toContainText(/link|program/i);
  });
}

test("a link brings back text, phase, step and selection", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await openExample(page, "loop-nest");
  await focusTimeline(page);
  for (let i = 1; i <= 9; i++) await page.keyboard.press("s");
  await expectStep(page, 9);
  await page.keyboard.press("f");
  const before = await place(page);
  await page.keyboard.press("Control+Shift+L");
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("clipboard");
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toContain("#v1.");

  const other = await context.newPage();
  await other.goto(address);
  await waitForRun(other);
  await expectStep(other, 9);
  expect(await place(other)).toEqual(before);
  await expect(await showLine(other, "loop_nest")).toBeVisible();
});

test("a reload loses nothing, however soon after the last change", async ({ page }) => {
  await openPage(page);
  await openExample(page, "switch-dense");
  await focusTimeline(page);
  await page.keyboard.press("s");
  await page.reload();
  await waitForRun(page);
  await expectStep(page, 1);
  const { phase } = await place(page);
  // What follows is younger than what was saved.
  await focusTimeline(page);
  await page.keyboard.press("s");
  await page.keyboard.press("s");
  await Promise.all([page.waitForEvent("load"), page.evaluate(() => window.location.reload())]);
  await waitForRun(page);
  await expectStep(page, 3);
  expect((await place(page)).phase).toBe(phase);
});

test("after a link was copied, a reload opens the work and not the link", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await focusTimeline(page);
  await page.keyboard.press("Control+Shift+L");
  await expect(page).toHaveURL(/#v1\./);
  for (let i = 1; i <= 3; i++) await page.keyboard.press("s");
  await expectStep(page, 3);
  await expect(page).not.toHaveURL(/#/);
  await page.reload();
  await waitForRun(page);
  await expectStep(page, 3);
});

test("a dropped file runs through all phases, whatever example came before, and shows its problems", async ({ page }) => {
  await openPage(page);
  await openExample(page, "fixture:gvn-cse/full");
  await expect(page.getByRole("listbox", { name: "Phases" }).getByRole("option")).toHaveCount(1);
  await page.getByRole("button", { name: "Run all phases" }).click();
  await expect(page.getByRole("listbox", { name: "Phases" }).getByRole("option")).toHaveCount(160);
  await openExample(page, "fixture:gvn-cse/full");
  await openTab(page, "Compare two runs");
  const data = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([".kernel mine(n: R0)\nA:\n    EXITT\n"], "mine.ori"));
    return transfer;
  });
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
  await expect(page.getByTestId("problems")).toContainText("EXITT");
  await expect(page.getByRole("button", { name: "Run all phases" })).toHaveCount(0);
});

test("an embedded frame has step buttons and nothing to edit", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Copy link for embedding" }).click();
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("clipboard");
  const address = await page.evaluate(() => navigator.clipboard.readText());
  expect(address).toContain("#embed/v1.");
  const frame = await context.newPage();
  await frame.goto(address);
  await expect(frame.getByRole("button", { name: "Step into", exact: true })).toBeEnabled();
  await frame.getByRole("button", { name: "Step into", exact: true }).click();
  await expect(frame.getByTestId("sentence")).not.toContainText("Input of");
  await expect(frame.getByRole("textbox")).toHaveCount(0);
});

test("a crash of the engine's worker gives text and place back, and the case as a file", async ({ page }) => {
  await openPage(page);
  await focusTimeline(page);
  for (let i = 1; i <= 5; i++) await page.keyboard.press("s");
  await expectStep(page, 5);
  const before = await place(page);
  const engine = page.workers().find((w) => /host/.test(w.url()));
  expect(engine).toBeDefined();
  await engine?.evaluate(() => {
    setTimeout(() => {
      throw new Error("out of luck");
    });
  });
  await expect(page.getByTestId("crash")).toContainText("out of luck");
  await waitForRun(page);
  await expectStep(page, 5);
  expect(await place(page)).toEqual(before);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save the case as a file" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/\.oriscope\.json$/);
});

test("files open by drag and drop, bad ones with a message", async ({ page }) => {
  await openPage(page);
  const drop = async (name: string, content: string) => {
    const data = await page.evaluateHandle(
      ([fileName, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text ?? ""], fileName ?? ""));
        return transfer;
      },
      [name, content],
    );
    await page.dispatchEvent("body", "drop", { dataTransfer: data });
  };
  await drop("mine.ori", ".kernel mine(n: R0)\nA:\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  await drop("bad.json", "{ not json");
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("not JSON");
  await drop("other.json", '{"a":1}');
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("not saved by Oriscope");
  await expect(page.getByLabel("Kernel")).toContainText("mine");

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await openMenu(page, "File");
      await page.getByRole("menuitem", { name: "Download everything as one file" }).click();
    })(),
  ]);
  const saved = await readFile((await download.path()) ?? "", "utf8");
  await openExample(page, "diamond");
  await drop("case.oriscope.json", saved);
  await expect(page.getByLabel("Kernel")).toContainText("mine");
});

test("PTX and SASS are recognised", async ({ page }) => {
  await openPage(page);
  await openExample(page, "03_nested_and.sm_90");
  await expect(page.getByLabel("Kernel")).toContainText("nested_and");
  await expect(page.getByLabel("Format", { exact: true }).locator("option:checked")).toHaveText("auto: ptx");
});

test("PTX pasted over an example is recognised, and is another program", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await waitForEditor(page);
  await page.evaluate((text) => navigator.clipboard.writeText(text), PTX);
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("ControlOrMeta+V");
  await expect(page.getByLabel("Kernel")).toContainText("pasted");
  await expect(page.getByLabel("Format", { exact: true }).locator("option:checked")).toHaveText("auto: ptx");
  await expect(page).toHaveTitle(/untitled · Oriscope$/);
});

test("a paste beyond the limit is refused at once, and the text stays", async ({ page }) => {
  await openPage(page);
  await waitForEditor(page);
  await page.locator(".monaco-editor").first().click();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "  add.s32 %r1, %r1, 1;\n".repeat(400_000));
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText("The text has 9,200,000 characters; the limit is 8,000,000.")).toBeVisible();
  await expect(await showLine(page, "sum_positive")).toBeVisible();
});

test("a browser that is too old says which ones are not", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Array.prototype, "toSorted"));
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("./");
  const said = page.getByRole("alert");
  await expect(said).toContainText("Chrome or Edge 111, Firefox 115, Safari 16.4");
  // Where the scripts do run they start nothing: the page would open, and break.
  await page.unroute("**/assets/*.js");
  await page.reload();
  await expect(said).toContainText("too old for Oriscope");
  await expect(page.locator("#root")).toHaveText(/^\s*This browser is too old/);
  expect(page.workers()).toHaveLength(0);
});
