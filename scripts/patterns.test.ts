import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "rolldown/utils";
import { analyse } from "scslre";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

const TOKENS = "Monaco tokenizes no line of more than 20,000 characters (editor.maxTokenizationLineLength)";

/** Files whose patterns may grow with the square: what bounds the text that they see. */
const BOUNDED: Readonly<Record<string, string>> = {
  "src/features/bril/page/tokens.ts": TOKENS,
  "src/app/editor/monaco/tokenizers.ts": TOKENS,
  "src/features/examples/page/shape.ts": "it reads the examples that come with the page, no user's text",
  "src/features/sass/page/tokens.ts": TOKENS,
};

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

function patternsOf(file: string): readonly Pattern[] {
  const text = readFileSync(join(root, file), "utf8");
  const found: Pattern[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("regex" in value && "start" in value) {
      const { pattern, flags } = value.regex as { readonly pattern: string; readonly flags: string };
      found.push({ source: pattern, flags, place: `${file}:${text.slice(0, Number(value.start)).split("\n").length}` });
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseSync(file, text).program);
  return found;
}

/** What may take more than linear time: a sticky pattern is tried at only one position. */
const slow = ({ source, flags }: Pattern): boolean =>
  /[*+{]/.test(source) && analyse({ source, flags }, { reportTypes: { Move: !flags.includes("y") } }).reports.length > 0;

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((file) => `src/${file.replaceAll("\\", "/")}`)
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file));

it("no regular expression of the sources takes more than linear time, but where the text is bounded", { timeout: 120_000 }, () => {
  const patterns = files.flatMap(patternsOf);
  expect(patterns.length).toBeGreaterThan(500);
  const found = patterns.filter(slow);
  expect(found.filter(({ place }) => BOUNDED[place.split(":")[0] ?? ""] === undefined)).toEqual([]);
  // An exception that is not needed is removed.
  expect(new Set(found.map(({ place }) => place.split(":")[0]))).toEqual(new Set(Object.keys(BOUNDED)));
});

it.each([/---\s*\n[\s\S]*?^id:/m, /\s+$/, /(\w+)*;/, /^\s*([^@]+)@/])("the test sees %s", (pattern) => {
  expect(slow({ source: pattern.source, flags: pattern.flags, place: "" })).toBe(true);
});
