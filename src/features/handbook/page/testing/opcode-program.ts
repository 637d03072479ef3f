/** A small function for each opcode that uses it, made from the opcode's row, and what the interpreter makes of it. */

import { execute } from "../../../../engine/api/exec/exec.ts";
import { OPCODES, type Opcode, type OpcodeInfo, type Slot, slotsOf } from "../../../../engine/ir/opcodes.ts";
import { literalKind } from "../../../../engine/ir/shape.ts";
import type { Func, Module } from "../../../../engine/ir/types.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { printModule } from "../../../../engine/text/printer.ts";
import { verifyFunc } from "../../../../engine/verify/verify.ts";
import type { OpcodeProgram } from "../opcode-programs.ts";

/** Throws when the text is not a program, or does not run. */
export function opcodeProgram(op: Opcode): OpcodeProgram {
  const { text, args = [], mem = [], threads = 1 } = BY_HAND[op] ?? fromShape(op);
  const { module, fn } = verified(text, op);
  const inst = fn.blocks.flatMap((block) => block?.insts ?? []).find((one) => one.op === op);
  if (inst === undefined) throw new Error(`${op} is not in its own program`);
  const { status, message, returns, memory } = execute(module, fn, { threads, fuel: 10_000, args, mem });
  const names = [...new Set(returns.flatMap((thread) => Object.keys(thread)))];
  const registers = names.map((name) => {
    const values = returns.map((thread) => valueText(op, inst.mods, name, thread[name]));
    const same = new Set(values).size === 1;
    return `${name} = ${same ? values[0] : values.join(", ")}${threads === 1 ? "" : same ? " in every thread" : " by thread"}`;
  });
  const stored = memory.p !== undefined && STORES.has(op) ? [`[p] = ${Number.parseInt(byteSwapped(memory.p), 16)}`] : [];
  const results = status === "ok" ? [...registers, ...stored] : [message];
  return { text: printModule(module), inst: inst.id, args: [...args], mem: [...mem], threads, results };
}

function verified(text: string, op: Opcode): { readonly module: Module; readonly fn: Func } {
  const { module, diagnostics } = parseModule(text);
  const wrong = [...diagnostics, ...module.funcs.flatMap((fn) => verifyFunc(fn, module))].find(({ severity }) => severity === "error");
  const [fn] = module.funcs;
  if (wrong !== undefined || fn === undefined) throw new Error(`${op}: ${wrong?.message ?? "no function"}\n${text}`);
  return { module, fn };
}

interface Program {
  readonly text: string;
  readonly args?: readonly string[];
  readonly mem?: readonly string[];
  readonly threads?: number;
}

/** Their effect is in memory, at the address of the first parameter. */
const STORES: ReadonlySet<Opcode> = new Set(["STG", "ST", "RED"]);

const byteSwapped = (hex: string): string => (hex.slice(0, 8).match(/../g) ?? []).reverse().join("");

/** By the type of the opcode's result, which a conversion's first modifier says. */
function valueText(op: Opcode, mods: readonly string[], register: string, value: number | boolean | string | undefined): string {
  if (value === undefined) return "none";
  if (typeof value === "boolean") return String(value);
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(value));
  const { type, effect } = OPCODES[op];
  if (type === "f32" || mods[0] === "F32") return String(view.getFloat32(4));
  if (type === "f64") return String(view.getFloat64(0));
  if (type === "f16x2" || mods[0] === "F16" || op === "BREV" || HASHES.has(op)) return `0x${BigInt(value).toString(16)}`;
  const signed = register.startsWith("RD") ? view.getBigInt64(0) : view.getInt32(4);
  return signed < 0 && effect === "pure" ? `${signed} (0x${BigInt(value).toString(16)})` : String(value);
}

/** Their result is unknown. */
const HASHES: ReadonlySet<Opcode> = new Set(["OPAQUE", "TEX", "TLD"]);

/** Modifiers where the first of each group that must be there would say little, and operands where the usual values would. */
const CHOSEN: Partial<
  Readonly<Record<Opcode, { readonly mods?: readonly string[]; readonly operands?: Readonly<Record<number, string>> }>>
> = {
  I2I: { mods: ["S32", "S8"] },
  F2I: { mods: ["S32", "F32"] },
  I2F: { mods: ["F32", "S32"] },
  F2F: { mods: ["F16", "F32"] },
  LOP: { mods: ["OR"] },
  LOP3: { operands: { 4: "0xe8" } },
  BMSK: { operands: { 1: "4", 2: "8" } },
  LEA: { operands: { 3: "2" } },
  PLOP3: { operands: { 4: "0xe8" } },
  PRMT: { operands: { 2: "0x4501" } },
  BFI: { operands: { 3: "4", 4: "8" } },
  MUFU: { mods: ["SQRT"] },
  S2R: { operands: { 1: "SR_LANEID" } },
  CS2R: { operands: { 1: "SR_CLOCKLO" } },
  MATCH: { mods: ["ANY"] },
  SHFL: { mods: ["BFLY"], operands: { 3: "1", 4: "31" } },
  VOTE: { mods: ["BALLOT"] },
};

/** Every operand that is read is a parameter, so that no phase knows its value; what is written is what the function returns. */
function fromShape(op: Opcode): Program {
  const info: OpcodeInfo = OPCODES[op];
  const chosen = CHOSEN[op] ?? {};
  const mods = chosen.mods ?? requiredMods(info);
  const warp = info.effect === "warp" || op === "S2R" || op === "CS2R";
  const params: string[] = [];
  const args: string[] = [];
  const returns: string[] = [];
  const param = (cls: string, value: string): string => {
    const reg = `${cls}${params.length}`;
    const name = String.fromCharCode(97 + params.length);
    params.push(`${name}: ${reg}`);
    args.push(`${name}=${warp && cls === "R" ? "each:4,7,4,9" : warp && cls === "P" ? "each:1,0,1,1" : value}`);
    return reg;
  };
  const result = (cls: string): string => {
    const reg = `${cls}${9 + returns.length}`;
    returns.push(reg);
    return reg;
  };
  let [reads, truths] = [0, 0];
  const operand = (slot: Slot, index: number): string => {
    const own = chosen.operands?.[index];
    if (own !== undefined) return own;
    const cls = classOf(op, slot, mods, index);
    if (slot.role === "def") return cls === "PV" ? `{${result("P")}, ${result("P")}}` : result(cls);
    if (cls === "PV") return `{${param("P", "1")}, ${param("P", "0")}}`;
    return param(cls, cls === "P" ? (truths++ % 2 === 0 ? "1" : "0") : argumentOf(literalKind(op, mods, slot), cls, reads++));
  };
  // The second source of a LOP may be left out for NOT only.
  const operands = slotsOf(op)
    .map((slot, index) => (slot.optional && op !== "LOP" ? null : operand(slot, index)))
    .filter((text) => text !== null);
  const line = `    ${[op, ...mods].join(".").padEnd(7)} ${operands.join(", ")}`;
  const head = `.func use_${op.toLowerCase()}(${params.join(", ")})${returns.length === 0 ? "" : ` -> ${returns.join(", ")}`}`;
  return { text: `${head}\nBB0:\n${line.trimEnd()}\n    RET\n`, args, threads: warp ? 4 : 1 };
}

/** The first of each group of which one is required. */
function requiredMods({ mods }: OpcodeInfo): readonly string[] {
  return mods
    .split(" ")
    .filter((group) => group.endsWith("!"))
    .map((group) => group.slice(0, -1).split("|")[0] ?? "");
}

/** The register class of a slot in the 32-bit form. */
function classOf(op: Opcode, { cls }: Slot, mods: readonly string[], index: number): string {
  if (cls === "P" || cls === "RD" || cls === "PV") return cls;
  if (cls === "A" && (mods[index] ?? "").endsWith("64") && op !== "MOV") return "RD";
  return "R";
}

const INTEGERS = ["1234", "5", "3", "2"];
const FLOATS = ["2.25", "1.5", "0.5", "4"];

function argumentOf(kind: ReturnType<typeof literalKind>, cls: string, n: number): string {
  // Two halves in a word: 1.5 and 2.
  if (kind === "f16x2") return n % 2 === 0 ? "0x3e004000" : "0x3c004200";
  if (kind === "bits") return INTEGERS[n % INTEGERS.length] ?? "1";
  return `${cls === "RD" ? "f64" : "f32"}:${FLOATS[n % FLOATS.length]}`;
}

const LOW_LANES = "S2R     R1, SR_LANEID\n    ISETP.LT P0, R1, 2";
const apart = (name: string, body: string): Program => ({
  text: `.func use_${name}() -> R9\nBB0:\n    ${LOW_LANES}\n    MOV     R9, 0\n${body}    RET\n`,
  threads: 4,
});
const table = (name: string, jump: string): Program => ({
  text: `.func use_${name}(a: R0) -> R9\n.table JT0 default=NONE { ZERO, ONE }\nBB0:\n${jump}\nZERO:\n    MOV     R9, 10\n    RET\nONE:\n    MOV     R9, 11\n    RET\nNONE:\n    MOV     R9, 99\n    RET\n`,
  args: ["a=each:0,1,2,1"],
  threads: 4,
});
const memory = (name: string, params: string, returns: string, body: string, more: Partial<Program> = {}): Program => ({
  text: `.func use_${name}(${params})${returns === "" ? "" : ` -> ${returns}`}\nBB0:\n${body}    RET\n`,
  ...more,
});
const POINTED = { mem: ["p=i32:42,7"] } as const;
const STORED = { mem: ["p=i32:42,7"], args: ["a=5"] } as const;

const counted = (name: string): Program =>
  memory(
    name,
    "a: R0",
    "P0, P1",
    "    SYNCS.INIT RZ, [0x10], 2\n    SYNCS.ARRIVE RD1, [0x10]\n    PHASECHK.64 P0, [0x10], RD1\n    SYNCS.ARRIVE RZ, [0x10], R0\n    PHASECHK P1, [0x10], 0\n",
    { args: ["a=1"] },
  );

const copied = (name: string): Program =>
  memory(name, "p: RD0", "R9", "    LDGSTS.32 [0x10], [RD0+0x4]\n    LDGDEPBAR\n    DEPBAR  0\n    LDS     R9, [0x10]\n", POINTED);

/** Memory and control need more than a single line. */
const BY_HAND: Partial<Readonly<Record<Opcode, Program>>> = {
  LDG: memory("ldg", "p: RD0", "R9", "    LDG     R9, [RD0+0x4]\n", POINTED),
  LD: memory("ld", "p: RD0", "R9", "    LD      R9, [RD0+0x4]\n", POINTED),
  STG: memory("stg", "p: RD0, a: R2", "", "    STG     [RD0], R2\n", STORED),
  ST: memory("st", "p: RD0, a: R2", "", "    ST      [RD0], R2\n", STORED),
  ATOM: memory("atom", "p: RD0, a: R2", "R9, R10", "    ATOM.ADD R9, [RD0], R2\n    LDG     R10, [RD0]\n", STORED),
  RED: memory("red", "p: RD0, a: R2", "", "    RED.ADD [RD0], R2\n", STORED),
  LDS: memory("lds", "a: R0", "R9", "    STS     [0x10], R0\n    LDS     R9, [0x10]\n", { args: ["a=42"] }),
  STS: memory("sts", "a: R0", "R9", "    STS     [0x10], R0\n    LDS     R9, [0x10]\n", { args: ["a=42"] }),
  ATOMS: memory("atoms", "a: R0", "R9, R10", "    STS     [0x10], R0\n    ATOMS.MAX R9, [0x10], 50\n    LDS     R10, [0x10]\n", {
    args: ["a=42"],
  }),
  LDL: memory("ldl", "a: R0", "R9", "    STL     [0x8], R0\n    LDL     R9, [0x8]\n", { args: ["a=42"] }),
  STL: memory("stl", "a: R0", "R9", "    STL     [0x8], R0\n    LDL     R9, [0x8]\n", { args: ["a=42"] }),
  LDC: {
    text: ".symbol primes const 12 4 init=020000000300000005000000\n.func use_ldc() -> R9\nBB0:\n    LDC     R9, [primes+8]\n    RET\n",
  },
  TEX: memory("tex", "a: R0", "R9", "    TEX.2D  R9, R0, 1, 2\n", { args: ["a=5"] }),
  TLD: memory("tld", "a: R0", "R9", "    TLD.1D  R9, R0, 1, 2\n", { args: ["a=5"] }),
  OPAQUE: memory("opaque", "a: R0", "R9", '    OPAQUE.pure {R9}, {R0}, "LDMATRIX"\n', { args: ["a=5"] }),
  BRA: apart("bra", "@P0 BRA     JOIN\nOTHER:\n    MOV     R9, 1\nJOIN:\n"),
  EXIT: apart("exit", "@P0 EXIT\nREST:\n    ACTIVEMASK R9\n"),
  KILL: apart("kill", "@P0 KILL\nREST:\n    ACTIVEMASK R9\n"),
  RET: apart("ret", "@P0 RET\nREST:\n    MOV     R9, 1\n"),
  BSSY: apart("bssy", "    BSSY    B0, JOIN\n@P0 BRA     JOIN\nOTHER:\n    MOV     R9, 1\nJOIN:\n    BSYNC   B0\n    ACTIVEMASK R9\n"),
  BSYNC: apart("bsync", "    BSSY    B0, JOIN\n@P0 BRA     JOIN\nOTHER:\n    MOV     R9, 1\nJOIN:\n    BSYNC   B0\n    ACTIVEMASK R9\n"),
  BREAK: apart(
    "break",
    "    BSSY    B0, JOIN\n@P0 BRA     JOIN\nOTHER:\n    BREAK   B0\n    ACTIVEMASK R9\n    RET\nJOIN:\n    BSYNC   B0\n    ACTIVEMASK R9\n",
  ),
  WARPSYNC: apart("warpsync", "    WARPSYNC -1\n    ACTIVEMASK R9\n"),
  BAR: memory("bar", "a: R0", "R9", "    ISETP.EQ P0, R0, 0\n@P0 STS     [0x10], 42\n    BAR.SYNC 0\n    LDS     R9, [0x10]\n", {
    args: ["a=each:0,1,2,3"],
    threads: 4,
  }),
  BARRED: memory("barred", "a: P0", "R9", "    BARRED.POPC R9, 0, P0\n", { args: ["a=each:1,0,1,1"], threads: 4 }),
  LDGSTS: copied("ldgsts"),
  LDGDEPBAR: copied("ldgdepbar"),
  DEPBAR: copied("depbar"),
  SYNCS: counted("syncs"),
  PHASECHK: counted("phasechk"),
  NANOSLEEP: memory("nanosleep", "a: R0", "R9", "    NANOSLEEP 100\n    IADD    R9, R0, 1\n", { args: ["a=5"] }),
  MEMBAR: memory("membar", "p: RD0, a: R2", "R9", "    STG     [RD0], R2\n    MEMBAR.SC.GPU\n    LDG     R9, [RD0+0x4]\n", STORED),
  BPT: memory("bpt", "a: R0", "R9", "    ISETP.GT P0, R0, 3\n@P0 BPT.TRAP\n    IADD    R9, R0, 1\n", { args: ["a=5"] }),
  NOP: memory("nop", "a: R0", "R9", "    NOP\n    IADD    R9, R0, 1\n", { args: ["a=5"] }),
  JMX: table("jmx", "    JMX     R0, JT0"),
  BRX: table("brx", "    LEA     R3, R0, JT0, 2\n    BRX     R3, JT0"),
  CALL: {
    text: ".func use_call(a: R0) -> R9\nBB0:\n    CALL    twice, {R9}, {R0}\n    RET\n.func twice(x: R0) -> R1\nBB0:\n    IADD    R1, R0, R0\n    RET\n",
    args: ["a=21"],
  },
  PHI: {
    text: ".func use_phi(a: R0) -> R9\nBB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA     LOW\nHIGH:\n    BRA     JOIN\nLOW:\n    NOP\nJOIN:\n    PHI     R9, [HIGH: 30], [LOW: R0]\n    RET\n",
    args: ["a=each:1,2,3,4"],
    threads: 4,
  },
};
