import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { decodeLink } from "../src/links/link-codec.ts";
import {
  crashEngine,
  dropFile,
  expectStep,
  focusTimeline,
  openExample,
  openMenu,
  openPageAt,
  openTab,
  place,
  showLine,
  typeSource,
  waitForRun,
  watchConsole,
} from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";
import { typeInField } from "./text-field.ts";

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

const GOOD = ".kernel k(n: R0)\nBB0:\n    ISETP.GE P0, R1, R0\n    EXIT\n";
const GARBAGE = ["", "\u0000\u0001\ud800 \u{1f9e8}", `${"{".repeat(5000)}\n`, "BB0:\n".repeat(300), "<script>alert(1)</script>"];

test("no text blanks the page: an error keeps the last result, marked stale, and what is too long is refused", async ({ page }) => {
  const quiet = watchConsole(page);
  await page.goto("./");
  await waitForRun(page);
  const stale = page.getByText("result of the last valid text");
  for (const text of someOf(GARBAGE, 2)) {
    await typeSource(page, text);
    await expect(page.getByRole("main")).toBeVisible();
    await expect(page.getByRole("banner")).toContainText("Oriscope");
    await expect(page.locator('[data-editor="monaco"]')).toBeVisible();
  }
  await typeSource(page, GOOD);
  await waitForRun(page);
  await typeSource(page, GOOD.replace("ISETP", "ISETQ"));
  await expect(page.getByTestId("problems").getByRole("button").first()).toContainText("ISETQ");
  await expect(stale).toBeVisible();
  await expect(page.getByTestId("phase")).toBeVisible();
  await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeVisible();
  await typeSource(page, GOOD);
  await expect(stale).toHaveCount(0);
  quiet();
  await page.evaluate(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", "  add.s32 %r1, %r1, 1;\n".repeat(400_000));
    document.activeElement?.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(page.getByText("The text has 9,200,000 characters; the limit is 8,000,000.")).toBeVisible();
  await expect(await showLine(page, "ISETP.GE")).toBeVisible();
});

test("text and place come back: after a reload at once, a crash of the engine, Forward, and by a copied link", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPageAt(page, "loop-nest");
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const step = async (from: number, to: number) => {
    await focusTimeline(page);
    for (let i = from; i < to; i++) await page.keyboard.press("s");
    await expectStep(page, to);
  };
  await test.step("a reload, however soon after the last change, does not open the link before", async () => {
    await step(0, 1);
    // Back leads to the link in the address, which follows the step a moment later.
    await expect.poll(() => decodeLink(new URL(page.url()).hash)).toMatchObject({ data: { step: 0 } });
    await openExample(page, "switch-dense");
    await step(0, 3);
    const { phase } = await place(page);
    await Promise.all([page.waitForEvent("load"), page.evaluate(() => window.location.reload())]);
    await waitForRun(page);
    await expectStep(page, 3);
    expect((await place(page)).phase).toBe(phase);
  });
  await test.step("Back and Forward, beyond the reload", async () => {
    await page.goBack();
    await expect.poll(() => page.title()).toContain("Loop nest");
    await waitForRun(page);
    await expectStep(page, 1);
    await page.goForward();
    await expect.poll(() => page.title()).toContain("Dense switch");
    await waitForRun(page);
    await expectStep(page, 3);
  });
  const before = await place(page);
  await test.step("a crash of the engine's worker, with the case as a file", async () => {
    await crashEngine(page);
    await expect(page.getByTestId("crash")).toContainText("out of luck");
    await waitForRun(page);
    await expectStep(page, 3);
    expect(await place(page)).toEqual(before);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the case as a file" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.oriscope\.json$/);
  });
  const notices = page.getByRole("region", { name: "Notices" });
  await test.step("an embedded frame has step buttons and nothing to edit", async () => {
    await openMenu(page, "File");
    await page.getByRole("menuitem", { name: "Copy link for embedding" }).click();
    await expect(notices).toContainText("clipboard");
    const frame = await context.newPage();
    await frame.goto("./#embed/v1.!!!!");
    await expect(frame.getByTestId("refused")).toContainText("link");
    await frame.goto(await copied());
    await expect(frame).toHaveURL(/#embed\/v1\./);
    await expect(frame.getByRole("button", { name: "Step into", exact: true })).toBeEnabled();
    await frame.getByRole("button", { name: "Step into", exact: true }).click();
    await expect(frame.getByTestId("sentence")).toHaveAttribute("data-step", "3");
    await expect(frame.getByRole("textbox")).toHaveCount(0);
    await frame.close();
  });
  await test.step("a copied link, also elsewhere; a reload after it opens the work and not the link", async () => {
    await page.keyboard.press("Control+Shift+L");
    await expect(page).toHaveURL(/#v1\./);
    await expect.poll(copied).toBe(page.url());
    const link = page.url();
    await step(3, 5);
    await expect(page).not.toHaveURL(/#/);
    await page.reload();
    await waitForRun(page);
    await expectStep(page, 5);
    // Another tab has only its address.
    await page.goto("about:blank");
    await page.goto(link);
    await waitForRun(page);
    await expectStep(page, 3);
    expect(await place(page)).toEqual(before);
    await expect(page.locator("[data-editor]")).toContainText("switch");
  });
});

test("a pasted or dropped program runs all phases, whatever was open, and opens from a file again", async ({ page }) => {
  await openPageAt(page, "two-adds");
  const kernel = page.getByLabel("Kernel");
  const notices = page.getByRole("region", { name: "Notices" });
  const phases = page.getByRole("listbox", { name: "Phases" }).getByRole("option");
  await test.step("PTX that is pasted over an example of one phase", async () => {
    await openExample(page, "fixture:gvn-cse/full");
    await expect(phases).toHaveCount(1);
    await page.getByRole("button", { name: "Run all phases" }).click();
    await expect(phases).toHaveCount(160);
    await openExample(page, "fixture:gvn-cse/full");
    // As pasted: the editor's own paste is in work.spec.ts.
    await typeInField(page, PTX, "over all");
    await expect(kernel).toContainText("pasted");
    await expect(page.getByLabel("Format", { exact: true }).locator("option:checked")).toHaveText("auto: ptx");
    await expect(phases).toHaveCount(160);
    await expect(page).toHaveTitle(/untitled · Oriscope$/);
  });
  await test.step("files that are dropped, bad ones with a message", async () => {
    await dropFile(page, "mine.ori", ".kernel mine(n: R0)\nA:\n    EXIT\n", ["second.ori"]);
    await expect(kernel).toContainText("mine");
    await expect(notices).toContainText("Only mine.ori was opened");
    await dropFile(page, "bad.json", "{ not json");
    await expect(notices).toContainText("not JSON");
    await dropFile(page, "other.json", '{"a":1}');
    await expect(notices).toContainText("not saved by Oriscope");
    await expect(kernel).toContainText("mine");
  });
  await test.step("everything as one file, and back", async () => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      (async () => {
        await openMenu(page, "File");
        await page.getByRole("menuitem", { name: "Download everything as one file" }).click();
      })(),
    ]);
    await openExample(page, "fixture:gvn-cse/full");
    await dropFile(page, "case.oriscope.json", await readFile((await download.path()) ?? "", "utf8"));
    await expect(kernel).toContainText("mine");
  });
  await test.step("a file with an error, dropped on an example of one phase that is compared", async () => {
    await openExample(page, "fixture:gvn-cse/full");
    await openTab(page, "Compare two runs");
    await dropFile(page, "mine.ori", ".kernel mine(n: R0)\nA:\n    EXITT\n");
    await expect(page.getByTestId("problems")).toContainText("EXITT");
    await expect(page.getByRole("button", { name: "Run all phases" })).toHaveCount(0);
  });
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
