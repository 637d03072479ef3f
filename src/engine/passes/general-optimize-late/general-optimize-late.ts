/** Phase 58, GeneralOptimizeLate: one walk over each block with a six-slot ring of copy pairs. */

import { liveness, scanLive } from "../../analysis/liveness.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isConstantReg, isPredicateReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { Ring, sourceText } from "./ring.ts";

export const generalOptimizeLate: Pass = {
  family: "general-optimize-late",
  ids: ["general-optimize-late"],
  summary: "Replaces copies that repeat a recent one, with a ring of six pairs a block.",
  pseudocode: PSEUDOCODE,
  settles: true,
  run: (ctx) => new LateCopies(ctx).run(),
};

/** Byte +1396: bits 2 and 3 enable register and immediate copies; the notes give no value. */
const FLAGS_1396 = 0x0c;
const REGISTER_COPIES = 0x04;
const IMMEDIATE_COPIES = 0x08;

const COUNTERS = ["register", "immediate", "repeat", "dead", "self", "predicate", "wide"] as const;
type Counter = (typeof COUNTERS)[number];

interface Copy {
  readonly dest: Reg;
  readonly source: Operand;
}

class LateCopies {
  private readonly ctx: PassContext;
  private readonly counters = new Map<Counter, number>(COUNTERS.map((name) => [name, 0]));
  private readonly ringView;
  private readonly counterView;
  private restricted = false;
  private matches = 0;
  private rewrites = 0;
  private evictions = 0;
  private readonly refusals = new Map<string, number>();

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    const { rec } = ctx;
    this.ringView = rec.on ? rec.structure("ring", "copy-ring", "Six-slot ring of copy pairs") : NO_STRUCTURE;
    this.counterView = rec.on ? rec.structure("table", "late-counters", "Counters and changed flags") : NO_STRUCTURE;
  }

  run(): PassOutcome {
    const { edit, rec, knobs } = this.ctx;
    if (rec.on) {
      rec.event("gate", LINE.flags, "+1396 is {flags}: register copies and immediate copies are looked at", {
        flags: "0x0C",
        gate: "flags",
        ok: true,
      });
    }
    this.restricted = knobs.flag("late-ring-keep", LINE.restricted);
    if (rec.on) {
      rec.event(
        "gate",
        LINE.restricted,
        this.restricted ? "knob 605: nothing new goes into the ring" : "knob 605 is off: copies go into the ring",
        {
          gate: "605",
          ok: !this.restricted,
        },
      );
      for (const name of COUNTERS) rec.cell(this.counterView, name, { count: 0, changed: false });
      rec.event("note", LINE.counters, "seven counters are cleared", {}, { nodes: ["late-counters/register"] });
    }
    const live = liveness(edit.func);
    for (const id of edit.func.layout) {
      const dead = new Set<InstId>();
      scanLive(edit.func, live, id, (inst, _at, isLive) => {
        if (copyOf(inst) === null || defsOf(inst).some(isLive)) return false;
        dead.add(inst.id);
        return true;
      });
      this.block(id, dead);
    }
    const reasons = [...this.refusals].map(([condition, times]) => `${condition} (${times})`);
    const why =
      this.rewrites > 0
        ? null
        : this.matches === 0
          ? "the function has no copy"
          : `no copy repeats one of the last six of its block${reasons.length > 0 ? `; refused: ${reasons.join(", ")}` : ""}`;
    return {
      matches: this.matches,
      rewrites: this.rewrites,
      why,
      further: this.further(),
      figures: { ...Object.fromEntries(this.counters), evictions: this.evictions },
    };
  }

  /** It is one walk: what it did opens slots of the ring and takes readers away from copies that it has passed already. */
  private further(): string | null {
    if (this.rewrites === 0) return null;
    const { edit } = this.ctx;
    const left = edit.func.layout.some((id) => edit.block(id).insts.some((inst) => copyOf(inst) !== null));
    return !left ? null : "it makes one walk, and what it rewrote changes what the ring holds, and who reads the copies that are left";
  }

  private block(id: BlockId, dead: ReadonlySet<InstId>): void {
    const { edit, rec } = this.ctx;
    if (rec.on) {
      rec.begin("visit", LINE.blocks, "walk {block}", { block: edit.block(id).label }, { blocks: [id] });
      rec.event(
        "note",
        LINE.ring,
        "the ring is empty; {count} {count:copy is|copies are} dead",
        { count: dead.size },
        { insts: [...dead] },
      );
    }
    const ring = new Ring(rec, this.ringView);
    for (let at = 0; at < edit.block(id).insts.length; at++) {
      const inst = edit.block(id).insts[at] as Inst;
      if (this.instruction(id, at, inst, ring, dead)) at--;
    }
    this.evictions += ring.evictions;
    if (rec.on) rec.end();
  }

  /** True when the instruction was removed. */
  private instruction(id: BlockId, at: number, inst: Inst, ring: Ring, dead: ReadonlySet<InstId>): boolean {
    const { edit, rec } = this.ctx;
    const copy = copyOf(inst);
    if (copy === null) {
      if (rec.on && (inst.op === "MOV" || inst.op === "PMOV")) {
        this.say(id, inst, LINE.notCopy, "plain-copy", "it has a guard, or does not copy a whole register or an integer");
      }
      this.invalidate(id, inst, ring);
      return false;
    }
    this.matches++;
    if (rec.on)
      rec.event(
        "visit",
        LINE.instruction,
        "'{inst}' copies {source}",
        { inst: printInst(edit.func, inst), source: sourceText(copy.source) },
        { blocks: [id], insts: [inst.id] },
      );
    if (dead.has(inst.id)) {
      this.remove(id, at, inst, LINE.dead, "dead", "'{inst}' is dead: removed");
      return true;
    }
    if (copy.source.kind === "reg" && copy.source.reg === copy.dest) {
      this.remove(id, at, inst, LINE.repeat, "self", "'{inst}' copies a register to itself: removed");
      return true;
    }
    if (!this.eligible(id, inst, copy)) {
      this.invalidate(id, inst, ring);
      return false;
    }
    const found = ring.find(copy.source, copy.dest);
    const slot = ring.slot(found);
    if (rec.on && slot !== null) {
      rec.event(
        "match",
        LINE.match,
        "slot {slot} holds {source} in {dest}",
        { slot: found, source: sourceText(copy.source), dest: regName(slot.dest), verdict: "yes", condition: "same-source" },
        { blocks: [id], insts: [inst.id, slot.first], nodes: [`copy-ring/slot${found}`] },
      );
    }
    if (slot?.dest === copy.dest) {
      ring.pair(found, inst.id);
      this.remove(id, at, inst, LINE.repeat, "repeat", "'{inst}' repeats the pair in a slot: removed");
      return true;
    }
    if (slot !== null) {
      this.reuse(id, at, inst, copy, ring, found, slot.dest);
      this.invalidate(id, inst, ring);
      return false;
    }
    this.invalidate(id, inst, ring);
    // A copy onto its own source's register was invalidated by itself.
    if (!this.restricted) this.insert(id, inst, copy, ring);
    else this.count(id, inst, LINE.insert, "605", "it is new, and knob 605 lets nothing new in");
    return false;
  }

  private eligible(id: BlockId, inst: Inst, { dest, source }: Copy): boolean {
    const variant = source.kind === "reg" ? REGISTER_COPIES : IMMEDIATE_COPIES;
    if ((FLAGS_1396 & variant) === 0) return this.count(id, inst, LINE.registers, "flags", "its variant is not enabled in +1396");
    if (isUniformReg(dest) || (source.kind === "reg" && isUniformReg(source.reg))) {
      return this.count(id, inst, LINE.registers, "register-class", "a uniform register takes no part");
    }
    return true;
  }

  private reuse(id: BlockId, at: number, inst: Inst, copy: Copy, ring: Ring, found: number, from: Reg): void {
    const { edit, rec } = this.ctx;
    const counter: Counter = isPredicateReg(copy.dest)
      ? "predicate"
      : is64(copy.dest)
        ? "wide"
        : copy.source.kind === "reg"
          ? "register"
          : "immediate";
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.reuse,
        "'{inst}' takes {from}, which slot {slot} has copied from {source} already",
        { inst: printInst(edit.func, inst), from: regName(from), slot: found, source: sourceText(copy.source), verdict: "yes" },
        { blocks: [id], insts: [inst.id], regs: [from, copy.dest], nodes: [`copy-ring/slot${found}`] },
      );
    }
    const [dest] = inst.ops;
    edit.replace(id, at, {
      ...inst,
      ops: [...(dest === undefined ? [] : [dest]), { kind: "reg", reg: from, neg: false, abs: false, not: false }],
    });
    ring.pair(found, inst.id);
    if (rec.on) {
      rec.event("note", LINE.second, "slot {slot} holds the pair now", { slot: found }, { nodes: [`copy-ring/slot${found}`] });
      rec.end();
    }
    this.fire(counter);
  }

  private insert(id: BlockId, inst: Inst, { dest, source }: Copy, ring: Ring): void {
    const { edit, rec } = this.ctx;
    // The slot would name what the copy itself has changed.
    if (source.kind === "reg" && source.reg === dest) return;
    const { index, evicted } = ring.insert(dest, source, inst.id);
    if (!rec.on) return;
    rec.event(
      "note",
      LINE.insert,
      evicted === null ? "'{inst}' goes into slot {slot}" : "'{inst}' goes into slot {slot}, and the copy into {evicted} leaves it",
      { inst: printInst(edit.func, inst), slot: index, evicted: evicted === null ? null : regName(evicted.dest) },
      { blocks: [id], insts: [inst.id], nodes: [`copy-ring/slot${index}`] },
    );
  }

  private invalidate(id: BlockId, inst: Inst, ring: Ring): void {
    const { edit, rec } = this.ctx;
    for (const r of defsOf(inst)) {
      const gone = ring.invalidate(r);
      if (gone.length === 0 || !rec.on) continue;
      rec.event(
        "note",
        LINE.invalidate,
        "'{inst}' writes {reg}: {slots:slot|slots} {slots} {slots:is|are} emptied",
        { inst: printInst(edit.func, inst), reg: regName(r), slots: gone },
        { blocks: [id], insts: [inst.id], regs: [r], nodes: gone.map((i) => `copy-ring/slot${i}`) },
      );
    }
  }

  private remove(id: BlockId, at: number, inst: Inst, line: number, counter: Counter, template: string): void {
    const { edit, rec } = this.ctx;
    if (rec.on)
      rec.begin("rewrite", line, template, { inst: printInst(edit.func, inst), verdict: "yes" }, { blocks: [id], insts: [inst.id] });
    edit.remove(id, at);
    if (rec.on) rec.end();
    this.fire(counter);
  }

  private fire(counter: Counter): void {
    const { rec } = this.ctx;
    const count = (this.counters.get(counter) ?? 0) + 1;
    this.counters.set(counter, count);
    this.rewrites++;
    if (rec.on) rec.cell(this.counterView, counter, { count, changed: true });
  }

  private count(id: BlockId, inst: Inst, line: number, condition: string, why: string): false {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    if (this.ctx.rec.on) this.say(id, inst, line, condition, why);
    return false;
  }

  private say(id: BlockId, inst: Inst, line: number, condition: string, why: string): void {
    const { edit, rec } = this.ctx;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: [inst.id] },
    );
  }
}

/** An unguarded copy of a whole register or an integer. */
function copyOf(inst: Inst): Copy | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, source] = inst.ops;
  if (dest?.kind !== "reg" || isConstantReg(dest.reg) || source === undefined) return null;
  if (source.kind === "imm" || source.kind === "imm64") return { dest: dest.reg, source };
  if (source.kind !== "reg" || source.neg || source.abs || source.not) return null;
  return { dest: dest.reg, source };
}
