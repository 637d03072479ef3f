/** Local memory by slots: which constant offsets are scalars that could live in a register, and what prevents it. */

import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Func, Inst, Module, Operand } from "../../ir/types.ts";
import { effectOf, getBlock, isVolatileAccess } from "../../ir/visit.ts";

export interface LocalAccess {
  readonly block: BlockId;
  readonly inst: Inst;
  readonly store: boolean;
  /** Bytes. */
  readonly size: number;
  /** Constant offset; null for a computed address. */
  readonly offset: number | null;
  /** Computed: base and what is added to it. Null if the address has a different form. */
  readonly base: { readonly reg: Reg; readonly offset: number } | null;
}

export interface Slot {
  readonly offset: number;
  readonly size: number;
  readonly accesses: readonly LocalAccess[];
  /** Why it stays in memory, in order of the checks; empty: nothing in its own accesses prevents the promotion. */
  readonly problems: readonly SlotProblem[];
}

export type SlotProblem = "partial-overlap" | "size" | "volatile" | "vector";

export interface LocalMemory {
  /** By offset. */
  readonly slots: readonly Slot[];
  readonly computed: readonly LocalAccess[];
  /** An instruction that may reach local memory in a way that is not seen; null when there is none. */
  readonly leak: Inst | null;
  /** Bytes of the declared local objects, or up to the last slot's end. */
  readonly bytes: number;
}

export function localMemory(fn: Func, module: Module): LocalMemory {
  const computed: LocalAccess[] = [];
  const direct = new Map<string, LocalAccess[]>();
  let leak: Inst | null = null;
  for (const id of reversePostOrder(fn).order) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      if (inst.op === "LDL" || inst.op === "STL") {
        const access = accessOf(id, inst);
        if (access.offset === null) computed.push(access);
        else {
          const key = `${access.offset}/${access.size}`;
          const list = direct.get(key);
          if (list === undefined) direct.set(key, [access]);
          else list.push(access);
        }
      } else if (leak === null && reachesLocal(inst)) leak = inst;
    }
  }
  const slots = withOverlaps([...direct.values()].map(slotOf));
  const declared = module.symbols.filter((s) => s.space === "local").reduce((sum, s) => sum + s.size, 0);
  const end = slots.reduce((most, s) => Math.max(most, s.offset + s.size), 0);
  return { slots, computed, leak, bytes: Math.max(declared, end) };
}

/**
 * Local memory is the thread's, not the function's: what runs before or after a `.func` may write and read the same bytes. The first other function of the
 * module that may do so; null when there is none.
 */
export function alsoUsedBy(fn: Func, module: Module, { offset, size }: Slot): Func | null {
  const meets = ({ offset: at, size: bytes }: LocalAccess): boolean => at === null || (at < offset + size && offset < at + bytes);
  for (const other of fn.kind === "func" ? module.funcs : []) {
    if (other.name === fn.name) continue;
    for (const id of other.layout) {
      for (const inst of getBlock(other, id).insts) {
        // It calls another function of the module.
        if (inst.op === "LDL" || inst.op === "STL" ? meets(accessOf(id, inst)) : inst.op !== "CALL" && reachesLocal(inst)) return other;
      }
    }
  }
  return null;
}

/** Generic addresses may point to local memory, and so may what calls and unknown instructions use. */
function reachesLocal(inst: Inst): boolean {
  switch (inst.op) {
    case "LD":
    case "ST":
    case "CALL":
      return true;
    case "ATOM":
    case "RED":
      return inst.mods.includes("GENERIC");
    case "OPAQUE":
      return effectOf(inst) !== "pure" && effectOf(inst) !== "warp";
    default:
      return false;
  }
}

const SIZES: Readonly<Record<string, number>> = { U8: 1, S8: 1, U16: 2, S16: 2, "32": 4, "64": 8, "128": 16 };

function accessOf(block: BlockId, inst: Inst): LocalAccess {
  const store = inst.op === "STL";
  const address: Operand | undefined = inst.ops[store ? 0 : 1];
  const size = inst.mods.map((m) => SIZES[m]).find((s) => s !== undefined) ?? 4;
  const base = { block, inst, store, size };
  if (address?.kind !== "mem") return { ...base, offset: null, base: null };
  const plainBase = address.base === null || isConstantReg(address.base);
  const plainIndex = address.index === null || isConstantReg(address.index);
  if (plainBase && plainIndex && address.offset >= 0) return { ...base, offset: address.offset, base: null };
  const computed = !plainBase && plainIndex && address.base !== null && regClass(address.base) !== "RD";
  return { ...base, offset: null, base: computed && address.base !== null ? { reg: address.base, offset: address.offset } : null };
}

function slotOf(accesses: readonly LocalAccess[]): Slot {
  const [first] = accesses;
  const { offset, size } = { offset: first?.offset ?? 0, size: first?.size ?? 4 };
  const problems = new Set<SlotProblem>(size === 4 || size === 8 ? [] : ["size"]);
  for (const { inst, store } of accesses) {
    if (isVolatileAccess(inst)) problems.add("volatile");
    if (inst.ops[store ? 1 : 0]?.kind === "vec") problems.add("vector");
  }
  return { offset, size, accesses, problems: [...problems] };
}

/** Slots that share bytes stay in memory, all of them. */
function withOverlaps(slots: readonly Slot[]): readonly Slot[] {
  const sorted = slots.toSorted((a, b) => a.offset - b.offset || a.size - b.size);
  const bad = new Set<Slot>();
  let reach: Slot | null = null;
  for (const slot of sorted) {
    if (reach !== null && slot.offset < reach.offset + reach.size) {
      bad.add(reach);
      bad.add(slot);
    }
    if (reach === null || slot.offset + slot.size > reach.offset + reach.size) reach = slot;
  }
  return sorted.map((slot) => (bad.has(slot) ? { ...slot, problems: ["partial-overlap", ...slot.problems] } : slot));
}
