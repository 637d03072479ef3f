/** The program as a user's pass sees it: live views of blocks and instructions over the editor's current state. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";
import type { BlockId, InstId, Reg } from "../../../../engine/ir/ids.ts";
import { opcodeInfo } from "../../../../engine/ir/opcodes.ts";
import { regName } from "../../../../engine/ir/reg.ts";
import type { Block as IrBlock, Inst as IrInst, Operand as IrOperand } from "../../../../engine/ir/types.ts";
import {
  alwaysRuns,
  branchTarget,
  defsOf,
  effectOf,
  fallsThrough,
  isDefOperand,
  isRemovableWhenDead,
  isSpeculatable,
  isTerminator,
  isUnconditional,
  isVolatileAccess,
  phisOf,
  tableName,
  terminatorsOf,
  usesOf,
} from "../../../../engine/ir/visit.ts";
import { printOperand } from "../../../../engine/text/print-operand.ts";
import { printInst } from "../../../../engine/text/printer.ts";
import type { Actions } from "./actions.ts";
import type { Block, Effect, Inst, Operand } from "./api.ts";
import { TableView } from "./table-view.ts";

/** Makes each view once, so that views can be compared and put into sets. */
export class Views {
  readonly actions: Actions;
  private readonly blocks = new Map<BlockId, BlockView>();
  private readonly insts = new Map<InstId, InstView>();
  private readonly tables = new Map<string, TableView>();

  constructor(actions: Actions) {
    this.actions = actions;
  }

  block(id: BlockId): BlockView {
    let view = this.blocks.get(id);
    if (view === undefined) {
      view = new BlockView(this, id, this.actions.func.blocks[id]?.label ?? `#${id}`);
      this.blocks.set(id, view);
    }
    return view;
  }

  inst(inst: IrInst): InstView {
    let view = this.insts.get(inst.id);
    if (view === undefined) {
      view = new InstView(this, inst);
      this.insts.set(inst.id, view);
    }
    return view;
  }

  table(name: string): TableView {
    let view = this.tables.get(name);
    if (view === undefined) {
      view = new TableView(this, name);
      this.tables.set(name, view);
    }
    return view;
  }

  tableName(view: unknown): string {
    if (view instanceof TableView) return view.name;
    throw new PassError(`${describe(view)} is not a table.`);
  }

  list(ids: readonly BlockId[]): readonly BlockView[] {
    return ids.map((id) => this.block(id));
  }

  /** The identity of a view's object; throws for anything else. */
  blockId(view: unknown): BlockId {
    if (view instanceof BlockView) return view.id;
    throw new PassError(`${describe(view)} is not a block.`);
  }

  instId(view: unknown): InstId {
    if (view instanceof InstView) return view.id;
    throw new PassError(`${describe(view)} is not an instruction.`);
  }
}

export class BlockView implements Block {
  readonly id: BlockId;
  readonly label: string;
  readonly #views: Views;
  /** Version of the function whose instructions are listed. */
  #version = -1;
  #insts: readonly InstView[] = [];

  constructor(views: Views, id: BlockId, label: string) {
    this.#views = views;
    this.id = id;
    this.label = label;
  }

  get #now(): IrBlock {
    return this.#views.actions.at(this.id);
  }

  get exists(): boolean {
    return this.#views.actions.func.blocks[this.id] !== undefined;
  }

  get insts(): readonly InstView[] {
    const { insts } = this.#now;
    const { version } = this.#views.actions.edit;
    if (this.#version !== version) {
      this.#version = version;
      this.#insts = insts.map((inst) => this.#views.inst(inst));
    }
    return this.#insts;
  }

  get phis(): readonly InstView[] {
    return this.insts.slice(0, phisOf(this.#now).length);
  }

  get terminators(): readonly InstView[] {
    return this.insts.slice(terminatorsOf(this.#now).at);
  }

  get succs(): readonly BlockView[] {
    return this.#views.list(this.#now.succs);
  }

  get preds(): readonly BlockView[] {
    return this.#views.list(this.#now.preds);
  }

  get fallsThrough(): boolean {
    return fallsThrough(this.#now);
  }

  get next(): BlockView | null {
    const next = this.exists ? this.#views.actions.edit.next(this.id) : null;
    return next === null ? null : this.#views.block(next);
  }

  get previous(): BlockView | null {
    const previous = this.exists ? this.#views.actions.edit.previous(this.id) : null;
    return previous === null ? null : this.#views.block(previous);
  }

  toString(): string {
    return this.label;
  }
}

export class InstView implements Inst {
  readonly id: InstId;
  readonly #views: Views;
  /** The instruction when it was last found in a block. */
  #last: IrInst;
  /** Version of the function in which it was looked up. */
  #version = -1;
  // Computed once per state of the instruction; a pass gets copies, which it may sort.
  #defs: readonly string[] | null = null;
  #uses: readonly string[] | null = null;
  #sources: readonly Operand[] | null = null;
  #sourceTexts: readonly string[] | null = null;

  constructor(views: Views, inst: IrInst) {
    this.#views = views;
    this.id = inst.id;
    this.#last = inst;
  }

  get #now(): IrInst {
    const { actions } = this.#views;
    const { version } = actions.edit;
    if (this.#version === version) return this.#last;
    this.#version = version;
    const found = actions.lookup(this.id);
    if (found !== null && found.inst !== this.#last) {
      this.#last = found.inst;
      this.#defs = null;
      this.#uses = null;
      this.#sources = null;
      this.#sourceTexts = null;
    }
    return this.#last;
  }

  get op(): string {
    return this.#now.op;
  }

  get mods(): readonly string[] {
    return this.#now.mods;
  }

  get guard(): Inst["guard"] {
    const { guard } = this.#now;
    return guard === null ? null : { reg: regName(guard.reg), neg: guard.neg };
  }

  get operands(): readonly Operand[] {
    return this.#now.ops.map((operand) => shownOperand(operand, this.#views));
  }

  get sources(): readonly Operand[] {
    const inst = this.#now;
    this.#sources ??= inst.ops.filter((_, i) => !isDefOperand(inst, i)).map((operand) => shownOperand(operand, this.#views));
    return [...this.#sources];
  }

  get sourceTexts(): readonly string[] {
    const inst = this.#now;
    const { func } = this.#views.actions;
    this.#sourceTexts ??= inst.ops.flatMap((_, i) => (isDefOperand(inst, i) ? [] : [printOperand(func, inst, i)]));
    return [...this.#sourceTexts];
  }

  get commutative(): boolean {
    const { op } = this.#now;
    return op !== "OPAQUE" && opcodeInfo(op).commutative;
  }

  get defs(): readonly string[] {
    const inst = this.#now;
    this.#defs ??= defsOf(inst).map(regName);
    return [...this.#defs];
  }

  get uses(): readonly string[] {
    const inst = this.#now;
    this.#uses ??= usesOf(inst).map(regName);
    return [...this.#uses];
  }

  get text(): string {
    return printInst(this.#views.actions.func, this.#now);
  }

  get effect(): Effect {
    return effectOf(this.#now);
  }

  get alwaysWrites(): boolean {
    return alwaysRuns(this.#now);
  }

  get removable(): boolean {
    return isRemovableWhenDead(this.#now);
  }

  get speculatable(): boolean {
    return isSpeculatable(this.#now);
  }

  get volatile(): boolean {
    return isVolatileAccess(this.#now);
  }

  get isPhi(): boolean {
    return this.#now.op === "PHI";
  }

  get isTerminator(): boolean {
    return isTerminator(this.#now);
  }

  get isUnconditional(): boolean {
    return isUnconditional(this.#now);
  }

  get target(): BlockView | null {
    const target = branchTarget(this.#now);
    return target === null ? null : this.#views.block(target);
  }

  get table(): TableView | null {
    const name = tableName(this.#now);
    return name === null ? null : this.#views.table(name);
  }

  get block(): BlockView | null {
    const found = this.#views.actions.lookup(this.id);
    return found === null ? null : this.#views.block(found.block);
  }

  get index(): number {
    return this.#views.actions.lookup(this.id)?.at ?? -1;
  }

  toString(): string {
    return this.text;
  }
}

function shownOperand(operand: IrOperand, views: Views): Operand {
  const nameOf = (r: Reg | null): string | null => (r === null ? null : regName(r));
  switch (operand.kind) {
    case "reg":
      return { ...operand, reg: regName(operand.reg) };
    case "imm64":
      return { kind: "imm", value: operand.value };
    case "cbank":
      return { ...operand, base: nameOf(operand.base) };
    case "mem":
      return { ...operand, base: nameOf(operand.base), index: nameOf(operand.index) };
    case "label":
      return { kind: "label", block: views.block(operand.block) };
    case "vec":
    case "list":
      return { kind: operand.kind, regs: operand.regs.map(regName) };
    case "phi":
      return { kind: "phi", from: views.block(operand.pred), value: shownOperand(operand.value, views) };
    case "imm":
    case "f32":
    case "f64":
    case "sreg":
    case "table":
    case "text":
    case "sym":
      return operand;
  }
}

/** A value in an error's sentence. */
export function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value === "string") return `'${value.length > 40 ? `${value.slice(0, 37)}…` : value}'`;
  if (value instanceof BlockView) return `the block ${value.label}`;
  if (value instanceof InstView) return `the instruction '${value.text}'`;
  if (value instanceof TableView) return `the table ${value.name}`;
  return typeof value === "object" ? "an object" : typeof value === "function" ? "a function" : String(value);
}
