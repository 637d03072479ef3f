/**
 * What a long PTX file does to the page in a real Chromium: `npm run build` first, then
 * `npx tsx bench/browser/real.ts [FILE.ptx] [--dist DIR] [--against DIR] [--long 50]`. Without a file: a megabyte of 30 generated kernels. The file is
 * dropped on the window; then twenty keys are typed in it. Of each part are printed the time on the clock and, in processor time, which other work on the machine hardly
 * changes, the page's main thread (its longest tasks, with the script that ran longest in each) and the workers'. `--against`: the same with another build first, and
 * what this one takes of that.
 */

import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium, type Page } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { servePreview } from "../../scripts/lib/preview.mjs";
import { manyKernels } from "../../src/engine/import/ptx/testing/many-kernels.ts";
import { eventsOf, type TraceEvent } from "./trace-events.mjs";

const { values, positionals } = parseArgs({
  options: { dist: { type: "string", default: "dist" }, against: { type: "string" }, long: { type: "string", default: "50" } },
  allowPositionals: true,
});
const [path] = positionals;
const given =
  path === undefined ? { text: manyKernels(30, 80), name: "generated.ptx" } : { text: readFileSync(path, "utf8"), name: basename(path) };
const long = Number(values.long);
const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const patient = { timeout: 240_000 };

/** Of a part, in milliseconds. */
interface Cost {
  readonly clock: number;
  readonly page: number;
  readonly longest: number;
  readonly workers: number;
}

const before = values.against === undefined ? null : await costsOf(values.against);
const now = await costsOf(values.dist);
for (const [part, cost] of before === null ? [] : now) {
  const then = before?.get(part);
  const ratio = (of: keyof Cost): string => `${of} ${(cost[of] / Math.max(1, then?.[of] ?? 0)).toFixed(2)}`;
  console.log(`${values.dist} / ${values.against}, ${part}: ${(["clock", "page", "longest", "workers"] as const).map(ratio).join(", ")}`);
}

/** Serves a build, measures it in a fresh browser, and prints what it took. */
async function costsOf(dist: string): Promise<ReadonlyMap<string, Cost>> {
  const { url, stop } = await servePreview({ built: dist });
  const browser = await chromium.launch({ executablePath: executablePath ?? "", args: chromiumArgs });
  try {
    console.log(`${dist}: ${given.name}, ${(given.text.length / 1000).toFixed(0)} kB, load ${loadavg()[0]?.toFixed(1)}`);
    return await measure(browser, url);
  } finally {
    await browser.close();
    stop();
  }
}

async function measure(browser: Browser, url: string): Promise<ReadonlyMap<string, Cost>> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor(patient);
  await page.locator(".monaco-editor .view-line").first().waitFor(patient);
  // What is begun when the page opens is over.
  await quiet(page);
  const kernel = /\.entry\s+([\w$]+)/.exec(given.text)?.[1] ?? "";
  const costs = new Map<string, Cost>();
  const part = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    costs.set(what, await traced(browser, page, what, work));
  };
  await part("from the drop to the first graph", async () => {
    await page.evaluate(dropFile, given);
    await page.locator(`[aria-label^="Control-flow graph of ${kernel}:"]`).waitFor(patient);
  });
  await part("until nothing is under way", () => quiet(page));
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("Control+Home");
  await quiet(page);
  await part("twenty keys in a comment on the first line", async () => {
    await page.keyboard.type("// a comment of mine", { delay: 40 });
    await quiet(page);
  });
  return costs;
}

/** Until the page's thread had nothing to do for a while. */
async function quiet(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const busy = '[aria-busy="true"], [data-testid="progress"]';
    for (let calm = 0; calm < 20; ) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 100));
      calm = performance.now() - began < 180 && document.querySelector(busy) === null ? calm + 1 : 0;
    }
  });
}

async function traced(browser: Browser, page: Page, what: string, work: () => Promise<unknown>): Promise<Cost> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  const began = performance.now();
  await work();
  const clock = performance.now() - began;
  const events = eventsOf(await browser.stopTracing());
  const main = tasksOf(events, "CrRendererMain")[0] ?? [];
  const workers = tasksOf(events, "DedicatedWorker thread").map(total);
  const over = main.filter((t) => t.ms > long).sort((a, b) => b.ms - a.ms);
  const each = workers.map((ms) => ms.toFixed(0)).join(", ") || "–";
  console.log(`  ${what}: ${clock.toFixed(0)} ms on the clock; processor time: page ${total(main).toFixed(0)} ms, workers ${each}`);
  console.log(`    tasks of the page over ${long} ms: ${over.length}`);
  for (const { ms, at, script } of over.slice(0, 8))
    console.log(`      ${ms.toFixed(0)} ms, ${at.toFixed(0)} ms after the beginning: ${script}`);
  return { clock, page: total(main), longest: Math.max(0, ...main.map((t) => t.ms)), workers: workers.reduce((a, b) => a + b, 0) };
}

interface Task {
  readonly ms: number;
  readonly at: number;
  readonly script: string;
}

function total(tasks: readonly Task[]): number {
  return tasks.reduce((sum, t) => sum + t.ms, 0);
}

function processor({ tdur = 0 }: TraceEvent): number {
  return tdur / 1000;
}

/** Tasks of each thread of a name, the busiest first, each with what ran longest in it. */
function tasksOf(events: readonly TraceEvent[], name: string): readonly (readonly Task[])[] {
  const named = events.filter((e) => e.name === "thread_name" && e.args?.name === name);
  const complete = events.filter((e) => e.ph === "X");
  const began = complete.reduce((least, { ts }) => Math.min(least, ts), Number.POSITIVE_INFINITY);
  const lists = named.map(({ pid, tid }) => {
    const own = complete.filter((e) => e.pid === pid && e.tid === tid);
    // The outer of the two: promises are settled in it, too.
    return own
      .filter((e) => e.name === "RunTask")
      .map((task): Task => {
        const ms = processor(task);
        const end = task.ts + task.dur;
        const inner = ms > long ? own.filter((e) => !e.name.endsWith("RunTask") && e.ts >= task.ts && e.ts < end) : [];
        const longest = inner.sort((a, b) => processor(b) - processor(a)).slice(0, 6);
        return { ms, at: (task.ts - began) / 1000, script: longest.map((e) => `${said(e)} ${processor(e).toFixed(0)}`).join(", ") };
      });
  });
  return lists.sort((a, b) => total(b) - total(a)).filter((tasks) => tasks.length > 0);
}

function said({ name, args }: TraceEvent): string {
  const { functionName = "", url = "", lineNumber = 0, columnNumber = 0 } = args?.data ?? {};
  return url === "" ? name : `${name} ${functionName} ${String(url).replace(/^.*\//, "")}:${lineNumber}:${columnNumber}`;
}

/** Opens a file as if it had been dropped on the window. Runs in the page. */
function dropFile({ text, name }: { readonly text: string; readonly name: string }): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}
