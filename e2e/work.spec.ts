/** Nothing that was typed is lost: replacing, links, two tabs, reloads, storages that fail. */
import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { dropFile, expectStep, focusTimeline, openExample, openMenu, waitForEditor, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";
import { typeInField } from "./text-field.ts";

// Most of these load several pages after one another.
test.describe.configure({ timeout: 180_000 });

/** Longer than the page waits for a database before it reports that there is no answer. */
const PATIENCE = 15_000;

const MINE = ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n";
const PTX = `.version 8.4
.target sm_90
.address_size 64

.visible .entry pasted(
\t.param .u64 pasted_param_0
)
{
\tret;
}
`;
const OTHER = ".kernel other(a: R0)\nstart:\n    IADD R1, R0, 5\n    ISETP.GE P0, R1, 7\n    EXIT\n";

const code = (page: Page) => page.locator(".monaco-editor").first();
/** The shown text, in the editor or in the plain field before it is loaded. */
const text = (page: Page) => page.locator("[data-editor]");
const notices = (page: Page) => page.getByRole("region", { name: "Notices" });
async function hasKernel(page: Page, name: string): Promise<void> {
  await page.getByLabel("Kernel").waitFor();
  await expect(page.getByLabel("Kernel")).toContainText(name);
}

/** Opens the user's own program, as a file, and waits until it ran. */
async function work(page: Page, text = MINE, name = "mine"): Promise<void> {
  await dropFile(page, `${name}.ori`, text);
  await hasKernel(page, name);
  await waitForRun(page);
}

/** Opens the page, and the user's own program in it. */
async function openMine(page: Page, text = MINE): Promise<void> {
  await page.goto("./");
  await hasKernel(page, "sum_positive");
  await work(page, text);
}

/** Waits until the browser's database has a text with this in it, which another tab or a later visit then finds. */
async function isSaved(page: Page, text: string): Promise<void> {
  const found = () =>
    page.evaluate(
      (wanted) =>
        new Promise<boolean>((done, fail) => {
          const opening = indexedDB.open("keyval-store");
          opening.onerror = fail;
          opening.onsuccess = () => {
            const all = opening.result.transaction("keyval").objectStore("keyval").getAll();
            all.onerror = fail;
            all.onsuccess = () => {
              opening.result.close();
              done(JSON.stringify(all.result).includes(wanted));
            };
          };
        }),
      text,
    );
  await expect.poll(found).toBe(true);
}

async function openRecent(page: Page) {
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Recent…" }).click();
  const dialog = page.getByRole("dialog", { name: "Recent work" });
  await expect(dialog.getByText(/^The last \d+ programs and labs|^Nothing yet\./).first()).toBeVisible();
  return dialog;
}

test("what takes the place of one's own program is undone with name and options, and the program is under File, Recent", async ({
  page,
}) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openMine(page);
  await waitForEditor(page);
  const phases = page.getByRole("listbox", { name: "Phases" }).getByRole("option");
  await test.step("an example is one edit that undo takes back", async () => {
    await openExample(page, "fixture:gvn-cse/full");
    await expect(phases).toHaveCount(1);
    await expect(notices(page)).toContainText("“mine.ori” is under File, Recent");
    await code(page).click();
    await page.keyboard.press("ControlOrMeta+Z");
    await hasKernel(page, "mine");
    await expect(page).toHaveTitle(/mine\.ori · Oriscope$/);
    await expect(phases).toHaveCount(160);
    await page.keyboard.press("ControlOrMeta+Shift+Z");
    await expect(phases).toHaveCount(1);
  });
  await test.step("what is pasted over the example runs through all phases", async () => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), PTX);
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("ControlOrMeta+V");
    await hasKernel(page, "pasted");
    await expect(page.getByLabel("Format", { exact: true }).locator("option:checked")).toHaveText("auto: ptx");
    await expect(phases).toHaveCount(160);
    await expect(page).toHaveTitle(/untitled · Oriscope$/);
    await waitForRun(page);
  });
  await test.step("Recent has both, by date and first lines, and pinned works come first", async () => {
    let dialog = await openRecent(page);
    await expect(dialog.locator("li")).toHaveCount(2);
    await expect(dialog.locator("li").first()).toContainText(".version 8.4");
    const row = dialog.locator("li").filter({ hasText: ".kernel mine" });
    await expect(row).toContainText("BB0:");
    await expect(row.locator("time")).toContainText(/\d/);
    await row.getByRole("button", { name: /^Pin/ }).click();
    await page.keyboard.press("Escape");
    dialog = await openRecent(page);
    await expect(dialog.locator("li").first()).toContainText(".kernel mine");
    await dialog.getByRole("button", { name: /\.kernel mine/ }).click();
    await hasKernel(page, "mine");
    await page.reload();
    await hasKernel(page, "mine");
  });
});

test("a link in an open tab only looks, its address follows the step, and an edit makes a copy of its program", async ({ page }) => {
  const link = `#${await encodeLink({ ...EMPTY_LINK, source: OTHER, title: "theirs" })}`;
  const goTo = (hash: string) =>
    page.evaluate((to) => {
      window.location.hash = to;
    }, hash);
  const reloadAtOnce = () => Promise.all([page.waitForEvent("load"), page.evaluate(() => window.location.reload())]);
  await openMine(page);
  await test.step("Back leads to the own program, also from a damaged link", async () => {
    await goTo(link);
    await hasKernel(page, "other");
    await waitForRun(page);
    await page.goBack();
    await hasKernel(page, "mine");
    await waitForRun(page);
    const before = page.url();
    await goTo("#v1.AAAA");
    await expect(notices(page)).toContainText("The link could not be opened");
    await hasKernel(page, "mine");
    await expect(page).toHaveURL(before);
  });
  await test.step("a reload, too early for the address to follow, stays at the step", async () => {
    await goTo(link);
    await hasKernel(page, "other");
    await waitForRun(page);
    await openMenu(page, "Phase");
    await page.getByRole("menuitem", { name: "Next phase that changed something" }).click();
    await waitForRun(page);
    await focusTimeline(page);
    for (let i = 1; i <= 2; i++) await page.keyboard.press("s");
    await expectStep(page, 2);
    await expect.poll(() => page.evaluate(() => window.location.hash)).not.toBe(link);
    const phase = await page.getByTestId("phase").textContent();
    await page.evaluate(() => {
      window.history.replaceState = () => Reflect.set(window, "followed", true);
    });
    await page.keyboard.press("s");
    await page.waitForFunction(() => Reflect.get(window, "followed") === true);
    await reloadAtOnce();
    await waitForRun(page);
    await expectStep(page, 3);
    await expect(page.getByTestId("phase")).toHaveText(phase ?? "");
  });
  await test.step("a damaged link in a fresh tab says why in the middle, with ways on", async () => {
    const fresh = await page.context().newPage();
    await fresh.goto("./#v1.AAAA");
    const refused = fresh.getByTestId("refused");
    await expect(refused).toContainText("truncated or damaged");
    await refused.getByRole("button", { name: "Examples" }).click();
    await expect(fresh.getByRole("dialog", { name: "Examples" })).toBeVisible();
    await fresh.keyboard.press("Escape");
    await refused.getByRole("button", { name: "Open my last work" }).click();
    await hasKernel(fresh, "mine");
    await expect(fresh).not.toHaveURL(/#/);
    await fresh.close();
  });
  await test.step("an edit is kept under a new name by a reload at once", async () => {
    await waitForEditor(page);
    await typeInField(page, "// m", "at the end");
    await reloadAtOnce();
    await expect(text(page)).toContainText("// m");
    await expect(page).toHaveTitle(/ \(copy\) · Oriscope$/);
    await expect(page).not.toHaveURL(/#/);
    const dialog = await openRecent(page);
    await expect(dialog.locator("li").filter({ hasText: "mine.ori" })).toHaveCount(1);
    await expect(dialog.locator("li").filter({ hasText: "(copy)" })).toHaveCount(1);
  });
});

test("Back opens what was open there: the first example after own work, and what was before a link that was edited", async ({ page }) => {
  const link = `#${await encodeLink({ ...EMPTY_LINK, source: OTHER, title: "theirs" })}`;
  await page.goto("./");
  await hasKernel(page, "sum_positive");
  await waitForRun(page);
  await page.evaluate((to) => {
    window.location.hash = to;
  }, link);
  await hasKernel(page, "other");
  await waitForRun(page);
  await work(page);
  await page.goBack();
  await hasKernel(page, "other");
  await waitForRun(page);
  await page.goBack();
  await expect(page).not.toHaveURL(/#/);
  await expect(page.getByLabel("Kernel")).not.toContainText("other");
  await hasKernel(page, "sum_positive");
  await waitForRun(page);
  await page.goForward();
  await hasKernel(page, "other");
  await waitForRun(page);
  await typeInField(page, "// m", "at the end");
  await expect(page).toHaveTitle(/ \(copy\) · Oriscope$/);
  await expect(page).not.toHaveURL(/#/);
  await page.goBack();
  await hasKernel(page, "sum_positive");
});

test("Back into a link opens it, though what was open before is saved after the address has changed", async ({ page }) => {
  // The browser fires the event in a later task, so a save may run before it.
  await page.addInitScript(() => {
    window.addEventListener("hashchange", (event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      const { oldURL, newURL } = event;
      window.setTimeout(() => window.dispatchEvent(new HashChangeEvent("hashchange", { oldURL, newURL })), 1_500);
    });
  });
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, source: OTHER, title: "theirs" })}`);
  await hasKernel(page, "other");
  await waitForRun(page);
  await work(page);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await page.evaluate(() => window.history.back());
  await expect(page).toHaveURL(/#v1\./);
  await hasKernel(page, "other");
  await expect(page).toHaveURL(/#v1\./);
});

test("a program that is opened while Recent reads another one stays", async ({ page }) => {
  const link = `#${await encodeLink({ ...EMPTY_LINK, source: OTHER, title: "theirs" })}`;
  await page.goto("./");
  await hasKernel(page, "sum_positive");
  await work(page, `.kernel long(n: R0)\nBB0:\n${"// a long one\n".repeat(15_000)}    EXIT\n`, "long");
  await work(page);
  await openRecent(page);
  await page.evaluate((to) => {
    const row = [...document.querySelectorAll("[data-work] button")].find(({ textContent }) => textContent?.includes("long.ori"));
    (row as HTMLButtonElement).click();
    window.location.hash = to;
  }, link);
  await hasKernel(page, "other");
  await waitForRun(page);
  // The list is read after the work.
  await openRecent(page);
  await page.keyboard.press("Escape");
  await hasKernel(page, "other");
  await waitForRun(page);
});

test("two tabs keep their own programs, and say when both edit the same one", async ({ page }) => {
  await openMine(page);
  const second = await page.context().newPage();
  await second.goto("./");
  await hasKernel(second, "mine");
  await waitForRun(second);
  // The second tab only steps while the first continues, and is hidden, which saves immediately.
  await page.bringToFront();
  await typeInField(page, "// first", "at the end");
  await isSaved(page, "// first");
  await second.bringToFront();
  await openMenu(second, "Phase");
  await second.getByRole("menuitem", { name: "Next phase that ran" }).click();
  await second.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Reflect.deleteProperty(document, "visibilityState");
  });
  await typeInField(second, "// second", "at the end");
  await expect(notices(second)).toContainText("open in another tab");
  await expect(notices(page)).toContainText("This program is also being edited in another tab. Changes made there are saved separately");
  await expect(second).toHaveTitle(/\(copy\)/);
  await isSaved(second, "// second");
  await second.reload();
  await expect(text(second)).toContainText("// second");
  await page.reload();
  await expect(text(page)).toContainText("// first");
  await expect(text(page)).not.toContainText("// second");
});

/** A database whose opening neither succeeds nor fails. */
function neverAnswer(): void {
  IDBFactory.prototype.open = () => {
    const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
    return Object.assign(request, { addEventListener: () => undefined, removeEventListener: () => undefined });
  };
}

/** Browsers whose database fails in one way; each is installed before the page's own scripts run. */
const FAULTS: readonly (readonly [name: string, fault: () => void])[] = [
  [
    "throws",
    () => {
      Object.defineProperty(window, "indexedDB", {
        get() {
          throw new DOMException("not here", "SecurityError");
        },
      });
    },
  ],
  ["never answers", neverAnswer],
  [
    "is full",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("full", "QuotaExceededError");
      };
    },
  ],
];

for (const [name, fault] of someOf(FAULTS, 1))
  test(`a database that ${name}: one notice, and the work survives a reload`, async ({ page }) => {
    await page.addInitScript(fault);
    await page.clock.install();
    await openMine(page);
    // A database that is only slow causes no message: the page waits for it first.
    await page.clock.fastForward(PATIENCE);
    await expect(notices(page).getByText("smaller browser storage")).toHaveCount(1);
    await page.reload();
    await hasKernel(page, "mine");
    await expect(notices(page).getByText("does not let this page save")).toHaveCount(0);
    const dialog = await openRecent(page);
    await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toHaveCount(1);
  });

test("a database that does not answer in a later session: its last copies are there, and it is said what is not", async ({ page }) => {
  await openMine(page, `${MINE}${"// a long one\n".repeat(15_000)}`);
  await work(page, OTHER, "other");
  await isSaved(page, "// a long one");
  await isSaved(page, ".kernel other");
  const later = await page.context().newPage();
  await later.addInitScript(neverAnswer);
  await later.clock.install();
  await later.goto("./");
  await hasKernel(later, "other");
  await later.clock.fastForward(PATIENCE);
  await expect(notices(later)).toContainText("database does not respond");
  await expect(notices(later)).toContainText("Missing: “mine.ori”");
  const dialog = await openRecent(later);
  await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toContainText("not available");
  // A work is removed by two keys; the list keeps the focus.
  await dialog.locator("li").filter({ hasText: ".kernel mine" }).getByRole("button", { name: "Remove mine.ori" }).press("Enter");
  await later.keyboard.press("Enter");
  await expect(dialog.locator("li")).toHaveCount(1);
});

/** A database that opens when the test allows it. */
function answerLate(): void {
  const open = IDBFactory.prototype.open;
  const waiting: (() => void)[] = [];
  Reflect.set(window, "answer", () => {
    for (const go of waiting.splice(0)) go();
  });
  IDBFactory.prototype.open = function late(...args) {
    const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
    const listeners: Parameters<EventTarget["addEventListener"]>[] = [];
    request.addEventListener = (...given: Parameters<EventTarget["addEventListener"]>) => listeners.push(given);
    request.removeEventListener = () => undefined;
    waiting.push(() => {
      const real = open.apply(this, args);
      for (const name of ["result", "transaction"] as const) Object.defineProperty(request, name, { get: () => real[name] });
      for (const given of listeners) EventTarget.prototype.addEventListener.apply(real, given);
    });
    return request;
  };
}

test("a database that answers late, with the work of an earlier version of the page", async ({ page }) => {
  const answer = () => page.evaluate(() => (Reflect.get(window, "answer") as () => void)());
  await page.goto("./icon.svg");
  await page.evaluate(
    (source) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.open("keyval-store");
        request.onupgradeneeded = () => request.result.createObjectStore("keyval");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction("keyval", "readwrite");
          transaction
            .objectStore("keyval")
            .put({ source, title: "from before", level: 99, knobs: "x", kernel: "k".repeat(300) }, "oriscope.work");
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    MINE,
  );
  await page.addInitScript(answerLate);
  await test.step("the page is there meanwhile, and then the work, whatever field of it is bad", async () => {
    await page.goto("./");
    await hasKernel(page, "sum_positive");
    await answer();
    await hasKernel(page, "mine");
    await expect(page).toHaveTitle(/from before · Oriscope$/);
    await expect(notices(page)).toContainText("Settings that could not be read are back to their defaults: level, knobs");
  });
  // Without the copies in localStorage, which would be there immediately.
  await page.addInitScript(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await test.step("what was begun meanwhile stays", async () => {
    await page.reload();
    await hasKernel(page, "sum_positive");
    await work(page, OTHER, "other");
    await answer();
    await expect(notices(page)).toContainText("under File, Recent");
    await hasKernel(page, "other");
    const dialog = await openRecent(page);
    await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toHaveCount(1);
  });
});

test("without any storage the page says once that nothing is kept", async ({ page }) => {
  await page.addInitScript(() => {
    for (const storage of ["indexedDB", "localStorage", "sessionStorage"])
      Object.defineProperty(window, storage, {
        get() {
          throw new DOMException("not here", "SecurityError");
        },
      });
  });
  await openMine(page);
  await expect(notices(page).getByText("does not let this page save your work")).toHaveCount(1);
});
