/** The core walker (`sub_9055F0`) and the commoning check (`sub_901A90`). */

import { copiedRegister, endsLaneEpoch, memoryState, moveOf } from "../../analysis/commoning.ts";
import { exchangedAsMeasured, expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { computeMerges, type Variable } from "../../analysis/merges.ts";
import { type DomWalk, domWalk, Environment } from "../../analysis/value-environment.ts";
import type { Budget } from "../../config/knob-store.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import { RegNumbers } from "../../ir/reg-numbers.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, mapUses, usesOf } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type ClassMask, EMPTY_MASK, maskHex, mayContain } from "../../structures/class-mask.ts";
import { printInst } from "../../text/printer.ts";
import type { Facts } from "../../trace/event.ts";
import type { PassContext } from "../pass.ts";
import { type Candidate, Chains, candidateOf, type Described, describe, hex } from "./candidates.ts";
import { classOf } from "./class-of.ts";
import { DomSets } from "./dom-sets.ts";
import { eligible } from "./eligible.ts";
import { equivalent, type Surroundings } from "./equiv.ts";
import { hashParts } from "./hash.ts";
import type { EquivRow, HashPartRow, InstSlotRow } from "./rows.ts";
import { RULES } from "./rules.ts";
import { WorkingSet } from "./working-set.ts";

export class Walker {
  readonly counts = { movs: 0, removed: 0, remapped: 0, cleaned: 0, tried: 0 };
  readonly chains: Chains;
  private readonly ctx: Pick<PassContext, "edit" | "remark">;
  private readonly walk: DomWalk;
  private readonly numbers = new Numbers();
  private readonly env: Environment;
  private readonly ws: WorkingSet;
  private readonly budget: Budget;
  private readonly moves: boolean;
  private readonly surroundings: Surroundings;
  private readonly equivView: ShownTable<EquivRow>;
  private readonly instView: ShownTable<InstSlotRow>;
  private readonly partView: ShownTable<HashPartRow>;
  /** Accumulator at the end of each block. */
  private readonly ends = new Map<BlockId, ClassMask>();
  /** Instructions that write again what their register holds (it is the value), and the MOVs made here. */
  private readonly doomed = new Map<InstId, Reg>();
  private readonly made = new Set<InstId>();
  private readonly measured: boolean;
  private readonly exchanged: (inst: Inst) => boolean;
  private epoch = 0;
  private shownParts = 0;

  constructor({ edit, remark, knobs, policy }: PassContext) {
    this.ctx = { edit, remark };
    this.measured = policy === "measured";
    this.exchanged = this.measured ? exchangedAsMeasured : () => true;
    this.budget = knobs.budget("late-commoning-per-instruction", RULES.gate);
    this.moves = !knobs.flag("disable-move-commoning", RULES.mov);
    remark.step(RULES.allocate, { name: edit.func.name });
    this.walk = domWalk(edit.func);
    const merges = computeMerges(edit.func, changedSpaces);
    this.env = new Environment(edit.func, this.numbers, merges, this.walk, new Map());
    const blocks = this.walk.order.length;
    remark.step(RULES.chains, { blocks });
    this.ws = new WorkingSet(remark, edit.func.name, blocks);
    this.equivView = remark.shown.table<EquivRow>("equiv", "EQUIV: verdicts of the last comparison");
    this.instView = remark.shown.table<InstSlotRow>("inst-slots", "Instruction slots (+88): hash, class mask");
    this.partView = remark.shown.table<HashPartRow>("hash-parts", "Parts of the hash that was made last");
    const print = (inst: Inst): string => printInst(edit.func, inst);
    this.chains = new Chains(remark, print);
    this.surroundings = {
      dom: new DomSets(this.walk, knobs.flag("late-commoning-dom-sets", RULES.c2), remark),
      label: (id) => edit.block(id).label,
      print,
      read: this.env.readReg,
      slot: (r) => this.ws.slot(r),
    };
    if (remark.listening) this.resetSlots(blocks);
  }

  private resetSlots(blocks: number): void {
    const { edit, remark } = this.ctx;
    let count = 0;
    // One row for all of them: a recording keeps it for each.
    const row = slotRow(0xffff_ffff, EMPTY_MASK);
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) {
        count++;
        this.instView.set(inst.id, row);
      }
    }
    remark.step(RULES.reset, { slots: blocks + 1, slotted: count });
  }

  run(): void {
    for (const [place, id] of this.walk.order.entries()) this.block(id, place + 1);
    this.cleanUp();
  }

  // --- one block -------------------------------------------------------------------------------------------------------------

  private block(id: BlockId, order: number): void {
    const { edit, remark } = this.ctx;
    const { insts } = edit.block(id);
    const above = this.walk.tree.idom[id] ?? -1;
    remark.open(RULES.block, { block: id, order });
    this.ws.classes.obs.at(RULES.block, { block: id });
    this.env.enter(id);
    this.ws.resume(this.ends.get(above as BlockId) ?? EMPTY_MASK);
    this.ws.classes.obs.at(RULES.boundary, { block: id });
    this.ws.classes.snapshot(order);
    this.epoch = 0;
    // Replacements keep every place; what goes, goes at the end.
    const before = insts.slice();
    for (let at = 0; at < before.length; at++) {
      const inst = before[at] as Inst;
      remark.open(RULES.instruction, { inst, block: id });
      this.instruction(id, order, at, this.remap(id, at, inst));
      remark.close();
    }
    this.ends.set(id, this.ws.classes.accumulator);
    this.env.leave(id);
    remark.close();
  }

  /** The instruction as it reads representatives. */
  private remap(block: BlockId, at: number, inst: Inst): Inst {
    // A PHI reads at the ends of its predecessors: what holds there is not known here.
    if (inst.op === "PHI") return inst;
    const { edit, remark } = this.ctx;
    const instead = (r: Reg): Reg => this.ws.representative(r, this.env.readReg);
    const mapped = mapUses(inst, instead);
    if (mapped === inst) return inst;
    const replaced = () => {
      const from = usesOf(inst).filter((r) => instead(r) !== r);
      return { inst, from, to: from.map(instead), block, regs: from };
    };
    const remapped = remark.found(RULES.remap, replaced, () => {
      this.counts.remapped++;
      edit.replace(block, at, mapped);
      return mapped;
    });
    return remapped ?? inst;
  }

  private instruction(id: BlockId, order: number, at: number, inst: Inst): void {
    const { remark } = this.ctx;
    if (endsLaneEpoch(inst)) this.epoch++;
    switch (inst.op) {
      case "MOV":
      case "PMOV":
        this.move(id, inst);
        return;
      case "SEL":
        this.ws.classes.obs.at(RULES.sel, { block: id, inst });
        this.ws.resetAccumulator();
        this.define(inst, this.plainVersion(inst));
        return;
      case "PHI":
        this.ws.classes.obs.at(RULES.phi, { block: id, inst });
        this.ws.classes.snapshot(order);
        this.define(inst, this.env.phiNumber(id, inst.id, ""));
        return;
      default:
        break;
    }
    if (isTerminator(inst)) {
      this.define(inst, this.numbers.fresh());
      return;
    }
    if (!eligible(remark, id, inst)) {
      this.define(inst, this.numbers.fresh());
      this.accumulate(inst);
      return;
    }
    const dest = defsOf(inst)[0] as Reg;
    const described = describe(inst, id, at, dest, this.env.readReg, this.stateOf(id, inst), this.exchanged);
    const n = this.numbers.intern(described.text);
    // Under a guard the result may be the old value.
    const version = inst.guard === null ? n : this.numbers.fresh();
    if (this.budget.take(RULES.gate) && this.tryCommon(order, described, version)) return;
    this.define(inst, version);
    this.chains.add(candidateOf(described, order, version));
    this.ws.setSlot(dest, order);
    if (remark.listening) {
      const node = this.ws.registers.node(regName(dest));
      remark.step(RULES.candidate, { inst, reg: dest, block: id, node, also: { order, hashHex: hex(described.hash) } });
    }
    this.accumulate(inst);
  }

  private accumulate(inst: Inst): void {
    this.ws.classes.obs.at(RULES.candidate, { inst });
    this.ws.accumulate(classOf(inst));
  }

  /** Memory versions of a load; the block and its lanes for what depends on them. */
  private stateOf(id: BlockId, inst: Inst): string {
    return effectOf(inst) === "warp" ? `!${id}.${this.epoch}` : memoryState(inst, this.env, this.measured);
  }

  private define(inst: Inst, version: number): void {
    const defs = defsOf(inst);
    for (let k = 0; k < defs.length; k++) this.env.set(defs[k] as Reg, k === 0 ? version : this.numbers.fresh());
    const spaces = changedSpaces(inst);
    for (let k = 0; k < spaces.length; k++) this.env.set(spaces[k] as Variable, this.numbers.fresh());
  }

  private plainVersion(inst: Inst): number {
    return inst.guard === null ? this.numbers.intern(expressionText(inst, this.env.readReg, "")) : this.numbers.fresh();
  }

  private move(block: BlockId, inst: Inst): void {
    const { remark } = this.ctx;
    const [dest] = inst.ops;
    const source = copiedRegister(inst);
    if (source === null || dest?.kind !== "reg") {
      this.define(inst, this.plainVersion(inst));
      return;
    }
    const ws2 = this.ws.view.node("WS[2]");
    if (this.moves && this.ws.linked > 0) {
      const links = this.ws.linked;
      const shortened = this.ws.flush(this.env.readReg);
      remark.step(RULES.mov, "shortened", { links, shortened, block, inst, node: ws2 });
    }
    const n = this.env.read(source);
    this.define(inst, n);
    if (!this.moves || isConstantReg(dest.reg) || dest.reg === source || regClass(dest.reg) !== regClass(source)) return;
    this.ws.link(dest.reg, source, n, true);
    const nodes = (): string[] => [this.ws.registers.node(regName(dest.reg)), ws2];
    remark.step(RULES.mov, "linked", { reg: dest.reg, to: source, block, inst, nodes });
  }

  // --- the commoning check ---------------------------------------------------------------------------------------------------

  /** Whether the instruction takes a candidate's value. `version`: the number that its result has otherwise. */
  private tryCommon(order: number, mine: Described, version: number): boolean {
    this.counts.tried++;
    const leader = this.leaderOf(order, mine);
    if (leader === null || !this.common(mine, leader)) return false;
    const { inst, dest } = mine;
    this.define(inst, dest === leader.dest ? leader.version : version);
    if (dest !== leader.dest && inst.guard === null) this.ws.link(dest, leader.dest, version, false);
    return true;
  }

  private leaderOf(order: number, mine: Described): Candidate | null {
    const { remark } = this.ctx;
    const { inst, block } = mine;
    const found = this.chains.find(mine.hash);
    if (remark.listening) {
      this.sayHash(mine, classOf(inst));
      const nodes = [this.instView.node(inst.id), this.chains.node(mine.hash)];
      remark.step(RULES.hash, "found", { inst, count: found.length, block, nodes, also: { hashHex: hex(mine.hash) } });
    }
    if (found.length === 0) return remark.missed(RULES.hash, "first-of-its-hash", { inst, block });
    const mask = classOf(inst);
    for (const candidate of found) {
      const same = candidate.block === block;
      const seen = same ? this.ws.classes.accumulator : this.ws.classes.slot(order);
      if (!mayContain(seen, mask)) {
        const where = same ? "this block so far" : "the blocks above";
        const also = (): Facts => ({ maskHex: maskHex(mask), seenHex: maskHex(seen) });
        remark.missed(RULES.classMask, "class-mask", { inst, block, where, also, insts: [candidate.inst] });
      } else if (equivalent(candidate, mine, this.surroundings, remark, this.equivView)) return candidate;
    }
    return null;
  }

  private sayHash({ inst, block, hash }: Described, mask: ClassMask): void {
    const { remark } = this.ctx;
    this.instView.set(inst.id, () => slotRow(hash, mask));
    const parts = hashParts(inst, this.env.readReg);
    for (const [i, { part, word, hash: after }] of parts.entries()) this.partView.set(i, { part, word: hex(word), hash: hex(after) });
    for (let i = parts.length; i < this.shownParts; i++) this.partView.remove(i);
    this.shownParts = parts.length;
    const nodes = parts.map((_, i) => this.partView.node(i));
    remark.step(RULES.hash, "mixed", { inst, block, parts: parts.length, nodes, also: { hashHex: hex(hash) } });
  }

  private common({ inst, block, at, dest }: Described, leader: Candidate): boolean {
    const { edit, remark } = this.ctx;
    const same = dest === leader.dest;
    const about = { inst, leader: leader.dest, where: leader.block, blocks: [block, leader.block], insts: [leader.inst] };
    const done = remark.found(RULES.common, same ? "removed" : "copied", { ...about, regs: [dest, leader.dest] }, () => {
      if (same) {
        this.counts.removed++;
        this.doomed.set(inst.id, leader.dest);
      } else {
        this.counts.movs++;
        this.made.add(inst.id);
        edit.replace(block, at, moveOf(inst, dest, leader.dest));
      }
      return true;
    });
    return done ?? false;
  }

  // --- the end ---------------------------------------------------------------------------------------------------------------

  private cleanUp(): void {
    const { edit, remark } = this.ctx;
    if (this.doomed.size === 0 && this.made.size === 0) return;
    const read = new RegNumbers(edit.func);
    for (const r of edit.func.returns) read.set(r, 1);
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) if (!this.doomed.has(inst.id)) for (const r of usesOf(inst)) read.set(r, 1);
    }
    const drops = (inst: Inst): boolean => {
      if (this.doomed.has(inst.id)) return true;
      const dest = this.made.has(inst.id) ? defsOf(inst)[0] : undefined;
      return dest !== undefined && !read.has(dest);
    };
    for (const block of this.walk.order) {
      if (!edit.block(block).insts.some(drops)) continue;
      const tell = (inst: Inst): void => {
        const leader = this.doomed.get(inst.id);
        const about = { inst, block, also: { verdict: "yes" } };
        if (leader === undefined) remark.step(RULES.cleanup, "unread", about);
        else remark.step(RULES.cleanup, "held", { ...about, leader });
      };
      this.counts.cleaned += edit.sweep(block, drops, remark.listening ? tell : undefined);
    }
  }
}

/** +88: the hash in the upper half, class bits in the lower one (the mask's extended bits have no room in it). */
function slotRow(hash: number, mask: ClassMask): InstSlotRow {
  const digits = (n: number): string => (n >>> 0).toString(16).toUpperCase().padStart(8, "0");
  return { word: `0x${digits(hash)}${digits(mask.lo)}`, hash: hash === 0xffff_ffff ? "-1" : hex(hash), classes: maskHex(mask) };
}
