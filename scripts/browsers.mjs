/**
 * `npm run browsers`: the page's main tasks in the other browsers, by real keys and clicks, on the production build. Firefox, and
 * WebKitGTK where WebKitWebDriver and Xvfb are found (Debian: apt-get install firefox-esr webkit2gtk-driver xvfb). What is not installed
 * is named and left out; if there is none, that is an error.
 */
import { servePreview } from "./lib/preview.mjs";
import { installedEngines } from "./lib/webdriver.mjs";

/** @typedef {import("./lib/webdriver.mjs").Driver} Driver */

/** Waits for states take as long as a slow machine needs; nothing waits for a time. */
const PATIENCE_MS = 120_000;
const KEY = { Control: "\uE009", Shift: "\uE008", Enter: "\uE007", End: "\uE010", Escape: "\uE00C" };

const SENTENCE = `document.querySelector('[data-testid="sentence"]')`;
const STEP = `${SENTENCE}?.getAttribute("data-step")`;
const PHASE = `document.querySelector('[role="option"][aria-selected="true"]')?.getAttribute("data-phase")`;
const BUSY = `/tracing…|running…|Drawing the graph|result of the last valid text/.test(document.body.innerText)`;
const SLIDER = `document.querySelector('[role="slider"][aria-label="Step of this phase"]')`;
/** The details of a failure. */
const SEEN = `[document.title, ${PHASE}, ${STEP}, document.activeElement?.outerHTML.slice(0, 120), document.querySelector('[role="dialog"]')?.innerText.slice(0, 200), document.querySelector('[aria-label="Notices"]')?.innerText]`;

/** @type {readonly { name: string, run: (page: Page) => Promise<void> }[]} */
const TASKS = [
  {
    name: "opens at a step, with its graph",
    async run(page) {
      await page.until(`document.querySelector('[data-testid="phase"]') !== null && !(${BUSY})`);
      await page.until(`document.querySelectorAll(".react-flow__node").length > 1`);
      await page.until(`Number(${STEP}) >= 0`);
      await page.click(`document.querySelector('[aria-label="Close the welcome"]')`);
      await page.until(`document.querySelector('[aria-label="Close the welcome"]') === null`);
    },
  },
  {
    name: "steps forwards and back by keys",
    async run(page) {
      await page.click(`document.querySelector('[role="option"][data-phase="analyze-control-flow"]')`);
      await page.until(`${PHASE} === "analyze-control-flow" && ${STEP} === "-1" && !(${BUSY})`);
      await page.driver.evaluate(`${SLIDER}.focus()`);
      await page.press("s");
      await page.until(`${STEP} === "0"`);
      await page.press("s");
      await page.until(`${STEP} === "1"`);
      await page.press("S", [KEY.Shift]);
      await page.until(`${STEP} === "0"`);
    },
  },
  {
    name: "goes to the next phase that changes the program",
    async run(page) {
      const before = await page.driver.evaluate(PHASE);
      await page.driver.evaluate(`${SLIDER}.focus()`);
      await page.press("]");
      await page.until(`${PHASE} !== ${JSON.stringify(before)} && !(${BUSY})`);
    },
  },
  {
    name: "opens an example of the gallery",
    async run(page) {
      await page.open("five-blocks", "Five blocks");
      await page.until(`document.querySelectorAll(".react-flow__node").length === 5`);
    },
  },
  {
    name: "runs again after a line is typed",
    async run(page) {
      await page.until(`document.querySelector('[data-editor="monaco"] .view-line') !== null`);
      await page.click(`document.querySelector('[data-editor="monaco"] .view-line')`);
      await page.until(`document.activeElement?.closest('[data-editor="monaco"]') !== null`);
      await page.press(KEY.End);
      await page.press(KEY.Enter);
      for (const key of "// typed") await page.press(key);
      await page.until(`/\\/\\/.typed/.test(document.querySelector('[data-editor="monaco"]').innerText) && !(${BUSY})`);
    },
  },
  {
    name: "shows the pseudocode",
    async run(page) {
      await page.click(`[...document.querySelectorAll('[role="tab"]')].find((tab) => tab.textContent === "Algorithm")`);
      await page.until(
        `[...document.querySelectorAll('[role="tab"]')].some((tab) => tab.textContent === "Algorithm" && tab.getAttribute("aria-selected") === "true")`,
      );
    },
  },
  {
    name: "steps in 500 blocks",
    async run(page) {
      await page.open("generated-500", "500 blocks");
      const before = Number(await page.driver.evaluate(STEP));
      await page.driver.evaluate(`${SLIDER}.focus()`);
      await page.press("s");
      await page.until(`Number(${STEP}) === ${before + 1}`);
    },
  },
  {
    name: "walks the guided tour, and leaves it",
    async run(page) {
      const at = (/** @type {string} */ stop) => page.until(`document.activeElement?.getAttribute("data-stop") === "${stop}"`);
      await page.press("k", [KEY.Control]);
      await page.until(`document.activeElement?.tagName === "INPUT"`);
      for (const key of "guided tour") await page.press(key);
      await page.until(
        `/guided tour/i.test(document.querySelector('[role="dialog"] [role="option"][aria-selected="true"]')?.textContent ?? "")`,
      );
      await page.press(KEY.Enter);
      await at("step");
      await page.press("s");
      await at("back");
      await page.press("S", [KEY.Shift]);
      await at("why");
      await page.click(`document.querySelector('[data-tab="why"][data-coach]')`);
      await at("structures");
      await page.press(KEY.Escape);
      await page.until(`document.querySelector("[data-stop]") === null && document.activeElement === ${SLIDER}`);
    },
  },
];

class Page {
  /** @param {Driver} driver */
  constructor(driver) {
    this.driver = driver;
  }

  /** @param {string} condition @param {(value: unknown) => boolean} [holds] */
  async until(condition, holds = Boolean) {
    const began = Date.now();
    while (!holds(await this.driver.evaluate(condition))) {
      if (Date.now() - began > PATIENCE_MS) throw new Error(`not within ${PATIENCE_MS / 1000} s: ${condition}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** @param {string} key @param {readonly string[]} [held] */
  async press(key, held = []) {
    const actions = [
      ...held.map((value) => ({ type: "keyDown", value })),
      { type: "keyDown", value: key },
      { type: "keyUp", value: key },
      ...[...held].reverse().map((value) => ({ type: "keyUp", value })),
    ];
    await this.driver.perform([{ type: "key", id: "keyboard", actions }]);
  }

  /** Clicks what an expression finds, once it exists and nothing covers it. @param {string} found */
  async click(found) {
    const place = `(() => {
      const element = ${found};
      if (!element) return null;
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
      const box = element.getBoundingClientRect();
      const [x, y] = [Math.round(box.x + Math.min(box.width, 400) / 2), Math.round(box.y + box.height / 2)];
      const top = document.elementFromPoint(x, y);
      return box.width > 0 && top !== null && element.contains(top) ? [x, y] : null;
    })()`;
    // When its position is the same twice in a row: what is above it may still be growing.
    let [x, y] = [Number.NaN, Number.NaN];
    await this.until(place, (found) => {
      const [nowX, nowY] = /** @type {[number, number] | null} */ (found) ?? [Number.NaN, Number.NaN];
      const stands = nowX === x && nowY === y;
      [x, y] = [nowX, nowY];
      return stands;
    });
    await this.driver.perform([
      {
        type: "pointer",
        id: "mouse",
        parameters: { pointerType: "mouse" },
        actions: [
          { type: "pointerMove", x, y, duration: 0 },
          { type: "pointerDown", button: 0 },
          { type: "pointerUp", button: 0 },
        ],
      },
    ]);
  }

  /** @param {string} id @param {string} title */
  async open(id, title) {
    await this.click(`[...document.querySelectorAll("header button")].find((button) => button.textContent.trim() === "Examples")`);
    await this.click(`document.querySelector('[data-example="${id}"]')`);
    await this.until(
      `document.title.includes(${JSON.stringify(title)}) && document.querySelector('[role="dialog"]') === null && !(${BUSY})`,
    );
  }
}

const engines = installedEngines();
for (const name of ["Firefox", "WebKitGTK"]) if (!engines.some((e) => e.name === name)) console.log(`${name} is not installed: left out.`);
if (engines.length === 0) {
  console.error("No other browser engine was found. Debian: apt-get install firefox-esr webkit2gtk-driver xvfb");
  process.exit(1);
}
const { url, stop } = await servePreview();
let failed = 0;
try {
  for (const { name, start } of engines) {
    const driver = await start();
    console.log(driver.name);
    try {
      await driver.go(url);
      const page = new Page(driver);
      for (const task of TASKS) {
        const began = Date.now();
        await task.run(page);
        console.log(`  ${task.name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
      }
    } catch (error) {
      failed++;
      console.error(`  ${name} failed: ${error instanceof Error ? error.message : error}`);
      const seen = await driver.evaluate(SEEN).catch(() => null);
      if (seen !== null) console.error(`  The page then: ${JSON.stringify(seen)}`);
    } finally {
      await driver.close();
    }
  }
} finally {
  stop();
}
console.log(failed === 0 ? "All tasks done in every engine." : `${failed} failed.`);
process.exitCode = failed === 0 ? 0 : 1;
