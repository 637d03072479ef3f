/** Passes of one's own in the page's sandbox: what a stranger's code tries costs a message, and the next pass is none the worse for it. */
import { readdirSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { compilePass } from "../src/ownpass/compile.ts";
import { readAnswer } from "../src/ownpass/requests.ts";
import { openPage } from "./page.ts";

test.describe.configure({ timeout: 180_000 });

const pass = (body: string, top = ""): string =>
  `import { definePass } from "oriscope/pass";\n${top}\nexport default definePass({ name: "hostile", run(fn, ctx) {\n${body}\n} });`;
/** The realm itself, which the code has no name for. */
const REALM = 'const realm = ctx.step.constructor("return globalThis")();';
const OUTSIDE = [
  ..."postMessage addEventListener dispatchEvent onmessage importScripts fetch XMLHttpRequest WebSocket EventSource".split(" "),
  ..."BroadcastChannel MessageChannel Worker indexedDB caches localStorage navigator location parent top document".split(" "),
  ..."setTimeout queueMicrotask URL Blob structuredClone WebAssembly SharedArrayBuffer Atomics Date performance crypto".split(" "),
];
const FINE = pass("ctx.why('looked');");

const HOSTILE: readonly (readonly [what: string, source: string, says: RegExp])[] = [
  ["an endless loop", pass("for (;;) ;"), /^line 4: The pass did not end within 400 ms/],
  ["a loop when the file is loaded", pass("", "while (true) {}"), /^line 2: The pass did not end/],
  ["a loop in one expression", pass("/^(a+)+$/.test('a'.repeat(60) + 'b');"), /did not end within 400 ms/],
  ["endless recursion", pass("const f = () => f() + 1; f();"), /calls itself too deeply|did not end/],
  ["endless promises", pass("const again = () => Promise.resolve().then(again); again();"), /did not end within 400 ms|^fine/],
  [
    "four gigabytes",
    pass("const all = []; for (let i = 0; i < 64; i++) all.push(new Uint8Array(64 * 2 ** 20).fill(1));"),
    /did not end|allocation|memory/i,
  ],
  ["a giant trace", pass("for (;;) ctx.step('x'.repeat(100000));"), /more than \d+ characters|did not end/],
  ["endless messages", pass(`${REALM} for (;;) realm.postMessage('x');`), /postMessage is not a function/],
  [
    "ways out of the realm",
    pass(`${REALM} ctx.why(${JSON.stringify(OUTSIDE)}.filter((name) => realm[name] !== undefined).join());`),
    /^fine: $/,
  ],
  ["the network", pass("fetch('/stolen');"), /fetch is not a function/],
  ["a script from elsewhere", pass("import('/stolen.js');"), /^fine/],
  ["scripts", pass("importScripts('/stolen.js');"), /importScripts is not a function/],
  [
    "tricks with prototypes",
    pass('Object.prototype.toJSON = () => "x"; Array.prototype.push = () => { throw 1; }; JSON.stringify = () => "z";'),
    /not what was asked for|^fine|^line/,
  ],
  ["wrong types", pass("fn.remove({ id: 0, toString() { throw 1; } });"), /is no instruction/],
];

async function ask(page: Page, module: string, source: string): Promise<string> {
  const compiled = compilePass(source);
  if (!compiled.ok) return compiled.problem.message;
  const program = { text: ".kernel k(a: R0)\nA:\n    MOV     R1, R0\n    EXIT\n", nextReg: [8, 8, 8, 8, 8, 8, 8, 8] };
  const options = { source: [], skips: [], fuel: null, record: true, lines: 100, twice: false };
  const request = { ask: "run", code: compiled.code, ms: 400, program, ...options } as const;
  const answer = await page.evaluate(
    async ([address, wanted]) => {
      const kept = globalThis as { sandbox?: { ask(request: unknown): Promise<unknown> } };
      // Its only function: the build gives it a short name once two chunks share it.
      const [openSandbox] = Object.values(await import(address)).filter((value) => typeof value === "function");
      kept.sandbox ??= openSandbox?.() as { ask(request: unknown): Promise<unknown> };
      return kept.sandbox.ask(wanted);
    },
    [module, request] as const,
  );
  if (typeof answer !== "string") return (answer as { readonly message: string }).message;
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
  await openPage(page);
  const assets = readdirSync(new URL("../dist/assets/", import.meta.url));
  const file = assets.find((name) => /^sandbox-[\w-]+\.js$/.test(name)) ?? "";
  const module = new URL(`assets/${file}`, baseURL).href;
  // Nothing of it is there before a pass runs.
  await expect(page.locator("iframe")).toHaveCount(0);
  for (const [what, source, says] of HOSTILE) {
    expect(await ask(page, module, source), what).toMatch(says);
    expect(await ask(page, module, FINE), `after ${what}`).toBe("fine: looked");
  }
  expect(stolen).toEqual([]);
  await expect(page.locator("iframe")).toHaveCount(1);
  await expect(page.locator("iframe")).toHaveAttribute("sandbox", "allow-scripts");
  await expect(page.getByTestId("phase")).toBeVisible();
});
