/** ConvertMemoryToRegisterOrUniform: scalars in local memory at constant offsets become registers (general-optimize, sub_90EF70). */

import { liveness } from "../../analysis/liveness.ts";
import { immOp, regOp } from "../../ir/builder.ts";
import { withForm } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { RDZ, RZ } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { PassContext } from "../pass.ts";
import { alsoUsedBy, type LocalAccess, type LocalMemory, localMemory, type Slot } from "./local-slots.ts";
import type { LocalSlotRow } from "./rows.ts";
import { RULES } from "./rules.ts";

export interface Promotion {
  readonly slots: number;
  readonly promoted: number;
  /** Loads and stores that became copies. */
  readonly converted: number;
}

/** Compares with slots that computed accesses may take, all together. */
const EXPANSION_LIMIT = 256;

export function promoteLocalMemory(ctx: PassContext): Promotion {
  return new Promoter(ctx).run();
}

class Promoter {
  private readonly ctx: PassContext;
  private readonly memory: LocalMemory;
  private readonly table: ShownTable<LocalSlotRow>;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.memory = localMemory(ctx.edit.func, ctx.module);
    this.table = ctx.remark.shown.table("local-slots", "Slots of local memory");
  }

  run(): Promotion {
    const { edit, remark } = this.ctx;
    const { slots, computed } = this.memory;
    return remark.span(RULES.promotion, { slots: slots.length, computed: computed.length }, () => {
      const registers = new Map<Slot, Reg>();
      for (const slot of slots) {
        if (!this.mayMove(slot)) continue;
        this.show(slot, "register");
        registers.set(slot, edit.freshReg(slot.size === 8 ? "RD" : "R"));
      }
      const converted = registers.size === 0 ? 0 : this.convert(registers);
      return { slots: slots.length, promoted: registers.size, converted };
    });
  }

  /** Nothing stands against a register for the slot: it is promoted as a whole, with all its accesses. */
  private mayMove(slot: Slot): boolean {
    const { remark } = this.ctx;
    const { leak } = this.memory;
    if (leak !== null) {
      const said = { ...this.stays(slot, "address-taken"), by: leak };
      if (!remark.holds(RULES.escape, "address-taken", false, said)) return false;
    }
    const other = alsoUsedBy(this.ctx.edit.func, this.ctx.module, slot);
    if (other !== null)
      return remark.missed(RULES.escape, "shared-with", { ...this.stays(slot, "shared-with"), other: other.name }) ?? false;
    return this.mayBeScalar(slot) && this.mayBeIndexed(slot) && this.asked(slot);
  }

  private mayBeScalar(slot: Slot): boolean {
    const { edit, remark } = this.ctx;
    for (const problem of slot.problems) {
      const said = this.stays(slot, problem);
      if (problem === "size" || problem === "vector") return remark.missed(RULES.slot, problem, said) ?? false;
      if (!remark.holds(RULES.slot, problem, false, said)) return false;
    }
    const entry = edit.func.layout[0];
    if (entry === undefined || edit.block(entry).preds.length === 0) return true;
    return remark.holds(RULES.slot, "entry-in-loop", false, this.stays(slot, "entry-in-loop"));
  }

  /** Computed accesses leave it alone, or can be compared with it. */
  private mayBeIndexed(slot: Slot): boolean {
    const { remark, knobs } = this.ctx;
    const { computed, bytes, slots } = this.memory;
    const share = knobs.double("promotion-share", RULES.share);
    const limit = knobs.optionalInt("indexed-size-limit", RULES.share);
    if (computed.length === 0) return true;
    const problem = limit === null ? "computed-address" : bytes > limit ? "indexed-size" : null;
    if (problem !== null) return remark.missed(RULES.share, problem, this.stays(slot, problem)) ?? false;
    if (slot.size !== 4 || computed.some((a) => a.base === null || a.size !== 4 || a.inst.ops[a.store ? 1 : 0]?.kind === "vec")) {
      return remark.missed(RULES.slot, "computed-form", this.stays(slot, "computed-form")) ?? false;
    }
    if (shareOf(slot, computed) < share) return remark.missed(RULES.share, "direct-share", this.stays(slot, "direct-share")) ?? false;
    if (computed.length * slots.length <= EXPANSION_LIMIT) return true;
    return remark.missed(RULES.slot, "too-many-compares", this.stays(slot, "too-many-compares")) ?? false;
  }

  /** Asked for before anything changes: a computed access has to know all registers. */
  private asked(slot: Slot): boolean {
    const { remark } = this.ctx;
    const [first] = slot.accesses;
    if (first === undefined || !remark.mayRefuse) return true;
    const { inst, block } = first;
    return remark.askAhead(RULES.promote, { offset: slot.offset, reg: null, inst, made: inst, block });
  }

  private convert(registers: ReadonlyMap<Slot, Reg>): number {
    const { edit, remark } = this.ctx;
    const replacements = new Map<InstId, { readonly slot: Slot; readonly reg: Reg }>();
    for (const [slot, reg] of registers) for (const { inst } of slot.accesses) replacements.set(inst.id, { slot, reg });
    const computed = new Map(this.memory.computed.map((access) => [access.inst.id, access]));
    const blocks = new Set<BlockId>();
    for (const { accesses } of registers.keys()) for (const { block } of accesses) blocks.add(block);
    for (const { block } of this.memory.computed) blocks.add(block);
    let converted = 0;
    for (const id of blocks) {
      for (let at = edit.block(id).insts.length - 1; at >= 0; at--) {
        const inst = edit.block(id).insts[at];
        if (inst === undefined) continue;
        const direct = replacements.get(inst.id);
        if (direct !== undefined) {
          this.replace(id, at, inst, direct.slot, direct.reg);
          converted++;
          continue;
        }
        const access = computed.get(inst.id);
        if (access !== undefined) this.expand(id, at, access, registers);
      }
    }
    remark.at(RULES.initial);
    this.initialise(registers);
    return converted;
  }

  /** The slot's first access stands for the slot where rewrites are counted. */
  private replace(block: BlockId, at: number, inst: Inst, { offset, accesses }: Slot, reg: Reg): void {
    const { edit, remark } = this.ctx;
    const store = inst.op === "STL";
    const [a, b] = inst.ops;
    const other = store ? b : a;
    if (other === undefined) return;
    const ops = store ? [regOp(reg), other] : [other, regOp(reg)];
    const made = withForm(inst, "MOV", [], ops);
    const said = { offset, reg, inst, made, block };
    const write = (): void => edit.replace(block, at, made);
    if (inst.id === accesses[0]?.inst.id) remark.found(RULES.promote, said, write);
    else remark.span(RULES.promote, "access", { ...said, also: { verdict: "yes" } }, write);
  }

  /** The memory access stays for all other addresses; the slots' registers are chosen by comparing the base. */
  private expand(block: BlockId, at: number, access: LocalAccess, registers: ReadonlyMap<Slot, Reg>): void {
    const { edit, remark } = this.ctx;
    const { inst, base, store } = access;
    const data = inst.ops[store ? 1 : 0];
    if (base === null || data === undefined) return;
    remark.span(RULES.computed, { inst, slots: registers.size, block }, () => {
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
  private initialise(registers: ReadonlyMap<Slot, Reg>): void {
    const { edit, remark } = this.ctx;
    const entry = edit.func.layout[0];
    if (entry === undefined) return;
    const live = liveness(edit.func);
    const needed = [...registers].filter(([, reg]) => live.isLiveIn(entry, reg));
    const at = firstAfterPhis(edit, entry);
    for (const [{ offset, size }, reg] of needed) {
      remark.span(RULES.initial, { offset, reg, block: entry }, () =>
        edit.insert(entry, at, edit.make("MOV", [regOp(reg), regOp(size === 8 ? RDZ : RZ)])),
      );
    }
  }

  /** What a remark says of a slot that stays in memory; its row says so, too. */
  private stays(slot: Slot, verdict: string) {
    this.show(slot, verdict);
    const { offset, size, accesses } = slot;
    return { size, offset, insts: () => accesses.map(({ inst }) => inst), node: this.table.node(offset) };
  }

  private show(slot: Slot, verdict: string): void {
    const { size, accesses, offset } = slot;
    this.table.set(offset, () => ({ size, accesses: accesses.length, share: shareOf(slot, this.memory.computed), verdict }));
  }
}

/** Share of the accesses that may touch the slot and are direct. */
const shareOf = (slot: Slot, computed: readonly LocalAccess[]): number => slot.accesses.length / (slot.accesses.length + computed.length);

function firstAfterPhis(edit: Editor, block: BlockId): number {
  const { insts } = edit.block(block);
  let at = 0;
  while (insts[at]?.op === "PHI") at++;
  return at;
}
