/** Sentences of the rules are plain: one colon at most, and none of the words that CONTRIBUTING replaces. */

import { describe, expect, it } from "vitest";
import type { RuleTable } from "../remark/rules.ts";
import { PASSES } from "./registry.ts";

/** Quoted instructions are not read, and of words that go with a number the first. */
const readable = (text: string): string => text.replace(/'[^']*'/g, "''").replace(/\{\w+:([^|{}]*)\|[^{}]*\}/g, "$1");

const UNPLAIN =
  /\bways? (?:into|around|back)\b|\bit goes$|\b(?:edge|edges) back\b|\bfingers stand\b|\bstill right\b|\blook(?:ed)? at\b|\bmay stand\b|\bstands?\b|\bis no (?:predicate|register|head|latch)\b|\bmeet\b|\bthe rules stand\b/;

function sentencesOf(table: RuleTable): string[] {
  return Object.values(table).flatMap((rule) => [
    ...[...rule.steps.values(), ...rule.founds.values(), ...rule.dones.values()].map(({ template }) => template.text),
    ...[...rule.gates.values()].flatMap(({ open, shut }) => [open.text, shut.text]),
    ...rule.reasons.flatMap(({ template, frames, clause, droppable }) => [
      ...(frames === null ? [template] : [...frames.values()]).map(({ text }) => text.replace("{why}", clause?.text ?? "")),
      ...(droppable === null ? [] : [droppable]),
    ]),
  ]);
}

describe("the sentences of the rules", () => {
  for (const pass of PASSES.filter(({ rules }) => rules !== undefined))
    it(`are plain in ${pass.ids.join(", ")}`, () => {
      const sentences = sentencesOf(pass.rules ?? {}).map(readable);
      expect(sentences.filter((text) => text.split(": ").length > 2)).toEqual([]);
      expect(sentences.filter((text) => UNPLAIN.test(text))).toEqual([]);
    });
});

describe("the lines of the algorithms", () => {
  const BINARY = /\bsub_|0x[0-9a-f]{5,}|\+\d{2,}|\+0x|\(\d+\)|\bT\d\b|\bslot \d|\(\)/i;

  for (const { ids, pseudocode } of PASSES)
    it(`have addresses, offsets and opcodes after // alone in ${ids.join(", ")}`, () => {
      const said = pseudocode.map((line) => line.split(" // ")[0] ?? "");
      expect(said.filter((line) => BINARY.test(line) || line.trim().length < 4)).toEqual([]);
    });
});
