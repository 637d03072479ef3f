import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page, test } from "@playwright/test";
import { openMenu, openPage } from "./page.ts";

/** A blog on another origin: serves one page. */
async function blog(html: string): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

const page = (body: string, base: string, style = ""): string =>
  `<!doctype html><html><head><title>Blog</title><script src="${base}embed.js" defer></script><style>body{margin:8px}${style}</style></head><body>${body}</body></html>`;

const frameOf = (host: Page, nth = 0) => host.locator("oriscope-view").nth(nth).frameLocator("iframe");

test("a snippet from the dialog shows the step in a page of another origin, and speaks with that page alone", async ({
  page: own,
  context,
  baseURL,
}) => {
  await openPage(own);
  await openMenu(own, "File");
  await own.getByRole("menuitem", { name: "Embed this step…" }).click();
  await own.getByLabel("Colours").selectOption("dark");
  await own.getByLabel("Height in pixels").fill("500");
  const snippet = await own.getByLabel("Snippet").inputValue();
  expect(snippet).toContain(`src="${baseURL}embed.js"`);
  const { address, server } = await blog(`<!doctype html><html><body>${snippet}<ol id="log"></ol></body></html>`);
  const host = await context.newPage();
  const complaints: string[] = [];
  host.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  await host.goto(address);
  await host.evaluate(() => {
    document.addEventListener("oriscope-step", (event) => {
      const item = document.createElement("li");
      item.textContent = JSON.stringify((event as CustomEvent).detail);
      document.getElementById("log")?.append(item);
    });
  });
  const frame = frameOf(host);
  await expect(frame.getByTestId("sentence")).toBeVisible();
  expect((await host.locator("oriscope-view").boundingBox())?.height).toBe(500);
  // The page around it may have the same background.
  await expect(frame.locator("main").locator("..")).toHaveCSS("border-top-width", "1px");
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
  const before = await frame.getByTestId("sentence").getAttribute("data-step");
  await host.evaluate(() => (document.querySelector("oriscope-view") as HTMLElement & { step(d: 1 | -1): void }).step(1));
  await expect(frame.getByTestId("sentence")).toHaveAttribute("data-step", String(Number(before) + 1));
  await expect(host.locator("#log li").last()).toContainText('"step":');
  await host.evaluate(() => document.querySelector("oriscope-view")?.setAttribute("theme", "light"));
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "light");
  const whole = await frame.getByRole("link", { name: "Open in Oriscope" }).getAttribute("href");
  expect(whole).toMatch(new RegExp(`^${baseURL}#v\\d+\\.`));
  expect(complaints).toEqual([]);
  // A frame that was told of another origin hears nothing.
  const inner = await host.locator("oriscope-view").evaluate((view) => view.shadowRoot?.querySelector("iframe")?.src ?? "");
  await host.evaluate((src) => {
    const other = document.createElement("iframe");
    other.src = src.replace(/origin=[^&/]*/, "origin=https%3A%2F%2Fother.example");
    other.id = "other";
    other.style.height = "400px";
    document.body.append(other);
  }, inner);
  const deaf = host.frameLocator("#other");
  await expect(deaf.getByTestId("sentence")).toBeVisible();
  const place = (await deaf.getByTestId("sentence").getAttribute("data-step")) ?? "";
  const messages = await host.evaluate(async () => {
    let heard = 0;
    const frame = document.getElementById("other") as HTMLIFrameElement;
    window.addEventListener("message", (event) => {
      if (event.source === frame.contentWindow) heard++;
    });
    for (let i = 0; i < 5; i++) frame.contentWindow?.postMessage({ oriscope: 1, type: "step", direction: 1 }, "*");
    await new Promise((resolve) => setTimeout(resolve, 500));
    return heard;
  });
  expect(messages).toBe(0);
  await expect(deaf.getByTestId("sentence")).toHaveAttribute("data-step", place);
  server.close();
});

test("a view out of sight is not loaded before it comes near, follows the page's colours, and fits 320 pixels", async ({
  page: host,
  browser,
  baseURL,
}) => {
  const base = baseURL ?? "";
  const { address, server } = await blog(
    page(
      `<oriscope-view src="#"></oriscope-view><div style="height:4000px"></div><oriscope-view src="#" toolbar="none"></oriscope-view>`,
      base,
      "html{color-scheme:dark}",
    ),
  );
  await host.setViewportSize({ width: 336, height: 700 });
  await host.goto(address);
  const frame = frameOf(host);
  await expect(frame.getByTestId("sentence")).toBeVisible();
  await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(host.frames()).toHaveLength(2);
  expect(await frame.locator("html").evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(320);
  await expect(frame.getByRole("link", { name: "Open in Oriscope" })).toBeInViewport();
  // The graph and the sentence come first: one row of buttons over it, and the text below has less room.
  const graph = await frame.locator("[data-graph] .react-flow").boundingBox();
  const text = await frame.locator("#pane-editor").boundingBox();
  expect(graph?.height).toBeGreaterThan(1.4 * (text?.height ?? Number.NaN));
  await host.locator("oriscope-view").nth(1).scrollIntoViewIfNeeded();
  await expect(frameOf(host, 1).getByTestId("sentence")).toBeVisible();
  await expect(frameOf(host, 1).getByRole("button", { name: /step/i })).toHaveCount(0);
  // Once shown, frames that nobody touches do nothing: no script, no timer, no layout, no paint. What they still do as they settle, ends.
  await expect(async () => {
    await browser.startTracing(host, { categories: ["devtools.timeline"] });
    await host.waitForTimeout(2_500);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
      readonly traceEvents: readonly { readonly name: string }[];
    };
    const busy = /^(?:FunctionCall|TimerFire|FireAnimationFrame|EvaluateScript|UpdateLayoutTree|Layout|Paint)$/;
    expect(traceEvents.length).toBeGreaterThan(0);
    expect([...new Set(traceEvents.map(({ name }) => name).filter((name) => busy.test(name)))]).toEqual([]);
  }).toPass();
  server.close();
});

test("a view in a slide that is hidden at first, and in an output that is inserted later, shows up, and its menus open", async ({
  page: host,
  baseURL,
}) => {
  // What reveal.js does to slides, and Jupyter to HTML outputs: display none at first, and scripts that run after insertion.
  const { address, server } = await blog(
    page(`<section id="slide" hidden><oriscope-view src="#"></oriscope-view></section><div id="output"></div>`, baseURL ?? ""),
  );
  await host.goto(address);
  expect(host.frames()).toHaveLength(1);
  await host.evaluate(() => document.getElementById("slide")?.removeAttribute("hidden"));
  await expect(frameOf(host).getByTestId("sentence")).toBeVisible();
  // Menus arrive when the first is opened; the focus comes back to the button that opened it.
  const frame = frameOf(host);
  const menu = frame.getByRole("button", { name: "Graph ▾" });
  await menu.focus();
  await host.keyboard.press("Enter");
  await expect(frame.getByRole("menuitemcheckbox", { name: "Follow the current step" })).toBeVisible();
  await host.keyboard.press("Escape");
  await expect(frame.getByRole("menu")).toHaveCount(0);
  await expect(menu).toBeFocused();
  await host.evaluate((base) => {
    const output = document.getElementById("output");
    const view = document.createElement("oriscope-view");
    view.setAttribute("src", `${base}#`);
    const script = document.createElement("script");
    script.src = `${base}embed.js`;
    output?.append(script, view);
  }, baseURL ?? "");
  await host.locator("oriscope-view").nth(1).scrollIntoViewIfNeeded();
  await expect(frameOf(host, 1).getByTestId("sentence")).toBeVisible();
  server.close();
});

test("the whole page in a frame of another site says so", async ({ page: host, baseURL }) => {
  const { address, server } = await blog(page(`<iframe src="${baseURL}" width="1200" height="800"></iframe>`, baseURL ?? ""));
  await host.goto(address);
  await expect(host.frameLocator("iframe").getByRole("region", { name: "Notices" })).toContainText(
    "Another site shows this page in a frame",
  );
  server.close();
});

test("an address that is none of the web is not framed: its fragment is shown by the page that the script is from", async ({
  page: host,
  baseURL,
}) => {
  const bad = [
    "javascript:document.title='PWN'//",
    "JaVaScRiPt:top.document.title='PWN'//",
    "data:text/html,<b>theirs</b>",
    "blob:x",
    "//%",
  ];
  const views = bad.map((address) => `<oriscope-view src="${address}#v1.x" height="300"></oriscope-view>`).join("");
  const { address, server } = await blog(page(views, baseURL ?? ""));
  await host.goto(address);
  const all = host.locator("oriscope-view");
  for (let i = 0; i < bad.length; i++) {
    await all.nth(i).scrollIntoViewIfNeeded();
    await expect(all.nth(i).locator("iframe")).toHaveAttribute("src", new RegExp(`^${baseURL}#embed`));
  }
  expect(await host.title()).toBe("Blog");
  server.close();
});
