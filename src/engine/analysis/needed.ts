/** Backward liveness that counts a read only when the instruction that reads is itself needed: what remains is what the effects depend on. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { BlockNumbers, type RegNumbers } from "../ir/reg-numbers.ts";
import type { Block, Func, Inst } from "../ir/types.ts";
import { defsOf, getBlock, isRemovableWhenDead, phiInput, phisOf, sureDefsOf, usesOf } from "../ir/visit.ts";
import { globalRegs, regsOf } from "./liveness.ts";
import { SharedSet, WorkingSet } from "./shared-sets.ts";
import { flowGraph, type Solution, solve, union } from "./solve.ts";

const NONE: readonly Inst[] = [];

/** Why an instruction is needed; `kept`: it is not, but stays by order from outside; `dead`: it is not. */
export type Need = "effect" | "result" | "kept" | "dead";

/** Watches the data flow. All calls come in the order of the algorithm; `round` counts from 1. */
export interface NeedObserver {
  /** False: there is no listener any more, so no lists are made; all lists together grow with blocks times registers. */
  listens?(): boolean;
  round?(round: number): void;
  /** A block is visited: registers live after its last instruction. */
  enter?(block: Block, round: number, liveOut: () => readonly Reg[]): void;
  /** An instruction was judged with the current sets; `isLive` says what is live right before it. */
  judge?(block: Block, inst: Inst, need: Need): void;
  /** The block is done: registers newly live at its head, and PHIs newly needed. */
  leave?(block: Block, round: number, added: readonly Reg[], liveIn: () => readonly Reg[]): void;
}

/**
 * A program is read backwards to a fixed point over the reverse post-order, starting with nothing live. A guarded definition does not end a live range; a PHI's inputs
 * are live at the ends of their predecessors, when its result is; results of a `.func` are read by RET. Unreachable blocks are ignored.
 */
export class Needed {
  readonly rounds: number;
  private readonly fn: Func;
  /** Registers that cross a block boundary: their bits. */
  private readonly bit: RegNumbers;
  private readonly regs: readonly Reg[];
  /** What is live at the current place of the walk: of those registers, and of the others, which live and die inside the block. */
  private readonly live: WorkingSet;
  private readonly local: BlockNumbers;
  private readonly phis = new Set<Inst["id"]>();
  /** By block id: 1 if it has PHIs. */
  private readonly merging: Uint8Array;
  /** By block id: what its last visit, and so the fixed point, found dead; last one first. */
  private readonly dead: (Inst[] | null)[];
  private readonly keep: ReadonlySet<Inst["id"]> | null;
  private readonly solution: Solution<BlockId, WorkingSet, SharedSet>;

  /** `keep`: instructions that will stay even if nothing needs them, so that what they read is needed. */
  constructor(fn: Func, observer: NeedObserver | null = null, keep: ReadonlySet<Inst["id"]> | null = null) {
    this.fn = fn;
    this.keep = keep;
    ({ bit: this.bit, regs: this.regs } = globalRegs(fn));
    this.live = new WorkingSet(this.regs.length);
    this.local = new BlockNumbers(fn);
    this.merging = new Uint8Array(fn.blocks.length);
    this.dead = new Array(fn.blocks.length).fill(null);
    for (const id of flowGraph(fn).order) if (getBlock(fn, id).insts[0]?.op === "PHI") this.merging[id] = 1;
    this.solution = this.solve(observer);
    this.rounds = this.solution.rounds;
  }

  /** Judges a block's instructions from the last to the first, with the final sets. */
  scan(id: BlockId, judge: (inst: Inst, at: number, need: Need) => void): void {
    this.solution.before(id);
    this.walk(getBlock(this.fn, id), judge, null);
  }

  /** Instructions of the block that nothing needs, the last one first. */
  deadIn(id: BlockId): readonly Inst[] {
    return this.dead[id] ?? NONE;
  }

  /** During `scan` and inside observer calls: the register is live at the current position of the walk (after the instruction being judged). */
  isLive(r: Reg): boolean {
    const b = this.bit.get(r);
    return b >= 0 ? this.live.has(b) : this.local.get(r) === 1;
  }

  // --- inside ------------------------------------------------------------------------------------------------------------------

  private solve(observer: NeedObserver | null): Solution<BlockId, WorkingSet, SharedSet> {
    const { fn } = this;
    let round = 0;
    return solve(flowGraph(fn), {
      direction: "backward",
      top: () => new SharedSet(this.regs.length),
      start: (id) => this.start(getBlock(fn, id)),
      meet: union,
      transfer: (id, live, again) => {
        const block = getBlock(fn, id);
        observer?.enter?.(block, round, () => regsOf(live, this.regs));
        this.walk(block, observer?.judge === undefined ? null : (inst, _at, need) => observer.judge?.(block, inst, need), again);
      },
      round: (n) => {
        round = n;
        observer?.round?.(n);
      },
      visited: (id, n, live, before) => {
        if (observer === null) return;
        const added = observer.listens?.() === false ? [] : regsOf(live, this.regs, before);
        observer.leave?.(getBlock(fn, id), n, added, () => regsOf(live, this.regs));
      },
    });
  }

  /** What needed PHIs of the successors take from the block is live at its end. */
  private start(block: Block): WorkingSet {
    this.live.clear();
    this.local.clear();
    for (const s of block.succs) {
      if (this.merging[s] !== 1) continue;
      for (const phi of phisOf(getBlock(this.fn, s))) {
        if (!this.phis.has(phi.id)) continue;
        const value = phiInput(phi, block.id);
        if (value?.kind === "reg") this.put(value.reg, 1);
      }
    }
    return this.live;
  }

  private walk(block: Block, judge: ((inst: Inst, at: number, need: Need) => void) | null, again: ((block: BlockId) => void) | null): void {
    const { insts } = block;
    let dead: Inst[] | null = null;
    for (let at = insts.length - 1; at >= 0; at--) {
      const inst = insts[at] as Inst;
      const defs = defsOf(inst);
      const need = this.needOf(inst, defs);
      judge?.(inst, at, need);
      if (need === "dead") {
        dead ??= [];
        dead.push(inst);
        continue;
      }
      const sure = sureDefsOf(inst);
      for (let i = 0; i < sure.length; i++) this.put(sure[i] as Reg, 0);
      if (inst.op === "PHI") {
        // The predecessors supply its inputs.
        if (!this.phis.has(inst.id)) for (const p of block.preds) again?.(p);
        this.phis.add(inst.id);
      } else {
        const uses = usesOf(inst);
        for (let i = 0; i < uses.length; i++) this.put(uses[i] as Reg, 1);
      }
      if (inst.op === "RET") for (const r of this.fn.returns) this.put(r, 1);
    }
    this.dead[block.id] = dead;
  }

  private needOf(inst: Inst, defs: readonly Reg[]): Need {
    if (!isRemovableWhenDead(inst)) return "effect";
    for (let i = 0; i < defs.length; i++) if (this.isLive(defs[i] as Reg)) return "result";
    return this.keep?.has(inst.id) === true ? "kept" : "dead";
  }

  private put(r: Reg, live: 0 | 1): void {
    const b = this.bit.get(r);
    if (b < 0) this.local.set(r, live);
    else if (live === 1) this.live.add(b);
    else this.live.delete(b);
  }
}
