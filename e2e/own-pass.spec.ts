/** User passes in the page's sandbox: a malicious pass only causes a message, and does not affect the next pass. */
import { readdirSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import type { Ended } from "../src/features/ownpass/engine/check/check.ts";
import { compilePass } from "../src/features/ownpass/engine/check/compile.ts";
import { readAnswer } from "../src/features/ownpass/engine/check/requests.ts";
import { HARMLESS, HARMLESS_SAYS, HOSTILE, HOSTILE_PROGRAM } from "../src/features/ownpass/engine/check/testing/hostile.ts";
import { openPageAt } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 400_000 });

interface Asked {
  readonly says: string;
  /** Turns of the page's thread while the code had the question. */
  readonly turns: number;
}

async function ask(page: Page, module: string, source: string): Promise<Asked> {
  const compiled = compilePass(source);
  if (!compiled.ok) return { says: compiled.problem.message, turns: 1 };
  const program = { text: HOSTILE_PROGRAM, nextReg: [8, 8, 8, 8, 8, 8, 8, 8] };
  const options = { source: [], skips: [], fuel: null, record: true, lines: 100, twice: false };
  const request = { ask: "run", code: compiled.code, program, ...options } as const;
  const { answer, turns } = await page.evaluate(
    async ([address, wanted]) => {
      const kept = globalThis as { sandbox?: { ask(request: unknown): Promise<unknown> } };
      // Its only function: the build gives it a short name once two chunks share it.
      const [openSandbox] = Object.values(await import(address)).filter((value) => typeof value === "function");
      kept.sandbox ??= openSandbox?.() as { ask(request: unknown): Promise<unknown> };
      let turns = 0;
      const timer = setInterval(() => turns++, 5);
      const answer = await kept.sandbox.ask(wanted);
      clearInterval(timer);
      return { answer, turns };
    },
    [module, request] as const,
  );
  return { says: saidOf(answer), turns };
}

function saidOf(answer: unknown): string {
  if (typeof answer !== "string") {
    const { message, line = 0 } = answer as Ended;
    return line > 0 ? `line ${line}: ${message}` : message;
  }
  const read = readAnswer("run", answer);
  if (typeof read === "string") return read;
  if ("failed" in read) return `line ${read.failed.line}: ${read.failed.message}`;
  return read.thrown === null ? `fine: ${read.why}` : `line ${read.thrown.line}: ${read.thrown.message}`;
}

test("hostile passes cost a message each, and reach nothing", async ({ page, baseURL }) => {
  const stolen: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("stolen")) stolen.push(request.url());
  });
  await openPageAt(page, "two-adds");
  const assets = readdirSync(new URL("../dist/assets/", import.meta.url));
  const file = assets.find((name) => /^sandbox-[\w-]+\.js$/.test(name)) ?? "";
  const module = new URL(`assets/${file}`, baseURL).href;
  // None of it is loaded before a pass runs.
  await expect(page.locator("iframe")).toHaveCount(0);
  // The box's own test has all of them; here the thread, the network and the frame are the browser's.
  const always = HOSTILE.filter(({ what }) => ["an endless loop that catches everything", "the network", "scripts"].includes(what));
  const spending = HOSTILE.filter(({ what }) => what.startsWith("spends:"));
  const others = HOSTILE.filter((one) => !spending.includes(one) && !always.includes(one));
  for (const { what, source, says } of [...always, ...someOf(others, 4), ...someOf(spending, 1)]) {
    const asked = await ask(page, module, source);
    expect(asked.says, what).toMatch(says);
    // The page answered meanwhile: the code has its own thread.
    if (asked.says.includes("did not end")) expect(asked.turns, what).toBeGreaterThan(0);
    expect((await ask(page, module, HARMLESS)).says, `after ${what}`).toBe(HARMLESS_SAYS);
  }
  expect(stolen).toEqual([]);
  await expect(page.locator("iframe")).toHaveCount(1);
  // The sandbox has its own origin; the frame around it runs no user code.
  await expect(page.frameLocator("iframe").locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  expect(await page.frameLocator("iframe").locator("iframe").count()).toBe(1);
  const origins = await Promise.all(page.frames().map((frame) => frame.evaluate(() => self.origin)));
  expect(origins).toEqual([new URL(baseURL ?? "").origin, new URL(baseURL ?? "").origin, "null"]);
  await expect(page.getByTestId("phase")).toBeVisible();
});
