/** The place of each rule of a pass: the line of its table, and every place in the code that uses it for an event. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { RulePlace, RuleSources } from "../../src/app/inspectors/rule/rule-of-step.ts";
import { root } from "../lib/root.mjs";

const engine = join(root, "src", "engine");
const passes = join(engine, "passes");

/** A place in one file: `names` are the sentences or reasons named there. */
type Found = Omit<RulePlace, "file"> & { readonly rule: string };

/** A module for each family, loaded when a rule of it is shown, and the list of them. */
export function ruleSourceModules(): readonly (readonly [path: string, text: () => string])[] {
  const folder = "src/app/inspectors/rule";
  const families = ruleFamilies();
  const list = families.map((family) => `  ${JSON.stringify(family)}: () => import("./sources/${family}.generated.ts"),\n`);
  const type = "Readonly<Record<string, () => Promise<{ readonly sources: RuleSources }>>>";
  const text = `import type { RuleSources } from "./rule-of-step.ts";\n\nexport const SOURCES: ${type} = {\n${list.join("")}};\n`;
  return [
    [`${folder}/sources.generated.ts`, () => text],
    ...families.map((family) => [`${folder}/sources/${family}.generated.ts`, () => moduleOf(family)] as const),
  ];
}

function moduleOf(family: string): string {
  // Parsed as data: much faster than a literal of this size.
  const json = JSON.stringify(JSON.stringify(ruleSources(family)));
  return `import type { RuleSources } from "../rule-of-step.ts";\n\nexport const sources: RuleSources = JSON.parse(${json});\n`;
}

/** Every family of passes, by the name of its folder. */
export const ruleFamilies = (): readonly string[] =>
  readdirSync(passes, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(passes, entry.name, "README.md")))
    .map((entry) => entry.name)
    .sort();

/** The sources of one family, with the bodies that it shares with others. */
export function ruleSources(family: string): RuleSources {
  const files = filesOf(join(passes, family)).map((path) => ({
    path: relative(root, path).replaceAll("\\", "/"),
    text: readFileSync(path, "utf8"),
  }));
  const rules = new Map<string, RulePlace[]>();
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
function filesOf(folder: string): readonly string[] {
  const own = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  // Two families show an analysis's own run; all others only use it, and its rules are not theirs.
  const borrowed = !own.some((name) => readFileSync(join(folder, name), "utf8").includes("= rules({"));
  const found = own
    .sort((a, b) => Number(b === "rules.ts") - Number(a === "rules.ts") || a.localeCompare(b))
    .map((name) => join(folder, name));
  for (let i = 0; i < found.length; i++) {
    const from = found[i] ?? "";
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
function* definitionsIn(text: string): Generator<{ readonly rule: string; readonly line: number }> {
  for (const [i, row] of text.split("\n").entries()) {
    const rule = /^ {2}(\w+): (?:line|sameLine|sameLineFixed|\w+Rule)\(/.exec(row)?.[1] ?? VALUE.exec(row)?.[1];
    if (rule !== undefined) yield { rule, line: i + 1 };
  }
}

/** Inside of a rule with code: `match` finds, `miss("not-next", …)` refuses, `apply` does. */
function* usesInRules(text: string): Generator<Found> {
  let rule: string | null = null;
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
function* usesByName(text: string, rules: ReadonlyMap<string, unknown>): Generator<Found> {
  for (const match of text.matchAll(/\bremark\.(\w+)\(\s*(\w+)\b(?=([^\n]*))/g)) {
    const [, verb = "", rule = "", rest = ""] = match;
    if (!rules.has(rule)) continue;
    const line = text.slice(0, match.index + match[0].length).split("\n").length;
    yield { rule, line, verb, names: [...rest.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name) };
  }
}

/** `remark.missed(RULES.fold, "not-next", …)`: the verb, and the names within the call's first line. */
function* usesIn(text: string): Generator<Found> {
  for (const match of text.matchAll(/(?:\bremark(?:s)?\.(\w+)\(\s*)?\b(?:[A-Z][A-Z_]+|rules)\.(\w+)\b(?=([^\n]*))/g)) {
    const [, verb = "", rule = "", rest = ""] = match;
    const line = text.slice(0, match.index + match[0].length).split("\n").length;
    yield { rule, line, verb, names: [...rest.matchAll(/"([\w-]+)"/g)].map(([, name = ""]) => name) };
  }
}
