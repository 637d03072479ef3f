/** Stages 1 and 2: tombstones on results that are dead right away, and the kill sets of the blocks that may be an inner one. */

import { liveness, scanLive } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE, type Recorder } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** The value the notes put in place of a dead operand. */
export const TOMBSTONE = 0xf0000000;

export interface Stages {
  /** Instructions all of whose results are dead right behind them. */
  readonly tombstones: ReadonlySet<InstId>;
  /** Registers that a block reads and that are dead behind it. */
  readonly kills: ReadonlyMap<BlockId, ReadonlySet<Reg>>;
}

/** `candidates`: the blocks that may be an inner block this round. Linear in the function. */
export function runStages(fn: Func, candidates: ReadonlySet<BlockId>, rec: Recorder): Stages {
  const live = liveness(fn);
  const tombstones = new Set<InstId>();
  const kills = new Map<BlockId, Set<Reg>>();
  const marks = rec.on ? rec.structure("table", "tombstones", "Operands replaced by the tombstone 0xF0000000") : NO_STRUCTURE;
  const sets = rec.on ? rec.structure("table", "kill-sets", "Registers that die in an inner block") : NO_STRUCTURE;
  const order = reversePostOrder(fn).order.toReversed();
  if (rec.on)
    rec.begin("span", LINE.tombstone, "stage 1: tombstones, over {blocks} {blocks:block|blocks} in reverse RPO", { blocks: order.length });
  for (const id of order) {
    const dying = candidates.has(id) ? new Set<Reg>() : null;
    scanLive(fn, live, id, (inst, _index, isLive) => {
      const defs = defsOf(inst);
      if (dying !== null && inst.op !== "PHI") for (const r of usesOf(inst)) if (!isLive(r)) dying.add(r);
      if (defs.length === 0 || defs.some(isLive)) return undefined;
      tombstones.add(inst.id);
      if (rec.on) {
        const text = printInst(fn, inst);
        rec.cell(marks, `${fn.blocks[id]?.label}: ${text}`, TOMBSTONE);
        rec.event(
          "operand-mark",
          LINE.tombstone,
          "'{inst}' in {block}: nothing reads {regs} any more, so its result becomes the tombstone 0xF0000000",
          { inst: text, block: fn.blocks[id]?.label ?? "", regs: defs.map(regName) },
          { blocks: [id], insts: [inst.id], operands: [[inst.id, 0]] },
        );
      }
      return undefined;
    });
    if (dying !== null) kills.set(id, dying);
  }
  if (rec.on) rec.end();
  if (rec.on) {
    for (const [id, dying] of kills) {
      const label = fn.blocks[id]?.label ?? "";
      const regs = [...dying].sort((a, b) => a - b).map(regName);
      rec.cell(sets, label, regs);
      rec.event(
        "liveness",
        LINE.killSet,
        "stage 2: {regs} {regs:dies|die} in {block}",
        { block: label, regs },
        { blocks: [id], regs: [...dying] },
      );
    }
  }
  return { tombstones, kills };
}
