/** Types, labels and functions of a program: reports what an interpreter would fail at, before anything runs. */

import { closest } from "../../../base/closest.ts";
import type { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { type BrilFunction, type BrilInst, type BrilName, type BrilProgram, type BrilType, isPointer, sameType, showType } from "./ast.ts";
import type { BrilCode } from "./codes.ts";
import { type BrilKind, brilOp, brilOpNames, extensionOf } from "./ops.ts";

/** A function with the type of every variable. Instructions that cannot be read are left out, missing types are filled in if the operation determines them. */
export interface CheckedFunction extends BrilFunction {
  readonly types: ReadonlyMap<string, BrilType>;
  /** Names that `set` sends to, with their types. */
  readonly shadows: ReadonlyMap<string, BrilType>;
}

export interface CheckedProgram {
  readonly functions: readonly CheckedFunction[];
}

/** Linear in the program. */
export function checkProgram(program: BrilProgram, sink: DiagnosticSink<BrilCode>): CheckedProgram {
  const known = new Map<string, BrilFunction>();
  for (const fn of program.functions) {
    if (known.has(fn.name.text)) sink.report("BRIL015", fn.name.at, `there are two functions @${fn.name.text}`);
    else known.set(fn.name.text, fn);
  }
  let left = MOST_GUESSES;
  const nearest = (word: string, names: Iterable<string>): string | null => (left-- > 0 ? closest(word, names) : null);
  return { functions: [...known.values()].map((fn) => new Checker(fn, known, sink, nearest).check()) };
}

/** Each guess looks at every name there is. */
const MOST_GUESSES = 50;

class Checker {
  private readonly fn: BrilFunction;
  private readonly functions: ReadonlyMap<string, BrilFunction>;
  private readonly sink: DiagnosticSink<BrilCode>;
  private readonly nearest: (word: string, names: Iterable<string>) => string | null;
  private readonly types = new Map<string, { readonly type: BrilType; readonly line: number }>();
  private readonly shadows = new Map<string, BrilType>();
  private readonly labels = new Set<string>();

  constructor(
    fn: BrilFunction,
    functions: ReadonlyMap<string, BrilFunction>,
    sink: DiagnosticSink<BrilCode>,
    nearest: (word: string, names: Iterable<string>) => string | null,
  ) {
    this.fn = fn;
    this.functions = functions;
    this.sink = sink;
    this.nearest = nearest;
  }

  check(): CheckedFunction {
    const { fn, sink } = this;
    for (const { name, type } of fn.params) {
      if (this.types.has(name.text)) sink.report("BRIL015", name.at, `there are two parameters ${name.text}`);
      else this.types.set(name.text, { type, line: name.at.line });
    }
    const seen = new Set<BrilInst>();
    const typed = new Map<BrilInst, BrilInst>();
    for (const item of fn.items) {
      if (item.kind === "label") {
        if (this.labels.has(item.name.text))
          sink.report("BRIL016", item.name.at, `the label .${item.name.text} occurs twice; the first one counts`);
        this.labels.add(item.name.text);
      } else if (item.op === "const" && item.value === null) {
        // Its literal has been reported; instructions that read it still get a type.
        seen.add(item);
        if (item.type !== null) this.declare(item);
      } else typed.set(item, this.declare(item));
    }
    for (const item of typed.values()) if (!this.instruction(item)) seen.add(item);
    const items = fn.items.flatMap((item) => {
      const kept = item.kind === "label" ? item : typed.get(item);
      return kept === undefined || (kept.kind === "inst" && seen.has(kept)) ? [] : [kept];
    });
    return { ...fn, items, types: new Map([...this.types].map(([n, t]) => [n, t.type])), shadows: this.shadows };
  }

  /** The instruction with the type of its destination, which is remembered. */
  private declare(inst: BrilInst): BrilInst {
    const { dest } = inst;
    if (dest === null) return inst;
    const type = inst.type ?? this.impliedType(inst);
    if (type === null) {
      this.sink.report("BRIL019", dest.at, `the type of ${dest.text} is missing`, `${dest.text}: int = ${inst.op} …`);
      return inst;
    }
    const before = this.types.get(dest.text);
    if (before === undefined) this.types.set(dest.text, { type, line: dest.at.line });
    else if (!sameType(before.type, type))
      this.sink.report(
        "BRIL011",
        dest.at,
        `${dest.text} is ${showType(type)} here and ${showType(before.type)} in line ${before.line}`,
        "use another name",
      );
    return inst.type === null ? { ...inst, type } : inst;
  }

  private impliedType(inst: BrilInst): BrilType | null {
    if (inst.value !== null) return inst.value.kind;
    const result = brilOp(inst.op)?.result ?? null;
    switch (result) {
      case "int":
      case "bool":
      case "float":
      case "char":
        return result;
      case "same":
      case "elem": {
        if (inst.op === "call") return this.functions.get(inst.funcs[0]?.text ?? "")?.type ?? null;
        const [first] = inst.args;
        const source = first === undefined || inst.op === "bitcast" ? undefined : this.types.get(first.text)?.type;
        if (source === undefined) return null;
        if (result === "same") return source;
        return isPointer(source) ? source.ptr : null;
      }
      default:
        return null;
    }
  }

  /** False if it is unusable. */
  private instruction(inst: BrilInst): boolean {
    const { sink } = this;
    const op = brilOp(inst.op);
    for (const label of inst.labels) {
      if (this.labels.has(label.text) || inst.op === "phi") continue;
      const near = this.nearest(label.text, this.labels);
      sink.report("BRIL013", label.at, `there is no label .${label.text} in @${this.fn.name.text}`, near === null ? null : `.${near}`);
    }
    if (op === null) return this.unknown(inst);
    if (op.labels !== inst.labels.length && inst.op !== "phi")
      sink.report("BRIL012", inst.at, `${inst.op} takes ${count(op.labels, "label")}, not ${inst.labels.length}`);
    if (op.result === null && inst.dest !== null) sink.report("BRIL019", inst.dest.at, `${inst.op} gives no result`);
    if (op.result !== null && inst.dest === null && inst.op !== "call") {
      sink.report("BRIL019", inst.at, `the result of ${inst.op} goes nowhere: it needs a destination`);
      return false;
    }
    if (inst.op !== "call" && inst.funcs.length > 0) sink.report("BRIL012", inst.at, `${inst.op} takes no function`);
    switch (inst.op) {
      case "call":
        return this.call(inst);
      case "ret":
        this.ret(inst);
        return true;
      case "print":
        for (const a of inst.args) this.argument(a, "any", null);
        return true;
      case "set":
      case "upsilon":
        return this.set(inst);
      case "get":
        this.shadow(inst.dest, inst.type);
        return true;
      case "phi":
        return this.phi(inst);
      case "bitcast":
        return this.bitcast(inst);
    }
    return this.plain(inst, op.args === "some" ? [] : op.args, op.result);
  }

  private plain(inst: BrilInst, args: readonly BrilKind[], result: BrilKind | "same" | null): boolean {
    if (args.length !== inst.args.length) {
      this.sink.report("BRIL012", inst.at, `${inst.op} takes ${count(args.length, "argument")}, not ${inst.args.length}`);
      return false;
    }
    const first = this.typeOf(inst.args[0]);
    const elem = first !== null && isPointer(first) ? first.ptr : null;
    for (const [i, kind] of args.entries()) {
      const arg = inst.args[i];
      if (arg !== undefined) this.argument(arg, kind, elem);
    }
    const { type } = inst;
    if (type === null || result === null) return true;
    const wanted = result === "same" ? first : result === "elem" ? elem : null;
    if (wanted !== null && !sameType(wanted, type)) this.wrongResult(inst, showType(wanted));
    else if (result === "ptr" && !isPointer(type)) this.wrongResult(inst, "ptr<…>");
    else if (typeof type !== "string" ? PLAIN_KINDS.has(result) : PLAIN_KINDS.has(result) && type !== result)
      this.wrongResult(inst, result);
    return true;
  }

  private wrongResult(inst: BrilInst, wanted: string): void {
    if (inst.dest === null || inst.type === null) return;
    this.sink.report("BRIL012", inst.dest.at, `${inst.op} gives ${wanted} here, and ${inst.dest.text} is ${showType(inst.type)}`);
  }

  private bitcast(inst: BrilInst): boolean {
    const from = this.typeOf(inst.args[0]);
    const { type } = inst;
    if (inst.args.length !== 1) return this.plain(inst, ["any"], null);
    if (from === null || type === null) return inst.args[0] === undefined || this.argument(inst.args[0], "any", null);
    const fits = sameType(from, type) || ([from, type].includes("int") && [from, type].includes("float"));
    if (!fits) this.sink.report("BRIL018", inst.at, `there is no bitcast from ${showType(from)} to ${showType(type)} here`);
    return fits;
  }

  private phi(inst: BrilInst): boolean {
    if (inst.args.length === 0 && inst.labels.length === 0) {
      this.shadow(inst.dest, inst.type);
      return true;
    }
    if (inst.args.length !== inst.labels.length) {
      this.sink.report("BRIL012", inst.at, `phi takes as many labels as arguments, not ${inst.labels.length} and ${inst.args.length}`);
      return false;
    }
    for (const arg of inst.args) {
      const type = this.typeOf(arg);
      if (type !== null && inst.type !== null && !sameType(type, inst.type))
        this.sink.report("BRIL012", arg.at, `${arg.text} is ${showType(type)}, and the phi gives ${showType(inst.type)}`);
    }
    return true;
  }

  private set(inst: BrilInst): boolean {
    const [to, from] = inst.args;
    if (to === undefined || from === undefined || inst.args.length !== 2) return this.plain(inst, ["any", "any"], null);
    this.argument(from, "any", null);
    const type = this.typeOf(from);
    if (type === null) return false;
    this.shadow(to, type);
    return true;
  }

  /** What is sent to a name and what is got from it have one type. */
  private shadow(name: BrilName | null, type: BrilType | null): void {
    if (name === null || type === null) return;
    const before = this.shadows.get(name.text);
    if (before === undefined) this.shadows.set(name.text, type);
    else if (!sameType(before, type))
      this.sink.report("BRIL011", name.at, `${showType(type)} for ${name.text} here, and ${showType(before)} elsewhere`);
  }

  private call(inst: BrilInst): boolean {
    const { sink } = this;
    const [name] = inst.funcs;
    if (name === undefined || inst.funcs.length !== 1) {
      sink.report("BRIL012", inst.at, `call takes one function, not ${inst.funcs.length}`);
      return false;
    }
    const callee = this.functions.get(name.text);
    if (callee === undefined) {
      const near = this.nearest(name.text, this.functions.keys());
      sink.report("BRIL014", name.at, `there is no function @${name.text}`, near === null ? null : `@${near}`);
      return false;
    }
    if (callee.params.length !== inst.args.length) {
      sink.report("BRIL012", inst.at, `@${name.text} takes ${count(callee.params.length, "argument")}, not ${inst.args.length}`);
      return false;
    }
    for (const [i, param] of callee.params.entries()) {
      const arg = inst.args[i];
      const type = this.typeOf(arg);
      if (arg === undefined) continue;
      if (type === null) this.argument(arg, "any", null);
      else if (!sameType(type, param.type))
        sink.report("BRIL012", arg.at, `${arg.text} is ${showType(type)}, and @${name.text} takes ${showType(param.type)} there`);
    }
    if (inst.dest !== null && callee.type === null) {
      sink.report("BRIL019", inst.dest.at, `@${name.text} returns nothing`);
      return false;
    }
    if (inst.dest !== null && callee.type !== null && inst.type !== null && !sameType(inst.type, callee.type))
      this.wrongResult(inst, showType(callee.type));
    return true;
  }

  private ret(inst: BrilInst): void {
    const { type, name } = this.fn;
    const wanted = type === null ? 0 : 1;
    const [value] = inst.args;
    if (inst.args.length > 1) this.sink.report("BRIL012", inst.at, `ret takes at most one argument, not ${inst.args.length}`);
    else if (inst.args.length !== wanted) {
      const says = type === null ? "returns nothing" : `returns ${showType(type)}`;
      this.sink.report("BRIL023", inst.at, `@${name.text} ${says}, and this gives ${count(inst.args.length, "value")}`);
    }
    if (value === undefined) return;
    const found = this.typeOf(value);
    if (found === null) this.argument(value, "any", null);
    else if (type !== null && !sameType(found, type))
      this.sink.report("BRIL012", value.at, `${value.text} is ${showType(found)}, and @${name.text} returns ${showType(type)}`);
  }

  private argument(arg: BrilName, kind: BrilKind, elem: BrilType | null): true {
    const type = this.typeOf(arg);
    if (type === null) {
      const near = this.nearest(arg.text, this.types.keys());
      this.sink.report("BRIL020", arg.at, `nothing in @${this.fn.name.text} gives ${arg.text} a value`, near);
      return true;
    }
    const wanted = kind === "elem" ? elem : null;
    const fits =
      kind === "any" || (wanted !== null ? sameType(wanted, type) : kind === "ptr" ? isPointer(type) : kind === "elem" || type === kind);
    if (!fits) {
      const words = wanted === null ? (kind === "ptr" ? "a pointer" : kind) : showType(wanted);
      this.sink.report("BRIL012", arg.at, `${arg.text} is ${showType(type)}, and ${words} is expected here`);
    }
    return true;
  }

  private unknown(inst: BrilInst): boolean {
    const extension = extensionOf(inst.op);
    if (extension !== null || inst.labels.length > 0) {
      const why = extension === null ? "it is not known, and it has labels" : `${extension} is not supported`;
      this.sink.report("BRIL018", inst.at, `${clip(inst.op)} has no form here: ${why}`);
      return false;
    }
    const near = this.nearest(inst.op, brilOpNames());
    this.sink.report("BRIL017", inst.at, `there is no operation ${clip(inst.op)}; it stays opaque and may do anything`, near);
    for (const arg of inst.args) this.argument(arg, "any", null);
    return true;
  }

  private typeOf(name: BrilName | undefined): BrilType | null {
    return name === undefined ? null : (this.types.get(name.text)?.type ?? null);
  }
}

const PLAIN_KINDS: ReadonlySet<string> = new Set(["int", "bool", "float", "char"]);

const count = (n: number, what: string): string => `${n === 0 ? "no" : n === 1 ? "one" : n} ${what}${n === 1 ? "" : "s"}`;

const clip = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
