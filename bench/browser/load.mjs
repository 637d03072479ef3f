/**
 * How soon the page is there in a real Chromium: first paint, frame of the window, first card of the default example's graph,
 * editor. `npm run build` first, then `node bench/browser/load.mjs [--dist DIR] [--mbit 10] [--rtt 40] [--cpu 1] [--runs 8]`.
 * And until that card: the processor time of the page's thread, and its longest task by the clock (0: none of 50 or more).
 * Each run has an empty cache. `--mbit 0` leaves the network alone, `--cpu 4` slows the processor four times. Milliseconds.
 */

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { root } from "../../scripts/lib/root.mjs";

const { values } = parseArgs({
  options: {
    mbit: { type: "string", default: "10" },
    rtt: { type: "string", default: "40" },
    cpu: { type: "string", default: "1" },
    runs: { type: "string", default: "8" },
    dist: { type: "string", default: "dist" },
  },
});
const mbit = Number(values.mbit);
const rtt = Number(values.rtt);
const cpu = Number(values.cpu);
const runs = Number(values.runs);
const dist = join(root, values.dist);
const types = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml" };

const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
/** @type {Map<string, Buffer>} */
const packed = new Map();
// Compressed, as a host of static files serves it.
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent((request.url ?? "/").replace(/[?#].*/, "")));
  const file = join(dist, path === "/" ? "index.html" : path);
  if (!existsSync(file)) {
    response.writeHead(404).end();
    return;
  }
  const body = packed.get(file) ?? gzipSync(readFileSync(file));
  packed.set(file, body);
  const type = /** @type {Record<string, string>} */ (types)[extname(file)] ?? "application/octet-stream";
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(body);
});
const port = await freePort(4760, "127.0.0.1");
await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  /** @type {Record<string, number[]>} */
  const times = { "first paint": [], frame: [], "first card": [], editor: [], "thread to card": [], "longest task": [] };
  for (let i = 0; i < runs; i++) {
    const marks = await load();
    for (const [name, list] of Object.entries(times)) list.push(marks[name] ?? Number.NaN);
  }
  console.log(`${mbit === 0 ? "no network limit" : `${mbit} Mbit/s, ${rtt} ms`}, processor 1/${cpu}, ${runs} runs: least, median, most`);
  for (const [name, list] of Object.entries(times)) {
    const sorted = list.sort((a, b) => a - b).map(Math.round);
    console.log(`${name.padStart(14)}  ${sorted[0]}  ${sorted[Math.floor(sorted.length / 2)]}  ${sorted.at(-1)}`);
  }
} finally {
  await browser.close();
  server.close();
}

/** What `watch` leaves in the page. @typedef {{ readonly marks: Record<string, number>, readonly longTasks: { start: number, ms: number }[] }} Watched */

/** One visit with an empty cache. @returns {Promise<Record<string, number>>} */
async function load() {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const bytes = (mbit * 1e6) / 8;
    if (mbit > 0)
      await devtools.send("Network.emulateNetworkConditions", {
        offline: false,
        latency: rtt,
        downloadThroughput: bytes,
        uploadThroughput: bytes,
      });
    if (cpu > 1) await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    // Durations as processor time of the page's thread: other work on the machine hardly changes them.
    await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
    await page.addInitScript(watch);
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.waitForFunction(() => "first card" in /** @type {Watched} */ (/** @type {unknown} */ (window)).marks, undefined, {
      timeout: 120_000,
    });
    const { metrics } = await devtools.send("Performance.getMetrics");
    const thread = 1000 * (metrics.find((m) => m.name === "TaskDuration")?.value ?? Number.NaN);
    await page.waitForFunction(() => "editor" in /** @type {Watched} */ (/** @type {unknown} */ (window)).marks, undefined, {
      timeout: 120_000,
    });
    const { marks, longTasks } = await page.evaluate(() => {
      const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
      const { marks, longTasks } = /** @type {Watched} */ (/** @type {unknown} */ (window));
      /** @type {Record<string, number>} */
      const all = { ...marks, "first paint": paint ?? Number.NaN };
      return { marks: all, longTasks };
    });
    const card = marks["first card"] ?? Number.POSITIVE_INFINITY;
    const longest = Math.max(0, ...longTasks.filter(({ start }) => start < card).map(({ ms }) => ms));
    return { ...marks, "thread to card": thread, "longest task": longest };
  } finally {
    await context.close();
  }
}

/** Notes when things first appear. Runs in the page. */
function watch() {
  /** @type {Record<string, number>} */
  const marks = {};
  /** @type {{ start: number, ms: number }[]} */
  const longTasks = [];
  Object.assign(window, { marks, longTasks });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ start: startTime, ms: duration });
  }).observe({ type: "longtask", buffered: true });
  const wanted = { frame: "main", "first card": ".react-flow__node", editor: ".monaco-editor .view-line" };
  new MutationObserver(() => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (!(name in marks) && document.querySelector(selector) !== null) marks[name] = performance.now();
    }
  }).observe(document, { childList: true, subtree: true });
}
