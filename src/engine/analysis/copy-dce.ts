/** Removal of dead code the way the bundles do it: only what lost a reader, judged by `check_liveness` (general-optimize, Dead Code Elimination). */

import type { Editor } from "../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, isRemovableWhenDead, usesOf } from "../ir/visit.ts";
import { printInst } from "../text/printer.ts";
import type { Recorder } from "../trace/recorder.ts";
import { type Liveness, liveness, scanLive } from "./liveness.ts";

/** The status byte of `sub_7DF3A0`: bit 0 dead, bits 2 and 3 (0xC) live uses: a result read later, or an effect. */
export const STATUS = { DEAD: 0x1, LIVE_RESULT: 0x4, EFFECT: 0x8 } as const;

export function checkLiveness(inst: Inst, isLive: (r: Reg) => boolean): number {
  if (!isRemovableWhenDead(inst)) return STATUS.EFFECT;
  return defsOf(inst).some(isLive) ? STATUS.LIVE_RESULT : STATUS.DEAD;
}

/** Status bytes of whole blocks, computed when first asked for, with the liveness of the function at that time. */
export class StatusBytes {
  private readonly edit: Editor;
  private live: Liveness | null = null;
  private readonly blocks = new Map<BlockId, ReadonlyMap<InstId, number>>();

  constructor(edit: Editor) {
    this.edit = edit;
  }

  of(block: BlockId, inst: Inst): number {
    let bytes = this.blocks.get(block);
    if (bytes === undefined) {
      this.live ??= liveness(this.edit.func);
      const made = new Map<InstId, number>();
      scanLive(this.edit.func, this.live, block, (each, _i, isLive) => {
        made.set(each.id, checkLiveness(each, isLive));
        return undefined;
      });
      bytes = made;
      this.blocks.set(block, bytes);
    }
    return bytes.get(inst.id) ?? STATUS.EFFECT;
  }
}

export interface DeadInput {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly line: number;
  /** Registers that lost a reader; those of removed instructions join it. */
  readonly lost: Set<Reg>;
  /** Blocks that may hold definitions of such registers, in the order to look at them. */
  readonly blocks: Iterable<BlockId>;
  readonly removed: (inst: Inst) => void;
}

/** Removes the instructions whose results all lost a reader and are dead; returns how many. Chains inside a block go at once, others in the next round. */
export function removeLost(input: DeadInput): number {
  const { edit, rec, line, lost } = input;
  if (lost.size === 0) return 0;
  const live = liveness(edit.func);
  let count = 0;
  for (const id of input.blocks) {
    const doomed = new Set<InstId>();
    const kept: Inst[] = [];
    scanLive(edit.func, live, id, (inst, _i, isLive) => {
      const defs = defsOf(inst);
      if (defs.length === 0 || !defs.every((r) => lost.has(r))) return undefined;
      if (checkLiveness(inst, isLive) !== STATUS.DEAD) {
        if (rec.on && isRemovableWhenDead(inst)) kept.push(inst);
        return undefined;
      }
      doomed.add(inst.id);
      for (const r of usesOf(inst)) lost.add(r);
      input.removed(inst);
      return true;
    });
    if (rec.on) for (const inst of kept) sayKept(input, id, inst);
    if (doomed.size === 0) continue;
    if (rec.on) {
      for (const inst of edit.block(id).insts.toReversed()) if (doomed.has(inst.id)) sayRemoved(input, id, inst);
      rec.at(line);
    }
    count += edit.sweep(id, (inst) => doomed.has(inst.id));
  }
  return count;
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

function sayKept({ edit, rec, line }: DeadInput, block: BlockId, inst: Inst): void {
  const defs = defsOf(inst);
  const facts = {
    inst: printInst(edit.func, inst),
    block: edit.block(block).label,
    regs: defs.map(regName),
    status: STATUS.LIVE_RESULT,
    verdict: "no",
    condition: "live-uses",
  };
  rec.event("match", line, "{regs} is still read, so '{inst}' in {block} stays", facts, { blocks: [block], insts: [inst.id], regs: defs });
}
