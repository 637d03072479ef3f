import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, type Page } from "@playwright/test";
import { openMenu, waitForRun } from "./page.ts";
import { test } from "./test.ts";

/** A blog on another origin: serves one page. */
async function blog(html: string): Promise<{ readonly address: string; readonly server: Server }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

const frameOf = (host: Page, nth = 0) => host.locator("oriscope-view").nth(nth).frameLocator("iframe");

test("a snippet shows its step in a page of another origin, is loaded when it comes near, and speaks with that page alone", async ({
  page: host,
  context,
  baseURL,
}) => {
  test.setTimeout(120_000);
  const complaints: string[] = [];
  host.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  const frame = frameOf(host);
  let server: Server | null = null;
  /** Of the snippet: where a frame is once it has opened its link. */
  let step = "";

  await test.step("the dialog makes the snippet", async () => {
    const own = await context.newPage();
    await own.goto("./");
    await waitForRun(own);
    // A first visit opens at a rewrite.
    await expect(own.getByTestId("sentence")).not.toHaveAttribute("data-step", "-1");
    step = (await own.getByTestId("sentence").getAttribute("data-step")) ?? "";
    await openMenu(own, "File");
    await own.getByRole("menuitem", { name: "Embed this step…" }).click();
    await own.getByLabel("Colours").selectOption("light");
    await own.getByLabel("Height in pixels").fill("500");
    const snippet = await own.getByLabel("Snippet").inputValue();
    expect(snippet).toContain(`src="${baseURL}embed.js"`);
    await own.close();
    // What reveal.js does to slides: display none at first.
    const body = `${snippet}<section id="slide" hidden><oriscope-view src="#"></oriscope-view></section><ol id="log"></ol><div style="height:4000px"></div>`;
    const style = "<style>body{margin:8px}html{color-scheme:dark}</style>";
    const served = await blog(`<!doctype html><html><head><title>Blog</title>${style}</head><body>${body}</body></html>`);
    server = served.server;
    await host.setViewportSize({ width: 336, height: 700 });
    await host.goto(served.address);
  });

  await test.step("the view has its height, its colours and its border, and fits 320 pixels", async () => {
    await expect(frame.getByTestId("sentence")).toHaveAttribute("data-step", step);
    // What is hidden is not loaded.
    expect(host.frames()).toHaveLength(2);
    expect((await host.locator("oriscope-view").first().boundingBox())?.height).toBe(500);
    // The page around it may have the same background.
    await expect(frame.locator("main").locator("..")).toHaveCSS("border-top-width", "1px");
    await expect(frame.locator("html")).toHaveAttribute("data-theme", "light");
    expect(await frame.locator("html").evaluate((html) => html.scrollWidth)).toBeLessThanOrEqual(320);
    await expect(frame.getByRole("link", { name: "Open in Oriscope" })).toBeInViewport();
    const whole = await frame.getByRole("link", { name: "Open in Oriscope" }).getAttribute("href");
    expect(whole).toMatch(new RegExp(`^${baseURL}#v\\d+\\.`));
    // The graph and the sentence come first: one row of buttons over it, and the text below has less room.
    const graph = await frame.locator("[data-graph] .react-flow").boundingBox();
    const text = await frame.locator("#pane-editor").boundingBox();
    expect(graph?.height).toBeGreaterThan(1.4 * (text?.height ?? Number.NaN));
  });

  await test.step("menus arrive when the first is opened; the focus comes back to the button that opened it", async () => {
    const menu = frame.getByRole("button", { name: "Graph ▾" });
    await menu.focus();
    await host.keyboard.press("Enter");
    await expect(frame.getByRole("menuitemcheckbox", { name: "Follow the current step" })).toBeVisible();
    await host.keyboard.press("Escape");
    await expect(frame.getByRole("menu")).toHaveCount(0);
    await expect(menu).toBeFocused();
  });

  await test.step("the page around it steps it, hears of its steps and changes its colours", async () => {
    await host.evaluate(() => {
      document.addEventListener("oriscope-step", (event) => {
        const item = document.createElement("li");
        item.textContent = JSON.stringify((event as CustomEvent).detail);
        document.getElementById("log")?.append(item);
      });
    });
    await host.evaluate(() => (document.querySelector("oriscope-view") as HTMLElement & { step(d: 1 | -1): void }).step(1));
    await expect(frame.getByTestId("sentence")).toHaveAttribute("data-step", String(Number(step) + 1));
    await expect(host.locator("#log li").last()).toContainText('"step":');
    await host.evaluate(() => document.querySelector("oriscope-view")?.setAttribute("theme", "dark"));
    await expect(frame.locator("html")).toHaveAttribute("data-theme", "dark");
  });

  await test.step("a slide shows up once it is shown; so does an output that is inserted, when it comes near", async () => {
    await host.evaluate(() => document.getElementById("slide")?.removeAttribute("hidden"));
    await expect(frameOf(host, 1).getByTestId("sentence")).toBeVisible();
    // Jupyter's HTML outputs: scripts run after insertion.
    await host.evaluate((base) => {
      const view = document.createElement("oriscope-view");
      view.setAttribute("src", `${base}#`);
      view.setAttribute("toolbar", "none");
      const script = document.createElement("script");
      script.src = `${base}embed.js`;
      document.body.append(script, view);
    }, baseURL ?? "");
    const inserted = host.locator("oriscope-view").nth(2);
    await expect(inserted).toBeAttached();
    expect(host.frames()).toHaveLength(3);
    await inserted.scrollIntoViewIfNeeded();
    await expect(frameOf(host, 2).getByTestId("sentence")).toBeVisible();
    await expect(frameOf(host, 2).getByRole("button", { name: /step/i })).toHaveCount(0);
    // The page's colours, where the view names none.
    await expect(frameOf(host, 2).locator("html")).toHaveAttribute("data-theme", "dark");
  });

  // No script, no timer, no layout, no paint. What they still do as they settle, ends: short looks see when, before the long one.
  await test.step("once shown, frames that nobody touches do nothing", async () => {
    const browser = context.browser();
    const nothingIn = async (time: number): Promise<void> => {
      await browser?.startTracing(host, { categories: ["devtools.timeline"] });
      await host.waitForTimeout(time);
      const { traceEvents } = JSON.parse((await browser?.stopTracing())?.toString() ?? "") as {
        readonly traceEvents: readonly { readonly name: string }[];
      };
      const busy = /^(?:FunctionCall|TimerFire|FireAnimationFrame|EvaluateScript|UpdateLayoutTree|Layout|Paint)$/;
      expect(traceEvents.length).toBeGreaterThan(0);
      expect([...new Set(traceEvents.map(({ name }) => name).filter((name) => busy.test(name)))]).toEqual([]);
    };
    await expect(async () => {
      await nothingIn(300);
      await nothingIn(2_500);
    }).toPass();
    expect(complaints).toEqual([]);
  });

  await test.step("a frame that was told of another origin hears nothing", async () => {
    const inner = await host
      .locator("oriscope-view")
      .first()
      .evaluate((view) => view.shadowRoot?.querySelector("iframe")?.src ?? "");
    await host.evaluate((src) => {
      const other = document.createElement("iframe");
      other.src = src.replace(/origin=[^&/]*/, "origin=https%3A%2F%2Fother.example");
      other.id = "other";
      other.style.height = "400px";
      document.body.append(other);
    }, inner);
    const deaf = host.frameLocator("#other");
    await expect(deaf.getByTestId("sentence")).toHaveAttribute("data-step", step);
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
    await expect(deaf.getByTestId("sentence")).toHaveAttribute("data-step", step);
  });

  await test.step("the whole page in a frame of another site says so", async () => {
    await host.evaluate((src) => document.getElementById("other")?.setAttribute("src", src), baseURL ?? "");
    await expect(host.frameLocator("#other").getByRole("region", { name: "Notices" })).toContainText(
      "Another site shows this page in a frame",
    );
  });
  (server as Server | null)?.close();
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
  const { address, server } = await blog(
    `<!doctype html><html><head><title>Blog</title><script src="${baseURL}embed.js" defer></script></head><body>${views}</body></html>`,
  );
  // Which address is framed is what matters.
  await host.route(baseURL ?? "", (route) => route.fulfill({ contentType: "text/html", body: "framed" }));
  await host.goto(address);
  const all = host.locator("oriscope-view");
  for (let i = 0; i < bad.length; i++) {
    await all.nth(i).scrollIntoViewIfNeeded();
    await expect(all.nth(i).locator("iframe")).toHaveAttribute("src", new RegExp(`^${baseURL}#embed`));
  }
  expect(await host.title()).toBe("Blog");
  server.close();
});
