/**
 * What a real file does to the page in a real Chromium: `npm run build` first, then `node bench/browser/real.mjs FILE.ptx [--dist DIR] [--long 50]`.
 * The file is dropped on the window; then twenty keys are typed in it. Of each part are printed the time on the clock and, in processor time, which other work on
 * the machine hardly changes, the page's main thread (its longest tasks, with the script that ran longest in each) and the engine's.
 */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { servePreview } from "../../scripts/lib/preview.mjs";
import { eventsOf } from "./trace-events.mjs";

/** @typedef {import("./trace-events.mjs").TraceEvent} TraceEvent */

const { values, positionals } = parseArgs({
  options: { dist: { type: "string", default: "dist" }, long: { type: "string", default: "50" } },
  allowPositionals: true,
});
const [path] = positionals;
if (path === undefined) throw new Error("Name a file.");
const long = Number(values.long);
const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const { url, stop } = await servePreview({ built: values.dist });
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  await measure(readFileSync(path, "utf8"), basename(path));
} finally {
  await browser.close();
  stop();
}

/** @param {string} text @param {string} name */
async function measure(text, name) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const patient = { timeout: 240_000 };
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor(patient);
  await page.locator(".monaco-editor .view-line").first().waitFor(patient);
  const kernel = /\.entry\s+([\w$]+)/.exec(text)?.[1] ?? "";
  await traced(page, `${name}, ${(text.length / 1000).toFixed(0)} kB: drop to the graph of ${kernel}`, async () => {
    await page.evaluate(dropFile, { text, name });
    await page.locator(`[aria-label^="Control-flow graph of ${kernel}:"]`).waitFor(patient);
  });
  await traced(page, "until nothing is under way", () => quiet(page));
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("Control+Home");
  await quiet(page);
  await traced(page, "twenty keys in a comment on its first line", async () => {
    await page.keyboard.type("// a comment of mine", { delay: 40 });
    await quiet(page);
  });
}

/** Until the page's thread had nothing to do for a while. @param {import("@playwright/test").Page} page */
async function quiet(page) {
  await page.waitForLoadState("networkidle");
  await page.evaluate(async () => {
    for (let calm = 0; calm < 20; ) {
      const began = performance.now();
      await new Promise((resolve) => setTimeout(resolve, 100));
      calm = performance.now() - began < 180 && document.querySelector('[aria-busy="true"]') === null ? calm + 1 : 0;
    }
  });
}

/** @param {import("@playwright/test").Page} page @param {string} what @param {() => Promise<unknown>} work */
async function traced(page, what, work) {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"] });
  const began = performance.now();
  await work();
  const took = performance.now() - began;
  const events = eventsOf(await browser.stopTracing());
  const main = threads(events, "CrRendererMain")[0] ?? [];
  const engine = threads(events, "DedicatedWorker thread").map((tasks) => tasks.reduce((sum, t) => sum + t.ms, 0));
  const over = main.filter((t) => t.ms > long).sort((a, b) => b.ms - a.ms);
  const sum = main.reduce((all, t) => all + t.ms, 0);
  console.log(
    `${what}: ${took.toFixed(0)} ms on the clock; processor time: page ${sum.toFixed(0)} ms, workers ${engine.map((ms) => ms.toFixed(0)).join(", ") || "–"}`,
  );
  console.log(`  tasks of the page over ${long} ms: ${over.length}`);
  for (const { ms, at, script } of over.slice(0, 8))
    console.log(`    ${ms.toFixed(0)} ms, ${at.toFixed(0)} ms after the beginning: ${script}`);
}

/** Tasks of the busiest threads of a name first, each with what ran longest in it. @param {readonly TraceEvent[]} events @param {string} name */
function threads(events, name) {
  const named = events.filter((e) => e.name === "thread_name" && e.args?.name === name);
  const began = Math.min(...events.filter((e) => e.ph === "X").map((e) => e.ts));
  const time = (/** @type {TraceEvent} */ e) => (e.tdur ?? 0) / 1000;
  const lists = named.map(({ pid, tid }) => {
    const own = events.filter((e) => e.ph === "X" && e.pid === pid && e.tid === tid);
    // The outer of the two: promises are settled in it, too.
    const tasks = own.filter((e) => e.name === "RunTask");
    return tasks.map((task) => {
      const ms = time(task);
      const inner = ms > long ? own.filter((e) => !e.name.endsWith("RunTask") && e.ts >= task.ts && e.ts < task.ts + task.dur) : [];
      const longest = inner.sort((a, b) => time(b) - time(a)).slice(0, 6);
      return { ms, at: (task.ts - began) / 1000, script: longest.map((e) => `${said(e)} ${time(e).toFixed(0)}`).join(", ") };
    });
  });
  const all = (/** @type {{ ms: number }[]} */ tasks) => tasks.reduce((sum, t) => sum + t.ms, 0);
  return lists.sort((a, b) => all(b) - all(a)).filter((tasks) => tasks.length > 0);
}

/** @param {TraceEvent} event */
function said(event) {
  const { functionName = "", url = "", lineNumber = 0, columnNumber = 0 } = event.args?.data ?? {};
  return url === "" ? event.name : `${event.name} ${functionName} ${String(url).replace(/^.*\//, "")}:${lineNumber}:${columnNumber}`;
}

/** Opens a file as if it had been dropped on the window. Runs in the page. */
function dropFile(/** @type {{ text: string, name: string }} */ { text, name }) {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([text], name, { type: "text/plain" }));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}
