/** Reads the argument syntax of `exec` (`n=5`, `x=f32:1.5`, `n=each:1,2,3`, `a=4096`, `a=i32:1,2,3`) into inputs for a run. */

import { closest } from "../../base/closest.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import { paramsInBank } from "../ir/param-symbol.ts";
import { is64, isPredicateReg, regName } from "../ir/reg.ts";
import { SPECIAL_REGISTERS } from "../ir/special-registers.ts";
import type { Func, ModuleSymbol, Param } from "../ir/types.ts";
import { type Buffer, placeBuffers } from "./memory.ts";
import type { ParamValue, RunInputs } from "./outcome.ts";

export interface ExecRequest {
  readonly threads: number;
  readonly fuel: number;
  /** As on the command line: `n=5`, `x=f32:1.5`. */
  readonly args: readonly string[];
  /** `a=4096`, `a=hex:…`, `a=i32:1,2,3`. */
  readonly mem: readonly string[];
  /** Special registers: `SR_ENVREG3=5`, or by PTX's name, `%envreg3=5`. */
  readonly sregs?: readonly string[];
}

export interface ExecCounters {
  readonly warpInstructions: number;
  readonly laneInstructions: number;
  readonly branches: number;
  readonly divergentBranches: number;
  readonly maxSyncDepth: number;
  readonly loads: number;
  readonly stores: number;
}

/** Which results are stand-ins: made up, because the model does not know the real ones. */
export interface StandInReport {
  /** How many there are and on what they depend, in words; `message` of the report ends with it. */
  readonly message: string;
  /** The source (an index) that decided where the run went: no result of the run is certain. null: none did. */
  readonly undecided: number | null;
  readonly sources: readonly {
    /** `function`: equal inputs give equal stand-ins, as the real instruction would. `value`: one value was taken where the real one may be any. */
    readonly kind: "function" | "value";
    /** `the opaque instruction 'foo.b32'`, `the special register SR_SMEMSZ`. */
    readonly what: string;
    readonly func: string;
    /** In the text that was run; 0 where it is not known. */
    readonly line: number;
  }[];
  /** As `returns` of the report: of each register that is a stand-in, the index of its source. */
  readonly returns: readonly Readonly<Record<string, number>>[];
  /** Of each buffer that contains stand-ins: bytes from `from` up to `to`, and the index of their source. */
  readonly memory: Readonly<Record<string, readonly { readonly from: number; readonly to: number; readonly source: number }[]>>;
  /** Opaque instructions that may have written memory: indexes of sources. */
  readonly stores: readonly number[];
}

export interface ExecReport {
  readonly status: "ok" | "trap" | "fuel" | "deadlock";
  readonly at: { readonly block: string; readonly instruction: number; readonly lane: number } | null;
  readonly message: string;
  /** Per lane: register name to value (predicates as booleans, 64-bit registers as decimal text). */
  readonly returns: readonly Readonly<Record<string, number | boolean | string>>[];
  readonly memory: Readonly<Record<string, string>>;
  readonly counters: ExecCounters;
  /** Executions of each block (warp level) and divergent branches per block. */
  readonly heat: readonly { readonly block: number; readonly executions: number; readonly divergences: number }[];
  readonly diagnostics: readonly Diagnostic[];
  /** Left out where no result is a stand-in. */
  readonly standIns?: StandInReport;
  /** Of a Bril program: the lines it printed. */
  readonly output?: readonly string[];
}

export interface ReadRequest {
  /** null when there are errors. */
  readonly inputs: RunInputs | null;
  /** `line` is 1 for the first of `args`, going on through `mem` and `sregs`; `column` is in that argument. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Buffers may not be larger than this, all together. */
export const MAX_BUFFER_BYTES = 256 * 1024 * 1024;

const VALUE_TYPES = ["u32", "s32", "i32", "f32", "u64", "s64", "i64", "f64"] as const;
const ELEMENT_TYPES = ["i8", "u8", "s8", "i16", "u16", "s16", ...VALUE_TYPES] as const;

/** Reads a request for `fn`; `symbols` are its module's. `@file` contents must have been put in place before (`a=hex:…`). */
export function parseExecRequest(request: ExecRequest, fn: Func, symbols: readonly ModuleSymbol[] = []): ReadRequest {
  const reader = new Reader(fn, paramsInBank(fn.name, symbols));
  if (!(Number.isInteger(request.threads) && request.threads >= 1 && request.threads <= 1024)) {
    reader.fail("EXE001", 0, 0, 0, `threads must be 1 to 1024, not ${request.threads}`);
  }
  if (!(Number.isInteger(request.fuel) && request.fuel >= 0)) {
    reader.fail("EXE002", 0, 0, 0, `fuel must be an integer, not ${request.fuel}`);
  }
  request.args.forEach((text, i) => {
    reader.arg(text, i + 1);
  });
  request.mem.forEach((text, i) => {
    reader.memory(text, request.args.length + i + 1);
  });
  (request.sregs ?? []).forEach((text, i) => {
    reader.special(text, request.args.length + request.mem.length + i + 1);
  });
  const { diagnostics } = reader;
  if (diagnostics.length > 0) return { inputs: null, diagnostics };
  const buffers = placeBuffers(reader.contents.map(({ name, bytes }) => ({ name, size: bytes.length })));
  const args: (ParamValue | ((thread: number) => ParamValue) | undefined)[] = fn.params.map((_, i) => reader.values[i]);
  reader.contents.forEach(({ param, bytes }, i) => {
    const buffer = buffers[i] as Buffer;
    buffer.bytes.set(bytes);
    args[param] = is64((fn.params[param] as Param).reg) ? [buffer.base, 0] : buffer.base;
  });
  const specials = reader.specials.size === 0 ? {} : { specials: reader.specials };
  const paramBytes = reader.inBank.size === 0 ? {} : { paramBytes: [...reader.inBank.values()] };
  return { inputs: { threads: request.threads, fuel: request.fuel, args, buffers, ...specials, ...paramBytes }, diagnostics };
}

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly values: (ParamValue | ((thread: number) => ParamValue) | undefined)[] = [];
  readonly contents: { readonly name: string; readonly param: number; readonly bytes: Uint8Array }[] = [];
  readonly specials = new Map<string, number>();
  /** Contents of parameters in the constant bank, by name. */
  readonly inBank = new Map<string, { readonly offset: number; readonly bytes: Uint8Array }>();
  private readonly fn: Func;
  private readonly bankParams: ReadonlyMap<string, ModuleSymbol>;
  private readonly given = new Set<number>();
  private total = 0;

  constructor(fn: Func, bankParams: ReadonlyMap<string, ModuleSymbol>) {
    this.fn = fn;
    this.bankParams = bankParams;
  }

  fail(code: string, line: number, column: number, length: number, message: string, suggestion: string | null = null): void {
    this.diagnostics.push({ line, column, length, severity: "error", code, message, suggestion });
  }

  arg(text: string, line: number): void {
    if (this.bankParam(text, line, false)) return;
    const found = this.split(text, line);
    if (found === null) return;
    const { index, param, value, column } = found;
    const read = readValue(value, is64(param.reg), isPredicateReg(param.reg));
    if (typeof read === "string") {
      this.fail("EXE006", line, column, value.length, read);
      return;
    }
    this.values[index] = read;
  }

  memory(text: string, line: number): void {
    if (this.bankParam(text, line, true)) return;
    const found = this.split(text, line);
    if (found === null) return;
    const { index, param, value, column } = found;
    if (isPredicateReg(param.reg)) {
      this.fail("EXE007", line, 1, param.name.length, `${param.name} is the predicate ${regName(param.reg)}; it cannot hold an address`);
      return;
    }
    const bytes = readBytes(value);
    if (typeof bytes === "string") {
      this.fail("EXE008", line, column, value.length, bytes);
      return;
    }
    this.total += bytes.length;
    if (this.total > MAX_BUFFER_BYTES) {
      this.fail("EXE009", line, column, value.length, `all buffers together may have at most ${MAX_BUFFER_BYTES} bytes`);
      return;
    }
    this.contents.push({ name: param.name, param: index, bytes });
  }

  /** A parameter that stays in the constant bank: its bytes, or the value of one of 4 or 8 bytes. False: it names none. */
  private bankParam(text: string, line: number, asBytes: boolean): boolean {
    const at = text.indexOf("=");
    const name = text.slice(0, Math.max(at, 0)).trim();
    const symbol = this.bankParams.get(name);
    if (symbol === undefined) return false;
    const { size, offset } = symbol;
    const value = text.slice(at + 1).trim();
    if (this.inBank.has(name)) this.fail("EXE005", line, 1, at, `${name} is given twice`);
    else {
      const bytes = asBytes ? readBytes(value) : valueBytes(value, size);
      if (typeof bytes === "string") this.fail(asBytes ? "EXE008" : "EXE006", line, at + 2, value.length, bytes);
      else if (bytes.length > size) this.fail("EXE008", line, at + 2, value.length, `${name} has ${size} bytes, not ${bytes.length}`);
      else this.inBank.set(name, { offset, bytes: padded(bytes, size) });
    }
    return true;
  }

  special(text: string, line: number): void {
    const at = text.indexOf("=");
    if (at < 1) {
      this.fail("EXE003", line, 1, text.length, "expected NAME=VALUE");
      return;
    }
    const given = text.slice(0, at).trim();
    const name = specialName(given);
    const problem = `there is no special register ${given}`;
    if (!SPECIAL_REGISTERS.has(name)) this.fail("EXE010", line, 1, at, problem, closest(name, [...SPECIAL_REGISTERS]));
    else if (this.specials.has(name)) this.fail("EXE005", line, 1, at, `${given} is given twice`);
    else {
      const value = text.slice(at + 1).trim();
      const read = readScalar(value, false, false);
      if (typeof read === "string") this.fail("EXE006", line, at + 2, value.length, read);
      else this.specials.set(name, typeof read === "number" ? read : read[0]);
    }
  }

  private split(text: string, line: number): { index: number; param: Param; value: string; column: number } | null {
    const at = text.indexOf("=");
    if (at < 1) {
      this.fail("EXE003", line, 1, text.length, "expected NAME=VALUE");
      return null;
    }
    const name = text.slice(0, at).trim();
    const index = this.fn.params.findIndex((p) => p.name === name);
    const param = this.fn.params[index];
    if (param === undefined) {
      const names = [...this.fn.params.map((p) => p.name), ...this.bankParams.keys()];
      const known = names.length === 0 ? "it has none" : `it has ${names.join(", ")}`;
      const near = names.find((n) => n.toLowerCase() === name.toLowerCase()) ?? null;
      this.fail("EXE004", line, 1, at, `${this.fn.name} has no parameter ${name}; ${known}`, near);
      return null;
    }
    if (this.given.has(index)) {
      this.fail("EXE005", line, 1, at, `${name} is given twice`);
      return null;
    }
    this.given.add(index);
    const value = text.slice(at + 1);
    return { index, param, value: value.trim(), column: at + 2 + (value.length - value.trimStart().length) };
  }
}

/** `%envreg3` is SR_ENVREG3; where this language has another word, that one. */
function specialName(given: string): string {
  if (SPECIAL_REGISTERS.has(given)) return given;
  const name = given.toUpperCase().replace(/^%/, "");
  return `SR_${OTHER_WORDS[name] ?? name.replace(/^LANEMASK_(..)$/, "$1MASK")}`;
}

const OTHER_WORDS: Readonly<Record<string, string>> = {
  SMID: "VIRTUALSMID",
  TOTAL_SMEM_SIZE: "SMEMSZ",
  CLOCK: "CLOCKLO",
  CLOCK64: "CLOCKLO",
  CLOCK_HI: "CLOCKHI",
  GLOBALTIMER: "GLOBALTIMERLO",
};

/** One value for all threads, or `each:v,v,…` with one a thread (the last one for those that follow); or what is wrong with the text. */
function readValue(text: string, wide: boolean, predicate: boolean): ParamValue | ((thread: number) => ParamValue) | string {
  if (!text.startsWith("each:")) return readScalar(text, wide, predicate);
  const values: ParamValue[] = [];
  for (const [i, item] of text.slice("each:".length).split(",").entries()) {
    const read = readScalar(item.trim(), wide, predicate);
    if (typeof read === "string") return `value ${i}: ${read}`;
    values.push(read);
  }
  return (thread) => values[Math.min(thread, values.length - 1)] ?? 0;
}

/** A parameter's value, or what is wrong with the text. */
function readScalar(text: string, wide: boolean, predicate: boolean): ParamValue | string {
  if (predicate) {
    if (text === "true" || text === "1") return 1;
    if (text === "false" || text === "0") return 0;
    return `expected true or false for a predicate, not '${text}'`;
  }
  const colon = text.indexOf(":");
  const type = colon < 0 ? (wide ? "u64" : "u32") : text.slice(0, colon);
  if (!(VALUE_TYPES as readonly string[]).includes(type)) return `'${type}' is not a type; known are ${VALUE_TYPES.join(", ")}`;
  const bytes = new Uint8Array(8);
  const problem = writeElement(new DataView(bytes.buffer), 0, type, text.slice(colon + 1).trim());
  if (problem !== null) return problem;
  if (type.endsWith("64") && !wide) return `${type} does not fit a 32-bit parameter`;
  const view = new DataView(bytes.buffer);
  if (!wide) return view.getUint32(0, true);
  // A 32-bit value for a 64-bit register: signed ones keep their sign.
  const lo = view.getUint32(0, true);
  if (type.endsWith("64")) return [lo, view.getUint32(4, true)];
  const negative = (type === "s32" || type === "i32") && (lo | 0) < 0;
  const bare = colon < 0 && text.startsWith("-");
  return [lo, negative || bare ? 0xffff_ffff : 0];
}

/** A buffer's contents: a size, `hex:…`, `TYPE:v,v,…`, or a size before either of these; or what is wrong with the text. */
function readBytes(text: string): Uint8Array | string {
  if (/^(0x[0-9a-f]+|[0-9]+)$/i.test(text)) {
    const size = Number(text);
    return size <= MAX_BUFFER_BYTES ? new Uint8Array(size) : `a buffer may have at most ${MAX_BUFFER_BYTES} bytes`;
  }
  const sized = /^([0-9]+):(.+)$/s.exec(text);
  if (sized !== null) return sizedBytes(Number(sized[1]), sized[2] ?? "");
  const colon = text.indexOf(":");
  const type = text.slice(0, Math.max(colon, 0));
  const rest = text.slice(colon + 1).replace(/\s+/g, "");
  if (type === "hex") {
    if (rest.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(rest)) return "hex: takes an even number of hexadecimal digits";
    const bytes = new Uint8Array(rest.length / 2);
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(rest.slice(2 * i, 2 * i + 2), 16);
    return bytes;
  }
  if (!(ELEMENT_TYPES as readonly string[]).includes(type)) {
    return `expected a size in bytes, hex:… or TYPE:v,v,… with a type of ${ELEMENT_TYPES.join(", ")}`;
  }
  const items = rest === "" ? [] : rest.split(",");
  const width = Number(type.slice(1)) / 8;
  const bytes = new Uint8Array(items.length * width);
  const view = new DataView(bytes.buffer);
  for (const [i, item] of items.entries()) {
    const problem = writeElement(view, i * width, type, item);
    if (problem !== null) return `element ${i}: ${problem}`;
  }
  return bytes;
}

/** The value of a parameter in the constant bank; a struct has bytes only. */
function valueBytes(text: string, size: number): Uint8Array | string {
  if (size !== 4 && size !== 8) return `this parameter has ${size} bytes: give them as memory, hex:… or TYPE:v,v,…`;
  const read = readScalar(text, size === 8, false);
  if (typeof read === "string") return read;
  const [lo, hi] = typeof read === "number" ? [read, 0] : read;
  return new Uint8Array(new Uint32Array([lo, hi]).buffer, 0, size);
}

function padded(bytes: Uint8Array, size: number): Uint8Array {
  const whole = new Uint8Array(size);
  whole.set(bytes);
  return whole;
}

/** `64:i32:1,2`: the contents, then zeros up to the size. */
function sizedBytes(size: number, rest: string): Uint8Array | string {
  if (size > MAX_BUFFER_BYTES) return `a buffer may have at most ${MAX_BUFFER_BYTES} bytes`;
  const contents = readBytes(rest);
  if (typeof contents === "string") return contents;
  if (contents.length > size) return `the contents have ${contents.length} bytes, more than ${size}`;
  const bytes = new Uint8Array(size);
  bytes.set(contents);
  return bytes;
}

/** Writes one number of a type; null when it fits. */
function writeElement(view: DataView, at: number, type: string, text: string): string | null {
  if (type === "f32" || type === "f64") {
    const value = readFloat(text);
    if (value === null) return `'${text}' is not a number`;
    if (type === "f32") view.setFloat32(at, value, true);
    else view.setFloat64(at, value, true);
    return null;
  }
  if (!/^[+-]?(0x[0-9a-f]+|[0-9]+)$/i.test(text)) return `'${text}' is not an integer`;
  const negative = text.startsWith("-");
  const magnitude = BigInt(text.replace(/^[+-]/, ""));
  const value = negative ? -magnitude : magnitude;
  const width = Number(type.slice(1));
  // Either reading of the bits may be meant.
  if (value < -(1n << BigInt(width - 1)) || value >= 1n << BigInt(width)) return `${text} does not fit ${width} bits`;
  const bits = BigInt.asUintN(width, value);
  for (let i = 0; i < width / 8; i++) view.setUint8(at + i, Number((bits >> BigInt(8 * i)) & 0xffn));
  return null;
}

function readFloat(text: string): number | null {
  const named: Readonly<Record<string, number>> = {
    nan: Number.NaN,
    inf: Number.POSITIVE_INFINITY,
    "+inf": Number.POSITIVE_INFINITY,
    "-inf": Number.NEGATIVE_INFINITY,
  };
  const known = named[text.toLowerCase()];
  if (known !== undefined) return known;
  return /^[+-]?([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text) ? Number(text) : null;
}
