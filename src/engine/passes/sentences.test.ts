/** Sentences have no holes left: each of the tables with example values, and all that the goldens print. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Template } from "../remark/holes.ts";
import { type FactValue, formatSentence } from "../trace/event.ts";
import { PASSES } from "./registry.ts";

const EXAMPLES = {
  inst: "IADD R1, R0, 1",
  block: "BB1",
  reg: "R1",
  insts: ["IADD R1, R0, 1", "MOV R2, R1"],
  blocks: ["BB1", "BB2"],
  regs: ["R1", "R2"],
  plain: 2,
} as const;

/** A hole, or a placeholder for one; text of a program has braces around capitals and blanks. */
const HOLE = /\{\s*[a-z]\w*\s*(?::[^{}]*)?\}|[‹›]|\bundefined\b|\[object/;

function filled(template: Template, more: Readonly<Record<string, FactValue>> = {}): string {
  const facts = Object.fromEntries([...template.uses].map(([name, { mark }]): [string, FactValue] => [name, EXAMPLES[mark]]));
  return formatSentence(template.text, { ...facts, ...more });
}

describe("sentences", () => {
  it.each(PASSES.map((pass) => [pass.family, pass] as const))("of %s have no holes left", (_, { rules }) => {
    const said = Object.values(rules ?? {}).flatMap(({ steps, founds, dones, gates, reasons }) => [
      ...[steps, founds, dones].flatMap((sayings) => [...sayings.values()].map(({ template }) => filled(template))),
      ...[...gates.values()].flatMap(({ open, shut }) => [filled(open), filled(shut)]),
      ...reasons.flatMap(({ template, frames, clause }) => {
        const why = clause === null ? {} : { why: filled(clause) };
        return [...(frames?.values() ?? [template])].map((frame) => filled(frame, why));
      }),
    ]);
    expect(said.filter((sentence) => /[{}]/.test(sentence) || HOLE.test(sentence) || sentence.trim() === "")).toEqual([]);
  });

  it("of the goldens have none", () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".expect.md"));
    expect(files.length).toBeGreaterThan(100);
    const bad = files.flatMap((name) =>
      readFileSync(join(import.meta.dirname, name), "utf8")
        .split("\n")
        .filter((text) => HOLE.test(text))
        .map((text) => `${name}: ${text}`),
    );
    expect(bad).toEqual([]);
  });
});
