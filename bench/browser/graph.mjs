/**
 * How the graph keeps up in a real Chromium: first picture, stepping with a held key, one step from key to frame, panning.
 * `npm run build` first, then `node bench/browser/graph.mjs [--dist DIR] [--blocks 100,300,1000] [--only-graph]`.
 * `--only-graph` leaves the inspectors out. Times in milliseconds; frames of an idle machine take 16.7,
 * and a step waits for the next one, half of that on average. Tasks are measured in
 * processor time of the page's main thread, which other work on the machine hardly changes.
 */

import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { servePreview } from "../../scripts/lib/preview.mjs";
import { loops } from "./loops.mjs";
import { eventsOf } from "./trace-events.mjs";

const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "100,300,1000" },
    dist: { type: "string", default: "dist" },
    "only-graph": { type: "boolean", default: false },
  },
});
const sizes = values.blocks.split(",").map(Number);
const { "only-graph": embedded } = values;
const SECONDS = 3;

const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const { url, stop } = await servePreview({ built: values.dist });
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  console.log(
    "blocks | picture ms | held key: steps/s, frames p50 p95 max; tasks' ms a step, p95 p99, over 16 ms; their scripts p95 max | one step: state p50 p95 max | frame p50 p95 max | pan frames p50 p95 max",
  );
  for (const blocks of sizes) console.log(await measure(blocks));
} finally {
  await browser.close();
  stop();
}

/** @param {number} blocks */
async function measure(blocks) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(url);
    await page.locator(".react-flow__node").first().waitFor({ timeout: 30_000 });
    await page.waitForTimeout(1_000);
    const { source, count } = loops(blocks);
    const opened = Date.now();
    await page.evaluate(dropFile, source);
    await page.locator('[aria-label^="Control-flow graph of bench:"]').waitFor({ timeout: 60_000 });
    // A program opens at the first phase that changes it; what is stepped here is the same for every version: the analysis of each block.
    await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
    await page.locator(`[aria-label*=" ${count} blocks."]`).waitFor({ timeout: 60_000 });
    const picture = Date.now() - opened;
    await page.waitForTimeout(3_000);
    if (embedded) await page.evaluate(() => document.querySelector("#pane-inspectors")?.remove());
    await page.locator(".react-flow").focus();

    // The first steps compile what the later ones run.
    await page.evaluate(holdKey, { seconds: 1, key: "s" });
    await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
    const held = await page.evaluate(holdKey, { seconds: SECONDS, key: "s" });
    const tasks = mainTasks(eventsOf(await browser.stopTracing()), held.steps);
    const single = await page.evaluate(singleSteps, { steps: 40, key: "s" });
    const pan = await page.evaluate(panView, { seconds: 2 });
    return [
      String(count).padStart(6),
      String(picture).padStart(10),
      `${(held.steps / SECONDS).toFixed(0)}/s, ${summary(held.frames)}; ${tasks}`,
      summary(single.state),
      summary(single.frame),
      summary(pan),
    ].join(" | ");
  } finally {
    await page.close();
  }
}

/** @typedef {import("./trace-events.mjs").TraceEvent} TraceEvent */

/** Opens a program as if it had been dropped on the window. Runs in the page. */
function dropFile(/** @type {string} */ source) {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([source], "bench.ori", { type: "text/plain" }));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

/** Presses a key once a frame, as a held key does at its fastest. Runs in the page. */
async function holdKey(/** @type {{ seconds: number, key: string }} */ { seconds, key }) {
  const target = /** @type {HTMLElement} */ (document.querySelector(".react-flow"));
  const frames = [];
  const from = stepShown();
  const began = performance.now();
  let last = began;
  while (performance.now() - began < seconds * 1000) {
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    frames.push(now - last);
    last = now;
  }
  return { frames: frames.slice(1), steps: stepShown() - from };
  function stepShown() {
    return Number(/step ([\d,]+)/.exec(document.querySelector("#pane-timeline")?.textContent ?? "")?.[1]?.replaceAll(",", "") ?? 0);
  }
}

/** From a key press to the state of the step in the document, and to the end of the frame that shows it. Runs in the page. */
async function singleSteps(/** @type {{ steps: number, key: string }} */ { steps, key }) {
  const target = /** @type {HTMLElement} */ (document.querySelector(".react-flow"));
  const sentence = /** @type {HTMLElement} */ (document.querySelector('[data-testid="sentence"]'));
  const state = [];
  const frame = [];
  for (let i = 0; i < steps; i++) {
    const began = performance.now();
    // The sentence belongs to the state, which comes from the engine; the number of the step changes before it.
    const shown = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        resolve(performance.now());
      });
      observer.observe(sentence, { attributeFilter: ["data-step"] });
    });
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    state.push(/** @type {number} */ (await shown) - began);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    // After the frame's paint was handed over.
    await new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = resolve;
      channel.port2.postMessage(0);
    });
    frame.push(performance.now() - began);
    // Not in step with the frames.
    await new Promise((resolve) => setTimeout(resolve, 70 + Math.random() * 17));
  }
  return { state, frame };
}

/** Turns the wheel a little every frame. Runs in the page. */
async function panView(/** @type {{ seconds: number }} */ { seconds }) {
  const target = /** @type {HTMLElement} */ (document.querySelector(".react-flow__pane"));
  const frames = [];
  const began = performance.now();
  let last = began;
  for (let i = 0; performance.now() - began < seconds * 1000; i++) {
    target.dispatchEvent(
      new WheelEvent("wheel", { deltaY: i % 120 < 60 ? 30 : -30, bubbles: true, cancelable: true, clientX: 700, clientY: 300 }),
    );
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    frames.push(now - last);
    last = now;
  }
  return frames.slice(1);
}

/**
 * Processor time of the tasks of the page's main thread in a trace, in words: all of a task, and what of it is scripts and not the
 * frame's own style, layout and paint; and by how many steps they showed. @param {readonly TraceEvent[]} events @param {number} steps
 */
function mainTasks(events, steps) {
  const page = events.find((e) => e.name === "EventDispatch");
  const main = events.find((e) => e.name === "thread_name" && e.pid === page?.pid && e.args?.name === "CrRendererMain");
  const own = events.filter((e) => e.ph === "X" && e.pid === main?.pid && e.tid === main?.tid).sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  const time = (/** @type {TraceEvent} */ e) => (e.tdur ?? e.dur) / 1000;
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const scripts = [];
  /** Events around the current one; `script`: the outermost script and all in it. @type {{ end: number, script: boolean, frame: boolean }[]} */
  const around = [];
  for (const event of own) {
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= event.ts) around.pop();
    const outer = around.at(-1);
    const script = outer?.script === true || event.name === "FunctionCall" || event.name === "EvaluateScript";
    const frame = outer?.frame === true || event.name === "Layout" || event.name === "UpdateLayoutTree";
    if (event.name === "ThreadControllerImpl::RunTask") {
      times.push(time(event));
      scripts.push(0);
    } else if (scripts.length > 0) {
      // Layout that a script asks for is the frame's, done early.
      const by = script && outer?.script !== true ? 1 : script && frame && outer?.frame !== true ? -1 : 0;
      scripts[scripts.length - 1] = (scripts.at(-1) ?? 0) + by * time(event);
    }
    around.push({ end: event.ts + event.dur, script, frame });
  }
  const over = times.filter((t) => t > 16).length;
  const at = (/** @type {number[]} */ list, /** @type {number} */ part) =>
    ([...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))] ?? 0).toFixed(1);
  const each = times.reduce((sum, t) => sum + t, 0) / Math.max(1, steps);
  return `${each.toFixed(1)} a step, ${at(times, 0.95)} ${at(times, 0.99)}, ${over} of ${times.length}; ${at(scripts, 0.95)} ${at(scripts, 1)}`;
}

/** @param {number[]} times */
function summary(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (/** @type {number} */ part) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1);
  return `${at(0.5)} ${at(0.95)} ${at(1)}`;
}
