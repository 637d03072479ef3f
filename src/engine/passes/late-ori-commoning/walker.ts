/** The core walker (`sub_9055F0`) and the commoning check (`sub_901A90`). */

import { expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces, readSpaces } from "../../analysis/memory-states.ts";
import { computeMerges } from "../../analysis/merges.ts";
import { type DomWalk, domWalk, Environment } from "../../analysis/value-environment.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { is64, isConstantReg, isPredicateReg, regClass, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, isVolatileAccess, mapUses, usesOf } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { type ClassMask, EMPTY_MASK, maskDigits, mayContain } from "../../structures/class-mask.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE, type StructureId } from "../../trace/recorder.ts";
import type { PassContext } from "../pass.ts";
import { type Candidate, Chains, type Described, describe } from "./candidates.ts";
import { classOf } from "./class-of.ts";
import { type EquivContext, failedCondition, verdicts } from "./equiv.ts";
import { LINE } from "./pseudocode.ts";
import { WorkingSet } from "./working-set.ts";

const CLOCKS = /^SR_(CLOCK|GLOBALTIMER)/;

export class Walker {
  readonly counts = { tried: 0, commoned: 0, movs: 0, removed: 0, remapped: 0, cleaned: 0 };
  readonly refusals = new Map<string, number>();
  readonly chains = new Chains();
  private readonly ctx: PassContext;
  private readonly walk: DomWalk;
  private readonly numbers = new Numbers();
  private readonly env: Environment;
  private readonly ws: WorkingSet;
  private readonly budget: Budget;
  private readonly moves: boolean;
  private readonly equiv: EquivContext;
  private readonly equivView: StructureId;
  private readonly instView: StructureId;
  /** Accumulator at the end of each block. */
  private readonly ends = new Map<BlockId, ClassMask>();
  /** Instructions that write again what their register holds, and the MOVs made here. */
  private readonly doomed = new Map<InstId, string>();
  private readonly made = new Set<InstId>();
  private epoch = 0;

  constructor(ctx: PassContext) {
    const { edit, rec, knobs } = ctx;
    this.ctx = ctx;
    this.budget = knobs.budget("late-commoning-per-instruction", LINE.gate);
    this.moves = !knobs.flag("disable-move-commoning", LINE.mov);
    if (rec.on) rec.event("note", LINE.allocate, "a working set for {name}", { name: edit.func.name });
    this.walk = domWalk(edit.func);
    const merges = computeMerges(edit.func, changedSpaces);
    this.env = new Environment(edit.func, this.numbers, merges, this.walk, new Map());
    if (rec.on)
      rec.event("note", LINE.chains, "merges of registers and memory in {blocks} {blocks:block|blocks}", {
        blocks: this.walk.order.length,
      });
    this.ws = new WorkingSet(rec, edit.func.name, this.walk.order.length);
    this.equivView = rec.on ? rec.structure("table", "equiv", "EQUIV: verdicts of the last comparison") : NO_STRUCTURE;
    this.instView = rec.on ? rec.structure("table", "inst-slots", "Instruction slots (+88): hash, class mask") : NO_STRUCTURE;
    this.equiv = {
      tree: this.walk.tree,
      label: (id) => edit.block(id).label,
      read: this.env.readReg,
      slot: (r) => this.ws.slot(r),
    };
    if (rec.on)
      rec.event("note", LINE.reset, "{slots} {slots:slot|slots} in the class table, accumulator 0", { slots: this.walk.order.length + 1 });
  }

  run(): void {
    for (const [place, id] of this.walk.order.entries()) this.block(id, place + 1);
    this.cleanUp();
  }

  // --- one block -------------------------------------------------------------------------------------------------------------

  private block(id: BlockId, order: number): void {
    const { edit, rec } = this.ctx;
    const block = edit.block(id);
    const above = this.walk.tree.idom[id] ?? -1;
    if (rec.on) {
      rec.begin("visit", LINE.block, "{block} has the order {order}", { block: block.label, order }, { blocks: [id] });
      this.ws.classes.obs.at(LINE.block, { blocks: [id] });
    }
    this.env.enter(id);
    this.ws.resume(this.ends.get(above as BlockId) ?? EMPTY_MASK);
    this.ws.classes.obs.at(LINE.boundary, { blocks: [id] });
    this.ws.classes.snapshot(order);
    this.epoch = 0;
    // Replacements keep every place; what goes, goes at the end.
    for (const [at, inst] of block.insts.slice().entries()) {
      if (rec.on) {
        const focus = { blocks: [id], insts: [inst.id] };
        rec.begin("visit", LINE.instruction, "look at '{inst}'", { inst: printInst(edit.func, inst) }, focus);
      }
      this.instruction(id, order, at, this.remap(id, at, inst));
      if (rec.on) rec.end();
    }
    this.ends.set(id, this.ws.classes.accumulator);
    this.env.leave(id);
    if (rec.on) rec.end();
  }

  private remap(id: BlockId, at: number, inst: Inst): Inst {
    // A PHI reads at the ends of its predecessors: what holds there is not known here.
    if (inst.op === "PHI") return inst;
    const { edit, rec } = this.ctx;
    const mapped = mapUses(inst, (r) => this.ws.representative(r, this.env.readReg));
    if (mapped === inst) return inst;
    this.counts.remapped++;
    if (rec.on) {
      const from = usesOf(inst).filter((r) => this.ws.representative(r, this.env.readReg) !== r);
      rec.begin(
        "rewrite",
        LINE.remap,
        "'{inst}' reads {to} instead of {from}: they hold the same value",
        {
          inst: printInst(edit.func, inst),
          from: from.map(regName),
          to: from.map((r) => regName(this.ws.representative(r, this.env.readReg))),
          verdict: "yes",
        },
        { blocks: [id], insts: [inst.id], regs: from },
      );
    }
    edit.replace(id, at, mapped);
    if (rec.on) rec.end();
    return mapped;
  }

  private instruction(id: BlockId, order: number, at: number, inst: Inst): void {
    const { edit, rec } = this.ctx;
    const effect = effectOf(inst);
    if (effect === "sync" || effect === "barrier" || effect === "call" || effect === "control") this.epoch++;
    switch (inst.op) {
      case "MOV":
      case "PMOV":
        this.move(id, inst);
        return;
      case "SEL":
        if (rec.on) this.ws.classes.obs.at(LINE.sel, { blocks: [id], insts: [inst.id] });
        this.ws.resetAccumulator();
        this.define(inst, this.plainVersion(inst));
        return;
      case "PHI":
        if (rec.on) this.ws.classes.obs.at(LINE.phi, { blocks: [id], insts: [inst.id] });
        this.ws.classes.snapshot(order);
        this.define(inst, this.env.phiNumber(id, inst.id, ""));
        return;
      default:
        break;
    }
    const why = ineligible(inst);
    if (why !== null) {
      if (rec.on && !isTerminator(inst)) this.say(id, inst, LINE.hash, "eligible", why, null);
      this.define(inst, this.numbers.fresh());
      if (!isTerminator(inst)) this.accumulate(inst);
      return;
    }
    const dest = defsOf(inst)[0] as Reg;
    const described = describe(inst, id, at, dest, this.env.readReg, this.stateOf(id, inst));
    const n = this.numbers.intern(described.text);
    // Under a guard the result may be the old value.
    const version = inst.guard === null ? n : this.numbers.fresh();
    if (this.budget.take(LINE.gate)) {
      this.counts.tried++;
      const leader = this.tryCommon(order, described);
      if (leader !== null) {
        this.common(id, described, leader);
        this.define(inst, dest === leader.dest ? leader.version : version);
        if (dest !== leader.dest && inst.guard === null) this.ws.link(dest, leader.dest, version, false);
        return;
      }
    }
    this.define(inst, version);
    this.chains.add({ ...described, order, version });
    this.ws.setSlot(dest, order);
    if (rec.on) {
      const facts = { inst: printInst(edit.func, inst), hash: hex(described.hash), reg: regName(dest), order };
      rec.event("note", LINE.candidate, "'{inst}' is a candidate from here (hash {hash}, chain slot of {reg} = {order})", facts, {
        blocks: [id],
        insts: [inst.id],
        nodes: [`registers/${regName(dest)}`],
      });
    }
    this.accumulate(inst);
  }

  private accumulate(inst: Inst): void {
    if (this.ctx.rec.on) this.ws.classes.obs.at(LINE.candidate, { insts: [inst.id] });
    this.ws.accumulate(classOf(inst));
  }

  /** Memory versions of a load; the block and its lanes for what depends on them. */
  private stateOf(id: BlockId, inst: Inst): string {
    if (effectOf(inst) === "warp") return `!${id}.${this.epoch}`;
    return readSpaces(inst)
      .map((space) => `~${this.env.read(space)}`)
      .join("");
  }

  private define(inst: Inst, version: number): void {
    for (const [k, r] of defsOf(inst).entries()) this.env.set(r, k === 0 ? version : this.numbers.fresh());
    for (const space of changedSpaces(inst)) this.env.set(space, this.numbers.fresh());
  }

  private plainVersion(inst: Inst): number {
    return inst.guard === null ? this.numbers.intern(expressionText(inst, this.env.readReg, "")) : this.numbers.fresh();
  }

  private move(id: BlockId, inst: Inst): void {
    const { rec } = this.ctx;
    const [dest, source] = inst.ops;
    const plain = source?.kind === "reg" && !source.neg && !source.abs && !source.not && !isConstantReg(source.reg);
    if (!plain || dest?.kind !== "reg" || inst.guard !== null) {
      this.define(inst, this.plainVersion(inst));
      return;
    }
    if (this.moves && this.ws.linked > 0) {
      const links = this.ws.linked;
      const shortened = this.ws.flush(this.env.readReg);
      if (rec.on) {
        rec.event(
          "note",
          LINE.mov,
          "WS[2] was {links}: the chains of representatives are looked through, {shortened} {shortened:becomes|become} shorter",
          { links, shortened },
          { blocks: [id], insts: [inst.id], nodes: ["ws/WS[2]"] },
        );
      }
    }
    const n = this.env.read(source.reg);
    this.define(inst, n);
    if (!this.moves || isConstantReg(dest.reg) || dest.reg === source.reg || regClass(dest.reg) !== regClass(source.reg)) return;
    this.ws.link(dest.reg, source.reg, n, true);
    if (rec.on) {
      const facts = { reg: regName(dest.reg), to: regName(source.reg) };
      const nodes = [`registers/${regName(dest.reg)}`, "ws/WS[2]"];
      rec.event("note", LINE.mov, "the representative of {reg} is {to}", facts, { blocks: [id], insts: [inst.id], nodes });
    }
  }

  // --- the commoning check ---------------------------------------------------------------------------------------------------

  private tryCommon(order: number, mine: Described): Candidate | null {
    const { rec } = this.ctx;
    const found = this.chains.find(mine.hash);
    const mask = classOf(mine.inst);
    if (rec.on) {
      rec.cell(this.instView, mine.inst.id, { hash: mine.hash, mask: { lo: mask.lo, hi: mask.hi } });
      rec.event(
        "value-number",
        LINE.hash,
        "'{inst}' has the hash {hash}: {count} {count:candidate|candidates}",
        { inst: printInst(this.ctx.edit.func, mine.inst), hash: hex(mine.hash), count: found.length },
        { blocks: [mine.block], insts: [mine.inst.id], nodes: [`inst-slots/${mine.inst.id}`] },
      );
    }
    if (found.length === 0) {
      if (rec.on) this.say(mine.block, mine.inst, LINE.hash, "candidate", "nothing with its hash stands before it", null);
      return null;
    }
    for (const candidate of found) {
      const same = candidate.block === mine.block;
      const seen = same ? this.ws.classes.accumulator : this.ws.classes.slot(order);
      if (!mayContain(seen, mask)) {
        const where = same ? "the accumulator" : "the block's slot in the class table";
        const why = `its class ${maskDigits(mask)} is not in ${where}, ${maskDigits(seen)}`;
        this.refuse("class-mask");
        if (rec.on) this.say(mine.block, mine.inst, LINE.classMask, "class-mask", why, candidate);
        continue;
      }
      const failed = failedCondition(candidate, mine, this.equiv);
      if (rec.on) this.show(candidate, mine);
      if (failed === null) return candidate;
      this.refuse(failed);
    }
    return null;
  }

  /** EQUIV with every verdict shown. */
  private show(candidate: Candidate, mine: Described): void {
    const { edit, rec } = this.ctx;
    const inst = printInst(edit.func, mine.inst);
    const existing = printInst(edit.func, candidate.inst);
    const focus = { blocks: [mine.block, candidate.block], insts: [mine.inst.id, candidate.inst.id] };
    const all = verdicts(candidate, mine, this.equiv);
    rec.cell(this.equivView, "pair", { existing, current: inst });
    rec.begin("span", LINE.c1, "EQUIV('{existing}', '{inst}')", { existing, inst }, focus);
    for (const { condition, line, ok, why, values } of all) {
      rec.cell(this.equivView, condition, { verdict: ok ? "yes" : "no", why, values });
      const facts = { condition, why, verdict: ok ? "yes" : "no", values };
      const nodes = [`equiv/${condition}`];
      rec.event(
        ok ? "note" : "match",
        line,
        ok ? "{condition} holds: {why}" : "'{inst}' stays, {condition}: {why}",
        { ...facts, inst },
        { ...focus, nodes },
      );
    }
    rec.end();
  }

  private common(id: BlockId, mine: Described, leader: Candidate): void {
    const { edit, rec } = this.ctx;
    this.counts.commoned++;
    const { inst, dest } = mine;
    const leaderReg = regName(leader.dest);
    const removed = dest === leader.dest;
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.common,
        removed
          ? "'{inst}' computes again what {leader} holds since {where}: it goes"
          : "'{inst}' computes again what {leader} holds since {where}: a MOV",
        { inst: printInst(edit.func, inst), leader: leaderReg, where: edit.block(leader.block).label, verdict: "yes" },
        { blocks: [id, leader.block], insts: [inst.id, leader.inst.id], regs: [dest, leader.dest] },
      );
    }
    if (removed) {
      this.counts.removed++;
      this.doomed.set(inst.id, `${leaderReg} holds its value already`);
    } else {
      this.counts.movs++;
      this.made.add(inst.id);
      edit.replace(id, mine.at, moveOf(inst, dest, leader.dest));
    }
    if (rec.on) rec.end();
  }

  // --- the end ---------------------------------------------------------------------------------------------------------------

  private cleanUp(): void {
    const { edit, rec } = this.ctx;
    if (this.doomed.size === 0 && this.made.size === 0) return;
    const read = new Set<Reg>(edit.func.returns);
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) if (!this.doomed.has(inst.id)) for (const r of usesOf(inst)) read.add(r);
    }
    for (const id of this.walk.order) {
      const drops = (inst: Inst): boolean => {
        if (this.doomed.has(inst.id)) return true;
        const dest = this.made.has(inst.id) ? defsOf(inst)[0] : undefined;
        return dest !== undefined && !read.has(dest);
      };
      if (!edit.block(id).insts.some(drops)) continue;
      this.counts.cleaned += edit.sweep(
        id,
        drops,
        rec.on
          ? (inst) => {
              const why = this.doomed.get(inst.id) ?? "every use reads the representative now";
              const facts = { inst: printInst(edit.func, inst), why, verdict: "yes" };
              rec.event("rewrite", LINE.cleanup, "'{inst}' is deleted: {why}", facts, { blocks: [id], insts: [inst.id] });
            }
          : undefined,
      );
    }
  }

  private refuse(condition: string): void {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
  }

  private say(id: BlockId, inst: Inst, line: number, condition: string, why: string, candidate: Candidate | null): void {
    const { edit, rec } = this.ctx;
    rec.event(
      "match",
      line,
      "'{inst}' in {block} stays: {why}",
      { inst: printInst(edit.func, inst), block: edit.block(id).label, why, verdict: "no", condition },
      { blocks: [id], insts: candidate === null ? [inst.id] : [inst.id, candidate.inst.id] },
    );
  }
}

/** Why the check is not made at all; null when it is. */
function ineligible(inst: Inst): string | null {
  if (defsOf(inst).length !== 1 || inst.ops[0]?.kind !== "reg") return "it does not define exactly one register";
  if (inst.op === "S2R" && inst.ops.some((o) => o.kind === "sreg" && CLOCKS.test(o.name))) return "it reads a clock";
  switch (effectOf(inst)) {
    case "pure":
      return null;
    case "load":
      return isVolatileAccess(inst) ? "it is a volatile access" : null;
    case "warp":
      return inst.op === "ACTIVEMASK" ? "it reads the active lanes" : null;
    default:
      return "it has an effect besides its result";
  }
}

function moveOf(inst: Inst, dest: Reg, source: Reg): Inst {
  const operand = (reg: Reg): Operand => ({ kind: "reg", reg, neg: false, abs: false, not: false });
  return { ...inst, op: isPredicateReg(dest) ? "PMOV" : "MOV", mods: is64(dest) ? ["64"] : [], ops: [operand(dest), operand(source)] };
}

function hex(n: number): string {
  return `0x${n.toString(16).toUpperCase().padStart(8, "0")}`;
}
