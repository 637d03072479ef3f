/** Collects the instructions of a Bril function: names, labels, and values in the requested type. */

import type { Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, regName } from "../../../../engine/ir/reg.ts";
import type { Guard, Operand } from "../../../../engine/ir/types.ts";
import { type BrilItem, type BrilType, type BrilValue, brilInst, isPointer, madeName, sameType, showType } from "../ast.ts";
import type { BrilFunctionNames } from "../names.ts";
import { CELL } from "../runtime.ts";
import type { Kinds } from "./kinds.ts";

/** What has no form in Bril; caught where an instruction is written. */
export class NoForm extends Error {}

export class Writer {
  readonly items: BrilItem[] = [];
  /** Names created here: each has one value between two instructions, unless it is written more than once. */
  readonly temps = new Set<string>();
  readonly kinds: Kinds;
  private readonly names: BrilFunctionNames;
  private readonly taken = new Set<string>();
  private readonly takenLabels = new Set<string>();
  private readonly registers = new Map<Reg, string>();
  private made = 0;

  constructor(names: BrilFunctionNames, kinds: Kinds) {
    this.names = names;
    this.kinds = kinds;
    for (const { name } of names.variables.values()) if (name !== null) this.taken.add(name);
    for (const name of names.labels.values()) this.takenLabels.add(name);
  }

  // --- names -------------------------------------------------------------------------------------------------------------------

  fresh(stem = "v"): string {
    for (;;) {
      const name = `${stem}${this.made++}`;
      if (this.taken.has(name)) continue;
      this.taken.add(name);
      this.temps.add(name);
      return name;
    }
  }

  freshLabel(stem = "l"): string {
    for (;;) {
      const name = `${stem}${this.made++}`;
      if (this.takenLabels.has(name)) continue;
      this.takenLabels.add(name);
      return name;
    }
  }

  /** The name of a block: as it was called, or made from its label. */
  blockLabel(label: string): string {
    const known = this.names.labels.get(label);
    if (known !== undefined) return known;
    const stem = label.replace(/[^\w.%]/g, "_").replace(/^(?=[^A-Za-z_%])/, "_");
    if (this.takenLabels.has(stem)) return this.freshLabel(`${stem}.`);
    this.takenLabels.add(stem);
    return stem;
  }

  variable(reg: Reg): string {
    const known = this.registers.get(reg);
    if (known !== undefined) return known;
    const own = this.names.variables.get(reg);
    let name = own?.name ?? null;
    if (name === null) {
      const plain = regName(reg).toLowerCase();
      name = this.taken.has(plain) ? this.fresh() : plain;
      this.taken.add(name);
      if (own !== undefined) this.temps.add(name);
    }
    this.registers.set(reg, name);
    return name;
  }

  // --- instructions --------------------------------------------------------------------------------------------------------------

  emit(op: string, dest: string, type: BrilType, args: readonly string[]): void {
    this.items.push(brilInst(op, { dest: madeName(dest), type, args: args.map((a) => madeName(a)) }));
  }

  effect(op: string, args: readonly string[], labels: readonly string[] = []): void {
    this.items.push(brilInst(op, { args: args.map((a) => madeName(a)), labels: labels.map((l) => madeName(l)) }));
  }

  push(item: BrilItem): void {
    this.items.push(item);
  }

  label(name: string): void {
    this.items.push({ kind: "label", name: madeName(name) });
  }

  /** A new variable with the result. */
  value(op: string, type: BrilType, args: readonly string[]): string {
    const name = this.fresh();
    this.emit(op, name, type, args);
    return name;
  }

  constant(value: BrilValue): string {
    const name = this.fresh();
    this.define(name, value);
    return name;
  }

  define(name: string, value: BrilValue): void {
    if (value.kind === "float" && !Number.isFinite(value.value)) {
      // No literal expresses it; a division does.
      const above = Number.isNaN(value.value) ? 0 : Math.sign(value.value);
      this.emit("fdiv", name, "float", [this.constant({ kind: "float", value: above }), this.constant({ kind: "float", value: 0 })]);
      return;
    }
    this.items.push(brilInst("const", { dest: madeName(name), type: value.kind, value }));
  }

  /** The value of a register that nothing writes: 0 or false. For a pointer, one through which nothing may be read. */
  start(reg: Reg): void {
    const type = this.kinds(reg);
    const name = this.variable(reg);
    if (isPointer(type)) this.emit("undef", name, type, []);
    else this.define(name, type === "bool" ? { kind: "bool", value: false } : bits(0n, type));
  }

  int(value: bigint | number): string {
    return this.constant({ kind: "int", value: BigInt.asIntN(64, BigInt(value)) });
  }

  not(name: string): string {
    return this.value("not", "bool", [name]);
  }

  /** Code that runs when a condition holds (`neg`: does not hold). */
  when(condition: string, neg: boolean, write: () => void): void {
    const [then, end] = [this.freshLabel("then"), this.freshLabel("end")];
    this.effect("br", [condition], neg ? [end, then] : [then, end]);
    this.label(then);
    write();
    this.label(end);
  }

  /** `dest = condition ? yes : no`. The condition is read once, before `dest` is written. */
  select(dest: string, type: BrilType, condition: string, yes: string, no: string): void {
    const [then, otherwise, end] = [this.freshLabel("then"), this.freshLabel("else"), this.freshLabel("end")];
    this.effect("br", [condition], [then, otherwise]);
    this.label(then);
    this.emit("id", dest, type, [yes]);
    this.effect("jmp", [], [end]);
    this.label(otherwise);
    this.emit("id", dest, type, [no]);
    this.label(end);
  }

  // --- operands ------------------------------------------------------------------------------------------------------------------

  /** The variable with a register's value as one of `type`. */
  readReg(reg: Reg, type: BrilType): string {
    if (isConstantReg(reg)) return this.zero(type);
    const own = this.kinds(reg);
    const name = this.variable(reg);
    return sameType(own, type) ? name : this.cast(name, own, type);
  }

  private zero(type: BrilType): string {
    if (isPointer(type)) return this.value("undef", type, []);
    return this.constant(type === "bool" ? { kind: "bool", value: true } : bits(0n, type));
  }

  /** The variable, made where need be, with an operand's value; `type` int or float: of 64 bits, char: of 32, bool: of a predicate. */
  read(operand: Operand | undefined, type: BrilType): string {
    if (operand === undefined) throw new NoForm("an operand is missing");
    if (operand.kind === "reg") {
      const { reg, neg, abs, not } = operand;
      if (abs || (not && type !== "int")) throw new NoForm(`${regName(reg)} with a sign that Bril does not have`);
      const plain = this.readReg(reg, type);
      if (not) return this.value("sub", "int", [this.int(-1), plain]);
      if (!neg) return plain;
      if (type === "bool") return isConstantReg(reg) ? this.constant({ kind: "bool", value: false }) : this.not(plain);
      if (type === "int") return this.value("sub", "int", [this.int(0), plain]);
      // Multiplying by -1 changes only the sign, even that of a zero.
      if (type === "float") return this.value("fmul", "float", [plain, this.constant({ kind: "float", value: -1 })]);
      throw new NoForm(`a negated ${showType(type)}`);
    }
    const word = wordOf(operand);
    if (word === null) throw new NoForm(`an operand of the kind ${operand.kind}`);
    if (isPointer(type)) {
      if (word === 0n) return this.value("undef", type, []);
      throw new NoForm("an address written as a number");
    }
    return this.constant(bits(word, type));
  }

  predicate(guard: Guard): { readonly name: string; readonly neg: boolean } {
    return { name: this.readReg(guard.reg, "bool"), neg: guard.neg };
  }

  private cast(name: string, from: BrilType, to: BrilType): string {
    if ((from === "int" && to === "float") || (from === "float" && to === "int")) return this.value(castOp(to), to, [name]);
    throw new NoForm(`${name} is ${showType(from)} and read as ${showType(to)}`);
  }

  /** Writes a result of `type` to the register's variable, or to a new one that is converted to it afterwards. */
  assign(reg: Reg, type: BrilType, write: (dest: string) => void): void {
    if (isConstantReg(reg)) {
      write(this.fresh());
      return;
    }
    const own = this.kinds(reg);
    if (sameType(own, type)) {
      write(this.variable(reg));
      return;
    }
    const made = this.fresh();
    write(made);
    const turned = this.cast(made, own === "bool" ? "int" : type, own);
    this.emit("id", this.variable(reg), own, [turned]);
  }

  /** A pointer this many bytes further; addresses of cells are multiples of 8. */
  pointerAt(reg: Reg, bytes: number): string {
    const type = this.kinds(reg);
    if (!isPointer(type)) throw new NoForm(`${regName(reg)} is not a pointer`);
    const base = this.variable(reg);
    if (bytes === 0) return base;
    if (bytes % CELL !== 0) throw new NoForm(`an address ${bytes} bytes after a cell`);
    return this.value("ptradd", type, [base, this.int(bytes / CELL)]);
  }
}

/** The 64 bits of a literal; null when the operand is none. */
export function wordOf(operand: Operand): bigint | null {
  switch (operand.kind) {
    case "imm":
      return BigInt(operand.value);
    case "imm64":
      return operand.value;
    case "f64":
      return (BigInt(operand.hi) << 32n) | BigInt(operand.lo);
    case "reg":
      return isConstantReg(operand.reg) && !operand.not ? 0n : null;
    default:
      return null;
  }
}

function bits(word: bigint, type: Exclude<BrilType, { readonly ptr: BrilType }>): BrilValue {
  switch (type) {
    case "int":
      return { kind: "int", value: BigInt.asIntN(64, word) };
    case "char":
      return { kind: "char", code: Number(BigInt.asUintN(16, word)) };
    case "bool":
      return { kind: "bool", value: word !== 0n };
    case "float": {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, BigInt.asUintN(64, word));
      return { kind: "float", value: view.getFloat64(0) };
    }
  }
}

/** The same 64 bits as the other type. */
export const castOp = (to: BrilType): string => (to === "float" ? "bits2float" : to === "int" ? "float2bits" : "bitcast");
