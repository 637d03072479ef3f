/** Value numbers of registers and memory along the dominator tree, and what an instruction's expression depends on besides its operands. */

import { endsLaneEpoch, memoryState } from "../../analysis/commoning.ts";
import { expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { computeMerges, type Variable } from "../../analysis/merges.ts";
import { type DomWalk, Environment } from "../../analysis/value-environment.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { PassContext } from "../pass.ts";
import type { ValueNumberRow } from "./rows.ts";

export class Values {
  readonly numbers = new Numbers();
  /** The number of the value that a register has now. */
  readonly read: (r: Reg) => number;
  private readonly env: Environment;
  private readonly edit: PassContext["edit"];
  private readonly remark: PassContext["remark"];
  private readonly measured: boolean;
  private readonly view: ShownTable<ValueNumberRow>;
  private block = 0 as BlockId;
  /** Changes of the active lanes in the block so far. */
  private epoch = 0;

  constructor({ edit, remark, policy }: PassContext, walk: DomWalk) {
    this.edit = edit;
    this.remark = remark;
    this.measured = policy === "measured";
    this.env = new Environment(edit.func, this.numbers, computeMerges(edit.func, changedSpaces), walk, new Map());
    this.read = this.env.readReg;
    this.view = remark.shown.table("value-numbers", "Value numbers");
  }

  enter(block: BlockId): void {
    this.env.enter(block);
    this.block = block;
    this.epoch = 0;
  }

  /** The instruction is next. */
  reach(inst: Inst): void {
    if (endsLaneEpoch(inst)) this.epoch++;
  }

  leave(block: BlockId): void {
    this.env.leave(block);
  }

  /** The number of an expression without state; under a guard the result may be the old value. */
  ofExpression(inst: Inst): number {
    return inst.guard === null ? this.numbers.intern(expressionText(inst, this.read, "")) : this.numbers.fresh();
  }

  ofPhi(inst: Inst): number {
    return this.env.phiNumber(this.block, inst.id, "");
  }

  /** Memory versions of a load; the block and its lanes for what depends on them. */
  stateOf(inst: Inst): string {
    return effectOf(inst) === "warp" ? `!${this.block}.${this.epoch}` : memoryState(inst, this.env, this.measured);
  }

  /** The first result gets the number, all others and the memory that it changes new ones. `key`: the number of its expression, which differs under a guard. */
  define(inst: Inst, version = this.numbers.fresh(), key = version): void {
    const { env, numbers } = this;
    const defs = defsOf(inst);
    if (this.remark.listening && defs.length > 0) this.show(inst, version, key);
    for (let k = 0; k < defs.length; k++) env.set(defs[k] as Reg, k === 0 ? version : numbers.fresh());
    const spaces = changedSpaces(inst);
    for (let k = 0; k < spaces.length; k++) env.set(spaces[k] as Variable, numbers.fresh());
  }

  private show(inst: Inst, number: number, expressed: number): void {
    const expression = this.numbers.textOf(expressed);
    const block = this.edit.block(this.block).label;
    const row = { number, key: expression === null ? -1 : expressed, reg: regName(defsOf(inst)[0] as Reg), block };
    this.view.set(inst.id, expression === null ? row : { ...row, expression });
  }
}
