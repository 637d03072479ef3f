/** A pass's file gives the same result in the page as on the command line: the program after it, and its reports. (scripts/own-pass.test.ts compares the command line with the package.) */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { readTrace } from "../src/features/publish/engine/read-trace.ts";
import { openProgram } from "./futures-page.ts";
import { exportAs, focusTimeline, openTab, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

/** Each template of a pass rewrites something in it. */
const PROGRAM = `.kernel same(n: R0, p: P0, out: RD1)
A:
    MOV R1, 3
    IADD R2, R1, 4
    IADD R3, R0, 5
    IADD R4, R0, 5
    IADD R5, R0, 6
    MOV R6, 0
    BRA B
B:
    PHI R7, [A: R6], [B: R8]
    IADD R9, R0, 7
    IADD R8, R7, R9
    ISETP.LT P1, R8, R0
@P1 BRA B
C:
    MOV R10, 1
@P0 BRA E
D:
    MOV R10, 2
E:
    STG [RD1], R2
    STG [RD1+4], R3
    STG [RD1+8], R4
    STG [RD1+12], R8
    STG [RD1+16], R10
    EXIT
`;

const passes = new URL("../passes/", import.meta.url);
const named = (folder: string): string[] =>
  readdirSync(new URL(folder, passes))
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}${name}`);
const files = [...named(""), ...named("exercises/")];
/** An exercise may do nothing, or end with what is wrong with it. */
const isExercise = (file: string): boolean => file.startsWith("exercises/");
const isAnalysis = (file: string): boolean => readFileSync(new URL(file, passes), "utf8").includes("defineAnalysis({");
const tried = someOf(
  files.filter((name) => name !== "empty.ts"),
  1,
);
let folder = "";

test.describe.configure({ timeout: 480_000 });
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope same "));
  writeFileSync(join(folder, "k.ori"), PROGRAM);
});
test.afterAll(() => rmSync(folder, { recursive: true }));

/** What the command line prints with `--json`. */
async function commandLine<T>(...args: string[]): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, ["bin/oriscope.mjs", ...args, "--json"], {
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout) as T;
}

async function exported(page: Page, title: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), exportAs(page, title)]);
  return readFileSync(await download.path(), "utf8");
}

async function runInPage(page: Page, file: string, says: RegExp): Promise<void> {
  const more = page.getByRole("button", { name: "More pass actions" });
  if (await more.isVisible()) {
    await more.click();
    await page.getByRole("menuitem", { name: "Close the pass" }).click();
  }
  const open = page.getByRole("button", { name: "Open a file…" });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), open.click()]);
  await chooser.setFiles({ name: file, mimeType: "text/typescript", buffer: readFileSync(new URL(file, passes)) });
  await page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByTestId("pass-said")).toHaveText(says, { timeout: 45_000 });
  await waitForRun(page);
}

interface Ran {
  readonly kernels: readonly { readonly text: string; readonly phases: readonly { readonly rewrites: number }[] }[];
}
interface Analyzed {
  readonly own: readonly { readonly blocks: readonly { readonly same: boolean }[] }[];
}
type Told = readonly { readonly sentence: string }[];

/** Without the pipeline's own steps at the beginning and end of a phase. */
const within = (told: Told): readonly string[] => told.slice(1, -1).map((step) => step.sentence);

/** The steps of the phase that is open, without the pipeline's own. */
async function stepsInPage(page: Page, file: string): Promise<readonly string[]> {
  const trace = readTrace(await exported(page, "Export this phase as a trace"));
  if (!trace.ok) throw new Error(trace.message);
  const sentences = trace.documents[0]?.phases[0]?.steps.map((step) => step.sentence) ?? [];
  expect(sentences[0], file).toMatch(/ begins: /);
  expect(sentences.at(-1), file).toMatch(/ ends: /);
  return sentences.slice(1, -1);
}

test("passes make the same program and say the same in the page and on the command line; so do analyses at a place", async ({ page }) => {
  await openProgram(page, "same", PROGRAM);
  await openTab(page, "Pass");
  for (const file of tried.filter((name) => !isAnalysis(name))) {
    const args = [join(folder, "k.ori"), "--pass", `passes/${file}`];
    const [ran, told] = await Promise.all([
      // Where the hole of an exercise leaves a program that is none, the command line prints no program.
      commandLine<Ran>("run", ...args).catch((error: Error) => error.message),
      commandLine<Told>("trace", ...args).catch(() => null),
    ]);
    const kernel = typeof ran === "string" ? undefined : ran.kernels[0];
    const rewrites = kernel?.phases[0]?.rewrites ?? 0;
    // All blocks of the program are reached.
    if (file === "unreachable-code.ts") expect(rewrites).toBe(0);
    else if (!isExercise(file)) expect(rewrites, file).toBeGreaterThan(0);
    await runInPage(page, file, isExercise(file) ? /: ./ : new RegExp(rewrites === 0 ? ": ." : `: ${rewrites} rewrites?$`));
    if (told !== null) expect(await stepsInPage(page, file), file).toEqual(within(told));
    if (kernel === undefined) {
      // The verifier refuses the program, or an edit is refused.
      const [why = "no reason"] = /VER019|cannot be removed/.exec(String(ran)) ?? [];
      expect(why, file).not.toBe("no reason");
      await expect(page.locator("main")).toContainText(why);
      continue;
    }
    await focusTimeline(page);
    await page.keyboard.press("End");
    await expect(page.getByTestId("step")).toHaveText(/^step (\d+) \/ \1$/);
    const text = await exported(page, "Export the program at this step as Ori");
    expect(text.trim(), file).toBe(kernel.text.trim());
  }

  for (const file of tried.filter(isAnalysis)) {
    const args = [join(folder, "k.ori"), "--pass", `passes/${file}`];
    const [{ own }, told] = await Promise.all([commandLine<Analyzed>("analyze", ...args), commandLine<Told>("trace", ...args)]);
    const blocks = own[0]?.blocks ?? [];
    const differ = blocks.filter((block) => !block.same).length;
    expect([blocks.length, differ > 0], file).toEqual([5, isExercise(file)]);
    // The program as it came in: no phase has touched it yet.
    const first = page.getByLabel("Position of the pass");
    const says = differ === 0 ? /: same as our .* in all 5 blocks$/ : new RegExp(`: differs from our .* in ${differ} of 5 blocks$`);
    await runInPage(page, file, /: (same as|differs from) our .*/);
    await first.selectOption({ index: 1 });
    await page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true }).click();
    await waitForRun(page);
    await expect(page.getByTestId("pass-said")).toHaveText(says);
    // It may have reported the same before, alone.
    await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveAttribute("data-phase", /^own-/);
    expect(await stepsInPage(page, file), file).toEqual(within(told));
  }
});
