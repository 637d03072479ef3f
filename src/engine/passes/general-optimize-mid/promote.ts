/** ConvertMemoryToRegisterOrUniform: scalars in local memory at constant offsets become registers (general-optimize, sub_90EF70). */

import { liveness } from "../../analysis/liveness.ts";
import { immOp, regOp } from "../../ir/builder.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { RDZ, RZ, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE, type StructureId } from "../../trace/recorder.ts";
import type { PassContext } from "../pass.ts";
import { type LocalAccess, type LocalMemory, localMemory, type Slot } from "./local-slots.ts";
import { LINE } from "./pseudocode.ts";

export interface Promotion {
  readonly promoted: number;
  /** Loads and stores that became copies. */
  readonly converted: number;
  readonly refusals: ReadonlyMap<string, number>;
  readonly slots: number;
}

/** Compares with slots that computed accesses may take, all together. */
const EXPANSION_LIMIT = 256;

export function promoteLocalMemory(ctx: PassContext): Promotion {
  return new Promoter(ctx).run();
}

class Promoter {
  private readonly ctx: PassContext;
  private readonly memory: LocalMemory;
  private readonly table: StructureId;
  private readonly refusals = new Map<string, number>();

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    this.memory = localMemory(ctx.edit.func, ctx.module);
    this.table = ctx.rec.on ? ctx.rec.structure("table", "local-slots", "Slots of local memory") : NO_STRUCTURE;
  }

  run(): Promotion {
    const { rec } = this.ctx;
    const { slots, computed } = this.memory;
    if (rec.on) {
      rec.begin(
        "span",
        LINE.promotion,
        "ConvertMemoryToRegisterOrUniform: {slots} {slots:slot|slots}, {computed} computed {computed:access|accesses}",
        {
          slots: slots.length,
          computed: computed.length,
        },
      );
    }
    const registers = new Map<Slot, Reg>();
    for (const slot of slots) {
      const verdict = this.judge(slot);
      this.show(slot, verdict);
      if (verdict === null) registers.set(slot, this.ctx.edit.freshReg(slot.size === 8 ? "RD" : "R"));
      else this.refuse(slot, verdict);
    }
    const converted = registers.size === 0 ? 0 : this.convert(registers);
    if (rec.on) rec.end();
    return { promoted: registers.size, converted, refusals: this.refusals, slots: slots.length };
  }

  /** Null: promote; else the short name of what stands against it. */
  private judge(slot: Slot): string | null {
    const { computed, leak, bytes, slots } = this.memory;
    const { edit, knobs } = this.ctx;
    if (leak !== null) return "address-taken";
    if (slot.problem !== null) return slot.problem;
    const entry = edit.func.layout[0];
    if (entry !== undefined && edit.block(entry).preds.length > 0) return "entry-in-loop";
    const share = knobs.double("promotion-share", LINE.share);
    const limit = knobs.optionalInt("indexed-size-limit", LINE.share);
    if (computed.length === 0) return null;
    if (limit === null) return "computed-address";
    if (bytes > limit) return "indexed-size";
    if (computed.some((a) => a.base === null || a.size !== 4 || a.inst.ops[a.store ? 1 : 0]?.kind === "vec") || slot.size !== 4)
      return "computed-form";
    if (shareOf(slot, computed) < share) return "direct-share";
    return computed.length * slots.length > EXPANSION_LIMIT ? "too-many-compares" : null;
  }

  private convert(registers: ReadonlyMap<Slot, Reg>): number {
    const { edit, rec } = this.ctx;
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
    if (rec.on) rec.at(LINE.initial);
    this.initialise(registers);
    return converted;
  }

  private replace(id: BlockId, at: number, inst: Inst, slot: Slot, reg: Reg): void {
    const { edit, rec } = this.ctx;
    const store = inst.op === "STL";
    const [a, b] = inst.ops;
    const other = store ? b : a;
    if (other === undefined) return;
    const ops = store ? [regOp(reg), other] : [other, regOp(reg)];
    const made: Inst = { ...inst, op: "MOV", mods: [], ops };
    if (rec.on) {
      const facts = {
        inst: printInst(edit.func, inst),
        made: printInst(edit.func, made),
        offset: slot.offset,
        reg: regName(reg),
        verdict: "yes",
      };
      rec.begin("rewrite", LINE.promote, "slot {offset} lives in {reg}: '{inst}' becomes '{made}'", facts, {
        blocks: [id],
        insts: [inst.id],
      });
    }
    edit.replace(id, at, made);
    if (rec.on) rec.end();
  }

  /** The memory access stays for all other addresses; the slots' registers are chosen by comparing the base. */
  private expand(id: BlockId, at: number, access: LocalAccess, registers: ReadonlyMap<Slot, Reg>): void {
    const { edit, rec } = this.ctx;
    const { inst, base, store } = access;
    const data = inst.ops[store ? 1 : 0];
    if (base === null || data === undefined) return;
    if (rec.on) {
      const facts = { inst: printInst(edit.func, inst), slots: registers.size };
      rec.begin(
        "rewrite",
        LINE.computed,
        "'{inst}' may address any of {slots} {slots:slot|slots}: its address is compared with each",
        facts,
        {
          blocks: [id],
          insts: [inst.id],
        },
      );
    }
    let behind = at + 1;
    for (const [slot, reg] of registers) {
      const p = edit.freshReg("P");
      const wanted = (slot.offset - base.offset) | 0;
      // In front of the access: a load may write its own base.
      edit.insert(id, at, edit.make("ISETP", [regOp(p), regOp(base.reg), immOp(wanted)], { mods: ["EQ"], line: inst.line }));
      behind++;
      const ops = store ? [regOp(reg), data, regOp(reg), regOp(p)] : [data, regOp(reg), data, regOp(p)];
      edit.insert(id, behind, edit.make("SEL", ops, { guard: inst.guard, line: inst.line }));
      behind++;
    }
    if (rec.on) rec.end();
  }

  /** A load may come before every store: local memory starts as 0, and so does the register. */
  private initialise(registers: ReadonlyMap<Slot, Reg>): void {
    const { edit, rec } = this.ctx;
    const entry = edit.func.layout[0];
    if (entry === undefined) return;
    const live = liveness(edit.func);
    const needed = [...registers].filter(([, reg]) => live.isLiveIn(entry, reg));
    const at = firstBehindPhis(edit, entry);
    for (const [slot, reg] of needed) {
      if (rec.on) {
        const facts = { offset: slot.offset, reg: regName(reg) };
        rec.begin("rewrite", LINE.initial, "slot {offset} may be read before it is written: {reg} starts as 0", facts, { blocks: [entry] });
      }
      edit.insert(entry, at, edit.make("MOV", [regOp(reg), regOp(slot.size === 8 ? RDZ : RZ)]));
      if (rec.on) rec.end();
    }
  }

  private refuse(slot: Slot, condition: string): void {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    const { edit, rec } = this.ctx;
    if (!rec.on) return;
    const { leak, computed, bytes } = this.memory;
    const facts = {
      verdict: "no",
      condition,
      offset: slot.offset,
      size: slot.size,
      why: REASONS[condition] ?? condition,
      by: leak === null ? "" : printInst(edit.func, leak),
      share: shareOf(slot, computed),
      bytes,
    };
    const template =
      condition === "address-taken"
        ? "the {size} {size:byte|bytes} at local offset {offset} {size:stays|stay} in memory: '{by}' may reach them"
        : "the {size} {size:byte|bytes} at local offset {offset} {size:stays|stay} in memory: {why}";
    const line = LINES[condition] ?? LINE.slot;
    rec.event("match", line, template, facts, { insts: slot.accesses.map(({ inst }) => inst.id), nodes: [`local-slots/${slot.offset}`] });
  }

  private show(slot: Slot, verdict: string | null): void {
    const { rec } = this.ctx;
    if (!rec.on) return;
    rec.cell(this.table, String(slot.offset), {
      size: slot.size,
      accesses: slot.accesses.length,
      share: shareOf(slot, this.memory.computed),
      verdict: verdict ?? "register",
    });
  }
}

/** Share of the accesses that may touch the slot and are direct. */
const shareOf = (slot: Slot, computed: readonly LocalAccess[]): number => slot.accesses.length / (slot.accesses.length + computed.length);

const REASONS: Readonly<Record<string, string>> = {
  "partial-overlap": "accesses of other sizes or offsets share bytes with it",
  size: "only 32 and 64 bits have a register",
  volatile: "an access is volatile",
  vector: "it is read or written as part of a vector",
  "entry-in-loop": "the entry block is in a loop, so there is no place to start the register from",
  "computed-address": "a computed address may reach it, and knob 135 is not set",
  "indexed-size": "a computed address may reach it, and the array is larger than knob 135 allows",
  "computed-form": "a computed access has another size or an address that cannot be compared",
  "direct-share": "too few of its accesses are direct (knob 136)",
  "too-many-compares": "the computed accesses would take too many compares",
};

const LINES: Readonly<Record<string, number>> = {
  "address-taken": LINE.escape,
  "computed-address": LINE.share,
  "indexed-size": LINE.share,
  "direct-share": LINE.share,
};

function firstBehindPhis(edit: Editor, block: BlockId): number {
  const { insts } = edit.block(block);
  let at = 0;
  while (insts[at]?.op === "PHI") at++;
  return at;
}
