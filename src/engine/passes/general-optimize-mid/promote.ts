/** ConvertMemoryToRegisterOrUniform: scalars in local memory at constant offsets become registers (general-optimize, sub_90EF70). */

import { liveness } from "../../analysis/liveness.ts";
import { immOp, regOp } from "../../ir/builder.ts";
import { withForm } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { RDZ, RZ } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import type { Rewrite } from "../../remark/remarks.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { PassContext } from "../pass.ts";
import { alsoUsedBy, type LocalAccess, type LocalMemory, localMemory, type Slot } from "./local-slots.ts";
import type { LocalSlotRow } from "./rows.ts";

export interface Promotion {
  readonly slots: number;
  readonly promoted: number;
  /** Loads and stores that became copies. */
  readonly converted: number;
}

interface State extends Pick<PassContext, "edit" | "remark" | "knobs" | "module"> {
  readonly memory: LocalMemory;
  readonly table: ShownTable<LocalSlotRow>;
  readonly registers: Map<Slot, Reg>;
  /** Where the walk is in its block. */
  at: number;
}

/** Compares with slots that computed accesses may take, all together. */
const EXPANSION_LIMIT = 256;

const BYTES = "the {size} {size:byte|bytes} at local offset {offset} {size:stays|stay} in memory";
const STAYS = `${BYTES}: {why}` as const;

export const LOCAL = {
  promotion: line("ConvertMemoryToRegisterOrUniform:", {
    kind: "span",
    step: "ConvertMemoryToRegisterOrUniform: {slots} {slots:slot|slots}, {computed} computed {computed:access|accesses}",
  }),
  escape: line("  collect local loads and stores; a generic access, call or opaque access may reach local memory too: promote nothing", {
    missed: {
      "address-taken": {
        say: `${BYTES}: '{by:inst}' may reach them`,
        droppable: "the other access sees memory, and the register has a different value",
      },
      "shared-with": {
        say: `${BYTES}: this function is called, and {other} may use them before or after it`,
        fixed: "Local memory belongs to the thread, so a register of one function cannot take its place.",
      },
    },
  }),
  slot: line("  for each slot (constant offset and size) with a scalar of 32 or 64 bits, not volatile, overlapping no other:", {
    stays: STAYS,
    missed: {
      size: { say: "only 32 and 64 bits have a register" },
      volatile: { say: "an access is volatile", droppable: "each access has to reach memory, and none does" },
      vector: { say: "it is read or written as part of a vector" },
      "partial-overlap": {
        say: "accesses of other sizes or offsets share bytes with it",
        droppable: "what another access writes into its bytes is not seen in the register",
      },
      "entry-in-loop": {
        say: "the entry block is in a loop, so there is no place to initialize the register",
        droppable: "the register starts as 0 again on every path back to the entry",
      },
      "computed-form": { say: "a computed access has another size or an address that cannot be compared" },
      "too-many-compares": { say: "the computed accesses would need too many compares" },
    },
  }),
  share: line("    share of its accesses that are direct: at least knob 136; computed addresses only in arrays of at most knob 135 bytes", {
    stays: STAYS,
    missed: {
      "computed-address": { say: "a computed address may reach it, and knob 135 is not set" },
      "indexed-size": { say: "a computed address may reach it, and the array is larger than knob 135 allows" },
      "direct-share": { say: "too few of its accesses are direct (knob 136)" },
    },
  }),
};

/** A slot is promoted as a whole, with all its accesses: the first of them represents it where rewrites are counted. */
export const promote = rule<State, Slot>()({
  line: "    a fresh register r; STL becomes MOV r, value; LDL becomes MOV dest, r; guards stay",
  done: "slot {offset} is kept in {reg:reg}: '{inst}' becomes '{made:inst}'",
  step: { access: { kind: "rewrite", say: "slot {offset} is kept in {reg:reg}: '{inst}' becomes '{made:inst}'" } },
  because: "every access to local memory at {offset} is known, so the register {reg} can take its place",
  match(state, slot) {
    const [first] = slot.accesses;
    if (first === undefined || !isAlone(state, slot) || !isScalar(state, slot) || !isComparable(state, slot)) return null;
    const { inst, block } = first;
    const reg = (): Reg | null => state.registers.get(slot) ?? null;
    return { offset: slot.offset, reg, inst, made: () => copyFor(inst, reg()), block };
  },
  apply: ({ edit, at }, { block, made }) => edit.replace(block, at, made()),
});

export const initial = line("    a load that no store reaches first: r = 0 at the entry", {
  kind: "rewrite",
  step: "slot {offset} may be read before it is written: {reg:reg} starts as 0",
});

export const computed = line(
  "    a computed access keeps its memory and compares its address with each slot: SEL of r and what memory holds",
  {
    kind: "rewrite",
    step: "'{inst}' may address any of {slots} {slots:slot|slots}: its address is compared with each",
  },
);

export function promoteLocalMemory({ edit, remark, knobs, module }: PassContext): Promotion {
  const memory = localMemory(edit.func, module);
  const { slots, computed: others } = memory;
  const table = remark.shown.table<LocalSlotRow>("local-slots", "Slots of local memory");
  const state: State = { edit, remark, knobs, module, memory, table, registers: new Map(), at: 0 };
  const { registers } = state;
  return remark.span(LOCAL.promotion, { slots: slots.length, computed: others.length }, () => {
    // Requested before anything changes: a computed access has to know all registers.
    const granted = new Map<Slot, Rewrite>();
    for (const slot of slots) {
      const rewrite = promote.look(state, slot)?.request() ?? null;
      if (rewrite === null) continue;
      show(state, slot, "register");
      registers.set(slot, edit.freshReg(slot.size === 8 ? "RD" : "R"));
      granted.set(slot, rewrite);
    }
    if (registers.size === 0) return { slots: slots.length, promoted: 0, converted: 0 };
    const direct = new Map<InstId, Slot>();
    for (const slot of registers.keys()) for (const { inst } of slot.accesses) direct.set(inst.id, slot);
    const byAddress = new Map(others.map((access) => [access.inst.id, access]));
    const blocks = new Set([...registers.keys()].flatMap(({ accesses }) => accesses.map(({ block }) => block)));
    for (const { block } of others) blocks.add(block);
    for (const block of blocks) {
      for (state.at = edit.block(block).insts.length - 1; state.at >= 0; state.at--) {
        const inst = edit.block(block).insts[state.at] as Inst;
        const slot = direct.get(inst.id);
        const access = byAddress.get(inst.id);
        if (slot?.accesses[0]?.inst.id === inst.id) granted.get(slot)?.commit();
        else if (slot !== undefined) replaceAccess(state, block, inst, slot);
        else if (access !== undefined) expand(state, block, access);
      }
    }
    remark.at(initial);
    initialise(state);
    return { slots: slots.length, promoted: registers.size, converted: direct.size };
  });
}

/** No access of another kind and no other function may reach it. */
function isAlone(state: State, slot: Slot): boolean {
  const { edit, remark, module, memory } = state;
  const { leak } = memory;
  if (leak !== null) {
    const said = { ...stays(state, slot, "address-taken"), by: leak };
    if (!remark.holds(LOCAL.escape, "address-taken", false, said)) return false;
  }
  const other = alsoUsedBy(edit.func, module, slot);
  if (other === null) return true;
  return remark.fails(LOCAL.escape, "shared-with", { ...stays(state, slot, "shared-with"), other: other.name });
}

function isScalar(state: State, slot: Slot): boolean {
  const { edit, remark } = state;
  for (const problem of slot.problems) {
    const said = stays(state, slot, problem);
    if (problem === "size" || problem === "vector") return remark.fails(LOCAL.slot, problem, said);
    if (!remark.holds(LOCAL.slot, problem, false, said)) return false;
  }
  const entry = edit.func.layout[0];
  if (entry === undefined || edit.block(entry).preds.length === 0) return true;
  return remark.holds(LOCAL.slot, "entry-in-loop", false, stays(state, slot, "entry-in-loop"));
}

/** Computed accesses leave it alone, or can be compared with it. */
function isComparable(state: State, slot: Slot): boolean {
  const { remark, knobs, memory } = state;
  const { computed: others, bytes, slots } = memory;
  const share = knobs.double("promotion-share", LOCAL.share);
  const limit = knobs.optionalInt("indexed-size-limit", LOCAL.share);
  if (others.length === 0) return true;
  const problem = limit === null ? "computed-address" : bytes > limit ? "indexed-size" : null;
  if (problem !== null) return remark.fails(LOCAL.share, problem, stays(state, slot, problem));
  if (slot.size !== 4 || others.some((a) => a.base === null || a.size !== 4 || a.inst.ops[a.store ? 1 : 0]?.kind === "vec")) {
    return remark.fails(LOCAL.slot, "computed-form", stays(state, slot, "computed-form"));
  }
  if (shareOf(slot, others) < share) return remark.fails(LOCAL.share, "direct-share", stays(state, slot, "direct-share"));
  if (others.length * slots.length <= EXPANSION_LIMIT) return true;
  return remark.fails(LOCAL.slot, "too-many-compares", stays(state, slot, "too-many-compares"));
}

function replaceAccess({ edit, remark, registers, at }: State, block: BlockId, inst: Inst, slot: Slot): void {
  const reg = registers.get(slot) ?? null;
  const made = copyFor(inst, reg);
  const said = { offset: slot.offset, reg, inst, made, block, also: { verdict: "yes" } };
  remark.span(promote, "access", said, () => edit.replace(block, at, made));
}

/** The copy that an access becomes. */
function copyFor(inst: Inst, reg: Reg | null): Inst {
  const [a, b] = inst.ops;
  if (reg === null || a === undefined || b === undefined) return inst;
  return withForm(inst, "MOV", [], inst.op === "STL" ? [regOp(reg), b] : [a, regOp(reg)]);
}

/** The memory access stays for all other addresses; the slots' registers are chosen by comparing the base. */
function expand({ edit, remark, registers, at }: State, block: BlockId, { inst, base, store }: LocalAccess): void {
  const data = inst.ops[store ? 1 : 0];
  if (base === null || data === undefined) return;
  remark.span(computed, { inst, slots: registers.size, block }, () => {
    let after = at + 1;
    for (const [slot, reg] of registers) {
      const p = edit.freshReg("P");
      const wanted = (slot.offset - base.offset) | 0;
      // Before the access: a load may write its own base.
      edit.insert(block, at, edit.make("ISETP", [regOp(p), regOp(base.reg), immOp(wanted)], { mods: ["EQ"], line: inst.line }));
      after++;
      const ops = store ? [regOp(reg), data, regOp(reg), regOp(p)] : [data, regOp(reg), data, regOp(p)];
      edit.insert(block, after, edit.make("SEL", ops, { guard: inst.guard, line: inst.line }));
      after++;
    }
  });
}

/** A load may come before every store: local memory starts as 0, and so does the register. */
function initialise({ edit, remark, registers }: State): void {
  const entry = edit.func.layout[0];
  if (entry === undefined) return;
  const live = liveness(edit.func);
  const needed = [...registers].filter(([, reg]) => live.isLiveIn(entry, reg));
  const at = firstAfterPhis(edit, entry);
  for (const [{ offset, size }, reg] of needed) {
    remark.span(initial, { offset, reg, block: entry }, () =>
      edit.insert(entry, at, edit.make("MOV", [regOp(reg), regOp(size === 8 ? RDZ : RZ)])),
    );
  }
}

/** A remark on a slot that stays in memory; its row shows it, too. */
function stays(state: State, slot: Slot, verdict: string) {
  show(state, slot, verdict);
  const { offset, size, accesses } = slot;
  return { size, offset, insts: () => accesses.map(({ inst }) => inst), node: state.table.node(offset) };
}

function show({ table, memory }: State, slot: Slot, verdict: string): void {
  const { size, accesses, offset } = slot;
  table.set(offset, () => ({ size, accesses: accesses.length, share: shareOf(slot, memory.computed), verdict }));
}

/** Share of the accesses that may touch the slot and are direct. */
const shareOf = (slot: Slot, computed: readonly LocalAccess[]): number => slot.accesses.length / (slot.accesses.length + computed.length);

function firstAfterPhis(edit: Editor, block: BlockId): number {
  const { insts } = edit.block(block);
  let at = 0;
  while (insts[at]?.op === "PHI") at++;
  return at;
}
