/** Def-use facts of one block, in one pass forwards and one backwards: what the leaf rules need. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg } from "../../ir/reg.ts";
import { BlockNumbers } from "../../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../../ir/types.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import { type Operator, operatorOf } from "./operators.ts";

/** Everything is indexed by the instruction's position in the block; facts of a source by `sourceAt`. */
export interface BlockFacts {
  readonly insts: readonly Inst[];
  readonly operators: readonly (Operator | null)[];
  /** Reads that may see the instruction's (first) result; a value that lives beyond the block has more than one. */
  readonly uses: Int32Array;
  /** The last of them in the block, -1 for none. */
  readonly user: Int32Array;
  /** Where the source's register was last defined before; -1 outside the block. */
  readonly definedAt: Int32Array;
  /** Where the source's register is written next, the instruction itself included; `NEVER`. */
  readonly writtenAt: Int32Array;
}

export const NEVER = 0x7fff_ffff;

/** An operator has one source or two. */
export const sourceAt = (node: number, source: number): number => 2 * node + source;

/** Makes the facts of one block after the other. */
export class FactsMaker {
  private readonly fn: Func;
  private readonly live: Liveness;
  private readonly written: BlockNumbers;
  /** By register, its place in the two lists. */
  private readonly read: BlockNumbers;
  private readonly counts: number[] = [];
  private readonly users: number[] = [];
  private regs = 0;

  constructor(fn: Func, live: Liveness) {
    this.fn = fn;
    this.live = live;
    this.written = new BlockNumbers(fn);
    this.read = new BlockNumbers(fn);
  }

  /** Null where no instruction is a node of a tree. */
  of(block: Block): BlockFacts | null {
    const { insts } = block;
    const operators: (Operator | null)[] = [];
    let any = false;
    for (let i = 0; i < insts.length; i++) {
      const operator = operatorOf(insts[i] as Inst);
      if (operator !== null) any = true;
      operators.push(operator);
    }
    if (!any) return null;
    const n = insts.length;
    const facts: BlockFacts = {
      insts,
      operators,
      uses: new Int32Array(n),
      user: new Int32Array(n).fill(-1),
      definedAt: new Int32Array(2 * n).fill(-1),
      writtenAt: new Int32Array(2 * n).fill(NEVER),
    };
    this.forwards(facts);
    this.backwards(block.id, facts);
    return facts;
  }

  private forwards(facts: BlockFacts): void {
    const { insts, definedAt } = facts;
    this.written.clear();
    for (let i = 0; i < insts.length; i++) {
      this.sources(facts, i, definedAt);
      this.write(insts[i] as Inst, i);
    }
  }

  private backwards(block: BlockId, facts: BlockFacts): void {
    const { insts, uses, user, writtenAt } = facts;
    const { counts, users } = this;
    this.written.clear();
    this.read.clear();
    this.regs = 0;
    for (let i = insts.length - 1; i >= 0; i--) {
      const inst = insts[i] as Inst;
      const defs = defsOf(inst);
      for (let k = 0; k < defs.length; k++) {
        const at = this.reads(block, defs[k] as Reg);
        if (k === 0) {
          uses[i] = counts[at] as number;
          user[i] = users[at] as number;
        }
        // Under a guard the old value is what a reader may see.
        if (inst.guard !== null) counts[at] = (counts[at] as number) + 1;
        else {
          counts[at] = 0;
          users[at] = -1;
        }
      }
      this.write(inst, i);
      this.sources(facts, i, writtenAt);
      if (inst.op !== "PHI") {
        const regs = usesOf(inst);
        for (let k = 0; k < regs.length; k++) {
          const at = this.reads(block, regs[k] as Reg);
          counts[at] = (counts[at] as number) + 1;
          if ((users[at] as number) < 0) users[at] = i;
        }
      }
      if (inst.op === "RET") {
        for (const r of this.fn.returns) {
          const at = this.reads(block, r);
          counts[at] = (counts[at] as number) + 2;
        }
      }
    }
  }

  /** Where `written` has the operator's sources now. */
  private sources({ insts, operators }: BlockFacts, i: number, into: Int32Array): void {
    const operator = operators[i] ?? null;
    if (operator === null) return;
    const { ops } = insts[i] as Inst;
    for (let k = 0; k < operator.sources.length; k++) {
      const source = ops[operator.sources[k] as number];
      const at = source?.kind === "reg" && !isConstantReg(source.reg) ? this.written.get(source.reg) : -1;
      if (at >= 0) into[sourceAt(i, k)] = at;
    }
  }

  private write(inst: Inst, at: number): void {
    const defs = defsOf(inst);
    for (let k = 0; k < defs.length; k++) this.written.set(defs[k] as Reg, at);
  }

  private reads(block: BlockId, r: Reg): number {
    const known = this.read.get(r);
    if (known >= 0) return known;
    const at = this.regs++;
    this.read.set(r, at);
    // Live beyond the block counts as two: its uses there are not known.
    this.counts[at] = this.live.isLiveOut(block, r) ? 2 : 0;
    this.users[at] = -1;
    return at;
  }
}
