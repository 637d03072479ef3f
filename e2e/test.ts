/**
 * `test` for most browser tests: the tabs of one worker share a browser profile, which is emptied before each test. So Chromium compiles
 * the page's scripts once a worker, not once a test, which is a third of the processor time of a visit.
 * What depends on a cold start, on the network or on storage that no one has touched takes `coldTest`, or Playwright's own `test`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, test as base } from "@playwright/test";

interface Profile {
  readonly context: BrowserContext;
  /** Closes every tab of the test before and removes what it stored: as after 'clear site data'. */
  empty(): Promise<void>;
}

export const test = base.extend<object, { profile: Profile }>({
  profile: [
    async ({ playwright, launchOptions }, use, { project }) => {
      const folder = mkdtempSync(join(tmpdir(), "oriscope-profile-"));
      const { baseURL, viewport } = project.use;
      const context = await playwright.chromium.launchPersistentContext(folder, {
        ...launchOptions,
        ...(baseURL === undefined ? {} : { baseURL }),
        ...(viewport === undefined ? {} : { viewport }),
      });
      // The editor is half of the processor time of a visit: in a check it comes when a test waits for it (`waitForEditor`).
      if (process.env.ORISCOPE_SEED !== undefined) await context.addInitScript(holdIdleWork);
      // Stays open, so that the browser does not end with the last tab of a test.
      const keeper = context.pages()[0] ?? (await context.newPage());
      const browser = await context.newCDPSession(keeper);
      const { origin, href } = new URL("old-browser.js", baseURL);
      await keeper.goto(href);
      await use({
        context,
        async empty() {
          for (const page of context.pages()) {
            if (page === keeper) continue;
            // A page saves when it is left; if closed immediately, it may do so after its storage was emptied.
            await page.goto("about:blank", { timeout: 5_000 }).catch(() => undefined);
            await page.close();
          }
          await context.unrouteAll();
          await context.clearPermissions();
          await context.clearCookies();
          const storageTypes = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage";
          await browser.send("Storage.clearDataForOrigin", { origin, storageTypes });
          // The tabs' process has its own copy, which would be updated later.
          await keeper.evaluate(() => localStorage.clear());
        },
      });
      await context.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
    { scope: "worker" },
  ],
  context: async ({ profile }, use) => {
    await profile.empty();
    await use(profile.context);
  },
});

/** Playwright's own `test`, with a cold context for each test; in a check, the editor is loaded when a test waits for it here, too. */
export const coldTest = base.extend({
  context: async ({ context }, use) => {
    if (process.env.ORISCOPE_SEED !== undefined) await context.addInitScript(holdIdleWork);
    await use(context);
  },
});

/** A tab that is never idle, until `becomeIdle` is called. Runs in the page before its scripts. */
function holdIdleWork(): void {
  const [idle, cancel] = [window.requestIdleCallback.bind(window), window.cancelIdleCallback.bind(window)];
  const held = new Map<number, IdleRequestCallback>();
  let last = 0;
  window.requestIdleCallback = (work) => {
    held.set(--last, work);
    return last;
  };
  window.cancelIdleCallback = (handle) => {
    if (!held.delete(handle)) cancel(handle);
  };
  Object.assign(window, {
    becomeIdle() {
      window.requestIdleCallback = idle;
      for (const work of held.values()) idle(work);
      held.clear();
    },
  });
}
