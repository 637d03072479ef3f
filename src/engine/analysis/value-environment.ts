/** Value numbers of variables along a walk of the dominator tree: scoped, with merges at joins. */

import type { BlockId, InstId, Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Func, Operand } from "../ir/types.ts";
import { phiInput, phisOf } from "../ir/visit.ts";
import { type DomTree, domChildren, dominators } from "./dominators.ts";
import type { Numbers } from "./expression-text.ts";
import type { Merges, Variable } from "./merges.ts";
import { reversePostOrder } from "./order.ts";

/** Blocks in preorder of the dominator tree, children in reverse post-order. The place in it is the block's dominator number. */
export interface DomWalk {
  readonly tree: DomTree;
  readonly order: readonly BlockId[];
  /** By block id: place in `order`, -1 when unreachable. */
  readonly place: Int32Array;
}

export function domWalk(fn: Func): DomWalk {
  const tree = dominators(fn);
  const children = domChildren(fn, tree);
  const place = new Int32Array(fn.blocks.length).fill(-1);
  const order: BlockId[] = [];
  const entry = fn.layout[0];
  const stack: BlockId[] = entry === undefined ? [] : [entry];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    place[id] = order.length;
    order.push(id);
    for (const child of (children[id] ?? []).toReversed()) stack.push(child);
  }
  return { tree, order, place };
}

/**
 * Current number of each variable. `enter` the blocks in dominator preorder, set definitions in between, `leave` after a block's last instruction; what a
 * subtree set is undone when the walk leaves it.
 */
export class Environment {
  private readonly fn: Func;
  private readonly numbers: Numbers;
  private readonly merges: Merges;
  private readonly walk: DomWalk;
  private readonly rpo: Int32Array;
  private current = new Map<Variable, number>();
  /** The number of a variable that was not defined since the start, or, with coarse merges, since the last join. */
  private base = "in";
  private readonly undo: { readonly variable: Variable; readonly before: number | undefined }[] = [];
  private readonly scopes: {
    readonly block: BlockId;
    readonly undoAt: number;
    readonly outer: { readonly current: Map<Variable, number>; readonly base: string } | null;
  }[] = [];
  private readonly merged: Map<BlockId, number[]>;
  /** Numbers that merges take from predecessors left so far: by block, by merge index. */
  private readonly inputs = new Map<BlockId, number[][]>();
  private readonly phiInputs = new Map<InstId, string[]>();

  /** `merged` keeps the numbers that merges got: give the same map to a second walk of the same function. */
  constructor(fn: Func, numbers: Numbers, merges: Merges, walk: DomWalk, merged: Map<BlockId, number[]>) {
    this.fn = fn;
    this.merged = merged;
    this.numbers = numbers;
    this.merges = merges;
    this.walk = walk;
    this.rpo = reversePostOrder(fn).number;
  }

  read(variable: Variable): number {
    const known = this.current.get(variable);
    if (known !== undefined) return known;
    // Parameters, and registers that still have their initial zero: one number each from the entry on.
    const n = this.numbers.intern(`${this.base}:${variable}`);
    this.current.set(variable, n);
    return n;
  }

  readonly readReg = (r: Reg): number => this.read(r);

  set(variable: Variable, n: number): void {
    if (variable >= 0 && isConstantReg(variable as Reg)) return;
    this.undo.push({ variable, before: this.current.get(variable) });
    this.current.set(variable, n);
  }

  enter(block: BlockId): void {
    while (this.scopes.length > 0) {
      const top = this.scopes[this.scopes.length - 1];
      if (top === undefined || top.block === this.walk.tree.idom[block]) break;
      this.scopes.pop();
      this.rewind(top.undoAt);
      if (top.outer !== null) ({ current: this.current, base: this.base } = top.outer);
    }
    const isJoin = this.merges.coarse && (this.isLoopEntry(block) || (this.fn.blocks[block]?.preds.length ?? 0) > 1);
    this.scopes.push({ block, undoAt: this.undo.length, outer: isJoin ? { current: this.current, base: this.base } : null });
    if (isJoin) {
      this.current = new Map();
      this.base = `at${block}`;
    }
    const variables = this.merges.at[block] ?? [];
    if (variables.length === 0) return;
    let numbers = this.merged.get(block);
    if (numbers === undefined) {
      numbers = variables.map((variable, i) => this.mergedNumber(block, i, variable));
      this.merged.set(block, numbers);
    }
    for (const [i, variable] of variables.entries()) this.set(variable, numbers[i] ?? 0);
  }

  /** Hands the numbers at the block's end to the merges and PHIs of its successors. */
  leave(block: BlockId): void {
    for (const succ of this.fn.blocks[block]?.succs ?? []) {
      const variables = this.merges.at[succ] ?? [];
      if (variables.length > 0) {
        let inputs = this.inputs.get(succ);
        if (inputs === undefined) {
          inputs = variables.map(() => []);
          this.inputs.set(succ, inputs);
        }
        for (const [i, variable] of variables.entries()) inputs[i]?.push(this.read(variable));
      }
      const target = this.fn.blocks[succ];
      for (const phi of target === undefined ? [] : phisOf(target)) {
        const value = phiInput(phi, block);
        if (value === null) continue;
        const known = this.phiInputs.get(phi.id);
        const text = this.valueText(value);
        if (known === undefined) this.phiInputs.set(phi.id, [text]);
        else known.push(text);
      }
    }
  }

  /** The number of a PHI's result: that of its inputs when they agree, else one that equal PHIs of the block share; fresh at a loop header. */
  phiNumber(block: BlockId, phi: InstId, cls: string): number {
    const inputs = this.phiInputs.get(phi) ?? [];
    if (this.isLoopEntry(block) || inputs.length === 0) return this.numbers.fresh();
    const [first = ""] = inputs;
    if (inputs.every((text) => text === first))
      return first.startsWith("#") ? Number(first.slice(1)) : this.numbers.intern(`copy:${cls}(${first})`);
    return this.numbers.intern(`phi:${block}:${cls}(${inputs.join(",")})`);
  }

  private mergedNumber(block: BlockId, i: number, variable: Variable): number {
    const inputs = this.inputs.get(block)?.[i] ?? [];
    if (this.isLoopEntry(block) || inputs.length === 0) return this.numbers.fresh();
    const [first = 0] = inputs;
    if (inputs.every((n) => n === first)) return first;
    return this.numbers.intern(`merge:${block}${variable < 0 ? `:${variable}` : ""}(${inputs.join(",")})`);
  }

  /** Some edge into the block has not been walked when it is entered: numbers from there are not known yet. */
  private isLoopEntry(block: BlockId): boolean {
    const own = this.rpo[block] ?? 0;
    if (block === this.fn.layout[0]) return true;
    return this.fn.blocks[block]?.preds.some((p) => (this.rpo[p] ?? 0) >= own) ?? false;
  }

  private valueText(value: Operand): string {
    if (value.kind === "reg" && !value.neg && !value.abs && !value.not && !isConstantReg(value.reg)) return `#${this.read(value.reg)}`;
    if (value.kind === "reg") return `${value.neg ? "!" : ""}${isConstantReg(value.reg) ? `c${value.reg}` : this.read(value.reg)}`;
    return value.kind === "imm" || value.kind === "imm64"
      ? `i${value.value}`
      : JSON.stringify(value, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v));
  }

  private rewind(to: number): void {
    while (this.undo.length > to) {
      const last = this.undo.pop();
      if (last === undefined) return;
      if (last.before === undefined) this.current.delete(last.variable);
      else this.current.set(last.variable, last.before);
    }
  }
}
