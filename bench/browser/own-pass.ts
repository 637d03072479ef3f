/**
 * A pass of one's own in a real Chromium, from the key press in its text to the new trace on the screen, on a program of 100 blocks: every template, or those named. `npm run build` first,
 * then `node scripts/run-ts.mjs bench/browser/own-pass.ts [RUNS] [NAME…]`. The quiet time after a key (120 ms) is part of it. Wall clock, and processor time of all threads of all
 * processes, which other work on the machine hardly lengthens; medians.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "@playwright/test";
import { openTab } from "../../e2e/page.ts";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { generateKernel } from "../../src/app/examples/generate.ts";

const BLOCKS = 100;
const runs = Number(process.argv[2] ?? 9);
const named = process.argv.slice(3);
const root = process.cwd();

const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const port = await freePort(4700, "127.0.0.1");
const url = `http://127.0.0.1:${port}/`;
const vite = join(root, "node_modules", "vite", "bin", "vite.js");
const server = spawn(process.execPath, [vite, "preview", "--host", "127.0.0.1", "--port", String(port), "--strictPort"], {
  cwd: root,
  stdio: "ignore",
});
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  await answering();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url);
  await page.locator(".react-flow__node").first().waitFor({ timeout: 60_000 });
  await page.getByRole("button", { name: "Close the welcome" }).click();
  await page.evaluate(dropFile, generateKernel("bench", BLOCKS, 1));
  await page.locator('[aria-label^="Control-flow graph of bench:"]').waitFor({ timeout: 60_000 });
  await openTab(page, "Pass");
  console.log(`${BLOCKS} blocks, ${runs} keys each, load ${loadavg()[0]?.toFixed(1)}`);
  for (const file of readdirSync(join(root, "passes")).filter(wanted)) {
    // On a busy machine the page's watchdog may end a pass: the others are measured all the same.
    await measure(page, file).catch(async (error: unknown) => {
      console.log(
        `${file}: not measured, the page says '${await page.getByTestId("pass-said").textContent()}': ${String(error).split("\n")[0]}`,
      );
      process.exitCode = 1;
    });
  }
  console.log(`load at the end ${loadavg()[0]?.toFixed(1)}`);
} finally {
  await browser.close();
  server.kill();
}

function wanted(file: string): boolean {
  return file.endsWith(".ts") && (named.length === 0 || named.includes(file.slice(0, -3)));
}

async function answering(): Promise<void> {
  for (let i = 0; i < 100; i++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("The server does not answer.");
}

async function measure(page: Page, file: string): Promise<void> {
  const source = readFileSync(join(root, "passes", file), "utf8");
  const name = /^ {2}name: "([^"]+)"/m.exec(source)?.[1] ?? "";
  // The last pass is closed, so that this one is opened by the same press as the first.
  const close = page.getByRole("button", { name: "More pass actions" });
  if (await close.isVisible()) {
    await close.click();
    await page.getByRole("menuitem", { name: "Close the pass" }).click();
    await openTab(page, "Pass");
  }
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name: file, mimeType: "text/typescript", buffer: Buffer.from(source) });
  await page.locator('[data-pass-editor="monaco"]').waitFor();
  await page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true }).click();
  await page.waitForFunction((wanted) => document.querySelector('[data-testid="pass-said"]')?.textContent?.startsWith(wanted), `${name}: `);
  // After the last letter of its name, which is shown above its steps: the key can be seen there when the new trace is.
  const line = source.split("\n").findIndex((text) => text.startsWith('  name: "'));
  await page.getByRole("textbox", { name: "Pass" }).focus();
  await page.keyboard.press("ControlOrMeta+Home");
  for (let i = 0; i < line; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  const [wall, processor]: [number[], number[]] = [[], []];
  let typed = name;
  // Two more, which warm up what the others run.
  for (let i = 0; i < runs + 2; i++) {
    typed += "x";
    await page.evaluate(watchFor, typed);
    const before = await processorTime(browser);
    await page.keyboard.press("x");
    const took = await page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
    if (i < 2) continue;
    wall.push(took);
    processor.push(1000 * ((await processorTime(browser)) - before));
  }
  const steps = await page.getByTestId("step").textContent();
  console.log(`${file.slice(0, -3).padEnd(24)} ${range(wall, "wall")}; ${range(processor, "processor")}; ${steps}`);
}

/** Sets `took`: milliseconds from the next key to the frame that shows its pass without anything on its way. Runs in the page. */
function watchFor(typed: string): void {
  const shown = (): boolean => {
    const text = (id: string): string => document.querySelector(`[data-testid="${id}"]`)?.textContent ?? "";
    const body = document.body.textContent ?? "";
    if (["tracing…", "running…", "result of the last valid text"].some((sign) => body.includes(sign))) return false;
    const said = text("pass-said");
    // An analysis has no phase: its answer is all of it.
    return said.startsWith(`${typed}: `) && (text("phase").includes(typed) || /: (?:same as|differs from) our /.test(said));
  };
  (globalThis as unknown as { took: Promise<number> }).took = new Promise((resolve) => {
    addEventListener(
      "keydown",
      ({ timeStamp }) => {
        const look = (): void => {
          if (shown()) requestAnimationFrame(() => resolve(performance.now() - timeStamp));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
}

/** Opens a program as if it had been dropped on the window. Runs in the page. */
function dropFile(source: string): void {
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([source], "bench.ori", { type: "text/plain" }));
  window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
}

/** Seconds of all threads of all processes of the browser. */
async function processorTime(of: Browser): Promise<number> {
  const session = await of.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

function range(all: readonly number[], what: string): string {
  const sorted = all.toSorted((a, b) => a - b);
  return `${what} ${sorted[sorted.length >> 1]?.toFixed(0)} ms (${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)})`;
}
