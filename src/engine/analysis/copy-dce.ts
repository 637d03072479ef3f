/** Removal of dead code the way the bundles do it: only what lost a reader, judged by `check_liveness` (general-optimize, Dead Code Elimination). */

import type { Editor } from "../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, isRemovableWhenDead, usesOf } from "../ir/visit.ts";
import type { BitSet } from "../structures/bitset.ts";
import { printInst } from "../text/printer.ts";
import type { Recorder } from "../trace/recorder.ts";
import { Needed } from "./needed.ts";
import { reversePostOrder } from "./order.ts";
import type { ReachingDefs } from "./reaching-defs.ts";

/** The status byte of `sub_7DF3A0`: bit 0 dead, bits 2 and 3 (0xC) live uses: a result read later, or an effect. */
export const STATUS = { DEAD: 0x1, LIVE_RESULT: 0x4, EFFECT: 0x8 } as const;

/** Reads use-def chains as they are at the start of a round: a result with any reader counts as live. */
export function checkLiveness(inst: Inst, reach: ReachingDefs): number {
  if (!isRemovableWhenDead(inst)) return STATUS.EFFECT;
  return defsOf(inst).some((r) => reach.usesOfReg(r).length > 0) ? STATUS.LIVE_RESULT : STATUS.DEAD;
}

export interface DeadInput {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly line: number;
  /** Of the function at the start of the round: who defines and reads a register. */
  readonly reach: ReachingDefs;
  /** Registers that lost a reader; emptied. */
  readonly lost: Set<Reg>;
  /** Blocks where something has died; filled here and emptied again. */
  readonly dying: BitSet;
  readonly removed: (inst: Inst) => void;
}

/**
 * Removes instructions that are dead and have to do with a register that lost a reader: they define it, or read it, or are reached from such ones. Dead code
 * that this round left alone stays for OriPerformLiveDead. Returns how many.
 */
export function removeLost(input: DeadInput): number {
  const { edit, rec, reach, lost, dying } = input;
  if (lost.size === 0) return 0;
  const dead = deadInstructions(edit);
  const doomed = new Set<InstId>();
  const work = [...lost];
  lost.clear();
  const seen = new Set<Reg>(work);
  const doom = (inst: Inst | null, block: BlockId): void => {
    const now = inst === null ? undefined : dead.get(inst.id);
    if (now === undefined) {
      if (rec.on && inst !== null) sayKept(input, block, inst);
      return;
    }
    if (doomed.has(now.id)) return;
    doomed.add(now.id);
    dying.add(block);
    for (const r of [...defsOf(now), ...usesOf(now)]) {
      if (seen.has(r)) continue;
      seen.add(r);
      work.push(r);
    }
  };
  for (let r = work.pop(); r !== undefined; r = work.pop()) {
    for (const site of reach.sitesOf(r)) doom(site.inst, site.block);
    // A dead reader of a register whose definition goes has to go with it.
    for (const use of reach.usesOfReg(r)) if (dead.has(use.inst.id)) doom(use.inst, use.block);
  }
  for (const at of dying) {
    const id = at as BlockId;
    if (rec.on) {
      for (const inst of edit.block(id).insts.toReversed()) if (doomed.has(inst.id)) sayRemoved(input, id, inst);
      rec.at(input.line);
    }
    edit.sweep(id, (inst) => doomed.has(inst.id), input.removed);
  }
  dying.clear();
  return doomed.size;
}

/** Instructions of reachable blocks that nothing needs. */
function deadInstructions(edit: Editor): ReadonlyMap<InstId, Inst> {
  const dead = new Map<InstId, Inst>();
  const needed = new Needed(edit.func);
  for (const id of reversePostOrder(edit.func).order) {
    needed.scan(id, (inst, _at, need) => {
      if (need === "dead" && inst.op !== "NOP") dead.set(inst.id, inst);
    });
  }
  return dead;
}

function sayRemoved({ edit, rec, line }: DeadInput, block: BlockId, inst: Inst): void {
  const defs = defsOf(inst);
  const facts = {
    inst: printInst(edit.func, inst),
    block: edit.block(block).label,
    regs: defs.map(regName),
    status: STATUS.DEAD,
    verdict: "yes",
  };
  rec.event("match", line, "nothing reads {regs} any more: '{inst}' in {block} is dead", facts, {
    blocks: [block],
    insts: [inst.id],
    regs: defs,
  });
}

function sayKept({ edit, rec, line }: DeadInput, block: BlockId, old: Inst): void {
  const inst = edit.func.blocks[block]?.insts.find((each) => each.id === old.id);
  if (inst === undefined || !isRemovableWhenDead(inst)) return;
  const defs = defsOf(inst);
  const facts = {
    inst: printInst(edit.func, inst),
    block: edit.block(block).label,
    regs: defs.map(regName),
    status: STATUS.LIVE_RESULT,
    verdict: "no",
    condition: "live-uses",
  };
  rec.event("match", line, "{regs} {regs:is|are} still read, so '{inst}' in {block} stays", facts, {
    blocks: [block],
    insts: [inst.id],
    regs: defs,
  });
}
