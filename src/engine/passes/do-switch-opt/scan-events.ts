/** Says what the scanner does, step by step. */

import type { NoLink } from "../../analysis/switch-compare.ts";
import type { ScanListener } from "../../analysis/switch-scan.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** Pseudocode line of each condition that may fail. */
const LINE_OF: Readonly<Record<string, number>> = {
  "no-condition": LINE.stage1,
  "constant-guard": LINE.stage1,
  "two-predicates": LINE.stage1,
  "other-exit": LINE.stage1,
  "no-target": LINE.stage1,
  "equal-targets": LINE.stage1,
  "predicate-live-out": LINE.head,
  "predicate-used": LINE.head,
  "selector-changed": LINE.head,
  "case-not-taken": LINE.measuredHead,
  "head-value-used": LINE.measuredHead,
  loop: LINE.entries,
  "second-entry": LINE.entries,
  "sync-label": LINE.entries,
  "chain-stop": LINE.stage2,
  "other-selector": LINE.link,
  interleaved: LINE.interleaved,
  "interleaved-effect": LINE.interleaved,
  "live-at-case": LINE.interleaved,
  budget: LINE.budget,
};

const lineOf = ({ condition }: NoLink): number => LINE_OF[condition] ?? LINE.stage3;

/** A listener that turns the scan into events; only for a recorder that is on. */
export function scanEvents(fn: Func, rec: Recorder): ScanListener {
  const label = (id: BlockId): string => getBlock(fn, id).label;
  return {
    refused(block, why) {
      const facts = { ...why.facts, verdict: "no", condition: why.condition, block: label(block), about: `case ${label(block)}` };
      rec.event("match", lineOf(why), `${why.template}: no chain starts there`, facts, { blocks: [block] });
    },
    linked(link, index) {
      const compare = getBlock(fn, link.block).insts[link.at];
      const facts = {
        block: label(link.block),
        selector: regName(link.selector),
        value: link.value,
        target: label(link.target),
        predicate: regName(link.predicate),
        number: index + 1,
        verdict: "yes",
        about: `case ${label(link.block)}`,
        form: index === 0 ? "head" : "case",
      };
      const focus = { blocks: [link.block, link.target], insts: compare === undefined ? [] : [compare.id], regs: [link.selector] };
      const template =
        index === 0
          ? "{block} compares {selector} with {value} into {predicate}: a chain may start there"
          : "{block} goes on with {selector} == {value}: case {number}, to {target}";
      rec.event("visit", index === 0 ? LINE.follow : LINE.link, template, facts, focus);
    },
    ended(head, length, next, why) {
      const names = { block: label(next), head: label(head), about: `case ${label(next)}` };
      const facts = { ...why.facts, verdict: "no", condition: why.condition, ...names, length };
      const template =
        length === 1
          ? `${why.template}: the compare of {head} stays alone`
          : `${why.template}: the chain of {head} ends with {length} {length:case|cases}`;
      rec.event("match", lineOf(why), template, facts, { blocks: [next, head] });
    },
  };
}
