/** Features deleted, each with its folder and its lines in the lists: the rest type-checks, and the core's tests pass. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshSeed } from "../src/engine/testing/seed.ts";
import { features, pageFolders } from "./lib/layers.ts";
import { root } from "./lib/root.mjs";
import { lists, without } from "./lib/without-features.ts";

const tree = mkdtempSync(join(tmpdir(), "oriscope-without-"));
const FEATURES = join(tree, "src/features");
afterAll(() => rmSync(tree, { recursive: true }));

const TEST = /\.test\.tsx?$/;
const PAGE_TEST = new RegExp(`/src/app/(?:${pageFolders.join("|")})/.*${TEST.source}`);
/** Those that load the whole engine or ELK are only type-checked: they take longer than all others together. */
const SLOW = /\b(?:localEngine|EngineSession|PASSES|laidOut)\b|testing\/sample/;
const quick: string[] = [];

function isCopied(path: string): boolean {
  if (!TEST.test(path)) return !path.endsWith("/fixtures");
  if (!PAGE_TEST.test(path)) return false;
  const text = readFileSync(path, "utf8");
  if (!SLOW.test(text)) quick.push(path.slice(root.length + 1));
  // The tree has no scripts.
  return !text.includes("/scripts/");
}

/** Deletes features from the copy, which has all of them. */
function remove(ids: readonly string[]): void {
  for (const id of ids) rmSync(join(FEATURES, id), { recursive: true });
  for (const list of lists) writeFileSync(join(FEATURES, list), without(readFileSync(join(root, "src/features", list), "utf8"), ids));
}

/** A feature and those that build on it. */
const withThose = (id: string): string[] => {
  const above = Object.entries(features).flatMap(([other, needs]) => (needs.includes(id) ? withThose(other) : []));
  return [...new Set([id, ...above])];
};

beforeAll(() => {
  cpSync(join(root, "src"), join(tree, "src"), { recursive: true, filter: isCopied });
  // The package is an entry that has parts of features.
  rmSync(join(tree, "src/package"), { recursive: true });
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

const typeErrors = (): string => run("typescript/bin/tsc", "--incremental", "false", "--checkers", "1");

it("have a folder each", () => {
  expect(Object.keys(features).sort()).toEqual(
    readdirSync(FEATURES, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort(),
  );
});

describe("without all of them", () => {
  beforeAll(() => remove(Object.keys(features)));

  it("what is left type-checks", { timeout: 300_000 }, () => {
    expect(typeErrors()).toBe("");
  });

  it("tests of the page's folders pass", { timeout: 300_000 }, () => {
    expect(quick.length).toBeGreaterThan(0);
    expect(run("vitest/vitest.mjs", "run", "--no-isolate", "--maxWorkers", "1", "--retry", "1", "--reporter", "dot", ...quick)).toBe("");
  });
});

/** What a feature's folder has is reached through imports alone, which the layer rules know; but a slice of the store is a name. One feature on every commit. */
describe.each([Object.keys(features)[freshSeed() % Object.keys(features).length] ?? ""])("without %s and what builds on it", (id) => {
  beforeAll(() => {
    cpSync(join(root, "src/features"), FEATURES, { recursive: true, filter: isCopied });
    remove(withThose(id));
  });

  it("the rest type-checks", { timeout: 300_000 }, () => {
    expect(typeErrors()).toBe("");
  });
});
