/** Adds instructions of any opcode to random programs: the generator writes what passes look for, this file what they must leave alone. */

import type { Prng } from "../../base/prng.ts";
import { immOp, regOp } from "../ir/builder.ts";
import { Editor } from "../ir/edit.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import { modGroupsOf, OPCODES, type Opcode, type Slot, slotsOf } from "../ir/opcodes.ts";
import { isConstantReg, regClass, regName } from "../ir/reg.ts";
import { literalKind, widthOf } from "../ir/shape.ts";
import type { Func, Inst, Module } from "../ir/types.ts";
import { getBlock, isTerminator, sureDefsOf, terminatorsOf } from "../ir/visit.ts";
import { readInst } from "../text/read-inst.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyFunc } from "../verify/verify.ts";

/**
 * Excludes clocks and opcodes that end a block, have a fixed place in it, name something other than registers and memory, or are not
 * interpreted. A barrier is inserted only into the entry block, which all threads reach.
 */
const LEFT_OUT: ReadonlySet<Opcode> = new Set([
  ...["PHI", "BRA", "JMX", "BRX", "RET", "EXIT", "KILL", "CALL", "BSSY", "BSYNC", "BREAK"],
  ...["OPAQUE", "TEX", "TLD", "BPT", "CS2R", "LDGSTS", "SYNCS", "PHASECHK"],
] as Opcode[]);
export const SOUP_OPCODES: readonly Opcode[] = (Object.keys(OPCODES) as Opcode[]).filter((op) => !LEFT_OUT.has(op));
const ENTRY_ALONE: ReadonlySet<Opcode> = new Set(["BAR", "BARRED", "WARPSYNC"] as Opcode[]);

/** Registers that are defined wherever an instruction may be inserted. */
interface Known {
  readonly regs: readonly Reg[];
  /** Base registers of the program's stores, by space: they address bytes that only this thread uses. */
  readonly bases: ReadonlyMap<string, readonly Reg[]>;
  /** Registers that the program stores at its end. */
  readonly sums: readonly Reg[];
}

/** Adds up to `count` instructions; null if the program has no place for one. Instructions that the verifier rejects are left out. */
export function withAnyOpcodes(
  given: Func,
  module: Module,
  rng: Prng,
  count: number,
  opcodes: readonly Opcode[] = SOUP_OPCODES,
): { readonly fn: Func; readonly added: readonly Opcode[] } | null {
  const known = knownOf(given);
  if (known === null) return null;
  let fn = given;
  const added: Opcode[] = [];
  for (let n = 0; n < count; n++) {
    const op = rng.pick(opcodes);
    const next = withOne(fn, module, rng, op, known);
    if (next === null) continue;
    fn = next;
    added.push(op);
  }
  return { fn, added };
}

/** Sources are parameters and registers that the entry block defines; results are new registers, whose values affect what the program stores. */
function knownOf(fn: Func): Known | null {
  const [entry] = fn.layout;
  if (entry === undefined) return null;
  const regs = new Set<Reg>(fn.params.map(({ reg }) => reg));
  for (const inst of getBlock(fn, entry).insts) for (const r of sureDefsOf(inst)) regs.add(r);
  const bases = new Map<string, Set<Reg>>();
  const sums = new Set<Reg>();
  for (const id of fn.layout) {
    for (const inst of getBlock(fn, id).insts) {
      const { effect, space } = OPCODES[inst.op];
      if (effect !== "store" || space === null) continue;
      for (const operand of inst.ops) {
        if (operand.kind === "mem" && operand.base !== null && operand.index === null && regs.has(operand.base)) {
          bases.set(space, (bases.get(space) ?? new Set()).add(operand.base));
        }
        if (operand.kind === "reg" && regClass(operand.reg) === "R" && regs.has(operand.reg)) sums.add(operand.reg);
      }
    }
  }
  for (const base of [...bases.values()].flatMap((set) => [...set])) sums.delete(base);
  for (const { reg } of fn.params) sums.delete(reg);
  if (sums.size === 0) return null;
  return {
    regs: [...regs].filter((r) => !isConstantReg(r)),
    bases: new Map([...bases].map(([space, set]) => [space, [...set]])),
    sums: [...sums],
  };
}

function withOne(fn: Func, module: Module, rng: Prng, op: Opcode, known: Known): Func | null {
  const edit = new Editor(fn, NO_RECORDER);
  const [entry] = edit.func.layout as readonly [BlockId, ...BlockId[]];
  const block = ENTRY_ALONE.has(op) ? entry : rng.pick(edit.func.layout);
  const { insts } = edit.block(block);
  const end = terminatorsOf(edit.block(block)).at;
  const first = insts.findIndex((inst) => inst.op !== "PHI" && inst.op !== "BSYNC");
  // The registers that the entry block defines are available only at its end.
  const at = block === entry || first < 0 || first > end ? end : first + rng.below(end - first + 1);
  const mods = modGroupsOf(op).flatMap(({ choices, required }) => (required || rng.chance(0.3) ? [rng.pick(choices)] : []));
  const results: Reg[] = [];
  const text = lineOf(edit, rng, op, mods, known, results);
  if (text === null) return null;
  const guard =
    results.length === 0 && known.regs.some(isPredicate) && rng.chance(0.2) ? `@${regName(rng.pick(known.regs.filter(isPredicate)))} ` : "";
  const names = { label: () => null, labels: () => [], hasTable: () => false, symbol: () => null };
  const read = readInst(`${guard}${text}`, names);
  if (typeof read === "string") return null;
  const inst: Inst = edit.make(op, read.ops, { guard: read.guard, mods: read.mods });
  if (isTerminator(inst)) return null;
  edit.insert(block, at, inst);
  for (const [i, r] of results.entries()) add(edit, block, at + 1 + i, r, rng.pick(known.sums));
  return verifyFunc(edit.func, module).some((d) => d.severity === "error") ? null : edit.func;
}

const isPredicate = (r: Reg): boolean => regClass(r) === "P";

/** Adds a result to a sum, so that its value is observed in memory. */
function add(edit: Editor, block: BlockId, at: number, r: Reg, sum: Reg): void {
  const part = edit.freshReg("R");
  const cls = regClass(r);
  const taken =
    cls === "P"
      ? edit.make("SEL", [regOp(part), immOp(5), immOp(9), regOp(r)])
      : cls === "RD"
        ? edit.make("UNPACK", [regOp(part), regOp(r)], { mods: [at % 2 === 0 ? "LO" : "HI"] })
        : edit.make("MOV", [regOp(part), regOp(r)]);
  edit.insert(block, at, edit.make("IMAD", [regOp(sum), regOp(sum), immOp(5), regOp(part)]));
  edit.insert(block, at, taken);
}

/** An instruction as text; null where the program has nothing for one of its operands. */
function lineOf(edit: Editor, rng: Prng, op: Opcode, mods: readonly string[], known: Known, results: Reg[]): string | null {
  const slots = slotsOf(op);
  let optional = rng.below(1 + slots.filter((slot) => slot.optional).length);
  const texts: string[] = [];
  for (const [index, slot] of slots.entries()) {
    if (slot.optional && optional-- <= 0) continue;
    const text = slot.role === "def" ? resultOf(edit, op, mods, slot, index, results) : sourceOf(rng, op, mods, slot, index, known);
    if (text === null) return null;
    texts.push(text);
  }
  return `${[op, ...mods].join(".")} ${texts.join(", ")}`;
}

function resultOf(edit: Editor, op: Opcode, mods: readonly string[], slot: Slot, index: number, results: Reg[]): string | null {
  const fresh = (cls: "P" | "R" | "RD"): string => {
    const r = edit.freshReg(cls);
    results.push(r);
    return regName(r);
  };
  switch (slot.cls) {
    case "P":
      return fresh("P");
    case "PV":
      return `{${fresh("P")}, ${fresh("P")}}`;
    case "Y":
      return fresh(mods.includes("BALLOT") || mods.includes("POPC") ? "R" : "P");
    default: {
      const width = widthOf(op, mods, slot, index, undefined);
      return width === 128 ? null : fresh(width === 64 ? "RD" : "R");
    }
  }
}

function sourceOf(rng: Prng, op: Opcode, mods: readonly string[], slot: Slot, index: number, known: Known): string | null {
  const some = (cls: "P" | "R" | "RD"): string | null => {
    const fit = known.regs.filter((r) => regClass(r) === cls);
    return fit.length === 0 ? null : regName(rng.pick(fit));
  };
  const test = (): string => `${rng.chance(0.3) ? "!" : ""}${some("P") ?? "PT"}`;
  switch (slot.cls) {
    case "P":
      return test();
    case "PV":
      return `{${test()}, ${test()}}`;
    case "S":
      return rng.pick(["SR_LANEID", "SR_TID.X", "SR_NTID.X"]);
    case "I":
      return String(rng.below(op === "LOP3" || op === "PLOP3" ? 256 : op === "DEPBAR" ? 3 : 31));
    case "m":
      return placeOf(rng, op, known);
    case "c":
      return `c[0x3][0x${(8 * rng.below(4)).toString(16)}]`;
    case "T":
    case "L":
    case "B":
    case "sym":
    case "list":
    case "text":
    case "phi":
      return null;
  }
  const width = widthOf(op, mods, slot, index, undefined);
  if (width === 128) return null;
  if (rng.chance(0.25) && slot.cls !== "V") return literal(rng, literalKind(op, mods, slot));
  const text = some(width === 64 ? "RD" : "R");
  return text === null ? literal(rng, literalKind(op, mods, slot)) : text;
}

function literal(rng: Prng, kind: ReturnType<typeof literalKind>): string {
  if (kind === "f32" || kind === "f64") return rng.pick(["0.0", "-1.5", "2.0", "1.0e20", "0.1"]);
  return String(rng.pick([0, 1, 2, 5, 31, 32, 255, 65535, -1, 2147483647]));
}

/** An address among the thread's own bytes, where lanes do not race. */
function placeOf(rng: Prng, op: Opcode, known: Known): string | null {
  const space = OPCODES[op].space;
  const bases = known.bases.get(space === "generic" ? "global" : (space ?? "global")) ?? [];
  return bases.length === 0 ? null : `[${regName(rng.pick(bases))}+${8 * rng.below(4)}]`;
}
