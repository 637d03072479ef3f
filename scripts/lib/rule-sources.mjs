/** Where each rule of a pass stands: the line of its table, and every place of the code that speaks by it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { root } from "./root.mjs";

const engine = join(root, "src", "engine");
const passes = join(engine, "passes");

/**
 * @typedef {{ readonly path: string, readonly text: string }} SourceFile a path from the repository's root
 * @typedef {{ readonly file: number, readonly line: number, readonly verb: string, readonly names: readonly string[] }} Place
 *   `verb`: "table" in the table of rules, the verb of `Remarks`, or "" where the rule is only handed on; `names`: the sentences or reasons named there
 * @typedef {{ readonly files: readonly SourceFile[], readonly rules: Readonly<Record<string, readonly Place[]>> }} RuleSources
 */

/** Every family of passes, by the name of its folder. */
export const ruleFamilies = () =>
  readdirSync(passes, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(passes, entry.name, "README.md")))
    .map((entry) => entry.name)
    .sort();

/**
 * The sources of one family, with the bodies that it shares with others.
 * @param {string} family
 * @returns {RuleSources}
 */
export function ruleSources(family) {
  const files = filesOf(join(passes, family)).map((path) => ({
    path: relative(root, path).replaceAll("\\", "/"),
    text: readFileSync(path, "utf8"),
  }));
  /** @type {Map<string, Place[]>} */
  const rules = new Map();
  for (const [file, { text }] of files.entries()) {
    for (const { rule, line } of definitionsIn(text)) {
      if (!rules.has(rule)) rules.set(rule, []);
      rules.get(rule)?.push({ file, line, verb: "table", names: [] });
    }
  }
  for (const [file, { text }] of files.entries()) {
    for (const { rule, ...place } of [...usesIn(text), ...usesInRules(text), ...usesByName(text, rules)])
      rules.get(rule)?.push({ file, ...place });
  }
  return { files, rules: Object.fromEntries(rules) };
}

/** Files of the folder, and of what it imports from among the shared bodies, or from the analysis whose rules it speaks by. */
function filesOf(/** @type {string} */ folder) {
  const own = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  // Two families show an analysis's own run; all others only ask it, and its rules are not theirs.
  const borrowed = !own.some((name) => readFileSync(join(folder, name), "utf8").includes("= rules({"));
  const found = own
    .sort((a, b) => Number(b === "rules.ts") - Number(a === "rules.ts") || a.localeCompare(b))
    .map((name) => join(folder, name));
  for (let i = 0; i < found.length; i++) {
    const from = /** @type {string} */ (found[i]);
    for (const [, specifier = ""] of readFileSync(from, "utf8").matchAll(/ from "(\.[^"]+\.ts)"/g)) {
      const path = join(dirname(from), specifier);
      const place = relative(engine, path).replaceAll("\\", "/");
      const wanted = place.startsWith("passes/shared/") && (borrowed || !place.startsWith("passes/shared/control-flow/"));
      if (wanted && !found.includes(path)) found.push(path);
    }
  }
  return found;
}

/** A rule that is a value: `export const fold = rule<…>()({` or `… = line(`. Formatted code ends it with its first line that begins with `}` or `)`. */
const VALUE = /^(?:export )?const (\w+) = (rule<|line\(|sameLine\(|sameLineFixed\()/;

/** A rule of a shared body, made for each table that has it: `export const foldRule = (line: string) =>`, in the tables `fold: foldRule(`. */
const FACTORY = /^export const (\w+)Rule = \(/;

/** Lines of tables, `name: line(…)`, and rules that are values. */
function* definitionsIn(/** @type {string} */ text) {
  for (const [i, row] of text.split("\n").entries()) {
    const rule = /^ {2}(\w+): (?:line|sameLine|sameLineFixed|\w+Rule)\(/.exec(row)?.[1] ?? VALUE.exec(row)?.[1];
    if (rule !== undefined) yield { rule, line: i + 1 };
  }
}

/** Inside of a rule with code: `match` finds, `miss("not-next", …)` refuses, `apply` does. */
function* usesInRules(/** @type {string} */ text) {
  /** @type {string | null} */
  let rule = null;
  for (const [i, row] of text.split("\n").entries()) {
    const [, begun, kind] = VALUE.exec(row) ?? [];
    const shared = FACTORY.exec(row)?.[1];
    if (begun !== undefined) rule = kind === "rule<" ? begun : null;
    else if (/^\S/.test(row)) rule = shared ?? null;
    if (rule === null) continue;
    const found = / found: "([\w-]+)"/.exec(row)?.[1];
    if (/^ {2}(?: {2})?match\b/.test(row)) yield { rule, line: i + 1, verb: "found", names: [] };
    else if (/^ {2}(?: {2})?apply\b/.test(row)) yield { rule, line: i + 1, verb: "done", names: [] };
    else if (found !== undefined) yield { rule, line: i + 1, verb: "found", names: [found] };
    for (const [, reason = ""] of row.matchAll(/\b(?:miss|holds)\("([\w-]+)"/g))
      yield { rule, line: i + 1, verb: "missed", names: [reason] };
  }
}

/** `remark.missed(threadNo, "cycle", …)`: a rule that is a value, by its name. */
function* usesByName(/** @type {string} */ text, /** @type {ReadonlyMap<string, unknown>} */ rules) {
  for (const match of text.matchAll(/\bremark\.(\w+)\(\s*(\w+)\b(?=([^\n]*))/g)) {
    const [, verb = "", rule = "", rest = ""] = match;
    if (!rules.has(rule)) continue;
    const line = text.slice(0, match.index + match[0].length).split("\n").length;
    yield { rule, line, verb, names: [...rest.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name) };
  }
}

/** `remark.missed(RULES.fold, "not-next", …)`: the verb, and the names within the call's first line. */
function* usesIn(/** @type {string} */ text) {
  for (const match of text.matchAll(/(?:\bremark(?:s)?\.(\w+)\(\s*)?\b(?:[A-Z][A-Z_]+|rules)\.(\w+)\b(?=([^\n]*))/g)) {
    const [, verb = "", rule = "", rest = ""] = match;
    const line = text.slice(0, match.index + match[0].length).split("\n").length;
    yield { rule, line, verb, names: [...rest.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name) };
  }
}
