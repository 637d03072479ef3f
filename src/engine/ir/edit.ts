/** The only mutators of the IR: every change goes through an `Editor`, which keeps edges and PHIs consistent and notifies a listener. */

import { type InstParts, makeBlock, makeInst } from "./builder.ts";
import { phiOp, withOps } from "./copies.ts";
import {
  applyOp,
  changeLayout,
  cloneToStore,
  type EditListener,
  type EditOp,
  type FuncStore,
  forgetBlock,
  NO_LISTENER,
} from "./edit-op.ts";
import { FreeRegs } from "./free-regs.ts";
import { type BlockId, type InstId, instId, type Reg } from "./ids.ts";
import { LooseLayout } from "./loose-layout.ts";
import type { Opcode } from "./opcodes.ts";
import { MAX_REG_INDEX, type RegClass, reg } from "./reg.ts";
import type { Block, BlockField, Func, Inst, JumpTable, Operand } from "./types.ts";
import { computeSuccs, fallsThrough, getBlock, isTerminator, isUnconditional, phiInput, phisOf, terminatorsOf } from "./visit.ts";

const CLASS_CODES: Readonly<Record<RegClass, number>> = { R: 0, RD: 1, P: 2, UR: 3, UP: 4, B: 5 };

/** The value that a PHI of `succ` gets on the new edge from the edited block; null: no input is added (the verifier will report it). */
export type PhiValue = (succ: BlockId, phi: Inst) => Operand | null;

/**
 * Edits one function. The function given is shared, not changed: the editor works on a copy-on-write clone (O(blocks) to make), `func` is always the
 * current state, and the state given stays valid for anyone who keeps it.
 *
 * Invariants after every public call: `succs` is what the terminators and the layout say, `preds` mirrors it, and PHIs lost the inputs of edges that went.
 * An edge that appears into a block with PHIs takes its inputs from the `phi` argument.
 */
export class Editor {
  private readonly store: FuncStore;
  private readonly listener: EditListener;
  /** Layout index by block id, with room for new blocks. Edits of the layout do not update it: an entry is valid only while the layout agrees. */
  private positions = new Int32Array(0);
  private labels: Set<string> | null = null;
  /** Blocks may be taken out loosely; the list is there when one was. */
  private isLoose = false;
  private loose: LooseLayout | null = null;
  /** Computed when a register after the largest index is first needed. */
  private free: FreeRegs | null = null;
  private edits = 0;

  constructor(fn: Func, listener: EditListener = NO_LISTENER) {
    this.store = cloneToStore(fn);
    this.listener = listener;
  }

  /** The current state. The object stays the same; its fields change with every edit. */
  get func(): Func {
    this.settleLayout();
    return this.store.func;
  }

  /** Grows with every edit. */
  get version(): number {
    return this.store.func.version;
  }

  /** Number of raw operations so far that changed the program (annotation fields and function flags do not count): 0 means that nothing changed. */
  get editCount(): number {
    return this.edits;
  }

  /** A snapshot of the current state, which later edits do not change: O(blocks). */
  snapshot(): Func {
    this.settleLayout();
    // What is shared with it is copied before it is written to.
    this.store.owned.clear();
    return cloneToStore(this.store.func).func;
  }

  block(id: BlockId): Block {
    return getBlock(this.store.func, id);
  }

  /** A jump table by its name. */
  table(name: string): JumpTable | undefined {
    return this.store.func.tables.get(name);
  }

  has(id: BlockId): boolean {
    return this.store.func.blocks[id] !== undefined;
  }

  // --- fresh names -------------------------------------------------------------------------------------------------------

  freshInstId(): InstId {
    return instId(this.store.func.nextInst++);
  }

  /** A register that the function does not name: the next one, or after the largest index the lowest free one. */
  freshReg(cls: RegClass): Reg {
    const code = CLASS_CODES[cls];
    const index = this.store.func.nextReg[code] ?? 0;
    if (index > MAX_REG_INDEX) {
      this.free ??= new FreeRegs(this.func);
      return this.free.take(cls);
    }
    this.store.func.nextReg[code] = index + 1;
    return reg(cls, index);
  }

  /** `base`, or `base.1`, `base.2`, … : the first one that no block has. */
  freshLabel(base: string): string {
    this.labels ??= new Set(this.func.layout.map((id) => this.block(id).label));
    let label = base;
    for (let n = 1; this.labels.has(label); n++) label = `${base}.${n}`;
    this.labels.add(label);
    return label;
  }

  /** A new instruction with a fresh id; not yet in any block. */
  make(op: Opcode, ops: readonly Operand[], parts: InstParts = {}): Inst {
    return makeInst(this.freshInstId(), op, ops, parts);
  }

  // --- instructions ------------------------------------------------------------------------------------------------------

  insert(block: BlockId, at: number, inst: Inst, phi?: PhiValue): void {
    this.apply({ op: "insts", block, at, removed: [], inserted: [inst] });
    if (isTerminator(inst)) this.syncEdges(block, phi);
  }

  append(block: BlockId, inst: Inst, phi?: PhiValue): void {
    this.insert(block, this.block(block).insts.length, inst, phi);
  }

  remove(block: BlockId, at: number, phi?: PhiValue): void {
    const inst = this.instAt(block, at);
    this.apply({ op: "insts", block, at, removed: [inst], inserted: [] });
    if (isTerminator(inst)) this.syncEdges(block, phi);
  }

  /** Replaces one instruction. Keep the id when it is the same instruction, changed (`withOps`). */
  replace(block: BlockId, at: number, inst: Inst, phi?: PhiValue): void {
    const old = this.instAt(block, at);
    if (old === inst) return;
    this.apply({ op: "insts", block, at, removed: [old], inserted: [inst] });
    if (isTerminator(old) || isTerminator(inst)) this.syncEdges(block, phi);
  }

  /** Moves one instruction; indexes are before and after removal, as for `splice` out and in. Not for terminators. */
  move(from: BlockId, fromAt: number, to: BlockId, toAt: number): void {
    const inst = this.instAt(from, fromAt);
    if (isTerminator(inst)) throw new Error("internal: move of a terminator");
    this.apply({ op: "move", inst, from, fromAt, to, toAt });
  }

  /**
   * Removes every instruction that `drop` selects, last one first; returns how many. Linear in the block when nothing records.
   * `before(inst)` is called right before each removal, so that a pass can say why.
   */
  sweep(block: BlockId, drop: (inst: Inst, index: number) => boolean, before?: (inst: Inst) => void): number {
    const insts = this.block(block).insts;
    const doomed: number[] = [];
    let touchesTerminator = false;
    for (let i = insts.length - 1; i >= 0; i--) {
      const inst = insts[i];
      if (inst !== undefined && drop(inst, i)) {
        doomed.push(i);
        touchesTerminator ||= isTerminator(inst);
      }
    }
    if (doomed.length === 0) return 0;
    if (this.listener.on || doomed.length === 1) {
      for (const at of doomed) {
        const inst = this.instAt(block, at);
        before?.(inst);
        this.apply({ op: "insts", block, at, removed: [inst], inserted: [] });
      }
    } else {
      const gone = new Set(doomed);
      const first = doomed[doomed.length - 1] ?? 0;
      const kept = insts.filter((_, i) => i >= first && !gone.has(i));
      this.apply({ op: "insts", block, at: first, removed: insts.slice(first), inserted: kept });
    }
    if (touchesTerminator) this.syncEdges(block);
    return doomed.length;
  }

  /** Replaces the terminators at the end of a block with `insts` (none: the block falls through). */
  setTerminators(block: BlockId, insts: readonly Inst[], phi?: PhiValue): void {
    const old = terminatorsOf(this.block(block));
    if (old.insts.length === 0 && insts.length === 0) return;
    this.apply({ op: "insts", block, at: old.at, removed: old.insts, inserted: insts });
    this.syncEdges(block, phi);
  }

  /** Replaces everything from instruction `at` on, terminators included. */
  replaceTail(block: BlockId, at: number, insts: readonly Inst[], phi?: PhiValue): void {
    const removed = this.block(block).insts.slice(at);
    if (removed.length === 0 && insts.length === 0) return;
    this.apply({ op: "insts", block, at, removed, inserted: insts });
    this.syncEdges(block, phi);
  }

  // --- edges and blocks --------------------------------------------------------------------------------------------------

  /**
   * Redirects every branch of `block` from `from` to `to`; a fall-through becomes an explicit BRA, in a new block
   * after this one where `materializeFallthrough` needs one, too; BSSY is left alone.
   * A table is changed for every block that uses it. PHI inputs of `to` come from `phi`; give `phiFrom(via)` when the path led through `via`.
   */
  redirect(block: BlockId, from: BlockId, to: BlockId, phi?: PhiValue): void {
    const { at, insts } = terminatorsOf(this.block(block));
    const fallen = fallsThrough(this.block(block)) && this.next(block) === from;
    for (const inst of insts) {
      const last = inst.ops[inst.ops.length - 1];
      if (last?.kind === "table") this.redirectTable(last.name, from, to, phi);
    }
    const changed = insts.map((inst) => {
      const last = inst.ops[inst.ops.length - 1];
      if (inst.op !== "BRA" || last?.kind !== "label" || last.block !== from) return inst;
      return withOps(inst, [...inst.ops.slice(0, -1), { kind: "label", block: to }]);
    });
    const apart = fallen && !mayPrecedeBranch(insts);
    if (fallen && !apart) changed.push(this.branchTo(to));
    if (changed.length !== insts.length || changed.some((inst, i) => inst !== insts[i])) {
      this.apply({ op: "insts", block, at, removed: insts, inserted: changed });
    }
    if (apart) this.addElse(block, to, phi);
    this.syncEdges(block, phi);
  }

  /** PHI values for a path that used to lead through `via`: the input that the successor's PHI has for it. */
  phiFrom(via: BlockId): PhiValue {
    const saved = new Map<InstId, Operand | null>();
    return (_succ, phi) => {
      const now = phiInput(phi, via);
      if (now !== null) saved.set(phi.id, now);
      return now ?? saved.get(phi.id) ?? null;
    };
  }

  private redirectTable(name: string, from: BlockId, to: BlockId, phi: PhiValue | undefined): void {
    const table = this.store.func.tables.get(name);
    if (table === undefined || (table.default !== from && !table.entries.includes(from))) return;
    const changed = {
      ...table,
      default: table.default === from ? to : table.default,
      entries: table.entries.map((entry) => (entry === from ? to : entry)),
    };
    this.setTable(changed, phi);
  }

  /**
   * Writes an explicit BRA for the fall-through edge, so that the layout may change after the block that is returned: the block itself, or, where a BRA may
   * not follow its terminator (a guarded EXIT, RET, KILL or table jump), a block right after it that only branches, which PHI inputs follow. It is made unless
   * it is there already. No-op without that edge.
   */
  materializeFallthrough(block: BlockId): BlockId {
    const next = this.next(block);
    if (next === null || !fallsThrough(this.block(block))) return block;
    if (!mayPrecedeBranch(terminatorsOf(this.block(block)).insts)) {
      const { insts, preds } = this.block(next);
      const [only] = insts;
      const there = insts.length === 1 && only?.op === "BRA" && isUnconditional(only) && preds.length === 1;
      return there ? next : this.addElse(block, next, this.phiFrom(block));
    }
    this.append(block, this.branchTo(next));
    return block;
  }

  private branchTo(target: BlockId): Inst {
    return this.make("BRA", [{ kind: "label", block: target }]);
  }

  /** A block that only branches, right after one that falls through into it. */
  private addElse(block: BlockId, target: BlockId, phi: PhiValue | undefined): BlockId {
    return this.addBlock(`${this.block(block).label}.else`, this.position(block) + 1, [this.branchTo(target)], phi);
  }

  /**
   * Adds a block at a layout index. A block that falls through into that place now falls into the new block: call `materializeFallthrough` on it
   * first when that is not meant.
   */
  addBlock(label: string, at: number, insts: readonly Inst[] = [], phi?: PhiValue): BlockId {
    const id = this.store.func.blocks.length as BlockId;
    this.apply({ op: "block-add", block: makeBlock(id, this.freshLabel(label), insts), at });
    if (id < this.positions.length) this.positions[id] = at;
    this.syncEdges(id, phi);
    const before = this.func.layout[at - 1];
    if (before !== undefined) this.syncEdges(before, phi);
    return id;
  }

  /**
   * Deletes a block with its out-edges (and their PHI inputs) and frees its label. No branch may target it; a fall-through into it
   * passes on to the next block of the layout (`phi` gives that edge's inputs).
   */
  removeBlock(id: BlockId, phi?: PhiValue): void {
    const before = this.previous(id);
    this.setSuccs(id, []);
    const loose = this.looseLayout();
    if (loose === null) {
      this.apply({ op: "block-remove", block: this.block(id), at: this.position(id) });
    } else {
      loose.remove(id);
      this.edits++;
      forgetBlock(this.store, id);
    }
    this.labels = null;
    if (before !== null) this.syncEdges(before, phi);
  }

  /**
   * Runs `work`, in which blocks may be removed and moved to the end in constant time each. It should use only `has`, `block`, `next` and `previous`:
   * reading `func` meanwhile costs the whole layout. While recording, each step is still separate.
   */
  loosely<T>(work: () => T): T {
    const outer = this.isLoose;
    this.isLoose = !this.listener.on;
    const result = work();
    this.isLoose = outer;
    this.settleLayout();
    return result;
  }

  private looseLayout(): LooseLayout | null {
    if (!this.isLoose) return null;
    this.loose ??= new LooseLayout(this.store.func.layout, this.store.func.blocks.length);
    return this.loose;
  }

  private settleLayout(): void {
    if (this.loose === null) return;
    const { loose } = this;
    this.loose = null;
    this.store.func.layout = loose.toArray();
  }

  /**
   * Deletes blocks that have no predecessors outside the list: their out-edges first, in the given order, then the blocks from the last to the first of the
   * layout. Cheaper than one by one, and without the passing edges that falling through a half-deleted chain would make.
   */
  removeBlocks(ids: readonly BlockId[], phi?: PhiValue): void {
    for (const id of ids) this.setSuccs(id, []);
    const doomed = ids.map((id) => ({ id, at: this.position(id) })).sort((a, b) => b.at - a.at);
    const before = new Set<BlockId>();
    for (const { id, at } of doomed) {
      this.apply({ op: "block-remove", block: this.block(id), at });
      before.delete(id);
      const neighbour = this.func.layout[at - 1];
      if (neighbour !== undefined) before.add(neighbour);
    }
    this.labels = null;
    for (const id of before) this.syncEdges(id, phi);
  }

  /**
   * Moves a block in the layout (index after its removal). Callers materialize the fall-throughs they want to keep first; a block that leaves some lanes
   * after (`materializeFallthrough` returned another) can then neither move nor be separated from the next one.
   */
  moveToEnd(id: BlockId): void {
    const loose = this.looseLayout();
    if (loose === null) {
      this.moveBlock(id, this.func.layout.length - 1);
      return;
    }
    if (loose.next(id) === null) return;
    const neighbours = [loose.previous(id), id];
    loose.remove(id);
    neighbours.splice(1, 0, loose.last());
    loose.append(id);
    this.edits++;
    changeLayout(this.store);
    for (const b of neighbours) if (b !== null) this.syncEdges(b);
  }

  /** As `moveToEnd`, to any index. */
  moveBlock(id: BlockId, to: number): void {
    const from = this.position(id);
    if (from === to) return;
    const neighbours = [this.func.layout[from - 1]];
    this.apply({ op: "layout", block: id, from, to });
    neighbours.push(this.func.layout[this.position(id) - 1], id);
    for (const b of neighbours) if (b !== undefined) this.syncEdges(b);
  }

  /**
   * Splits a block before instruction `at`: the rest, terminators and out-edges included, becomes a new block right after it in the layout, into which the
   * block falls through. PHI inputs of the successors follow; `at` is not before a PHI. Returns the new block.
   */
  splitBlock(id: BlockId, at: number, label: string): BlockId {
    const rest = this.block(id).insts.slice(at);
    const created = this.addBlock(label, this.position(id) + 1, rest, this.phiFrom(id));
    this.apply({ op: "insts", block: id, at, removed: rest, inserted: [] });
    this.syncEdges(id);
    return created;
  }

  /** Makes or changes a table. A new one is created before the instruction that names it, so that no block must be examined. */
  setTable(table: JumpTable, phi?: PhiValue): void {
    const before = this.func.tables.get(table.name) ?? null;
    this.apply({ op: "table", name: table.name, at: this.tableIndex(table.name), before, after: table });
    if (before === null) return;
    for (const id of this.func.layout) {
      const last = this.block(id).insts.at(-1)?.ops.at(-1);
      if (last?.kind === "table" && last.name === table.name) this.syncEdges(id, phi);
    }
  }

  /** Deletes a table that no instruction names. */
  removeTable(name: string): void {
    const before = this.func.tables.get(name);
    if (before !== undefined) this.apply({ op: "table", name, at: this.tableIndex(name), before, after: null });
  }

  /** A table's index among the tables; the number of tables if it is not there. */
  private tableIndex(name: string): number {
    const names = [...this.func.tables.keys()];
    const at = names.indexOf(name);
    return at < 0 ? names.length : at;
  }

  // --- records -----------------------------------------------------------------------------------------------------------

  setField(block: BlockId, field: BlockField, value: number): void {
    const before = this.block(block)[field];
    if (before !== value) this.apply({ op: "field", block, field, before, after: value });
  }

  setFuncFlags(value: number): void {
    const before = this.func.flags;
    if (before !== value) this.apply({ op: "func-flags", before, after: value });
  }

  setWeight(block: BlockId, weight: number | null): void {
    const before = this.block(block).weight;
    if (before !== weight) this.apply({ op: "weight", block, before, after: weight });
  }

  // --- inside --------------------------------------------------------------------------------------------------------------

  /** Layout index of a block. */
  position(id: BlockId): number {
    const { layout } = this.func;
    const known = this.positions[id] ?? -1;
    if (layout[known] === id) return known;
    const at = known < 0 ? -1 : nearby(layout, known, id);
    if (at >= 0) {
      this.positions[id] = at;
      return at;
    }
    return this.findPositions(id);
  }

  private findPositions(id: BlockId): number {
    const { layout, blocks } = this.func;
    const size = blocks.length;
    const positions = new Int32Array(size + (size >> 1) + 16).fill(-1);
    for (let i = 0; i < layout.length; i++) positions[layout[i] as BlockId] = i;
    this.positions = positions;
    const at = positions[id] ?? -1;
    if (at < 0) throw new Error(`internal: block ${id} is not in the layout`);
    return at;
  }

  /** The block after `id` in the layout. */
  next(id: BlockId): BlockId | null {
    return this.loose === null ? (this.func.layout[this.position(id) + 1] ?? null) : this.loose.next(id);
  }

  /** The block before `id` in the layout. */
  previous(id: BlockId): BlockId | null {
    return this.loose === null ? (this.func.layout[this.position(id) - 1] ?? null) : this.loose.previous(id);
  }

  private instAt(block: BlockId, at: number): Inst {
    const inst = this.block(block).insts[at];
    if (inst === undefined) throw new Error(`internal: no instruction ${at} in ${this.block(block).label}`);
    return inst;
  }

  private apply(op: EditOp): void {
    if (op.op !== "field" && op.op !== "func-flags") this.edits++;
    applyOp(this.store, op);
    if (this.listener.on) this.listener.edit(op);
  }

  private syncEdges(id: BlockId, phi?: PhiValue): void {
    this.setSuccs(id, computeSuccs(this.store.func, this.block(id), this.next(id)), phi);
  }

  private setSuccs(id: BlockId, after: readonly BlockId[], phi?: PhiValue): void {
    const before = this.block(id).succs;
    if (before.length === after.length && before.every((s, i) => s === after[i])) return;
    const was = new Set(before);
    const is = new Set(after);
    this.apply({ op: "succs", block: id, before, after });
    // Inputs for new edges first: `phi` may read the inputs of edges that are about to go.
    for (const succ of after) if (!was.has(succ)) this.edgeAdded(id, succ, phi);
    for (const succ of before) if (!is.has(succ)) this.edgeRemoved(id, succ);
  }

  private edgeAdded(from: BlockId, to: BlockId, phi: PhiValue | undefined): void {
    const before = this.block(to).preds;
    this.apply({ op: "preds", block: to, before, after: [...before, from] });
    if (phi === undefined) return;
    for (const [at, inst] of phisOf(this.block(to)).entries()) {
      const value = phiInput(inst, from) === null ? phi(to, inst) : null;
      if (value !== null) {
        const changed = withOps(inst, [...inst.ops, phiOp(from, value)]);
        this.apply({ op: "insts", block: to, at, removed: [inst], inserted: [changed] });
      }
    }
  }

  private edgeRemoved(from: BlockId, to: BlockId): void {
    const target = this.store.func.blocks[to];
    if (target === undefined) return;
    this.apply({ op: "preds", block: to, before: target.preds, after: target.preds.filter((p) => p !== from) });
    for (const [at, inst] of phisOf(this.block(to)).entries()) {
      const ops = inst.ops.filter((operand) => operand.kind !== "phi" || operand.pred !== from);
      if (ops.length !== inst.ops.length) this.apply({ op: "insts", block: to, at, removed: [inst], inserted: [withOps(inst, ops)] });
    }
  }
}

/** True when an unconditional BRA may follow these terminators of a block: none, or one conditional BRA. */
function mayPrecedeBranch(terminators: readonly Inst[]): boolean {
  return terminators.length === 0 || (terminators.length === 1 && terminators[0]?.op === "BRA");
}

/** How far a block may have moved before all positions are computed again. */
const NEARBY = 64;

function nearby(layout: readonly BlockId[], known: number, id: BlockId): number {
  for (let d = 1; d <= NEARBY; d++) {
    if (layout[known - d] === id) return known - d;
    if (layout[known + d] === id) return known + d;
  }
  return -1;
}
