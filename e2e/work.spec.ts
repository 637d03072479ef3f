/** Nothing that was typed is lost: replacing, links, two tabs, reloads, storages that fail. */
import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { expectStep, focusTimeline, openExample, openMenu, openPage, typeSource, waitForEditor, waitForRun } from "./page.ts";
import { test } from "./test.ts";

// Most of these load several pages after one another.
test.describe.configure({ timeout: 180_000 });

const MINE = ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n";
const OTHER = ".kernel other(a: R0)\nstart:\n    IADD R1, R0, 5\n    ISETP.GE P0, R1, 7\n    EXIT\n";

const code = (page: Page) => page.locator(".monaco-editor").first();
const notices = (page: Page) => page.getByRole("region", { name: "Notices" });
const hasKernel = (page: Page, name: string) => expect(page.getByLabel("Kernel")).toContainText(name);

/** Opens a program of one's own, as a file, and waits until it ran. */
async function work(page: Page, text = MINE, name = "mine"): Promise<void> {
  await drop(page, `${name}.ori`, text);
  await hasKernel(page, name);
  await waitForRun(page);
}

/** Types at the end of the text. */
async function typeAtEnd(page: Page, text: string): Promise<void> {
  await waitForEditor(page);
  await code(page).click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(text);
}

async function drop(page: Page, name: string, content: string): Promise<void> {
  const data = await page.evaluateHandle(
    ([fileName, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text ?? ""], fileName ?? ""));
      return transfer;
    },
    [name, content],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: data });
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
  await expect(dialog.getByText("Reading…")).toHaveCount(0);
  return dialog;
}

/** A link to a program of somebody else's. */
const foreignLink = async (): Promise<string> => `#${await encodeLink({ ...EMPTY_LINK, source: OTHER, title: "theirs" })}`;

test("an example in place of one's own program is one edit that undo takes back, with name and options", async ({ page }) => {
  await openPage(page);
  await drop(page, "mine.ori", MINE);
  await hasKernel(page, "mine");
  await waitForEditor(page);
  await openExample(page, "fixture:gvn-cse/full");
  await expect(page.getByRole("listbox", { name: "Phases" }).getByRole("option")).toHaveCount(1);
  await expect(notices(page)).toContainText("“mine.ori” is under File, Recent");
  await code(page).click();
  await page.keyboard.press("ControlOrMeta+Z");
  await hasKernel(page, "mine");
  await expect(page).toHaveTitle(/mine\.ori · Oriscope$/);
  await expect(page.getByRole("listbox", { name: "Phases" }).getByRole("option")).toHaveCount(160);
  await page.keyboard.press("ControlOrMeta+Shift+Z");
  await expect(page.getByRole("listbox", { name: "Phases" }).getByRole("option")).toHaveCount(1);
  await page.keyboard.press("ControlOrMeta+Z");
  await hasKernel(page, "mine");
  await page.reload();
  await hasKernel(page, "mine");
  const dialog = await openRecent(page);
  await expect(dialog.locator("li")).toHaveCount(1);
});

test("what was replaced is under File, Recent, by name, date and first lines, and pinned works come first", async ({ page }) => {
  await openPage(page);
  await typeSource(page, MINE);
  await hasKernel(page, "mine");
  await openExample(page, "diamond");
  await work(page, OTHER, "other");
  let dialog = await openRecent(page);
  await expect(dialog.locator("li")).toHaveCount(2);
  await expect(dialog.locator("li").first()).toContainText(".kernel other");
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

test("a link in an open tab only looks: the work is there again on the way back, and after a reload", async ({ page }) => {
  const link = await foreignLink();
  await openPage(page);
  await work(page);
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, link);
  await hasKernel(page, "other");
  await waitForRun(page);
  await page.goBack();
  await hasKernel(page, "mine");
  await page.evaluate((hash) => {
    window.location.hash = hash;
  }, link);
  await hasKernel(page, "other");
  const fresh = await page.context().newPage();
  await openPage(fresh);
  await hasKernel(fresh, "mine");
});

test("editing a linked program forks it under a new name, and a reload at once keeps the edit", async ({ page }) => {
  const link = await foreignLink();
  await openPage(page);
  await drop(page, "mine.ori", MINE);
  await hasKernel(page, "mine");
  await page.goto("about:blank");
  await page.goto(`./${link}`);
  await hasKernel(page, "other");
  await waitForRun(page);
  await typeAtEnd(page, "// m");
  await Promise.all([page.waitForEvent("load"), page.evaluate(() => window.location.reload())]);
  await waitForRun(page);
  await waitForEditor(page);
  await expect(code(page)).toContainText("// m");
  await expect(page).toHaveTitle(/ \(copy\) · Oriscope$/);
  await expect(page).not.toHaveURL(/#/);
  const dialog = await openRecent(page);
  await expect(dialog.locator("li").filter({ hasText: "mine.ori" })).toHaveCount(1);
  await expect(dialog.locator("li").filter({ hasText: "(copy)" })).toHaveCount(1);
});

test("the address of a linked program follows the step: a reload stays there", async ({ page }) => {
  const link = await foreignLink();
  await page.goto(`./${link}`);
  await waitForRun(page);
  await openMenu(page, "Phase");
  await page.getByRole("menuitem", { name: "Next phase that changed something" }).click();
  await waitForRun(page);
  await focusTimeline(page);
  for (let i = 1; i <= 2; i++) await page.keyboard.press("s");
  await expectStep(page, 2);
  await expect.poll(() => page.evaluate(() => window.location.hash)).not.toBe(link);
  const phase = await page.getByTestId("phase").textContent();
  await page.reload();
  await waitForRun(page);
  await expectStep(page, 2);
  await expect(page.getByTestId("phase")).toHaveText(phase ?? "");
  // And at once, before the address can follow, or while it is written.
  await focusTimeline(page);
  await page.evaluate(() => {
    window.history.replaceState = () => Reflect.set(window, "followed", true);
  });
  await page.keyboard.press("s");
  await page.waitForFunction(() => Reflect.get(window, "followed") === true);
  await Promise.all([page.waitForEvent("load"), page.evaluate(() => window.location.reload())]);
  await waitForRun(page);
  await expectStep(page, 3);
});

test("a damaged link in an open tab is a notice and nothing else", async ({ page }) => {
  await openPage(page);
  await work(page);
  const before = page.url();
  await page.evaluate(() => {
    window.location.hash = "#v1.AAAA";
  });
  await expect(notices(page)).toContainText("The link could not be opened");
  await hasKernel(page, "mine");
  await expect(code(page)).toContainText(".kernel");
  await expect(page).toHaveURL(before);
  await page.reload();
  await hasKernel(page, "mine");
});

test("a damaged link in a fresh tab says why in the middle, with ways on", async ({ page }) => {
  await openPage(page);
  await work(page);
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
});

test("of a link with a bad field the program's text can be opened", async ({ page }) => {
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, source: OTHER, level: 99 })}`);
  await expect(page.getByTestId("refused")).toContainText("level");
  await page.getByRole("button", { name: "Open the text that could be read" }).click();
  await hasKernel(page, "other");
  await expect(page.getByTestId("refused")).toHaveCount(0);
});

test("names of thousands of characters survive a reload and a link", async ({ page }) => {
  const name = `_ZN4${"cutlass6device4GemmI".repeat(150)}EvT_`;
  const text = `.kernel ${name}()\nlabel_${name}:\n    EXIT\n`;
  // The list shows a short form of it, once that can be made, and has the whole as its title.
  const hasWhole = async (tab: Page) => {
    await hasKernel(tab, "Gemm");
    await expect(tab.getByLabel("Kernel").locator("xpath=..")).toHaveAttribute("title", `Current kernel: ${name}`);
  };
  await openPage(page);
  await drop(page, "gemm.ori", text);
  await hasWhole(page);
  await waitForRun(page);
  await page.reload();
  await hasWhole(page);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+Shift+L");
  await expect(notices(page)).toContainText("clipboard");
  const address = await page.evaluate(() => navigator.clipboard.readText());
  const other = await page.context().newPage();
  await other.goto(address);
  await hasWhole(other);
});

test("work that an earlier version of the page kept is there, whatever field of it is bad", async ({ page }) => {
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
  await openPage(page);
  await hasKernel(page, "mine");
  await expect(page).toHaveTitle(/from before · Oriscope$/);
  await expect(notices(page)).toContainText("Settings that could not be read are back to their defaults: level, knobs");
  const dialog = await openRecent(page);
  await expect(dialog.locator("li")).toHaveCount(1);
  await expect(dialog.locator("li")).toContainText("from before");
});

test("two tabs keep their own programs, and say when both edit the same one", async ({ page }) => {
  await openPage(page);
  await work(page);
  const second = await page.context().newPage();
  await openPage(second);
  await hasKernel(second, "mine");
  // Only looking and stepping in the second tab while the first goes on.
  await openMenu(second, "Phase");
  await second.getByRole("menuitem", { name: "Next phase that ran" }).click();
  await page.bringToFront();
  await typeAtEnd(page, "// first");
  await isSaved(page, "// first");
  await second.bringToFront();
  await openMenu(second, "Phase");
  await second.getByRole("menuitem", { name: "Next phase that ran" }).click();
  // A tab that is put away saves at once.
  await second.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    Reflect.deleteProperty(document, "visibilityState");
  });
  const third = await page.context().newPage();
  await openPage(third);
  await waitForEditor(third);
  await expect(code(third)).toContainText("// first");
  await third.close();

  await typeAtEnd(second, "// second");
  await expect(notices(second)).toContainText("open in another tab");
  await expect(notices(page)).toContainText("This program is also being edited in another tab. Changes made there are saved separately");
  await expect(second).toHaveTitle(/\(copy\)/);
  await isSaved(second, "// second");
  await second.reload();
  await waitForEditor(second);
  await expect(code(second)).toContainText("// second");
  await page.reload();
  await waitForEditor(page);
  await expect(code(page)).toContainText("// first");
  await expect(code(page)).not.toContainText("// second");
});

test("a program pasted over an example of one phase runs through all phases, cleared first or not", async ({ page }) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await waitForEditor(page);
  const phases = page.getByRole("listbox", { name: "Phases" }).getByRole("option");
  for (const clear of [false, true]) {
    await openExample(page, "fixture:gvn-cse/full");
    await expect(phases).toHaveCount(1);
    await page.evaluate((text) => navigator.clipboard.writeText(text), OTHER);
    await code(page).click();
    await page.keyboard.press("ControlOrMeta+A");
    if (clear) await page.keyboard.press("Delete");
    await page.keyboard.press("ControlOrMeta+V");
    await hasKernel(page, "other");
    await expect(phases).toHaveCount(160);
    await expect(page).toHaveTitle(/untitled · Oriscope$/);
  }
});

/** A database whose opening neither succeeds nor fails. */
function neverAnswer(): void {
  IDBFactory.prototype.open = () => {
    const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
    return Object.assign(request, { addEventListener: () => undefined, removeEventListener: () => undefined });
  };
}

/** A browser whose database fails in one way; each is put in place before the page's own scripts run. */
const FAULTS: Readonly<Record<string, () => void>> = {
  "refuses to open": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("not here", "InvalidStateError");
    };
  },
  "never answers": neverAnswer,
  "is full": () => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  },
};

for (const [name, fault] of Object.entries(FAULTS)) {
  test(`a database that ${name}: one notice, and the work survives a reload`, async ({ page }) => {
    await page.addInitScript(fault);
    await openPage(page);
    await hasKernel(page, "sum_positive");
    await work(page);
    // Of a database that is only slow nothing is said: the page waits for it first.
    await expect(notices(page).getByText("smaller browser storage")).toHaveCount(1, { timeout: 40_000 });
    await page.reload();
    await waitForRun(page);
    await hasKernel(page, "mine");
    await expect(notices(page).getByText("does not let this page save")).toHaveCount(0);
    const dialog = await openRecent(page);
    await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toHaveCount(1);
  });
}

/** A database that opens six seconds after it was asked. */
function answerLate(): void {
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function late(...args) {
    const request = Object.create(IDBOpenDBRequest.prototype) as IDBOpenDBRequest;
    const listeners: Parameters<EventTarget["addEventListener"]>[] = [];
    request.addEventListener = (...given: Parameters<EventTarget["addEventListener"]>) => listeners.push(given);
    request.removeEventListener = () => undefined;
    setTimeout(() => {
      const real = open.apply(this, args);
      for (const name of ["result", "transaction"] as const) Object.defineProperty(request, name, { get: () => real[name] });
      for (const given of listeners) EventTarget.prototype.addEventListener.apply(real, given);
    }, 6_000);
    return request;
  };
}

test("a database that does not answer in a later session: its last copies are there, and it is said what is not", async ({ page }) => {
  await openPage(page);
  await work(page, `${MINE}${"// a long one\n".repeat(80_000)}`, "mine");
  await work(page, OTHER, "other");
  await isSaved(page, "// a long one");
  await isSaved(page, ".kernel other");
  const later = await page.context().newPage();
  await later.addInitScript(neverAnswer);
  await later.goto("./");
  await hasKernel(later, "other");
  await expect(notices(later)).toContainText("database does not respond", { timeout: 40_000 });
  await expect(notices(later)).toContainText("Missing: “mine.ori”");
  const dialog = await openRecent(later);
  await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toContainText("not available");
  // A work is removed by two keys; the list keeps the focus.
  await dialog.locator("li").filter({ hasText: ".kernel mine" }).getByRole("button", { name: "Remove mine.ori" }).press("Enter");
  await later.keyboard.press("Enter");
  await expect(dialog.locator("li")).toHaveCount(1);
});

test("a database that answers late: the page is there meanwhile, and then the work", async ({ page }) => {
  await openPage(page);
  await work(page);
  await isSaved(page, ".kernel mine");
  const fresh = await page.context().newPage();
  // It would write its copies again.
  await page.close();
  await fresh.addInitScript(answerLate);
  // Without the copies in the smaller storage, which would be there at once.
  await fresh.addInitScript(() => localStorage.clear());
  await fresh.goto("./");
  await hasKernel(fresh, "sum_positive");
  await hasKernel(fresh, "mine");
  // Where one has begun something meanwhile, that stays.
  await fresh.evaluate(() => sessionStorage.clear());
  await fresh.reload();
  await hasKernel(fresh, "sum_positive");
  await work(fresh, OTHER, "other");
  await expect(notices(fresh)).toContainText("under File, Recent");
  await hasKernel(fresh, "other");
  const dialog = await openRecent(fresh);
  await expect(dialog.locator("li").filter({ hasText: ".kernel mine" })).toHaveCount(1);
});

test("a database that answers late gives the last work to whoever asks for it, too", async ({ page }) => {
  await openPage(page);
  await work(page);
  await isSaved(page, ".kernel mine");
  const fresh = await page.context().newPage();
  await fresh.addInitScript(answerLate);
  await fresh.goto("./#v1.AAAA");
  await fresh.getByTestId("refused").getByRole("button", { name: "Open my last work" }).click();
  await hasKernel(fresh, "mine");
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
  await openPage(page);
  await work(page);
  await expect(notices(page).getByText("does not let this page save your work")).toHaveCount(1);
});

test("Back and Forward walk the programs that were opened, each where it was left, also after a reload", async ({ page }) => {
  await openPage(page);
  await openExample(page, "diamond");
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 1);
  await openExample(page, "loop-nest");
  await page.goBack();
  await expect.poll(() => page.title()).toContain("Diamond");
  await expectStep(page, 1);
  await page.reload();
  await waitForRun(page);
  await page.goForward();
  await expect.poll(() => page.title()).toContain("Loop nest");
  await expectStep(page, 0);
});
