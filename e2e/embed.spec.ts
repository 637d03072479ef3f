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

/** Runs in each frame before its scripts: keeps the timers that are set and have not fired, each with the call that set it. */
function watchTimers(): void {
  type Work = (...given: unknown[]) => void;
  const timers = new Map<number, string>();
  const { setTimeout, setInterval, clearTimeout, clearInterval } = window;
  const note = (id: number, ms: unknown): number => {
    timers.set(id, `${String(ms ?? 0)} ms ${new Error("set").stack ?? ""}`);
    return id;
  };
  const forget =
    (clear: (id: number | undefined) => void) =>
    (id: number): void => {
      timers.delete(id);
      clear(id);
    };
  Object.assign(window, {
    timers,
    setTimeout(work: Work, ms?: number, ...rest: unknown[]) {
      const fire = (): void => {
        timers.delete(id);
        work(...rest);
      };
      const id = setTimeout(fire, ms);
      return note(id, ms);
    },
    setInterval: (work: Work, ms?: number, ...rest: unknown[]) => note(setInterval(work, ms, ...rest), ms),
    clearTimeout: forget(clearTimeout),
    clearInterval: forget(clearInterval),
  });
}

/** What will run later in a frame. */
const whatIsToCome = (): string[] => [
  ...(window as unknown as { timers: Map<number, string> }).timers.values(),
  ...document.getAnimations().flatMap((one) => (one.playState === "running" ? [`animation ${one.id}`] : [])),
];

interface TraceEvent {
  readonly name: string;
  readonly args: { readonly data?: { readonly frame?: string }; readonly beginData?: { readonly frame?: string } };
}

/** What ran while it was traced, except in this frame. */
function busyOutside(frame: string, events: readonly TraceEvent[]): readonly string[] {
  const busy = /^(?:FunctionCall|TimerFire|FireAnimationFrame|EvaluateScript|UpdateLayoutTree|Layout|Paint)$/;
  return events
    .filter(({ name, args }) => busy.test(name) && (args.data?.frame ?? args.beginData?.frame) !== frame)
    .map(({ name }) => name);
}

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
    await host.addInitScript(watchTimers);
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

  // No script, no timer, no layout, no paint: not now, and none that is to come.
  await test.step("once shown, frames that nobody touches do nothing", async () => {
    const browser = context.browser();
    const inFrames = host.frames().filter((frame) => frame !== host.mainFrame());
    const toCome = async () => (await Promise.all(inFrames.map((frame) => frame.evaluate(whatIsToCome)))).flat();
    const { frameTree } = await (await context.newCDPSession(host)).send("Page.getFrameTree");
    // What they still do as they settle, ends.
    await expect(async () => {
      expect(await toCome()).toEqual([]);
      // What runs again and again without a timer does so between two frames of the page around them.
      await browser?.startTracing(host, { categories: ["devtools.timeline"] });
      await host.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const { traceEvents } = JSON.parse((await browser?.stopTracing())?.toString() ?? "") as {
        readonly traceEvents: readonly TraceEvent[];
      };
      expect(traceEvents.some(({ name }) => name === "FireAnimationFrame")).toBe(true);
      expect(busyOutside(frameTree.frame.id, traceEvents)).toEqual([]);
    }).toPass({ timeout: 30_000 });
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
    // Both ways, a last message says that those before it have come.
    const atHost = await host.evaluateHandle(() => {
      const frame = document.getElementById("other") as HTMLIFrameElement;
      const messages: unknown[] = [];
      const whole = new Promise<unknown[]>((resolve) => {
        window.addEventListener("message", ({ source, data }) => {
          if (source !== frame.contentWindow) return;
          if (data === "last") resolve(messages);
          else messages.push(data);
        });
      });
      return { whole };
    });
    const atFrame = await deaf.locator("html").evaluateHandle(() => {
      const last = new Promise<void>((resolve) => {
        window.addEventListener("message", ({ data }) => data === "last" && resolve());
      });
      return { last };
    });
    await host.evaluate(() => {
      const frame = (document.getElementById("other") as HTMLIFrameElement).contentWindow;
      for (let i = 0; i < 5; i++) frame?.postMessage({ oriscope: 1, type: "step", direction: -1 }, "*");
      frame?.postMessage("last", "*");
    });
    await atFrame.evaluate(({ last }) => last);
    // One step from where it was, not from where the messages would have brought it.
    await deaf.getByRole("button", { name: "Step into" }).click();
    await expect(deaf.getByTestId("sentence")).toHaveAttribute("data-step", String(Number(step) + 1));
    await deaf.locator("html").evaluate(() => window.parent.postMessage("last", "*"));
    expect(await atHost.evaluate(({ whole }) => whole)).toEqual([]);
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
