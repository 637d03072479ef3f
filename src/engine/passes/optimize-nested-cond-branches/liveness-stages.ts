/** Stages 1 and 2: tombstones on results that are dead right away, and the kill sets of the blocks that may be an inner one. */

import { liveness, scanLive } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regClass, regIndex, regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { defsOf, getBlock, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import { printInst } from "../../text/printer.ts";
import type { KillSetRow, TombstoneRow } from "./rows.ts";

export const STAGES = {
  liveness: line("  liveness of all registers, to a fixed point", {
    kind: "liveness",
    step: "liveness of {blocks} {blocks:block|blocks}",
  }),
  tombstone: line("  stage 1, blocks in reverse RPO: replace results that are dead right away by a tombstone // 0xF0000000", {
    step: {
      stage: { kind: "span", say: "stage 1: tombstones, over {blocks} {blocks:block|blocks} in reverse RPO" },
      mark: {
        kind: "operand-mark",
        say: "{results:regs} {results:is|are} unused, so '{inst}' in {block} is marked deleted",
      },
    },
  }),
  killSet: line(
    "  stage 2, blocks in reverse RPO that may be an inner block: kill set = registers but P0 to P3 read there and dead at its end",
    {
      kind: "liveness",
      step: "stage 2: {regs} {regs:dies|die} in {block}",
    },
  ),
};

/** The value with which the reference replaces a dead operand. */
export const TOMBSTONE = 0xf0000000;

export interface Stages {
  /** Instructions all of whose results are dead right after them. */
  readonly tombstones: ReadonlySet<InstId>;
  /** By block, the registers that are read there for the last time and are dead at its end; P0 to P3 are left out. */
  readonly kills: ReadonlyMap<BlockId, ReadonlySet<Reg>>;
}

/** The reference's register indices 41 to 44, which stage 2 passes over: P0 to P3. Source: branch-and-switch, 'Pass Structure', stage 2. */
function isDedicated(r: Reg): boolean {
  return regClass(r) === "P" && regIndex(r) < 4;
}

/** `candidates`: the blocks that may be an inner block this round. Linear in the function. */
export function runStages(fn: Func, candidates: ReadonlySet<BlockId>, remark: Remarks): Stages {
  const live = liveness(fn);
  const tombstones = new Set<InstId>();
  const kills = new Map<BlockId, Set<Reg>>();
  const marks = remark.shown.table<TombstoneRow>("tombstones", "Operands replaced by the tombstone 0xF0000000");
  const sets = remark.shown.table<KillSetRow>("kill-sets", "Registers that die in an inner block");
  const order = reversePostOrder(fn).order.toReversed();
  remark.open(STAGES.tombstone, "stage", { blocks: order.length });
  for (const id of order) {
    const block = getBlock(fn, id);
    const dying = candidates.has(id) ? new Set<Reg>() : null;
    scanLive(fn, live, id, (inst, _index, isLive) => {
      const defs = defsOf(inst);
      if (dying !== null && inst.op !== "PHI") for (const r of usesOf(inst)) if (!isLive(r) && !isDedicated(r)) dying.add(r);
      if (defs.length === 0 || defs.some(isLive)) return undefined;
      tombstones.add(inst.id);
      if (remark.listening) {
        marks.set(`${block.label}: ${printInst(fn, inst)}`, TOMBSTONE);
        remark.step(STAGES.tombstone, "mark", { inst, block, results: defs, operands: [[inst.id, 0]] });
      }
      return undefined;
    });
    if (dying === null) continue;
    // Written again after its last read and live at the end: it dies elsewhere.
    for (const r of dying) if (live.isLiveOut(id, r)) dying.delete(r);
    kills.set(id, dying);
  }
  remark.close();
  if (remark.listening) {
    for (const [id, dying] of kills) {
      const block = getBlock(fn, id);
      const regs = [...dying].sort((a, b) => a - b);
      sets.set(block.label, regs.map(regName));
      remark.step(STAGES.killSet, { block, regs });
    }
  }
  return { tombstones, kills };
}
