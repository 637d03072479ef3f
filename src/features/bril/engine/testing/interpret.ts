/**
 * Runs Bril according to its documents, directly from the JSON, without blocks, registers or code of the importer: the reference for imports, phases and exports.
 * Leaks are not errors here; memory that was never written is one.
 */

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface Instr {
  readonly op?: string;
  readonly label?: string;
  readonly dest?: string;
  readonly type?: Json;
  readonly args?: readonly string[];
  readonly funcs?: readonly string[];
  readonly labels?: readonly string[];
  readonly value?: unknown;
}

interface Func {
  readonly name: string;
  readonly args?: readonly { readonly name: string; readonly type: Json }[];
  readonly instrs: readonly Instr[];
}

interface Pointer {
  readonly cells: (Value | undefined)[] & { freed?: boolean };
  readonly at: number;
}

interface Char {
  readonly char: number;
}

export type Value = bigint | boolean | number | Pointer | Char;

export interface BrilRun {
  readonly status: "ok" | "error" | "fuel";
  readonly message: string;
  readonly lines: readonly string[];
  readonly instructions: number;
}

class Fault extends Error {}
class Fuel extends Error {}

/** Runs `main`. Integers of the JSON must be given as text or safe numbers: `reviveBril` reads them so. */
export function interpretBril(json: string, args: readonly Value[], fuel = 200_000): BrilRun {
  const program = reviveBril(json) as { readonly functions: readonly Func[] };
  const machine = new Machine(program.functions, fuel);
  try {
    machine.call("main", args, 0);
    return { status: "ok", message: "", lines: machine.lines, instructions: machine.count };
  } catch (error) {
    if (error instanceof Fault) return { status: "error", message: error.message, lines: machine.lines, instructions: machine.count };
    if (error instanceof Fuel) return { status: "fuel", message: "", lines: machine.lines, instructions: machine.count };
    throw error;
  }
}

/** JSON in which every integer that a double cannot represent is kept as text. */
export function reviveBril(json: string): unknown {
  return JSON.parse(json.replace(/("value"\s*:\s*)(-?\d{15,})(?=\s*[,}])/g, '$1"int:$2"'));
}

const DEEPEST = 3000;

class Machine {
  readonly lines: string[] = [];
  count = 0;
  private readonly functions: ReadonlyMap<string, Func>;
  private readonly fuel: number;

  constructor(functions: readonly Func[], fuel: number) {
    this.functions = new Map(functions.map((f) => [f.name, f]));
    this.fuel = fuel;
  }

  call(name: string, args: readonly Value[], depth: number): Value | null {
    const fn = this.functions.get(name);
    if (fn === undefined) throw new Fault(`no function ${name}`);
    if (depth > DEEPEST) throw new Fuel();
    const env = new Map<string, Value>();
    const shadows = new Map<string, Value>();
    (fn.args ?? []).forEach((p, i) => {
      const value = args[i];
      if (value !== undefined) env.set(p.name, value);
    });
    let current: string | null = null;
    let last: string | null = null;
    for (let pc = 0; pc < fn.instrs.length; pc++) {
      const inst = fn.instrs[pc] as Instr;
      if (inst.label !== undefined) {
        last = current;
        current = inst.label;
        continue;
      }
      if (++this.count > this.fuel) throw new Fuel();
      const get = (i: number): Value => {
        const variable = inst.args?.[i] ?? "";
        const value = env.get(variable);
        if (value === undefined) throw new Fault(`undefined variable ${variable}`);
        return value;
      };
      const goto = (label: string | undefined): void => {
        pc = fn.instrs.findIndex((other) => other.label === label) - 1;
        if (pc < -1) throw new Fault(`no label ${label}`);
      };
      let result: Value | null = null;
      switch (inst.op) {
        case "jmp":
          goto(inst.labels?.[0]);
          break;
        case "br":
          goto(inst.labels?.[get(0) === true ? 0 : 1]);
          break;
        case "ret":
          return (inst.args?.length ?? 0) === 0 ? null : get(0);
        case "call":
          result = this.call(
            inst.funcs?.[0] ?? "",
            (inst.args ?? []).map((_, i) => get(i)),
            depth + 1,
          );
          break;
        case "print":
          this.lines.push((inst.args ?? []).map((_, i) => show(get(i))).join(" "));
          break;
        case "phi": {
          if ((inst.args?.length ?? 0) === 0) {
            result = shadows.get(inst.dest ?? "") ?? null;
            break;
          }
          const at = (inst.labels ?? []).indexOf(last ?? "");
          const from = env.get(inst.args?.[at] ?? "");
          if (from === undefined) env.delete(inst.dest ?? "");
          else result = from;
          break;
        }
        case "set":
        case "upsilon":
          shadows.set(inst.args?.[0] ?? "", get(1));
          break;
        case "get":
          result = shadows.get(inst.dest ?? "") ?? null;
          break;
        case "undef":
          env.delete(inst.dest ?? "");
          break;
        case "const":
          result = constant(inst);
          break;
        default:
          result = evaluate(inst, get);
      }
      if (result !== null && inst.dest !== undefined) env.set(inst.dest, result);
    }
    return null;
  }
}

function constant({ type, value }: Instr): Value {
  if (typeof value === "boolean") return value;
  if (type === "char") return { char: String(value).codePointAt(0) ?? 0 };
  if (type === "float") return Number(value);
  return BigInt(typeof value === "string" ? value.replace("int:", "") : (value as number));
}

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);

const buffer = new DataView(new ArrayBuffer(8));

function evaluate(inst: Instr, get: (i: number) => Value): Value | null {
  const int = (i: number): bigint => {
    const value = get(i);
    if (typeof value !== "bigint") throw new Fault(`${inst.op} of no integer`);
    return value;
  };
  const num = (i: number): number => {
    const value = get(i);
    if (typeof value !== "number") throw new Fault(`${inst.op} of no float`);
    return value;
  };
  const code = (i: number): number => (get(i) as Char).char;
  const bool = (i: number): boolean => get(i) === true;
  const pointer = (i: number): Pointer => get(i) as Pointer;
  switch (inst.op) {
    case "nop":
      return null;
    case "id":
      return get(0);
    case "add":
      return wrap(int(0) + int(1));
    case "sub":
      return wrap(int(0) - int(1));
    case "mul":
      return wrap(int(0) * int(1));
    case "div":
      if (int(1) === 0n) throw new Fault("division by zero");
      return wrap(int(0) / int(1));
    case "eq":
      return int(0) === int(1);
    case "lt":
      return int(0) < int(1);
    case "gt":
      return int(0) > int(1);
    case "le":
      return int(0) <= int(1);
    case "ge":
      return int(0) >= int(1);
    case "not":
      return !bool(0);
    case "and":
      return bool(0) && bool(1);
    case "or":
      return bool(0) || bool(1);
    case "fadd":
      return num(0) + num(1);
    case "fsub":
      return num(0) - num(1);
    case "fmul":
      return num(0) * num(1);
    case "fdiv":
      return num(0) / num(1);
    case "feq":
      return num(0) === num(1);
    case "flt":
      return num(0) < num(1);
    case "fgt":
      return num(0) > num(1);
    case "fle":
      return num(0) <= num(1);
    case "fge":
      return num(0) >= num(1);
    case "ceq":
      return code(0) === code(1);
    case "clt":
      return code(0) < code(1);
    case "cgt":
      return code(0) > code(1);
    case "cle":
      return code(0) <= code(1);
    case "cge":
      return code(0) >= code(1);
    case "char2int":
      return BigInt(code(0));
    case "int2char":
      if (int(0) < 0n || int(0) > 0x10ffffn) throw new Fault("no character");
      return { char: Number(int(0)) };
    case "bitcast":
    case "float2bits":
    case "bits2float": {
      const value = get(0);
      if (typeof value === "bigint") {
        if (inst.type === "int") return value;
        buffer.setBigInt64(0, value);
        return buffer.getFloat64(0);
      }
      if (typeof value !== "number" || inst.type === "float") return value;
      // Which NaN a machine makes is its own affair: ours makes this one.
      if (Number.isNaN(value)) return BigInt.asIntN(64, 0xfff8_0000_0000_0000n);
      buffer.setFloat64(0, value);
      return buffer.getBigInt64(0);
    }
    case "alloc":
      if (int(0) <= 0n) throw new Fault("an empty region");
      return { cells: new Array<Value | undefined>(Number(int(0))).fill(undefined), at: 0 };
    case "free":
      if (pointer(0).cells.freed === true || pointer(0).at !== 0) throw new Fault("free of what is no region");
      pointer(0).cells.freed = true;
      return null;
    case "ptradd":
      return { cells: pointer(0).cells, at: pointer(0).at + Number(int(1)) };
    case "load": {
      const { cells, at } = pointer(0);
      const value = cells.freed === true ? undefined : cells[at];
      if (value === undefined) throw new Fault("load of nothing");
      return value;
    }
    case "store": {
      const { cells, at } = pointer(0);
      if (cells.freed === true || at < 0 || at >= cells.length) throw new Fault("store outside of a region");
      cells[at] = get(1);
      return null;
    }
    default:
      throw new Fault(`no operation ${inst.op}`);
  }
}

function show(value: Value): string {
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "object") return "char" in value ? String.fromCodePoint(value.char) : "pointer";
  if (Object.is(value, -0)) return "-0.00000000000000000";
  if (value !== 0 && Math.abs(Math.log10(Math.abs(value))) >= 10) return value.toExponential(17);
  return value.toFixed(17);
}
