/**
 * `npm run film [-- FILE]`: the guided tour as an animated picture (default `docs/guided-minute.gif`), the first visit and a frame for each of its marks,
 * from the production build. Needs ImageMagick's `convert` and gifsicle (Debian: apt-get install imagemagick gifsicle).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "./lib/chromium.mjs";
import { servePreview } from "./lib/preview.mjs";
import { root } from "./lib/root.mjs";

/** What is drawn, and what it is made smaller to. */
const SIZE = { width: 1200, height: 750 };
const WIDTH = 960;
const COLOURS = 64;
/** Hundredths of a second: time to read the first picture, and a mark. */
const FIRST = 300;
const EACH = 500;
const MOST_BYTES = 1_500_000;

const file = resolve(process.argv[2] ?? join(root, "docs", "guided-minute.gif"));
const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const folder = mkdtempSync(join(tmpdir(), "oriscope-film-"));
const { url, stop } = await servePreview();
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor();
  await page.locator('[data-editor="monaco"]').waitFor();
  /** @type {string[]} */
  const frames = [];
  const take = async () => {
    await page.waitForFunction(() => !/tracing…|running…|Drawing the graph|result of the last valid text/.test(document.body.innerText));
    await page.evaluate(() => document.fonts.ready);
    // Colours of the text, and the last frame of what fades.
    await page.waitForTimeout(1_500);
    const frame = join(folder, `${String(frames.length).padStart(2, "0")}.png`);
    await page.screenshot({ path: frame });
    frames.push(frame);
  };
  await take();
  await page.getByRole("button", { name: "One-minute tour", exact: true }).click();
  const mark = page.locator("[data-stop]");
  // What each mark requests is done as a user does it, until one requests nothing.
  const asked = page.locator("[data-coach]");
  for (;;) {
    await mark.waitFor();
    await take();
    if ((await asked.count()) === 0) break;
    const stop = await mark.getAttribute("data-stop");
    await asked.press("Enter");
    await page.waitForFunction((before) => document.querySelector("[data-stop]")?.getAttribute("data-stop") !== before, stop);
  }
  const joined = join(folder, "joined.gif");
  const [first = "", ...stops] = frames;
  command("convert", [
    ...["-delay", String(FIRST), first, "-delay", String(EACH), ...stops],
    ...["-resize", String(WIDTH), "+dither", "-colors", String(COLOURS), "-loop", "0", joined],
  ]);
  command("gifsicle", ["-O3", "--colors", String(COLOURS), joined, "-o", file]);
} finally {
  await browser.close();
  stop();
  rmSync(folder, { recursive: true, force: true });
}
const { size } = statSync(file);
console.log(`${file}: ${Math.round(size / 1000)} kB`);
if (size > MOST_BYTES) throw new Error(`The film is larger than ${MOST_BYTES / 1000} kB.`);

/** @param {string} program @param {readonly string[]} args */
function command(program, args) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (error !== undefined) throw new Error(`${program} does not start: is it installed?`, { cause: error });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}
