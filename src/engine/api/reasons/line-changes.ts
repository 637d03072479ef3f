/** For each line of the source, the phase that last changed the code made from it. */

import type { Block, Func, Inst } from "../../ir/types.ts";
import { printInst } from "../../text/printer.ts";

/** A line of the source, and the run that changed its instructions last. */
export type LineChange = readonly [line: number, run: number];

/** `ends`: the program before and after each run, in order. */
export function lineChanges(ends: Iterable<readonly [run: number, before: Func, after: Func]>): readonly LineChange[] {
  const last = new Map<number, number>();
  for (const [run, before, after] of ends) for (const line of changedLines(before, after)) last.set(line, run);
  return [...last];
}

/** Lines whose instructions are others, or in other blocks, than before. */
function changedLines(before: Func, after: Func): readonly number[] {
  if (before === after || before.blocks === after.blocks) return [];
  // A program is copied on write: only blocks with a different instruction array contain anything new.
  const ids = Array.from({ length: Math.max(before.blocks.length, after.blocks.length) }, (_, id) => id);
  const touched = ids.filter((id) => !sameInsts(before.blocks[id]?.insts, after.blocks[id]?.insts));
  const was = linesOf(before, touched);
  const is = linesOf(after, touched);
  return [...new Set([...was.keys(), ...is.keys()])].filter((line) => was.get(line) !== is.get(line));
}

function sameInsts(a: Block["insts"] | undefined, b: Block["insts"] | undefined): boolean {
  if (a === b) return true;
  return a?.length === b?.length && a?.every((inst: Inst, i) => inst === b?.[i]) === true;
}

/** What each line is in these blocks: where, and as which instructions. */
function linesOf(fn: Func, blocks: readonly number[]): ReadonlyMap<number, string> {
  const lines = new Map<number, string>();
  for (const id of blocks)
    for (const inst of fn.blocks[id]?.insts ?? []) {
      if (inst.line > 0) lines.set(inst.line, `${lines.get(inst.line) ?? ""}${id} ${printInst(fn, inst)}\n`);
    }
  return lines;
}
