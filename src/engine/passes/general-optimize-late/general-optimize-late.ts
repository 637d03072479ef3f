/** Phase 58, GeneralOptimizeLate: one walk over each block with a six-slot ring of copy pairs. */

import { liveness, scanLive } from "../../analysis/liveness.ts";
import { regOp } from "../../ir/builder.ts";
import { withOps } from "../../ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isConstantReg, isPredicateReg, isUniformReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { Ring, sourceText } from "./ring.ts";
import type { CopyRingRow, LateCounterRow } from "./rows.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";

export const generalOptimizeLate: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  settles: true,
  run: (ctx) => new LateCopies(ctx).run(),
};

/** Bits of byte +1396. */
const REGISTER_COPIES = 0x08;
const IMMEDIATE_COPIES = 0x04;
const LEVEL_BITS = 0x30;
const REDUCED_LEVEL = 0x20;

const COUNTERS = ["register", "immediate", "repeat", "dead", "self", "predicate", "wide"] as const;
type Counter = (typeof COUNTERS)[number];

interface Copy {
  readonly dest: Reg;
  readonly source: Operand;
}

class LateCopies {
  private readonly ctx: PassContext;
  private readonly counters = new Map<Counter, number>(COUNTERS.map((name) => [name, 0]));
  private readonly ringView: ShownTable<CopyRingRow>;
  private readonly counterView: ShownTable<LateCounterRow>;
  private restricted = false;
  private flags = 0;
  private copies = 0;
  private evictions = 0;

  constructor(ctx: PassContext) {
    this.ctx = ctx;
    const { shown } = ctx.remark;
    this.ringView = shown.ring("copy-ring", "Six-slot ring of copy pairs");
    this.counterView = shown.table("late-counters", "Counters and changed flags");
  }

  run(): PassOutcome {
    const { edit, remark, knobs } = this.ctx;
    this.flags = knobs.int("late-flags", RULES.flags);
    const flags = `0x${this.flags.toString(16).toUpperCase().padStart(2, "0")}`;
    const none =
      remark.closed(RULES.flags, "level", (this.flags & LEVEL_BITS) !== REDUCED_LEVEL, { flags }) ??
      remark.closed(RULES.flags, "flags", (this.flags & (REGISTER_COPIES | IMMEDIATE_COPIES)) !== 0, { flags });
    if (none !== null) return remark.outcome({ none });
    const restricted = knobs.flag("late-ring-keep", RULES.restricted);
    this.restricted = !remark.gate(RULES.restricted, "605", !restricted);
    for (const name of COUNTERS) this.counterView.set(name, { count: 0, changed: false });
    remark.step(RULES.counters, { node: this.counterView.node("register") });
    const live = liveness(edit.func);
    for (const id of edit.func.layout) {
      const dead = new Set<InstId>();
      scanLive(edit.func, live, id, (inst, _at, isLive) => {
        if (copyOf(inst) === null || defsOf(inst).some(isLive)) return false;
        // What may not be removed keeps the copies alive that it reads.
        if (remark.mayRefuse && !remark.askAhead(RULES.dead, { inst, block: id })) return false;
        dead.add(inst.id);
        return true;
      });
      this.block(id, dead);
    }
    const refused = remark.reasons("always");
    return remark.outcome({
      matches: this.copies,
      why: this.copies === 0 ? "the function has no copy" : `${NO_REPEAT}${refused === "" ? "" : `; refused: ${refused}`}`,
      further: this.further(),
      figures: { ...Object.fromEntries(this.counters), evictions: this.evictions },
    });
  }

  /** It is one walk: what it did opens slots of the ring and takes readers away from copies that it has passed already. */
  private further(): string | null {
    const { edit, remark } = this.ctx;
    if (remark.rewrites === 0) return null;
    const left = edit.func.layout.some((id) => edit.block(id).insts.some((inst) => copyOf(inst) !== null));
    return !left ? null : "it makes one walk, and what it rewrote changes what the ring holds, and who reads the copies that are left";
  }

  private block(id: BlockId, dead: ReadonlySet<InstId>): void {
    const { edit, remark } = this.ctx;
    remark.open(RULES.blocks, { block: id });
    remark.step(RULES.ring, { count: dead.size, insts: () => [...dead] });
    const ring = new Ring(this.ringView);
    for (let at = 0; at < edit.block(id).insts.length; at++) {
      const inst = edit.block(id).insts[at] as Inst;
      if (this.instruction(id, at, inst, ring, dead)) at--;
    }
    this.evictions += ring.evictions;
    remark.close();
  }

  /** True when the instruction was removed. */
  private instruction(block: BlockId, at: number, inst: Inst, ring: Ring, dead: ReadonlySet<InstId>): boolean {
    const { edit, remark } = this.ctx;
    const copy = copyOf(inst);
    if (copy === null) {
      if (inst.op === "MOV" || inst.op === "PMOV") remark.missed(RULES.notCopy, "plain-copy", { inst, block });
      this.invalidate(block, inst, ring);
      return false;
    }
    this.copies++;
    const { dest, source } = copy;
    remark.step(RULES.instruction, { inst, source: () => sourceText(source), block });
    if (dead.has(inst.id) && remark.found(RULES.dead, { inst, block }, () => this.remove(block, at, "dead"))) return true;
    if (source.kind === "reg" && source.reg === dest) {
      return remark.found(RULES.repeat, "self", { inst, block }, () => this.remove(block, at, "self")) ?? false;
    }
    if (!this.eligible(block, inst, copy)) {
      this.invalidate(block, inst, ring);
      return false;
    }
    const slot = ring.find(source, dest);
    const pair = ring.slot(slot);
    if (pair === null) {
      this.invalidate(block, inst, ring);
      // A copy onto its own source's register was invalidated by itself.
      if (this.restricted) remark.missed(RULES.insert, "nothing-new", { inst, block });
      else this.insert(block, inst, copy, ring);
      return false;
    }
    const node = ring.node(slot);
    remark.matched(RULES.match, {
      slot,
      source: () => sourceText(source),
      dest: pair.dest,
      block,
      insts: [inst, pair.first],
      node,
      also: { condition: "same-source" },
    });
    if (pair.dest === dest) {
      const removed = remark.found(RULES.repeat, "repeat", { inst, block }, () => {
        ring.pair(slot, inst.id);
        return this.remove(block, at, "repeat");
      });
      return removed ?? false;
    }
    const said = { inst, from: pair.dest, slot, source: () => sourceText(source), block, regs: [pair.dest, dest], node };
    remark.found(RULES.reuse, said, () => {
      edit.replace(block, at, withOps(inst, [...inst.ops.slice(0, 1), regOp(pair.dest)]));
      ring.pair(slot, inst.id);
      remark.step(RULES.second, { slot, node });
      this.fire(counterOf(copy));
    });
    this.invalidate(block, inst, ring);
    return false;
  }

  private eligible(block: BlockId, inst: Inst, { dest, source }: Copy): boolean {
    const { remark } = this.ctx;
    const variant = source.kind === "reg" ? REGISTER_COPIES : IMMEDIATE_COPIES;
    const uniform = isUniformReg(dest) || (source.kind === "reg" && isUniformReg(source.reg));
    if ((this.flags & variant) === 0) remark.missed(RULES.registers, "flags", { inst, block });
    else if (uniform) remark.missed(RULES.registers, "register-class", { inst, block });
    else return true;
    return false;
  }

  private insert(block: BlockId, inst: Inst, { dest, source }: Copy, ring: Ring): void {
    // The slot would name what the copy itself has changed.
    if (source.kind === "reg" && source.reg === dest) return;
    const { index, evicted } = ring.insert(dest, source, inst.id);
    const said = { inst, slot: index, evicted: evicted?.dest ?? null, block, node: ring.node(index) };
    this.ctx.remark.step(RULES.insert, evicted === null ? "free" : "evicts", said);
  }

  private invalidate(block: BlockId, inst: Inst, ring: Ring): void {
    for (const reg of defsOf(inst)) {
      const slots = ring.invalidate(reg);
      if (slots.length > 0)
        this.ctx.remark.step(RULES.invalidate, { inst, reg, slots, block, nodes: () => slots.map((i) => ring.node(i)) });
    }
  }

  private remove(block: BlockId, at: number, counter: Counter): true {
    this.ctx.edit.remove(block, at);
    this.fire(counter);
    return true;
  }

  private fire(counter: Counter): void {
    const count = (this.counters.get(counter) ?? 0) + 1;
    this.counters.set(counter, count);
    this.counterView.set(counter, { count, changed: true });
  }
}

const NO_REPEAT = "no copy repeats one of the last six of its block";

function counterOf({ dest, source }: Copy): Counter {
  if (isPredicateReg(dest)) return "predicate";
  if (is64(dest)) return "wide";
  return source.kind === "reg" ? "register" : "immediate";
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
