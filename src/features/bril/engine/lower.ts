/** One Bril function as an Ori function: a register for each variable, a block for each block. */

import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { FuncBuilder } from "../../../engine/import/func-builder.ts";
import { NamePool } from "../../../engine/import/names.ts";
import { immOp, labelOp, memOp, regOp } from "../../../engine/ir/builder.ts";
import { type BlockId, blockId, type Reg } from "../../../engine/ir/ids.ts";
import type { Opcode } from "../../../engine/ir/opcodes.ts";
import { PT } from "../../../engine/ir/reg.ts";
import type { Func, Guard, Operand, Param } from "../../../engine/ir/types.ts";
import { type BrilInst, type BrilName, type BrilType, type BrilValue, endsBrilBlock, isPointer } from "./ast.ts";
import { type BrilBlocks, brilBlocks } from "./blocks.ts";
import type { CheckedFunction } from "./check.ts";
import type { BrilCode } from "./codes.ts";
import type { BrilFunctionNames, BrilVariable } from "./names.ts";
import { phiSources, sequentialSources } from "./phis.ts";
import { classOf, type Runtime } from "./runtime.ts";
import { LAST_CHAR } from "./values.ts";

export interface LowerContext {
  readonly sink: DiagnosticSink<BrilCode>;
  /** Name in Ori of a function of the program. */
  readonly callee: (name: string) => string;
  /** Name in Ori of one of our own functions. */
  readonly runtime: (runtime: Runtime) => string;
}

export interface LoweredBril {
  readonly func: Func;
  readonly names: BrilFunctionNames;
}

export function lowerBril(context: LowerContext, fn: CheckedFunction, oriName: string): LoweredBril {
  return new Lowering(context, fn, oriName).run();
}

// Maps: an operation may be called like a property of every object.
const COMPARE: ReadonlyMap<string, string> = new Map(Object.entries({ eq: "EQ", lt: "LT", gt: "GT", le: "LE", ge: "GE" }));
const ARITHMETIC: ReadonlyMap<string, Opcode> = new Map(Object.entries({ add: "IADD", sub: "ISUB", mul: "IMUL" } as const));
const FLOATS: ReadonlyMap<string, Opcode> = new Map(Object.entries({ fadd: "DADD", fmul: "DMUL", fdiv: "DDIV" } as const));
/** Truth tables of two inputs: a = 0xF0, b = 0xCC. */
const LOGIC: ReadonlyMap<string, number> = new Map(Object.entries({ and: 0xc0, or: 0xfc }));

class Lowering {
  private readonly context: LowerContext;
  private readonly fn: CheckedFunction;
  private readonly oriName: string;
  private readonly cfg: BrilBlocks;
  private readonly labels: readonly string[];
  private readonly out: FuncBuilder;
  private readonly regs = new Map<string, Reg>();
  private readonly shadowRegs = new Map<string, Reg>();
  private readonly variables = new Map<Reg, BrilVariable>();
  private readonly result: Reg | null;
  /** Copies that a phi of a bool needs at the end of a block. */
  private readonly atEnd = new Map<number, (() => void)[]>();
  private line = 0;

  constructor(context: LowerContext, fn: CheckedFunction, oriName: string) {
    this.context = context;
    this.fn = fn;
    this.oriName = oriName;
    this.cfg = brilBlocks(fn.items);
    const pool = new NamePool();
    // Written labels come first, so that a made name never takes theirs.
    const written = this.cfg.blocks.map((b) => (b.labels[0] === undefined ? null : pool.claim(b.labels[0])));
    this.labels = written.map((label, i) => label ?? pool.claim(`BB${i}`));
    this.out = new FuncBuilder(this.cfg.blocks.map((b, i) => ({ label: this.labels[i] ?? "", line: b.line })));
    for (const p of fn.params) this.variable(p.name.text);
    this.result = fn.type === null || fn.name.text === "main" ? null : this.temp(fn.type);
  }

  run(): LoweredBril {
    const { fn, cfg, out, oriName } = this;
    const pool = new NamePool();
    const params: Param[] = fn.params.map((p) => ({ name: pool.claim(p.name.text), reg: this.variable(p.name.text) }));
    for (const i of cfg.blocks.keys()) {
      out.select(i);
      this.phis(i);
    }
    for (const [i, block] of cfg.blocks.entries()) {
      out.select(i);
      const [...insts] = block.insts.filter((inst) => !(inst.op === "phi" && inst.args.length > 0));
      const last = insts.at(-1);
      const ending = last !== undefined && endsBrilBlock(last) ? insts.pop() : undefined;
      for (const inst of insts) this.inst(inst);
      for (const copy of this.atEnd.get(i) ?? []) copy();
      if (ending !== undefined) this.ending(ending, i);
    }
    const kind = fn.name.text === "main" ? "kernel" : "func";
    const returns = this.result === null ? [] : [this.result];
    const line = fn.name.at.line;
    const func = out.finish({ kind, name: oriName, params, returns, line }, kind === "kernel" ? "EXIT" : "RET");
    const labels = new Map<string, string>();
    for (const [i, { labels: names }] of cfg.blocks.entries()) if (names[0] !== undefined) labels.set(this.labels[i] ?? "", names[0]);
    const names: BrilFunctionNames = {
      name: fn.name.text,
      params: fn.params.map((p) => ({ name: p.name.text, type: p.type })),
      type: fn.type,
      variables: this.variables,
      labels,
    };
    return { func, names };
  }

  // --- registers -----------------------------------------------------------------------------------------------------------

  private variable(name: string): Reg {
    let reg = this.regs.get(name);
    if (reg === undefined) {
      // An undefined variable has been reported; a read of it gives 0.
      const type = this.fn.types.get(name) ?? "int";
      reg = this.out.freshReg(classOf(type));
      this.regs.set(name, reg);
      this.variables.set(reg, { name, type });
    }
    return reg;
  }

  private temp(type: BrilType): Reg {
    const reg = this.out.freshReg(classOf(type));
    this.variables.set(reg, { name: null, type });
    return reg;
  }

  /** A bool in a cell: 32 bits, 0 or 1. */
  private cellBool(): Reg {
    const reg = this.out.freshReg("R");
    this.variables.set(reg, { name: null, type: "bool" });
    return reg;
  }

  private shadow(name: string): Reg {
    let reg = this.shadowRegs.get(name);
    if (reg === undefined) {
      reg = this.temp(this.fn.shadows.get(name) ?? "int");
      this.shadowRegs.set(name, reg);
    }
    return reg;
  }

  private typeOf(name: BrilName): BrilType {
    return this.fn.types.get(name.text) ?? "int";
  }

  private emit(op: Opcode, ops: readonly Operand[], mods: readonly string[] = [], guard: Guard | null = null): void {
    this.out.emit(op, ops, mods, guard, this.line);
  }

  private copy(to: Reg, from: Operand, type: BrilType): void {
    this.emit(type === "bool" ? "PMOV" : "MOV", [regOp(to), from]);
  }

  // --- instructions --------------------------------------------------------------------------------------------------------

  private inst(inst: BrilInst): void {
    this.line = inst.at.line;
    const { op, dest, type } = inst;
    const arg = (i: number): Reg => this.variable(inst.args[i]?.text ?? "");
    if (dest === null || type === null) {
      this.effect(inst, arg);
      return;
    }
    const to = this.variable(dest.text);
    const two = (): readonly Operand[] => [regOp(to), regOp(arg(0)), regOp(arg(1))];
    const int = COMPARE.get(op);
    const float = op.startsWith("f") ? COMPARE.get(op.slice(1)) : undefined;
    const char = op.startsWith("c") ? COMPARE.get(op.slice(1)) : undefined;
    const [arithmetic, floats, lut] = [ARITHMETIC.get(op), FLOATS.get(op), LOGIC.get(op)];
    if (int !== undefined) this.emit("ISETP", two(), [int, "64"]);
    else if (float !== undefined) this.emit("DSETP", two(), [float]);
    else if (char !== undefined) this.emit("ISETP", two(), [char, "U32"]);
    else if (arithmetic !== undefined) this.emit(arithmetic, two(), ["64"]);
    else if (floats !== undefined) this.emit(floats, two());
    else if (lut !== undefined) this.emit("PLOP3", [...two(), regOp(PT), immOp(lut)]);
    else this.value(inst, to, type, arg);
  }

  private value(inst: BrilInst, to: Reg, type: BrilType, arg: (i: number) => Reg): void {
    const d = regOp(to);
    switch (inst.op) {
      case "const":
        if (inst.value !== null) this.copy(to, constant(inst.value), type);
        return;
      case "id":
      case "bitcast":
      case "float2bits":
      case "bits2float":
        this.copy(to, regOp(arg(0)), type);
        return;
      case "not":
        this.emit("PMOV", [d, regOp(arg(0), { neg: true })]);
        return;
      case "fsub":
        this.emit("DADD", [d, regOp(arg(0)), regOp(arg(1), { neg: true })]);
        return;
      case "div":
        this.trapWhen("EQ", arg(1), 0, []);
        this.emit("IDIV", [d, regOp(arg(0)), regOp(arg(1))], ["64"]);
        return;
      case "char2int":
        this.emit("I2I", [d, regOp(arg(0))], ["U64", "U32"]);
        return;
      case "int2char":
        this.trapWhen("GT", arg(0), LAST_CHAR, ["U32"]);
        this.emit("I2I", [d, regOp(arg(0))], ["U32", "U64"]);
        return;
      case "ptradd":
        this.emit("LEA", [d, regOp(arg(1)), regOp(arg(0)), immOp(3)], ["64"]);
        return;
      case "alloc":
        this.call(this.context.runtime({ kind: "alloc", cell: isPointer(type) ? type.ptr : "int" }), [to], [arg(0)]);
        return;
      case "load":
        this.load(to, type, arg(0));
        return;
      case "get":
      case "phi":
        this.copy(to, regOp(this.shadow(inst.dest?.text ?? "")), type);
        return;
      case "undef":
        this.copy(to, type === "bool" ? regOp(PT, { neg: true }) : immOp(0), type);
        return;
      case "call":
        this.call(
          this.context.callee(inst.funcs[0]?.text ?? ""),
          [to],
          inst.args.map((a) => this.variable(a.text)),
        );
        return;
      default:
        this.opaque(inst, [to]);
    }
  }

  private effect(inst: BrilInst, arg: (i: number) => Reg): void {
    const args = inst.args.map((a) => this.variable(a.text));
    switch (inst.op) {
      case "nop":
        this.emit("NOP", []);
        return;
      case "print":
        this.call(this.context.runtime({ kind: "print", types: inst.args.map((a) => this.typeOf(a)) }), [], args);
        return;
      case "call": {
        this.call(this.context.callee(inst.funcs[0]?.text ?? ""), [], args);
        return;
      }
      case "free":
        this.call(this.context.runtime({ kind: "free" }), [], args);
        return;
      case "store":
        this.store(arg(0), arg(1), inst.args[1]);
        return;
      case "set":
      case "upsilon":
        if (inst.args[0] !== undefined && inst.args[1] !== undefined)
          this.copy(this.shadow(inst.args[0].text), regOp(arg(1)), this.typeOf(inst.args[1]));
        return;
      default:
        this.opaque(inst, []);
    }
  }

  private trapWhen(cmp: string, value: Reg, bound: number, sign: readonly string[]): void {
    const bad = this.out.freshReg("P");
    this.variables.set(bad, { name: null, type: "bool" });
    this.emit("ISETP", [regOp(bad), regOp(value), immOp(bound)], [cmp, ...sign, "64"]);
    this.emit("BPT", [], ["TRAP"], { reg: bad, neg: false });
  }

  private load(to: Reg, type: BrilType, from: Reg): void {
    if (type === "bool") {
      const cell = this.cellBool();
      this.emit("LDG", [regOp(cell), memOp(from)]);
      this.emit("ISETP", [regOp(to), regOp(cell), immOp(0)], ["NE"]);
    } else this.emit("LDG", [regOp(to), memOp(from)], type === "char" ? [] : ["64"]);
  }

  private store(to: Reg, value: Reg, name: BrilName | undefined): void {
    const type = name === undefined ? "int" : this.typeOf(name);
    if (type === "bool") {
      const cell = this.cellBool();
      this.emit("SEL", [regOp(cell), immOp(1), immOp(0), regOp(value)]);
      this.emit("STG", [memOp(to), regOp(cell)]);
    } else this.emit("STG", [memOp(to), regOp(value)], type === "char" ? [] : ["64"]);
  }

  private call(name: string, results: readonly Reg[], args: readonly Reg[]): void {
    this.emit("CALL", [
      { kind: "sym", name, offset: 0 },
      { kind: "list", regs: results },
      { kind: "list", regs: args },
    ]);
  }

  private opaque(inst: BrilInst, results: readonly Reg[]): void {
    const args = inst.args.map((a) => this.variable(a.text));
    this.emit(
      "OPAQUE",
      [
        { kind: "list", regs: results },
        { kind: "list", regs: args },
        { kind: "text", text: [inst.op, ...inst.funcs.map((f) => `@${f.text}`)].join(" ") },
      ],
      ["call"],
    );
  }

  // --- control ---------------------------------------------------------------------------------------------------------------

  private ending(inst: BrilInst, at: number): void {
    this.line = inst.at.line;
    const target = (i: number): BlockId => blockId(this.cfg.byLabel.get(inst.labels[i]?.text ?? "") ?? 0);
    if (inst.op === "jmp") {
      this.emit("BRA", [labelOp(target(0))]);
    } else if (inst.op === "br") {
      const [yes, no] = [target(0), target(1)];
      if (yes !== no) this.emit("BRA", [labelOp(yes)], [], { reg: this.variable(inst.args[0]?.text ?? ""), neg: false });
      if (yes === no || no !== at + 1) this.emit("BRA", [labelOp(no)]);
    } else {
      const [value] = inst.args;
      if (this.result !== null && value !== undefined) this.copy(this.result, regOp(this.variable(value.text)), this.typeOf(value));
      this.emit(this.fn.name.text === "main" ? "EXIT" : "RET", []);
    }
  }

  /** The phis of a block, as PHI at its head. Predicates have none: theirs become copies at the ends of the blocks before. */
  private phis(at: number): void {
    const { cfg } = this;
    const block = cfg.blocks[at];
    const phis = block?.insts.filter((inst) => inst.op === "phi" && inst.args.length > 0) ?? [];
    const preds = cfg.preds[at] ?? [];
    const sources = sequentialSources(
      phis.map((phi) => ({ phi, sources: phiSources(phi, at, cfg, this.context.sink) })),
      preds,
    );
    const behind: (() => void)[] = [];
    for (const { phi, sources: from } of sources) {
      if (phi.dest === null || phi.type === null) continue;
      this.line = phi.at.line;
      const to = this.variable(phi.dest.text);
      if (phi.type !== "bool") {
        const inputs = preds.map((pred): Operand => {
          const name = from.get(pred);
          return { kind: "phi", pred: blockId(pred), value: name === undefined ? immOp(0) : regOp(this.variable(name)) };
        });
        this.emit("PHI", [regOp(to), ...inputs]);
        continue;
      }
      const held = this.temp("bool");
      const line = phi.at.line;
      for (const pred of preds) {
        const name = from.get(pred);
        const value = name === undefined ? regOp(PT, { neg: true }) : regOp(this.variable(name));
        const copies = this.atEnd.get(pred) ?? [];
        copies.push(() => {
          this.line = line;
          this.emit("PMOV", [regOp(held), value]);
        });
        this.atEnd.set(pred, copies);
      }
      behind.push(() => {
        this.line = line;
        this.emit("PMOV", [regOp(to), regOp(held)]);
      });
    }
    for (const copy of behind) copy();
  }
}

function constant(value: BrilValue): Operand {
  switch (value.kind) {
    case "int": {
      const small = Number(value.value);
      return Number.isSafeInteger(small) ? immOp(small) : { kind: "imm64", value: value.value };
    }
    case "bool":
      return regOp(PT, { neg: !value.value });
    case "char":
      return immOp(value.code);
    case "float": {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, value.value);
      return { kind: "f64", hi: view.getUint32(0), lo: view.getUint32(4) };
    }
  }
}
