/** The one reader of operands: which registers an instruction defines and uses, what it does, where it jumps to. */

import { bankWithBase, phiOp, withGuard, withReg } from "./copies.ts";
import type { BlockId, Reg } from "./ids.ts";
import { type Effect, OPCODES, type Opcode, opcodeInfo, type Space } from "./opcodes.ts";
import { isConstantReg } from "./reg.ts";
import type { Block, Func, Inst, Operand } from "./types.ts";

/** The guard, where an operand index is expected. */
export const GUARD_INDEX = -1;

interface Accesses {
  /** What it may write, and which of these it surely writes. */
  readonly defs: readonly Reg[];
  readonly sure: readonly Reg[];
  readonly uses: readonly Reg[];
  readonly effect: Effect;
}

/** Capacity of the cache in instructions, a power of two: it bounds what stays alive after its function is gone. */
const CACHE_LIMIT = 1 << 18;

// Instructions are immutable, so what they access is computed once each and kept in a direct-mapped table by instruction id; one of the same id in
// another function or state takes the entry over. (A WeakMap costs several times as much per look and slows every collection down.)
let cachedInsts: (Inst | undefined)[] = Array.from({ length: 1024 });
let cachedAccesses: (Accesses | undefined)[] = Array.from({ length: 1024 });

function accesses(inst: Inst): Accesses {
  const at = inst.id & (cachedInsts.length - 1);
  if (cachedInsts[at] === inst) {
    const found = cachedAccesses[at];
    if (found !== undefined) return found;
  }
  return computeAccesses(inst);
}

const NO_REGS: readonly Reg[] = [];

function computeAccesses(inst: Inst): Accesses {
  let defs: Reg[] | null = null;
  let uses: Reg[] | null = null;
  visitRegs(inst, (r, isDef) => {
    if (isDef) {
      if (defs === null) defs = [r];
      else defs.push(r);
    } else if (uses === null) uses = [r];
    else uses.push(r);
  });
  const may = neverRuns(inst) ? NO_REGS : inst.op === "R2P" ? writtenByR2P(inst) : (defs ?? NO_REGS);
  const found = { defs: may, sure: alwaysRuns(inst) ? may : NO_REGS, uses: uses ?? NO_REGS, effect: computeEffect(inst) };
  if (inst.id >= cachedInsts.length && cachedInsts.length < CACHE_LIMIT) growCache(inst.id);
  const at = inst.id & (cachedInsts.length - 1);
  cachedInsts[at] = inst;
  cachedAccesses[at] = found;
  return found;
}

function growCache(id: number): void {
  let size = cachedInsts.length;
  while (size <= id && size < CACHE_LIMIT) size *= 2;
  cachedInsts = Array.from({ length: size });
  cachedAccesses = Array.from({ length: size });
}

/**
 * Registers the instruction may write, in textual order; constant registers (RZ, PT) left out. A guarded instruction may leave them as they were. What it
 * names as a result and never writes, under `@!PT` or outside the mask of R2P, is not among them.
 */
export function defsOf(inst: Inst): readonly Reg[] {
  return accesses(inst).defs;
}

/** Those of them that it always writes: their previous values end there. */
export function sureDefsOf(inst: Inst): readonly Reg[] {
  return accesses(inst).sure;
}

/** The instruction always writes the register. */
export function surelyDefines(inst: Inst, r: Reg): boolean {
  return accesses(inst).sure.includes(r);
}

/** It cannot be disabled by a guard. */
export function alwaysRuns({ guard }: Inst): boolean {
  return guard === null || (isConstantReg(guard.reg) && !guard.neg);
}

/** Guarded by `!PT`. */
export function neverRuns({ guard }: Inst): boolean {
  return guard?.neg === true && isConstantReg(guard.reg);
}

/** Bit i: R2P writes predicate i of its list. All of them if there is no mask. */
export function maskOfR2P(inst: Inst): number {
  const mask = inst.ops[2];
  return mask?.kind === "imm" ? mask.value | 0 : -1;
}

function writtenByR2P(inst: Inst): readonly Reg[] {
  const [list] = inst.ops;
  const mask = maskOfR2P(inst);
  return list?.kind === "vec" ? list.regs.filter((r, i) => !isConstantReg(r) && ((mask >>> i) & 1) === 1) : NO_REGS;
}

/** Registers the instruction reads, guard first, PHI inputs included; constant registers left out; repeats kept. */
export function usesOf(inst: Inst): readonly Reg[] {
  return accesses(inst).uses;
}

/**
 * Number of leading operands that are definitions. They always come first, except for stores (no definition at all).
 * BSSY defines its barrier; CALL and OPAQUE define their first list.
 */
export function defCount(op: Opcode, ops: readonly Operand[]): number {
  switch (op) {
    case "OPAQUE":
      return 1;
    case "SHFL":
    case "MATCH":
      return secondDefPresent(op, ops) ? 2 : 1;
    default:
      return DEFINING.has(op) ? 1 : 0;
  }
}

const DEFINING: ReadonlySet<string> = new Set(Object.entries(OPCODES).flatMap(([op, info]) => (info.shape.startsWith("d:") ? [op] : [])));

function secondDefPresent(op: "SHFL" | "MATCH", ops: readonly Operand[]): boolean {
  return op === "SHFL" ? ops.length === 5 : ops.length === 3;
}

/** True if operand `index` is in the slot of a definition, written or not. CALL: operand 1 is the list of results. */
export function isDefOperand(inst: Inst, index: number): boolean {
  if (inst.op === "CALL") return index === 1;
  return index >= 0 && index < defCount(inst.op, inst.ops);
}

/** Calls back for every register access: guard first (index -1), then operands in textual order. Constant registers are left out. */
export function visitRegs(inst: Inst, visit: (r: Reg, isDef: boolean, operand: number) => void): void {
  if (inst.guard !== null && !isConstantReg(inst.guard.reg)) visit(inst.guard.reg, false, GUARD_INDEX);
  const isCall = inst.op === "CALL";
  const defs = isCall ? 0 : defCount(inst.op, inst.ops);
  for (let i = 0; i < inst.ops.length; i++) {
    const operand = inst.ops[i];
    if (operand !== undefined) visitOperandRegs(operand, isCall ? i === 1 : i < defs, i, visit);
  }
}

/** The registers of an operand, constant registers left out. */
export function regsOfOperand(operand: Operand | undefined): readonly Reg[] {
  const regs: Reg[] = [];
  if (operand !== undefined) visitOperandRegs(operand, false, 0, (r) => regs.push(r));
  return regs;
}

function visitOperandRegs(operand: Operand, isDef: boolean, index: number, visit: (r: Reg, isDef: boolean, operand: number) => void): void {
  switch (operand.kind) {
    case "reg":
      if (!isConstantReg(operand.reg)) visit(operand.reg, isDef, index);
      return;
    case "vec":
    case "list":
      for (const r of operand.regs) if (!isConstantReg(r)) visit(r, isDef, index);
      return;
    case "mem":
      if (operand.base !== null && !isConstantReg(operand.base)) visit(operand.base, false, index);
      if (operand.index !== null && !isConstantReg(operand.index)) visit(operand.index, false, index);
      return;
    case "cbank":
      if (operand.base !== null && !isConstantReg(operand.base)) visit(operand.base, false, index);
      return;
    case "phi":
      visitOperandRegs(operand.value, false, index, visit);
      return;
    case "imm":
    case "imm64":
    case "f32":
    case "f64":
    case "sreg":
    case "label":
    case "table":
    case "text":
    case "sym":
      return;
  }
}

/** A copy of the instruction with every register it reads (not its definitions) mapped; the same instruction when nothing changed. */
export function mapUses(inst: Inst, map: (r: Reg, operand: number) => Reg): Inst {
  const { guard, ops } = inst;
  const to = guard === null || isConstantReg(guard.reg) ? null : map(guard.reg, GUARD_INDEX);
  const mappedGuard = guard === null || to === null || to === guard.reg ? guard : { reg: to, neg: guard.neg };
  let mapped: Operand[] | null = null;
  for (let i = 0; i < ops.length; i++) {
    const operand = ops[i] as Operand;
    // A memory operand's registers are read even if its slot is the first (stores).
    if (operand.kind !== "mem" && isDefOperand(inst, i)) continue;
    const changed = mapOperand(operand, i, map);
    if (changed === operand) continue;
    mapped ??= ops.slice();
    mapped[i] = changed;
  }
  return mapped === null && mappedGuard === guard ? inst : withGuard(inst, mappedGuard, mapped ?? ops);
}

/** The operand with its registers mapped; the same one when none changed. */
function mapOperand(operand: Operand, index: number, map: (r: Reg, operand: number) => Reg): Operand {
  switch (operand.kind) {
    case "reg": {
      const to = isConstantReg(operand.reg) ? operand.reg : map(operand.reg, index);
      return to === operand.reg ? operand : withReg(operand, to);
    }
    case "vec":
    case "list": {
      const { regs } = operand;
      const mapped = regs.map((r) => (isConstantReg(r) ? r : map(r, index)));
      return mapped.some((r, i) => r !== regs[i]) ? { kind: operand.kind, regs: mapped } : operand;
    }
    case "mem": {
      const base = operand.base === null || isConstantReg(operand.base) ? operand.base : map(operand.base, index);
      const second = operand.index === null || isConstantReg(operand.index) ? operand.index : map(operand.index, index);
      return base === operand.base && second === operand.index ? operand : { kind: "mem", base, index: second, offset: operand.offset };
    }
    case "cbank": {
      const base = operand.base === null || isConstantReg(operand.base) ? operand.base : map(operand.base, index);
      return base === operand.base ? operand : bankWithBase(operand, base, operand.offset);
    }
    case "phi": {
      const value = mapOperand(operand.value, index, map);
      return value === operand.value ? operand : phiOp(operand.pred, value);
    }
    default:
      return operand;
  }
}

/** The instruction's effect; OPAQUE has the one it states. A volatile access counts as `barrier`-like through `isVolatileAccess`. */
export function effectOf(inst: Inst): Effect {
  return accesses(inst).effect;
}

function computeEffect(inst: Inst): Effect {
  if (inst.op !== "OPAQUE") return opcodeInfo(inst.op).effect;
  switch (inst.mods[0]) {
    case "pure":
      return "pure";
    case "load":
      return "load";
    case "store":
      return "store";
    case "barrier":
      return "barrier";
    case "warp":
      return "warp";
    default:
      return "call";
  }
}

export function spaceOf(inst: Inst): Space | null {
  return inst.op === "OPAQUE" || inst.mods.includes("GENERIC") ? "generic" : opcodeInfo(inst.op).space;
}

/** The convergence barrier that BSSY, BSYNC or BREAK names, whatever its guard; null for any other instruction. */
export function barrierOf({ op, ops }: Inst): Reg | null {
  if (op !== "BSSY" && op !== "BSYNC" && op !== "BREAK") return null;
  return ops[0]?.kind === "reg" ? ops[0].reg : null;
}

/** Waits for the threads of the block: under a guard that lanes disagree about, some continue without the others. */
export function waitsForBlock(inst: Inst): boolean {
  return inst.op === "BAR" || inst.op === "BARRED";
}

/** `.VOLATILE` and `.STRONG` accesses must not be removed, duplicated or reordered. */
export function isVolatileAccess(inst: Inst): boolean {
  return inst.mods.includes("VOLATILE") || inst.mods.includes("STRONG");
}

/** `LDG.CONSTANT`: it reads global memory as it was at launch, regardless of later stores. */
export function isNonCoherent(inst: Inst): boolean {
  return inst.op === "LDG" && inst.mods.includes("CONSTANT");
}

/** True when the instruction can be deleted once its results are dead: pure, and loads that are not volatile (a deleted trap is allowed: what traps is not compared). */
export function isRemovableWhenDead(inst: Inst): boolean {
  if (inst.op === "NOP") return true;
  const effect = effectOf(inst);
  if (inst.op === "BSSY") return false;
  if (effect === "pure") return true;
  if (effect === "load") return !isVolatileAccess(inst);
  // A warp instruction has no effect but its result.
  return effect === "warp";
}

/** True when the instruction may run where it did not run before: pure and unable to trap. */
export function isSpeculatable(inst: Inst): boolean {
  return effectOf(inst) === "pure" && !(inst.op !== "OPAQUE" && opcodeInfo(inst.op).mayTrap);
}

/** BRA, JMX, BRX, RET, EXIT, KILL: a block ends after it (a conditional BRA may be followed by one more BRA). */
export function isTerminator(inst: Inst): boolean {
  switch (inst.op) {
    case "BRA":
    case "JMX":
    case "BRX":
    case "RET":
    case "EXIT":
    case "KILL":
      return true;
    default:
      return false;
  }
}

/** True when control never continues after the instruction: no guard (or a constantly true one) and, for BRA, no predicate operand. */
export function isUnconditional(inst: Inst): boolean {
  return alwaysRuns(inst) && !(inst.op === "BRA" && inst.ops.length === 2);
}

/** The target of a BRA; null for any other instruction. */
export function branchTarget(inst: Inst): BlockId | null {
  if (inst.op !== "BRA") return null;
  const last = inst.ops[inst.ops.length - 1];
  return last !== undefined && last.kind === "label" ? last.block : null;
}

/** The table a JMX or BRX names; null for any other instruction. */
export function tableName(inst: Inst): string | null {
  if (inst.op !== "JMX" && inst.op !== "BRX") return null;
  const last = inst.ops[inst.ops.length - 1];
  return last !== undefined && last.kind === "table" ? last.name : null;
}

const NO_INSTS: readonly Inst[] = [];

/** The terminators at the end of a block (0 to 2 instructions), and the index of the first of them. */
export function terminatorsOf(block: Block): { readonly at: number; readonly insts: readonly Inst[] } {
  const { length } = block.insts;
  let at = length;
  while (at > 0) {
    const inst = block.insts[at - 1];
    if (inst === undefined || !isTerminator(inst)) break;
    at--;
  }
  return { at, insts: at === length ? NO_INSTS : block.insts.slice(at) };
}

/** True when control can run off the end of the block into the next one of the layout. */
export function fallsThrough(block: Block): boolean {
  const last = block.insts[block.insts.length - 1];
  return last === undefined || !isTerminator(last) || !isUnconditional(last);
}

/** The block after `id` in layout order; null at the end. `position` is its layout index when the caller knows it. */
export function nextInLayout(fn: Func, id: BlockId, position = fn.layout.indexOf(id)): BlockId | null {
  return fn.layout[position + 1] ?? null;
}

/**
 * Successors according to the terminators, in the order of `Block.succs`, without repeats: branch targets in textual order, a table's entries in table
 * order then its default, and the fall-through last.
 */
export function computeSuccs(fn: Func, block: Block, next: BlockId | null): BlockId[] {
  const succs: BlockId[] = [];
  const add = (id: BlockId | null): void => {
    if (id !== null && !succs.includes(id)) succs.push(id);
  };
  for (const inst of terminatorsOf(block).insts) {
    add(branchTarget(inst));
    const name = tableName(inst);
    const table = name === null ? undefined : fn.tables.get(name);
    if (table !== undefined) {
      // A set: a table may have thousands of entries.
      const seen = new Set<BlockId>(succs);
      for (const entry of table.default === null ? table.entries : [...table.entries, table.default]) {
        if (!seen.has(entry)) {
          seen.add(entry);
          succs.push(entry);
        }
      }
    }
  }
  if (fallsThrough(block)) add(next);
  return succs;
}

/** The PHIs at the head of a block. */
export function phisOf(block: Block): readonly Inst[] {
  let n = 0;
  while (block.insts[n]?.op === "PHI") n++;
  return n === 0 ? NO_INSTS : block.insts.slice(0, n);
}

/** The value a PHI takes when entered from `pred`; null when it has no such input. */
export function phiInput(phi: Inst, pred: BlockId): Operand | null {
  for (const operand of phi.ops) if (operand.kind === "phi" && operand.pred === pred) return operand.value;
  return null;
}

export function hasPhis(fn: Func): boolean {
  return fn.layout.some((id) => fn.blocks[id]?.insts[0]?.op === "PHI");
}

/** The block record; an id that names no block is an internal error. */
export function getBlock(fn: Func, id: BlockId): Block {
  const block = fn.blocks[id];
  if (block === undefined) throw new Error(`internal: no block ${id} in ${fn.name}`);
  return block;
}

/** Structural equality of operands. */
export function sameOperand(a: Operand, b: Operand): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "reg":
      return b.kind === "reg" && a.reg === b.reg && a.neg === b.neg && a.abs === b.abs && a.not === b.not;
    case "imm":
      return b.kind === "imm" && a.value === b.value;
    case "imm64":
      return b.kind === "imm64" && a.value === b.value;
    case "f32":
      return b.kind === "f32" && a.bits === b.bits;
    case "f64":
      return b.kind === "f64" && a.hi === b.hi && a.lo === b.lo;
    case "cbank":
      return b.kind === "cbank" && a.bank === b.bank && a.base === b.base && a.offset === b.offset && a.neg === b.neg && a.abs === b.abs;
    case "mem":
      return b.kind === "mem" && a.base === b.base && a.index === b.index && a.offset === b.offset;
    case "sreg":
    case "table":
      return b.kind === a.kind && a.name === b.name;
    case "label":
      return b.kind === "label" && a.block === b.block;
    case "vec":
    case "list":
      return b.kind === a.kind && a.regs.length === b.regs.length && a.regs.every((r, i) => r === b.regs[i]);
    case "text":
      return b.kind === "text" && a.text === b.text;
    case "sym":
      return b.kind === "sym" && a.name === b.name && a.offset === b.offset;
    case "phi":
      return b.kind === "phi" && a.pred === b.pred && sameOperand(a.value, b.value);
  }
}

/** Structural equality of instructions: opcode, modifiers, guard and operands; not id, line or comments. */
export function sameInst(a: Inst, b: Inst): boolean {
  return (
    a.op === b.op &&
    a.guard?.reg === b.guard?.reg &&
    a.guard?.neg === b.guard?.neg &&
    a.mods.length === b.mods.length &&
    a.mods.every((m, i) => m === b.mods[i]) &&
    a.ops.length === b.ops.length &&
    a.ops.every((operand, i) => {
      const other = b.ops[i];
      return other !== undefined && sameOperand(operand, other);
    })
  );
}

/** A compare whose result is not combined with a predicate: `.AND` with true, `.OR` or `.XOR` with false, or no third operand. */
export function combinesNothing(compare: Inst): boolean {
  const operand = compare.ops[3];
  if (operand === undefined) return true;
  if (operand.kind !== "reg" || !isConstantReg(operand.reg)) return false;
  const isTrue = !operand.neg;
  return compare.mods.includes("OR") || compare.mods.includes("XOR") ? !isTrue : isTrue;
}
