/**
 * Random sequences in a real Chromium, after each of which every text that was typed has to be in sight or kept: `npm run build` first, then
 * `npx tsx bench/browser/no-loss.ts [--seed N] [--count N] [--deeds N] [--dist DIR]`. The browser is ended by the system in the middle (`kill -9`) and begins
 * again with the same profile; its storages are deleted and filled. A loss is printed with the seed of its sequence, which `--seed` repeats.
 */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { chromiumArgs, findChromium } from "../../scripts/lib/chromium.mjs";
import { servePreview } from "../../scripts/lib/preview.mjs";
import { createPrng } from "../../src/base/prng.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "20" },
    deeds: { type: "string", default: "8" },
    dist: { type: "string", default: "dist" },
  },
});
const executablePath = process.env.CHROMIUM_PATH ?? findChromium();
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH.");
const patient = { timeout: 120_000 };
/** What browsers take to write localStorage; IndexedDB is there at once. */
const PAUSE_MS = 700;

class Sequence {
  private readonly random: () => number;
  private readonly profile = mkdtempSync(join(tmpdir(), "oriscope-no-loss-"));
  private readonly typed = new Set<string>();
  private readonly done: string[] = [];
  private context!: BrowserContext;
  private pages: Page[] = [];
  private names = 0;
  private tokens = 0;

  constructor(seed: number) {
    const next = createPrng(seed * 7919 + 1).u32;
    this.random = () => next() / 2 ** 32;
  }

  async play(): Promise<string | null> {
    const deeds = Object.entries(this.deeds);
    try {
      await this.begin();
      for (let n = 0; n < Number(values.deeds); n++) {
        const [name, deed] = deeds[Math.floor(this.random() * deeds.length)] ?? [];
        if (name === undefined || deed === undefined) continue;
        this.done.push(name);
        await deed();
        if (this.random() < 0.4) continue;
        const missing = await this.missing();
        if (missing.length > 0) return `${missing.join(", ")} is nowhere after ${this.done.join(", ")}`;
      }
      const missing = await this.missing();
      return missing.length === 0 ? null : `${missing.join(", ")} is nowhere after ${this.done.join(", ")}`;
    } catch (error) {
      return `it broke off after ${this.done.join(", ")}: ${String(error).slice(0, 400)}`;
    } finally {
      this.kill();
      rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 300 });
    }
  }

  private get page(): Page {
    const page = this.pages[Math.floor(this.random() * this.pages.length)];
    if (page === undefined) throw new Error("no page is open");
    return page;
  }
  /** Unlike any other at both ends. */
  private token(): string {
    const n = ++this.tokens;
    const token = `${((n * 2_654_435_761) % 2 ** 32).toString(36)}typed${n}${"abcdefghij"[n % 10]}`;
    this.typed.add(token);
    return token;
  }
  private program(token: string): string {
    const k = ++this.names;
    const lines = Array.from({ length: 10 }, (_, n) => `    MOV R${(k * 7 + n * 13) % 200}, ${k * 1_000 + n * 77}`);
    return `// ${token}\n.kernel k${k}(n: R0)\nA:\n${lines.join("\n")}\n    EXIT\n`;
  }

  private async begin(): Promise<void> {
    this.context = await chromium.launchPersistentContext(this.profile, {
      executablePath: executablePath ?? "",
      args: [...chromiumArgs, "--headless=new"],
      viewport: { width: 1440, height: 900 },
    });
    this.context.setDefaultTimeout(patient.timeout);
    this.pages = [];
    for (const page of this.context.pages()) await this.open(page);
    if (this.pages.length === 0) await this.open(await this.context.newPage());
  }
  private async open(page: Page): Promise<void> {
    page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
    await page.goto(url);
    await ready(page);
    this.pages.push(page);
  }
  /** The processes of this profile, which nobody else has. */
  private kill(): void {
    const { stdout } = spawnSync("pgrep", ["-f", "--", `--user-data-dir=${this.profile}`], { encoding: "utf8" });
    for (const id of stdout.split("\n").filter((line) => line !== "")) {
      try {
        process.kill(Number(id), "SIGKILL");
      } catch {
        // It has ended with another one.
      }
    }
  }

  /** What of all that was typed is neither in a page's editors nor in a storage. */
  private async missing(): Promise<readonly string[]> {
    for (let attempt = 0; ; attempt++) {
      const all = (await Promise.all(this.pages.map((page) => found(page)))).join("\n");
      const missing = [...this.typed].filter((token) => !all.includes(token));
      if (missing.length === 0 || attempt === 3) return missing;
      await this.page.waitForTimeout(PAUSE_MS);
    }
  }

  private async typeAt(page: Page, where: "Home" | "End", text: string): Promise<void> {
    const code = page.locator(".monaco-editor").first();
    await code.click();
    await page.keyboard.press(`ControlOrMeta+${where}`);
    await page.keyboard.insertText(text);
  }

  private readonly deeds: Readonly<Record<string, () => Promise<void>>> = {
    type: async () => {
      const { page } = this;
      await this.typeAt(page, "Home", "/");
      await page.keyboard.type(`/ ${this.token()}\n`);
    },
    typeAtOnce: async () => this.typeAt(this.page, "Home", `// ${this.token()}\n`),
    clearAndPaste: async () => {
      const { page } = this;
      await page.locator(".monaco-editor").first().click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.press("Delete");
      await page.keyboard.insertText(this.program(this.token()));
    },
    file: async () => drop(this.page, "mine.ori", this.program(this.token())),
    longFile: async () => {
      const token = this.token();
      await drop(this.page, "long.ori", `${this.program(token)}${`// ${token} filler\n`.repeat(1_500)}`);
    },
    passFile: async () =>
      drop(
        this.page,
        "mine.ts",
        `// ${this.token()}\nimport { definePass } from "oriscope/pass";\nexport default definePass({ name: "mine", run() {} });\n`,
      ),
    lab: async () => {
      const { page } = this;
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("Write a lab");
      await page.keyboard.press("Enter");
      const text = page.getByRole("dialog", { name: "Write a lab" }).getByRole("textbox").first();
      await text.focus();
      await page.keyboard.press("ControlOrMeta+End");
      await page.keyboard.insertText(`\n${this.token()}\n`);
      await page.keyboard.press("Escape");
    },
    reload: async () => {
      const { page } = this;
      if (await asks(page)) return;
      await page.reload();
      await ready(page);
    },
    secondTab: async () => {
      if (this.pages.length < 2) await this.open(await this.context.newPage());
    },
    closeTab: async () => {
      if (this.pages.length < 2) return;
      const { page } = this;
      if (await asks(page)) return;
      this.pages = this.pages.filter((p) => p !== page);
      await page.close({ runBeforeUnload: true });
    },
    kill: async () => {
      // What was typed is saved at the key; localStorage is written some seconds late.
      await this.page.waitForTimeout(PAUSE_MS);
      for (const page of this.pages) {
        await databaseAnswers(page);
        if (await asks(page)) return;
      }
      this.kill();
      await this.context.close().catch(() => undefined);
      await this.begin();
    },
    deleteDatabase: async () => {
      // What nothing but the database had is deleted with it.
      const left = (await Promise.all(this.pages.map((page) => found(page, false)))).join("\n");
      for (const token of this.typed) if (!left.includes(token)) this.typed.delete(token);
      await this.page.evaluate(() => void indexedDB.deleteDatabase("keyval-store"));
    },
    fillLocal: async () =>
      this.page.evaluate(() => {
        for (let size = 2 ** 20; size > 64; size /= 2)
          try {
            for (;;) localStorage.setItem(`filler/${size}/${Math.random()}`, "x".repeat(size));
          } catch {
            // So much does not fit.
          }
      }),
    emptyLocal: async () =>
      this.page.evaluate(() => {
        for (const key of Object.keys(localStorage)) if (key.startsWith("filler/")) localStorage.removeItem(key);
      }),
  };
}

/** The editor is there, and the text that the page opens. */
async function ready(page: Page): Promise<void> {
  await page.locator(".monaco-editor .view-line").first().waitFor(patient);
}

/** The page asks before it is left: what no storage took is in it alone. */
const asks = (page: Page): Promise<boolean> => page.evaluate(() => !window.dispatchEvent(new Event("beforeunload", { cancelable: true })));

/** What the page has sent to its database is written: one writes after the other. */
function databaseAnswers(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("keyval-store");
        opening.onupgradeneeded = () => opening.transaction?.abort();
        opening.onerror = () => resolve();
        opening.onsuccess = () => {
          const transaction = opening.result.transaction("keyval", "readwrite");
          transaction.oncomplete = transaction.onabort = () => {
            opening.result.close();
            resolve();
          };
        };
      }),
  );
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content ?? ""], fileName ?? ""));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text],
  );
  // It is read in the page's own time: until it is shown nobody has given it away.
  const token = /\w+typed\w+/.exec(text)?.[0] ?? "";
  await page
    .locator(".view-lines")
    .filter({ hasText: token })
    .first()
    .waitFor({ ...patient, state: "attached" });
}

/** Texts of a page's editors and fields, and what its storages have; `database`: that one, too. */
function found(page: Page, database = true): Promise<string> {
  return page.evaluate(async (whole) => {
    const shown = [...document.querySelectorAll(".view-lines, textarea")].map((e) =>
      e instanceof HTMLTextAreaElement ? e.value : e.textContent,
    );
    const stored = await new Promise<unknown>((resolve) => {
      if (!whole) return resolve(null);
      const opening = indexedDB.open("keyval-store");
      // Making one is the page's business.
      opening.onupgradeneeded = () => opening.transaction?.abort();
      opening.onerror = () => resolve(null);
      opening.onsuccess = () => {
        const database = opening.result;
        const all = database.transaction("keyval").objectStore("keyval").getAll();
        all.onsuccess = () => {
          database.close();
          resolve(all.result);
        };
        all.onerror = () => resolve(null);
      };
    });
    const copies = Object.entries(localStorage).filter(([key]) => key.startsWith("oriscope.kept/"));
    return JSON.stringify([shown, stored, copies]);
  }, database);
}

const { url, stop } = await servePreview({ built: values.dist });
let lost = 0;
try {
  for (let seed = Number(values.seed); seed < Number(values.seed) + Number(values.count); seed++) {
    const said = await new Sequence(seed).play();
    if (said !== null) lost++;
    console.log(`${seed}: ${said ?? "nothing lost"} (load ${loadavg()[0]?.toFixed(1)})`);
  }
} finally {
  stop();
}
console.log(`${values.count} sequences of ${values.deeds}, ${lost} with a loss`);
process.exitCode = lost === 0 ? 0 : 1;
