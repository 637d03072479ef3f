/** The pass of docs/write-a-pass.md, added to a copy of the sources exactly as the document says: a folder and two lines. The tests of all passes then apply to it. */

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { KeptWitness } from "../src/features/futures/engine/kept-witnesses.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const document = readFileSync(join(root, "docs", "write-a-pass.md"), "utf8");
const copy = mkdtempSync(join(tmpdir(), "oriscope-write-a-pass-"));
const passes = join(copy, "src", "engine", "passes");
const MINUTES = 60_000;

/** The fenced parts of the document in a language. */
const parts = (language: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text ?? "");

/** A file that the document names and shows. */
function named(file: string): string {
  const [, shown] = document.split(`\`src/engine/passes/equal-select/${file}\`:\n\n\`\`\`ts\n`);
  return shown?.split("```")[0] ?? "";
}

/** One line with its import, in one of the two lists. */
function enlist(list: string, imported: string): void {
  const file = join(passes, list);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("\nimport {", `\n${imported}\nimport {`).replace("= [\n", "= [\n  equalSelect,\n"));
}

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: copy,
    encoding: "utf8",
    env: { ...process.env, VITEST: undefined },
  });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

beforeAll(() => {
  const apart = new Set(["node_modules", ".git", "dist", "dist-lib", "test-results", "e2e", "bench"]);
  cpSync(root, copy, { recursive: true, filter: (from) => !apart.has(basename(from)) || dirname(from) !== join(root) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const program = parts("ori")[0] ?? "";
  const files = {
    "equal-select.ts": named("equal-select.ts"),
    "about.ts": named("about.ts"),
    "fixtures/pick.ori": program,
    "witnesses/different.ori": program.replace("// expect: fires", "// drops: different"),
    "README.md": "# Equal selects\n",
  };
  for (const [name, text] of Object.entries(files)) {
    const file = join(passes, "equal-select", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  enlist("abouts.ts", 'import { ABOUT as equalSelect } from "./equal-select/about.ts";');
  enlist("registry.ts", 'import { equalSelect } from "./equal-select/equal-select.ts";');
}, 2 * MINUTES);

afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("is formatted, but for the order of imports in the two lists", () => {
  expect(run("node_modules/@biomejs/biome/bin/biome", "format", "src/engine/passes/equal-select")).toBe("");
});

it("is checked by commands that there are, and all that is collected from the passes is collected again", () => {
  const commands = (script: string): readonly string[][] =>
    [...document.matchAll(new RegExp(`\`npm run ${script} -- ([^\`]+)\``, "g"))].map(([, words = ""]) => words.split(" "));
  const options = readFileSync(join(root, "src/cli/fuzz/options.ts"), "utf8");
  for (const option of commands("fuzz").flat()) if (option.startsWith("--")) expect(options).toContain(`\n  ${option} `);
  const blessed = commands("bless").flatMap(([first = "", ...more]) => (first.startsWith("-") ? ["goldens"] : [first, ...more]));
  const blessable = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".test.ts") && readFileSync(join(root, "src", file), "utf8").includes("process.env.BLESS"),
  );
  // Opcodes are not of passes.
  expect(blessable.map((file) => basename(file, ".test.ts")).sort()).toEqual([...blessed, "opcode-programs"].sort());
});

it("has types", { timeout: 10 * MINUTES }, () => {
  const types = { extends: "./tsconfig.base.json", include: ["src/engine/passes/equal-select", "src/engine/passes/abouts.ts"] };
  writeFileSync(join(copy, "types.json"), JSON.stringify(types));
  expect(run("node_modules/typescript/bin/tsc", "-p", "types.json", "--incremental", "false", "--checkers", "1")).toBe("");
});

it("makes of the document's program what the document shows, and keeps what is asked of every pass", { timeout: 10 * MINUTES }, () => {
  const passTests = ["goldens", "positions", "sentences", "plain-words"].map((name) => `passes/${name}`);
  const every = [...passTests, "engine/witnesses", "names/conditions", "names/phases", "rule/rule-of-step"];
  // Of the goldens, the lines of pseudocode and the sources of rules only the pass's own.
  const ofOthers = "'/'|pseudocode of |the line of each rule|the rule and the sentence";
  expect(run("scripts/bless.mjs", ...every, "-t", `equal-select|^(?!.*(${ofOthers}))`)).toBe("");
  expect(readFileSync(join(passes, "equal-select", "fixtures", "pick.expect.md"), "utf8")).toContain(parts("diff")[0]);
  const kept = JSON.parse(readFileSync(join(copy, "src/features/futures/engine/kept-witnesses.json"), "utf8")) as KeptWitness[];
  expect(kept.filter(({ family }) => family === "equal-select")).toMatchObject([{ drops: ["different"], phases: ["equal-select"] }]);
});
