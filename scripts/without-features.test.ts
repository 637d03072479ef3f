/** Features and languages deleted, each with its folder and its lines in the lists: the rest type-checks, and tests of the page's folders pass. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { featureLists, languageLists, languages, pageFeatures, pageFolders } from "./lib/layers.ts";
import { root } from "./lib/root.mjs";

const tree = mkdtempSync(join(tmpdir(), "oriscope-without-"));
afterAll(() => rmSync(tree, { recursive: true }));

const TEST = /\.test\.tsx?$/;
const PAGE_TEST = new RegExp(`/src/app/(?:${pageFolders.join("|")})/.*${TEST.source}`);
/** Those that load the whole engine or ELK are only type-checked: they take longer than all others together. */
const SLOW = /\b(?:localEngine|EngineSession|PASSES|laidOut)\b|testing\/sample/;
const quick: string[] = [];

/** A list without the lines that import from a deleted folder, and those of what they import. */
function without(list: string): string {
  const lines = list.split("\n");
  const imported = new RegExp(`/(?:${[...pageFeatures, ...languages].join("|")})/[^"/]*"`);
  const names = lines.flatMap((line) => (imported.test(line) ? (/^import \{ (\w+) \}/.exec(line)?.[1] ?? []) : []));
  const own = new RegExp(`^\\s*(?:\\w+: )?(?:${names.join("|")})(?:\\(\\))?,$`);
  return lines.filter((line) => !imported.test(line) && !own.test(line)).join("\n");
}

function isCopied(path: string): boolean {
  if (!TEST.test(path)) return !path.endsWith("/fixtures");
  if (!PAGE_TEST.test(path)) return false;
  const text = readFileSync(path, "utf8");
  if (!SLOW.test(text)) quick.push(path.slice(root.length + 1));
  // The tree has no scripts.
  return !text.includes("/scripts/");
}

beforeAll(() => {
  cpSync(join(root, "src"), join(tree, "src"), { recursive: true, filter: isCopied });
  for (const name of pageFeatures) rmSync(join(tree, "src/app", name), { recursive: true });
  for (const name of languages) rmSync(join(tree, "src/engine/import", name), { recursive: true });
  for (const list of [...featureLists, ...languageLists]) {
    writeFileSync(join(tree, "src", list), without(readFileSync(join(root, "src", list), "utf8")));
  }
  for (const name of ["node_modules", "tsconfig.base.json", "tsconfig.layer.json"]) symlinkSync(join(root, name), join(tree, name));
  const compilerOptions = { lib: ["ES2023", "DOM", "DOM.Iterable"], types: ["node", "vite/client"], jsx: "react-jsx" };
  // Helpers of tests, where a test imports them.
  const files = { include: ["src"], exclude: ["**/testing/**"] };
  writeFileSync(join(tree, "tsconfig.json"), JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, ...files }));
});

/** What it says where it fails. */
function run(script: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "node_modules", script), ...args], {
    cwd: tree,
    encoding: "utf8",
  });
  return status === 0 ? "" : stdout + stderr;
}

it("what is left type-checks", { timeout: 300_000 }, () => {
  expect(run("typescript/bin/tsc", "--incremental", "false", "--checkers", "1")).toBe("");
});

it("tests of the page's folders pass", { timeout: 300_000 }, () => {
  expect(quick.length).toBeGreaterThan(0);
  expect(run("vitest/vitest.mjs", "run", "--no-isolate", "--maxWorkers", "1", "--retry", "1", "--reporter", "dot", ...quick)).toBe("");
});
