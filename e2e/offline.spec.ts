/** The page without a network, from a folder of some host; and a newer version of it. */

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { expectStep, focusTimeline, openExample, openPage, openTab, place, typeSource, waitForEditor, waitForRun } from "./page.ts";

// The first visit stores some 7 MB.
test.describe.configure({ timeout: 240_000 });

const FOLDER = "/talks/2026/";
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

/** Serves the built page from a folder; `change` stands between the disk and the answer: null is 404. */
async function host(): Promise<{ address: string; server: Server; change: (file: string, text: string) => string | null }> {
  const made = {
    address: "",
    change: (_file: string, text: string): string | null => text,
    server: createServer((request, response) => {
      const path = new URL(request.url ?? "/", "http://x").pathname;
      const file = path === FOLDER ? "index.html" : path.startsWith(FOLDER) ? path.slice(FOLDER.length) : "..";
      let body: Buffer | string | null = null;
      try {
        body = file.includes("..") ? null : readFileSync(join("dist", file));
      } catch {
        // Not there.
      }
      if (body !== null) body = /\.(?:html|js)$/.test(file) ? made.change(file, body.toString()) : body;
      if (body === null) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(body);
    }),
  };
  await new Promise<void>((resolve) => made.server.listen(0, "127.0.0.1", resolve));
  made.address = `http://127.0.0.1:${(made.server.address() as AddressInfo).port}${FOLDER}`;
  return made;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** The first visit, until all of the page is kept. */
async function visit(page: Page, address: string): Promise<void> {
  await openPage(page, `${address}?offline`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 120_000 });
}

test("after one visit the main tasks work without a network", async ({ page, context }) => {
  const { address, server } = await host();
  await visit(page, address);
  close(server);
  expect(await page.evaluate(() => fetch("./nothing").then(String, () => "no network"))).toBe("no network");
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));

  // A fresh start: window, engine, graph and editor.
  await openPage(page, address);
  await waitForEditor(page);
  await expect(page.locator(".react-flow__node").first()).toBeVisible();
  await focusTimeline(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expectStep(page, 1);
  await page.keyboard.press("ArrowLeft");
  await expectStep(page, 0);

  // Programs of every kind out of the gallery, each a file of its own; and one of a phase.
  for (const id of ["05_loop_nest.sm_90", "bril-sum", "fixture:gvn-cse/full"]) await openExample(page, id);
  await openTab(page, "Run");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/this step/).first()).toBeVisible();

  // One's own program, typed into the editor, and its link in another tab.
  await typeSource(page, ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  await waitForRun(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("menuitem", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Copy link to this moment" }).click();
  await expect(page).toHaveURL(/#v1\./);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("Kernel")).toContainText("mine");
  await other.close();

  // What leaves the page.
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "File" }).click();
  await page.getByRole("menuitem", { name: "Export all changes as Markdown" }).click();
  const saved = await Promise.race([download, page.getByText("there is nothing to export").waitFor()]);
  expect(saved === undefined || saved.suggestedFilename().endsWith(".md")).toBe(true);
  expect((await place(page)).phase).not.toBe("");
  expect(complaints).toEqual([]);
});

test("a newer version is announced and taken when asked for; an old tab keeps its work and says what is missing", async ({
  page,
  context,
}) => {
  const site = await host();
  await visit(page, site.address);
  await typeSource(page, ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  const old = await context.newPage();
  await openPage(old, site.address);
  for (const tab of [page, old]) await tab.evaluate(() => document.body.setAttribute("data-old", ""));

  // Another build: another index.html, and one lazy file less.
  const lost = /assets\/is_prime[^"]*\.js/;
  site.change = (file, text) => {
    if (lost.test(file)) return null;
    if (file === "index.html") return text.replace("<head>", '<head><meta name="build" content="2">');
    if (file !== "sw.js") return text;
    return text
      .replace(/(\{url:|\{"url":)"assets\/is_prime[^}]*\},?/, "")
      .replace(/("?url"?:"index\.html","?revision"?:)"\w+"/, '$1"another"');
  };
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  const announced = (tab: Page) => tab.getByRole("region", { name: "Notices" });
  for (const tab of [page, old]) await expect(announced(tab)).toContainText("A newer version of Oriscope is here");
  await expect(page.locator("body")).toHaveAttribute("data-old", "");

  await announced(page).getByRole("button", { name: "Update" }).click();
  await expect(page.locator('meta[name="build"]')).toHaveAttribute("content", "2");
  await waitForRun(page);
  await expect(page.getByLabel("Kernel")).toContainText("mine");

  await expect(announced(old)).toContainText("updated in another tab");
  await expect(old.locator("body")).toHaveAttribute("data-old", "");
  const before = await old.getByTestId("phase").textContent();
  await old.getByRole("button", { name: "Examples" }).click();
  await old.locator('[data-example="c-is_prime"]').click();
  await expect(old.getByText(/could not be loaded/).first()).toBeVisible();
  await expect(old.getByTestId("phase")).toHaveText(before ?? "");
  await old.keyboard.press("Escape");
  await announced(old).getByRole("button", { name: "Reload" }).click();
  await expect(old.locator('meta[name="build"]')).toHaveAttribute("content", "2");
  await waitForRun(old);
  close(site.server);
});
