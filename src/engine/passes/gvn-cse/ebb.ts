/** The extended-basic-block pre-pass: which blocks have a candidate whose leader may be in a block above. */

import { dominates } from "../../analysis/dominators.ts";
import type { Budget } from "../../config/knob-store.ts";
import { EBB_BOUNDARY } from "../../config/targets.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import type { Numbering } from "./numbering.ts";
import type { EbbInstRow, EbbMarkRow } from "./rows.ts";

/** The lines of the pre-pass. */
export const EBB = {
  ebbClear: line(
    "EBB pre-pass (mode 2, unless knob 210 or the version forbids it): clear the marks; without an eligible instruction, end",
    {
      step: {
        begin: { kind: "span", say: "EBB pre-pass" },
        cleared: { kind: "note", say: "{blocks:the mark|the marks} of {blocks} {blocks:block is|blocks are} cleared" },
        seed: { kind: "note", say: "'{inst}' in {block} is the first eligible instruction" },
        unseeded: { kind: "note", say: "no instruction is eligible, so the pre-pass ends" },
      },
      gates: {
        ebb: {
          open: "the EBB pre-pass runs: version {version}, boundary {boundary}",
          shut: "no EBB pre-pass: version {version} is above {boundary}, and knob 210 is set or gvn-ebb-ready is clear",
        },
      },
    },
  ),
  ebbPropagate: line("  mark candidates, and round by round what defines an operand of a marked one, to a fixed point // +48", {
    kind: "note",
    step: {
      candidates: "{count} {count:instruction is a candidate and|instructions are candidates and} marked",
      round: "round {round}: {count} more {count:instruction defines|instructions define} an operand of a marked one",
      fixed: "round {round}: nothing more is marked, {count} {count:instruction is|instructions are} in all",
    },
  }),
  ebbMark: line(
    "  for each block, while knob 257 lets its candidates be examined: mark its dominator 2 when one may find its leader above, else 1",
    {
      kind: "flag-set",
      step: {
        found: "{block} may find a leader above: {dominator:block} is marked {mark}",
        none: "{block} finds none above: {dominator:block} is marked {mark}",
      },
    },
  ),
};

export function runsEbb({ knobs, target, remark }: PassContext): boolean {
  const version = target.packedVersion;
  const runs = version <= EBB_BOUNDARY || (!knobs.flag("gvn-no-ebb-pre-pass", EBB.ebbClear) && knobs.flag("gvn-ebb-ready", EBB.ebbClear));
  return remark.gate(EBB.ebbClear, "ebb", runs, { version, boundary: EBB_BOUNDARY });
}

/** By block id, the mark (+264) of the block as a dominator: 2 some block right below may find a leader above itself, 1 none, 0 not examined. */
export function ebbPrePass(numbering: Numbering, { remark, knobs }: Pick<PassContext, "remark" | "knobs">): Uint8Array {
  const { fn, walk } = numbering;
  const marks = new Uint8Array(fn.blocks.length);
  const view = remark.shown.table<EbbMarkRow>("ebb-marks", "EBB pre-pass: marks of dominators (+264)");
  remark.open(EBB.ebbClear, "begin");
  if (remark.listening) for (const block of walk.order) view.set(fn.blocks[block]?.label ?? "", 0);
  remark.step(EBB.ebbClear, "cleared", { blocks: walk.order.length });
  const seed = firstEligible(numbering);
  if (seed === null) remark.step(EBB.ebbClear, "unseeded");
  else {
    remark.step(EBB.ebbClear, "seed", seed);
    // The marks of instructions do not affect the code below, where keys decide: they are set only for a trace.
    if (remark.listening) propagate(numbering, remark);
    evaluate(numbering, remark, marks, view, knobs.budget("gvn-per-instruction", EBB.ebbMark));
  }
  remark.close();
  return marks;
}

function firstEligible({ fn, walk, key }: Numbering): { readonly inst: Inst; readonly block: BlockId } | null {
  for (const block of walk.order) {
    const inst = fn.blocks[block]?.insts.find(({ id }) => (key[id] ?? -1) >= 0);
    if (inst !== undefined) return { inst, block };
  }
  return null;
}

/**
 * `budget` counts separately. What the walk will examine must be examined here, else a mark could refuse its leader: the walk may end a block at a
 * barrier, so what comes after one does not count.
 */
function evaluate(numbering: Numbering, remark: Remarks, marks: Uint8Array, view: ShownTable<EbbMarkRow>, budget: Budget): void {
  const { fn, walk, key } = numbering;
  // The last block that may contain a key's leader; in dominator preorder a block that does not dominate never will again.
  const leaders = new Map<number, BlockId>();
  for (const id of walk.order) {
    const above = walk.tree.idom[id] ?? -1;
    let found = false;
    let seen = 0;
    let spent = false;
    let counts = true;
    for (const inst of fn.blocks[id]?.insts ?? []) {
      if (effectOf(inst) === "barrier") counts = false;
      const k = key[inst.id] ?? -1;
      if (k < 0) continue;
      spent = counts && !budget.take(EBB.ebbMark);
      if (spent) break;
      seen++;
      const leader = leaders.get(k);
      if (leader !== undefined && leader !== id && dominates(walk.tree, leader, id)) found = true;
      else if (leader === undefined || !dominates(walk.tree, leader, id)) leaders.set(k, id);
    }
    if (spent && seen === 0) return;
    if (above < 0) continue;
    const mark = Math.max(marks[above] ?? 0, found ? 2 : 1);
    marks[above] = mark;
    const dominator = above as BlockId;
    const label = fn.blocks[dominator]?.label ?? "";
    view.set(label, mark);
    remark.step(EBB.ebbMark, found ? "found" : "none", { block: id, dominator, mark, blocks: [dominator], node: view.node(label) });
    if (spent) return;
  }
}

/** Instructions named by a step; the structure has them all. */
const MOST_NAMED = 64;

/** Eligible instructions, and round by round whatever defines their operands, to a fixed point. */
function propagate({ fn, walk, key }: Numbering, remark: Remarks): void {
  const view = remark.shown.table<EbbInstRow>("ebb-insts", "EBB pre-pass: marked instructions (+48)");
  const marked = new Set<InstId>();
  const definers = new Map<Reg, Inst[]>();
  let fresh: Inst[] = [];
  const mark = (inst: Inst, round: number): void => {
    if (marked.has(inst.id)) return;
    marked.add(inst.id);
    fresh.push(inst);
    view.set(inst.id, () => ({ inst: printInst(fn, inst), mark: 1, round }));
  };
  for (const id of walk.order) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      for (const r of defsOf(inst)) {
        const known = definers.get(r);
        if (known === undefined) definers.set(r, [inst]);
        else known.push(inst);
      }
      if ((key[inst.id] ?? -1) >= 0) mark(inst, 0);
    }
  }
  remark.step(EBB.ebbPropagate, "candidates", { count: fresh.length, insts: fresh.slice(0, MOST_NAMED) });
  const followed = new Set<Reg>();
  for (let round = 1; ; round++) {
    const last = fresh;
    fresh = [];
    for (const r of last.flatMap((inst) => usesOf(inst))) {
      if (followed.has(r)) continue;
      followed.add(r);
      for (const def of definers.get(r) ?? []) mark(def, round);
    }
    if (fresh.length === 0) {
      remark.step(EBB.ebbPropagate, "fixed", { round, count: marked.size });
      return;
    }
    remark.step(EBB.ebbPropagate, "round", { round, count: fresh.length, insts: fresh.slice(0, MOST_NAMED) });
  }
}
