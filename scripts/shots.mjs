/**
 * `npm run shots [-- FOLDER [NAME…]]`: the pictures of the page, taken from the production build: all, or those with such a name. They go
 * to FOLDER (default `shots/`, which git ignores), the one of the README to `docs/`.
 */
import { copyFileSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { chromiumArgs, findChromium } from "./lib/chromium.mjs";
import { servePreview } from "./lib/preview.mjs";
import { root } from "./lib/root.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/**
 * @typedef {object} Shot
 * @property {string} name
 * @property {readonly [number, number]} size
 * @property {"light" | "dark"} theme
 * @property {(page: Page) => Promise<void>} [prepare] what is done after the page's program has run
 */

const press = (/** @type {string} */ name) => async (/** @type {Page} */ page) => {
  await page.getByRole("button", { name, exact: true }).click();
};
const tab = (/** @type {string} */ name) => async (/** @type {Page} */ page) => {
  await page.getByRole("tab", { name, exact: true }).click();
};
const welcomed = press("Close the welcome");

/** @param {string} id @param {string} [phase] */
const example = (id, phase) => async (/** @type {Page} */ page) => {
  await welcomed(page);
  await page.keyboard.press("Control+Shift+E");
  const card = page.locator(`[data-example="${id}"]`);
  const title = (await card.locator("span").first().textContent()) ?? "";
  await card.click();
  await page.waitForFunction((wanted) => document.title.includes(wanted), title);
  await page.waitForFunction(() => !document.body.innerText.includes("result of the last valid text"));
  await settled(page);
  if (phase === undefined) return;
  await page.locator(`[role="option"][data-phase="${phase}"]`).click();
  await settled(page);
  await page.keyboard.press("c");
  await settled(page);
};

/** @param {(page: Page) => Promise<void>} first @param {(page: Page) => Promise<void>} second */
const then = (first, second) => async (/** @type {Page} */ page) => {
  await first(page);
  await second(page);
  await settled(page);
};

/** @type {readonly Shot[]} */
const SHOTS = [
  { name: "01-first-visit", size: [1440, 900], theme: "light" },
  { name: "02-explore-dark", size: [1440, 900], theme: "dark", prepare: then(welcomed, settled) },
  { name: "03-step", size: [1440, 900], theme: "light", prepare: then(example("redundant-addresses", "gvn-cse"), tab("Data")) },
  { name: "04-compare-dark", size: [1440, 900], theme: "dark", prepare: then(welcomed, press("Before | After")) },
  { name: "05-present", size: [1440, 900], theme: "light", prepare: then(welcomed, async (page) => page.keyboard.press("Alt+Shift+2")) },
  { name: "06-five-blocks", size: [1024, 768], theme: "light", prepare: example("five-blocks") },
  { name: "07-fifty-blocks-dark", size: [1440, 900], theme: "dark", prepare: example("generated-50") },
  { name: "08-five-hundred-blocks", size: [1440, 900], theme: "light", prepare: example("generated-500") },
  { name: "09-now-dark", size: [1024, 768], theme: "dark", prepare: then(welcomed, press("Now")) },
  { name: "10-guided-minute", size: [1440, 900], theme: "light", prepare: then(press("One-minute tour"), press("Next")) },
  { name: "11-narrow-dark", size: [720, 900], theme: "dark", prepare: then(welcomed, settled) },
  { name: "12-phone", size: [390, 844], theme: "light", prepare: then(welcomed, settled) },
];
/** What the documents show, by the file that shows it. */
const DOCUMENTS = { "screenshot.png": "03-step" };

/** @param {Page} page */
async function settled(page) {
  await page.locator("[data-testid=phase]").waitFor();
  await page.waitForFunction(() => !/tracing…|running…|Drawing the graph/.test(document.body.innerText));
  await page.evaluate(() => document.fonts.ready);
  await page.locator('[data-editor="monaco"], [data-preset]:not(:has([data-editor]))').first().waitFor({ state: "attached" });
  // Colours of the text and the last frame of the graph's fade.
  await page.waitForTimeout(900);
}

const folder = resolve(process.argv[2] ?? join(root, "shots"));
const names = process.argv.slice(3);
const wanted = SHOTS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
mkdirSync(folder, { recursive: true });
const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const { url, stop } = await servePreview();
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  for (const shot of wanted) await take(shot);
  for (const [file, name] of Object.entries(DOCUMENTS))
    if (wanted.some((shot) => shot.name === name)) copyFileSync(join(folder, `${name}.png`), join(root, "docs", file));
} finally {
  await browser.close();
  stop();
}

/** @param {Shot} shot */
async function take({ name, size: [width, height], theme, prepare }) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce" });
  try {
    await page.goto(url);
    await settled(page);
    await prepare?.(page);
    // Something else may be under the last click by now: nothing may look hovered.
    await page.mouse.move(0, 0);
    await page.screenshot({ path: join(folder, `${name}.png`) });
    console.log(`${name}.png`);
  } finally {
    await page.close();
  }
}
