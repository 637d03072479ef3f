/** What has to be examined: blocks in this round and the next one, registers that lost a reader, and what is a copy. */

import { reversePostOrder } from "../../../analysis/order.ts";
import type { ReachingDefs } from "../../../analysis/reaching-defs.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, Reg } from "../../../ir/ids.ts";
import { RegNumbers } from "../../../ir/reg-numbers.ts";
import type { Inst } from "../../../ir/types.ts";
import { defsOf, usesOf } from "../../../ir/visit.ts";
import type { Remarks } from "../../../remark/remarks.ts";
import { ObservedBitSet } from "../../../structures/bitset.ts";
import { copySource } from "./copy-values.ts";
import type { CopyRules } from "./rules.ts";

export class Worklist {
  /** By instruction id: the known copies; for a use, only these are looked up. */
  readonly copies: ObservedBitSet;
  /** Registers that lost a reader. */
  readonly lost = new Set<Reg>();
  /** Blocks with definitions that lost a reader: only there something can have died. */
  readonly dying: ObservedBitSet;
  /** Registers that a copy writes, or has written since the phase began. */
  private readonly copied: RegNumbers;
  private readonly now: ObservedBitSet;
  private readonly next: ObservedBitSet;
  private readonly edit: Editor;
  private reach: ReachingDefs | null = null;
  private number: Int32Array = new Int32Array(0);
  /** RPO number of the block being walked. */
  private current = 0;

  constructor(edit: Editor, remark: Remarks, { setup, dead }: CopyRules) {
    const { func } = edit;
    const size = func.blocks.length;
    this.edit = edit;
    this.now = new ObservedBitSet(size, remark.observe("round-blocks", "Blocks to look at in this round", setup));
    this.next = new ObservedBitSet(size, remark.observe("next-round-blocks", "Blocks to look at in the next round", setup));
    this.dying = new ObservedBitSet(size, remark.observe("dying-blocks", "Blocks where something may have died", dead));
    this.copies = new ObservedBitSet(func.nextInst, remark.observe("copies", "Instructions that are copies", setup));
    this.copied = new RegNumbers(func);
    for (const id of reversePostOrder(func).order) {
      this.next.add(id);
      const { insts } = edit.block(id);
      for (let at = 0; at < insts.length; at++) if (copySource(insts[at] as Inst) !== null) this.addCopy(insts[at] as Inst);
    }
  }

  /** The blocks of a round in RPO; with `all`, also those about which nothing new is known. */
  *round(reach: ReachingDefs, all: boolean): Generator<BlockId> {
    this.now.copyFrom(this.next);
    this.next.clear();
    this.reach = reach;
    const { order, number } = reversePostOrder(this.edit.func);
    this.number = number;
    for (const id of order) {
      if (!all && !this.now.has(id)) continue;
      this.now.delete(id);
      this.current = number[id] ?? 0;
      yield id;
    }
    this.current = Number.POSITIVE_INFINITY;
  }

  /** A definition's value is known better now: the blocks that read it are examined later in this round, or in the next one. */
  touch(inst: Inst): void {
    for (const r of defsOf(inst)) {
      for (const { block } of this.reach?.usesOfReg(r) ?? []) {
        if ((this.number[block] ?? 0) > this.current) this.now.add(block);
        else this.next.add(block);
      }
    }
  }

  /** Fewer definitions reach the uses than this round knows: they are examined again in the next one. */
  touchNext(inst: Inst): void {
    for (const r of defsOf(inst)) for (const { block } of this.reach?.usesOfReg(r) ?? []) this.next.add(block);
  }

  /** Keeps the set of copies up to date with a new form of an instruction. */
  note(inst: Inst): void {
    if (copySource(inst) === null) this.copies.delete(inst.id);
    else this.addCopy(inst);
  }

  private addCopy(inst: Inst): void {
    this.copies.add(inst.id);
    const dest = inst.ops[0];
    if (dest?.kind === "reg") this.copied.set(dest.reg, 1);
  }

  /** A read of the register may see a copy: one writes it somewhere. */
  isCopied(r: Reg): boolean {
    return this.copied.has(r);
  }

  /** Some read of the instruction may see a copy. */
  readsCopied(inst: Inst): boolean {
    const uses = usesOf(inst);
    for (let i = 0; i < uses.length; i++) if (this.copied.has(uses[i] as Reg)) return true;
    return false;
  }

  /** A block has to be examined again in the next round; one that the phase created contains only branches. */
  again(block: BlockId): void {
    if (block < this.next.length) this.next.add(block);
  }

  everythingAgain(): void {
    for (const id of reversePostOrder(this.edit.func).order) this.again(id);
  }

  /** What it reads has a reader less. */
  lose(inst: Inst): void {
    for (const r of usesOf(inst)) this.lost.add(r);
  }

  /** Blocks to examine in the next round. */
  get blocks(): number {
    return this.next.count();
  }

  get hasMore(): boolean {
    return !this.next.isEmpty();
  }

  /** Uses of the register, as far as this round's start knows them (`sub_91E860`). */
  countUses(r: Reg): number {
    return this.reach?.usesOfReg(r).length ?? 0;
  }
}
