/** Features and languages deleted, each with its folder and its lines in the lists: the rest type-checks. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { featureLists, languageLists, languages, pageFeatures } from "./lib/layers.ts";
import { root } from "./lib/root.mjs";

/** A list without the lines that import from a deleted folder, and those of what they import. */
function without(list: string): string {
  const lines = list.split("\n");
  const imported = new RegExp(`/(?:${[...pageFeatures, ...languages].join("|")})/[^"/]*"`);
  const names = lines.flatMap((line) => (imported.test(line) ? (/^import \{ (\w+) \}/.exec(line)?.[1] ?? []) : []));
  const own = new RegExp(`^\\s*(?:\\w+: )?(?:${names.join("|")})(?:\\(\\))?,$`);
  return lines.filter((line) => !imported.test(line) && !own.test(line)).join("\n");
}

it("features and languages are deleted, and the rest type-checks", { timeout: 300_000 }, () => {
  const tree = mkdtempSync(join(tmpdir(), "oriscope-without-"));
  onTestFinished(() => rmSync(tree, { recursive: true }));
  const isTest = /\.test\.tsx?$|\/(?:testing|fixtures)$/;
  cpSync(join(root, "src"), join(tree, "src"), { recursive: true, filter: (path) => !isTest.test(path) });
  for (const name of pageFeatures) rmSync(join(tree, "src/app", name), { recursive: true });
  for (const name of languages) rmSync(join(tree, "src/engine/import", name), { recursive: true });
  for (const list of [...featureLists, ...languageLists]) {
    writeFileSync(join(tree, "src", list), without(readFileSync(join(root, "src", list), "utf8")));
  }
  for (const name of ["node_modules", "tsconfig.base.json"]) symlinkSync(join(root, name), join(tree, name));
  const compilerOptions = { lib: ["ES2023", "DOM", "DOM.Iterable"], types: ["node", "vite/client"], jsx: "react-jsx" };
  writeFileSync(join(tree, "tsconfig.json"), JSON.stringify({ extends: "./tsconfig.base.json", compilerOptions, include: ["src"] }));
  const tsc = [join(root, "node_modules/typescript/bin/tsc"), "--project", tree, "--incremental", "false", "--checkers", "1"];
  const { status, stdout } = spawnSync(process.execPath, tsc, { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
});
