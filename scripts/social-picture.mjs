/**
 * Makes public/social.png, the picture that other sites show of a link to Oriscope, from the page's own export of a graph.
 * `npm run build` first, then `node scripts/social-picture.mjs`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { preview } from "vite";
import { chromiumArgs, findChromium } from "./lib/chromium.mjs";
import { freePort } from "./lib/free-port.mjs";
import { root } from "./lib/root.mjs";

const EXAMPLE = "loop-nest";

const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const port = await freePort(4720, "127.0.0.1");
const server = await preview({ root, logLevel: "warn", preview: { host: "127.0.0.1", port, strictPort: true } });
const browser = await chromium.launch({ executablePath, args: chromiumArgs });
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: "light" });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator(`[data-example="${EXAMPLE}"]`).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".react-flow__node").first().waitFor();
  const download = page.waitForEvent("download");
  await page.keyboard.press("ControlOrMeta+K");
  await page.keyboard.type("Save the graph as SVG");
  await page.keyboard.press("Enter");
  const svg = readFileSync(await (await download).path(), "utf8");
  const picture = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await picture.setContent(`<!doctype html><style>
    body { margin: 0; display: flex; height: 630px; background: #fff; font: 30px/1.35 system-ui, sans-serif; color: #1a1f26 }
    div { flex: 1; padding: 80px 20px 0 80px }
    h1 { margin: 0 0 24px; font-size: 72px; color: #1d56c9 }
    img { width: 560px; height: 610px; margin: 10px; object-fit: contain }
  </style><div><h1>Oriscope</h1>Step through a GPU control-flow optimizer in the browser, forwards and backwards.</div>
  <img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}">`);
  await picture.locator("img").evaluate((image) => /** @type {HTMLImageElement} */ (image).decode());
  await picture.screenshot({ path: join(root, "public", "social.png") });
} finally {
  await browser.close();
  server.httpServer.close();
}
