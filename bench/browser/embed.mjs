/**
 * What embedding costs, in a real Chromium: how soon the first picture of a frame is there once it is scrolled to, what five frames on a page
 * take of the processor while nobody touches them, and how soon an exported file opens. `npm run build` first, then
 * `node bench/browser/embed.mjs [--dist DIR] [--runs 5] [--idle 10]`. Milliseconds; processor in percent of one core.
 * `--against DIR` only opens pictures of this build and of another in turn, so that what else the machine does falls on both, and prints the ratios.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { root } from "../../scripts/lib/root.mjs";

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: "dist" },
    runs: { type: "string", default: "5" },
    idle: { type: "string", default: "10" },
    against: { type: "string" },
  },
});
const dist = resolve(root, values.dist);
const runs = Number(values.runs);
const idleSeconds = Number(values.idle);
const types = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml" };

const { page, blog } = await serveBuild(dist);

const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
const folder = mkdtempSync(join(tmpdir(), "oriscope embed "));
try {
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  if (values.against !== undefined) await compare(context, resolve(root, values.against));
  else await measure(context);
} finally {
  await browser.close();
  page.server.close();
  blog.server.close();
  rmSync(folder, { recursive: true });
}

/** @param {import("@playwright/test").BrowserContext} context */
async function measure(context) {
  const pictures = [];
  for (let i = 0; i <= runs; i++) pictures.push(await firstPicture(context, blog.address));
  const [cold, ...warm] = pictures;
  console.log(`first picture after scrolling to it: cold ${cold?.took}, warm ${range(warm.map(({ took }) => took))}`);
  console.log(
    `  processor time of that, all threads, which other work on the machine does not lengthen: warm ${range(warm.map(({ used }) => used))}`,
  );
  console.log(`five frames, ${idleSeconds} s untouched: ${(await idle(context)).toFixed(1)} % of a core`);
  const { bytes, times } = await exported(context);
  console.log(`exported file of one phase, 334 steps: ${(bytes / 1000).toFixed(0)} kB, opens in ${range(times)}`);
}

/**
 * Pictures of this build and of another in turn; the first of each is cold and does not count.
 * @param {import("@playwright/test").BrowserContext} context
 * @param {string} against
 */
async function compare(context, against) {
  const other = await serveBuild(against);
  try {
    /** @type {Record<"own" | "others", { took: number, used: number }[]>} */
    const pictures = { own: [], others: [] };
    for (let i = 0; i <= runs; i++) {
      pictures.others.push(await firstPicture(context, other.blog.address));
      pictures.own.push(await firstPicture(context, blog.address));
    }
    for (const [what, of] of /** @type {const} */ ([
      ["wall clock", "took"],
      ["processor, all threads", "used"],
    ])) {
      const own = pictures.own.slice(1).map((picture) => picture[of]);
      const others = pictures.others.slice(1).map((picture) => picture[of]);
      const ratios = own.map((ms, i) => ms / (others[i] ?? Number.NaN)).sort((x, y) => x - y);
      const ratio = ratios[Math.floor(ratios.length / 2)]?.toFixed(2);
      console.log(`first picture, warm, ${what}: ${range(own)}; the other build ${range(others)}; ratio of pairs, median ${ratio}`);
    }
  } finally {
    other.page.server.close();
    other.blog.server.close();
  }
}

/**
 * @param {import("@playwright/test").BrowserContext} context
 * @param {string} address
 */
async function firstPicture(context, address) {
  const tab = await context.newPage();
  await tab.goto(address);
  await tab.waitForTimeout(500);
  const before = await processorTime();
  const began = Date.now();
  await tab.evaluate(() => document.querySelector("oriscope-view")?.scrollIntoView());
  await tab.frameLocator("iframe").locator(".react-flow__node").first().waitFor({ timeout: 60_000 });
  const took = Date.now() - began;
  const used = Math.round(1000 * ((await processorTime()) - before));
  await tab.close();
  return { took, used };
}

/** Processor time of all processes of the browser. @param {import("@playwright/test").BrowserContext} context */
async function idle(context) {
  const tab = await context.newPage();
  await tab.goto(`${blog.address}five`);
  for (let i = 0; i < 5; i++) {
    const one = tab.locator("oriscope-view").nth(i);
    await one.scrollIntoViewIfNeeded();
    await one.frameLocator("iframe").locator(".react-flow__node").first().waitFor({ timeout: 60_000 });
  }
  // The frames do nothing by then, but the browser still collects what loading left: a few collections within the first half minute.
  await tab.waitForTimeout(40_000);
  const before = await processorTime();
  const began = Date.now();
  await tab.waitForTimeout(idleSeconds * 1000);
  const used = (await processorTime()) - before;
  const share = (100_000 * used) / (Date.now() - began);
  await tab.close();
  return share;
}

/** Seconds of the processes that run pages: the browser's own goes on without any. */
async function processorTime() {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** @param {import("@playwright/test").BrowserContext} context */
async function exported(context) {
  const kernel = join(root, "src/app/examples/ptx/05_loop_nest.sm_90.ptx");
  const html = execFileSync(
    process.execPath,
    [join(root, "bin/oriscope.mjs"), "export", kernel, "--as", "html", "--phase", "ori-branch-opt"],
    { encoding: "utf8", cwd: root, maxBuffer: 1e8 },
  );
  const file = join(folder, "phase.html");
  writeFileSync(file, html);
  const times = [];
  for (let i = 0; i < runs; i++) {
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(file).href);
    await tab.locator("svg .label").first().waitFor();
    times.push(
      await tab.evaluate(() => {
        const [navigation] = performance.getEntriesByType("navigation");
        return Math.round(/** @type {PerformanceNavigationTiming} */ (navigation).domComplete);
      }),
    );
    await tab.close();
  }
  return { bytes: Buffer.byteLength(html), times };
}

/** @param {number[]} times */
function range(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return `${sorted[0]} to ${sorted.at(-1)}, median ${sorted[Math.floor(sorted.length / 2)]}`;
}

/**
 * A build, and a blog that shows it, of another origin: what a frame of another site costs.
 * @param {string} dist
 */
async function serveBuild(dist) {
  const page = await serve(4780, (path) => {
    const file = join(dist, path === "/" ? "index.html" : path);
    const type = /** @type {Record<string, string>} */ (types)[extname(file)] ?? "application/octet-stream";
    return existsSync(file) ? { type, body: readFileSync(file), hashed: path.startsWith("/assets/") } : null;
  });
  const view = `<oriscope-view src="${page.address}#"></oriscope-view>`;
  const blog = await serve(4790, (path) => {
    const frames = path === "/five" ? view.repeat(5) : `<div style="height:3000px"></div>${view}<div style="height:3000px"></div>`;
    const body = `<!doctype html><html><head><script src="${page.address}embed.js" defer></script></head><body>${frames}</body></html>`;
    return { type: "text/html", body: Buffer.from(body), hashed: false };
  });
  return { page, blog };
}

/**
 * @param {number} from
 * @param {(path: string) => { type: string, body: Buffer, hashed: boolean } | null} answer
 */
async function serve(from, answer) {
  const server = createServer((request, response) => {
    const found = answer(normalize(decodeURIComponent((request.url ?? "/").replace(/[?#].*/, ""))));
    if (found === null) {
      response.writeHead(404).end();
      return;
    }
    const cached = found.hashed ? "max-age=31536000, immutable" : "no-cache";
    response.writeHead(200, { "content-type": found.type, "cache-control": cached }).end(found.body);
  });
  const port = await freePort(from, "127.0.0.1");
  await new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(undefined)));
  return { server, address: `http://127.0.0.1:${port}/` };
}
