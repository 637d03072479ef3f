/** Phase 64, LateOriCommoning: common computations after predication, found by hash and class mask, proved by EQUIV. */

import { copiedRegister, endsLaneEpoch, memoryState, moveOf } from "../../analysis/commoning.ts";
import { exchangedAsMeasured, expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces } from "../../analysis/memory-states.ts";
import { computeMerges, type Variable } from "../../analysis/merges.ts";
import { type DomWalk, domWalk, Environment } from "../../analysis/value-environment.ts";
import type { Budget } from "../../config/knob-store.ts";
import { FUNC_FLAG } from "../../ir/flags.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import { RegNumbers } from "../../ir/reg-numbers.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator, mapUses, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type ClassMask, EMPTY_MASK, maskHex, mayContain } from "../../structures/class-mask.ts";
import { printInst } from "../../text/printer.ts";
import type { Facts } from "../../trace/event.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { type Candidate, Chains, candidateOf, type Described, describe, eligible, hash, hex, STAYS } from "./candidates.ts";
import { DomSets } from "./dom-sets.ts";
import { EQUIV, equivalent, type Surroundings } from "./equiv.ts";
import { hashParts } from "./hash.ts";
import type { EquivRow, HashPartRow, InstSlotRow, ValueNumberRow } from "./rows.ts";
import { classOf, reset, WorkingSet } from "./working-set.ts";

interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly walk: DomWalk;
  readonly numbers: Numbers;
  readonly env: Environment;
  readonly ws: WorkingSet;
  readonly chains: Chains;
  readonly surroundings: Surroundings;
  /** The representative of a register. */
  readonly instead: (r: Reg) => Reg;
  readonly budget: Budget;
  /** MOVs link representatives. */
  readonly moves: boolean;
  readonly measured: boolean;
  readonly exchanged: (inst: Inst) => boolean;
  /** Accumulator at the end of each block. */
  readonly ends: Map<BlockId, ClassMask>;
  /** Instructions that rewrite the value that their register already has, and the MOVs made here. */
  readonly doomed: Map<InstId, Reg>;
  readonly made: Set<InstId>;
  readonly equivView: ShownTable<EquivRow>;
  readonly instView: ShownTable<InstSlotRow>;
  readonly partView: ShownTable<HashPartRow>;
  readonly valueView: ShownTable<ValueNumberRow>;
  shownParts: number;
  /** Where the walk is. */
  block: BlockId;
  order: number;
  at: number;
  /** Changes of the active lanes in the block so far. */
  epoch: number;
}

const remap = rule<State, Inst>()({
  line: "    replace each register that I reads by its representative, while both hold the same value // +88",
  done: "'{inst}' reads {to:regs} instead of {from:regs}, because both have the same value",
  because: "{from} {from:has|have} the value that {to} {to:has|have}, computed by an earlier instruction",
  match(state, inst) {
    // A PHI reads at the ends of its predecessors, whose state is not known here.
    const mapped = inst.op === "PHI" ? inst : mapUses(inst, state.instead);
    return mapped === inst ? null : remapped(state, inst, mapped);
  },
  apply: ({ edit, at }, { block, mapped }) => edit.replace(block, at, mapped),
});

/** Not in `match`, which is called for every instruction: its closures would cost each of them. */
function remapped({ instead, block }: State, inst: Inst, mapped: Inst) {
  const from = (): Reg[] => usesOf(inst).filter((r) => instead(r) !== r);
  return { inst, from, to: () => from().map(instead), block, regs: from, mapped };
}

const classMask = line("      class(I) is not in the mask of this block (same block) or in its slot (blocks above): no such candidate", {
  stays: STAYS,
  missed: { "class-mask": { say: "no instruction of its class is in {where}" } },
});

const common = rule<State, { readonly mine: Described; readonly candidate: Candidate; readonly version: number }>()({
  line: "      all hold: representative of I's result = the candidate's; I becomes a MOV, or is removed if it writes the same register",
  done: {
    removed: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and is removed",
    copied: "'{inst}' computes again what {leader:reg} has contained since {where:block}, and becomes a MOV",
  },
  match(_, { mine, candidate, version }) {
    const { inst, block, dest } = mine;
    const { dest: leader, block: where } = candidate;
    const about = { inst, leader, where, blocks: [block, where], insts: [candidate.inst], regs: [dest, leader], mine, version };
    return dest === leader ? { done: "removed", ...about } : { done: "copied", ...about };
  },
  apply({ edit, ws, doomed, made }, { done, mine: { inst, block, at, dest }, leader, version }) {
    if (done === "removed") doomed.set(inst.id, leader);
    else {
      made.add(inst.id);
      // Under a guard the register may keep its old value.
      if (inst.guard === null) ws.link(dest, leader, version, false);
      edit.replace(block, at, moveOf(inst, dest, leader));
    }
  },
});

const RULES = rules({
  allocate: line(
    "return if the function's bit 'already processed' is set; else allocate the working set WS, and set it at the end // +1368 bit 1",
    {
      kind: "note",
      step: "a working set for {name}",
      missed: {
        "already-processed": { say: "the bit 'already processed' of {name} is set: this phase has run on it", counts: false },
      },
      source: "copy-propagation-and-cse: LateCommoning, listing",
    },
  ),
  records: line(
    "AnalyzeControlFlow, full rebuild; again, without force, when a block is left with a stale record // sub_781F80, force = 1",
    BRIEF,
  ),
  chains: line("rebuild def chains and use chains: merges of registers and memory, values numbered along the dominator tree", {
    kind: "note",
    step: "merges of registers and memory in {blocks} {blocks:block|blocks}",
  }),
  reset,
  block: line("for each block in dominator order (WS[9] continues from the immediate dominator):", {
    step: "{block} has the order {order}",
  }),
  boundary: line("  block boundary: store WS[9] in the block's slot of the class table"),
  instruction: line("  for each instruction I:", { step: "next instruction: '{inst}'" }),
  remap,
  gate: line("    knob 844 is spent: no line below applies to I"),
  mov: line("    MOV: when WS[2] is not 0, shorten the chains of representatives; then d's representative is s", {
    kind: "note",
    step: {
      shortened: "WS[2] was {links}: the chains of representatives are followed, {shortened} {shortened:becomes|become} shorter",
      linked: "the representative of {reg:reg} is {to:reg}",
    },
  }),
  sel: line("    SEL: WS[9] = 0, what was seen before is control-dependent"),
  phi: line("    PHI: store WS[9] in the block's slot"),
  hash,
  classMask,
  ...EQUIV,
  common,
  candidate: line("      else I becomes a candidate, and WS[9] |= class(I) // +92 = its block", {
    kind: "note",
    step: "'{inst}' is a candidate from here on",
  }),
  cleanup: line("delete the MOVs made here that nothing reads", {
    kind: "rewrite",
    step: {
      held: "'{inst}' is deleted: {leader:reg} has its value already",
      unread: "'{inst}' is deleted: every use reads the representative now",
    },
  }),
});

export const lateOriCommoning: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  readsPolicy: true,
  records: RULES.records,
  run,
};

function run(ctx: PassContext): PassOutcome {
  const { edit, remark } = ctx;
  if ((edit.func.flags & FUNC_FLAG.COMMONED) !== 0) {
    remark.missed(RULES.allocate, "already-processed", { name: edit.func.name });
    return remark.outcome({ none: "the function is already processed" });
  }
  callControlFlow(ctx, RULES.records, true);
  const state = begin(ctx);
  const { walk, env, ws, ends } = state;
  for (const [place, block] of walk.order.entries()) {
    const order = place + 1;
    remark.open(RULES.block, { block, order });
    ws.classes.obs.at(RULES.block, { block });
    env.enter(block);
    ws.resume(ends.get(walk.tree.idom[block] as BlockId) ?? EMPTY_MASK);
    ws.classes.obs.at(RULES.boundary, { block });
    ws.classes.snapshot(order);
    state.block = block;
    state.order = order;
    state.epoch = 0;
    // Replacements keep every place; what is removed, is removed at the end.
    const count = edit.block(block).insts.length;
    for (let at = 0; at < count; at++) {
      const inst = edit.block(block).insts[at] as Inst;
      remark.open(RULES.instruction, { inst, block });
      state.at = at;
      remap.look(state, inst)?.request()?.commit();
      instruction(state, edit.block(block).insts[at] as Inst);
      remark.close();
    }
    ends.set(block, ws.classes.accumulator);
    env.leave(block);
    remark.close();
  }
  const cleaned = cleanUp(state);
  remark.at(RULES.allocate);
  edit.setFuncFlags(edit.func.flags | FUNC_FLAG.COMMONED);
  const tried = remark.candidates(RULES.hash);
  return remark.outcome({
    matches: tried,
    none: tried === 0 ? "no instruction could be tried" : "no value is computed twice",
    counts: "always",
    figures: {
      commoned: remark.rewritesBy(common),
      movs: remark.rewritesAs(common, "copied"),
      removed: remark.rewritesAs(common, "removed"),
      remapped: remark.rewritesBy(remap),
      cleaned,
      forgotten: state.chains.forgotten,
    },
  });
}

function begin({ edit, remark, knobs, policy }: PassContext): State {
  const budget = knobs.budget("late-commoning-per-instruction", RULES.gate);
  const moves = !knobs.flag("disable-move-commoning", RULES.mov);
  const walk = domWalk(edit.func);
  const blocks = walk.order.length;
  const ws = new WorkingSet(remark, edit.func.name, blocks);
  remark.step(RULES.allocate, { name: edit.func.name });
  const merges = computeMerges(edit.func, changedSpaces);
  const numbers = new Numbers();
  const env = new Environment(edit.func, numbers, merges, walk, new Map());
  remark.step(RULES.chains, { blocks });
  const equivView = remark.shown.table<EquivRow>("equiv", "EQUIV: verdicts of the last comparison");
  const instView = remark.shown.table<InstSlotRow>("inst-slots", "Instruction slots (+88): hash, class mask");
  const partView = remark.shown.table<HashPartRow>("hash-parts", "Parts of the hash that was made last");
  const print = (inst: Inst): string => printInst(edit.func, inst);
  const chains = new Chains(remark, print);
  const dom = new DomSets(walk, knobs.flag("late-commoning-dom-sets", RULES.c2), remark);
  const measured = policy === "measured";
  if (remark.listening) {
    let slotted = 0;
    // One row for all of them: a recording keeps it for each.
    const row = slotRow(0xffff_ffff, EMPTY_MASK);
    for (const id of edit.func.layout) {
      for (const inst of edit.block(id).insts) {
        slotted++;
        instView.set(inst.id, row);
      }
    }
    remark.step(RULES.reset, { slots: blocks + 1, slotted });
  }
  return {
    edit,
    remark,
    walk,
    numbers,
    env,
    ws,
    chains,
    surroundings: { dom, label: (id) => edit.block(id).label, print, read: env.readReg, slot: (r) => ws.slot(r) },
    instead: (r) => ws.representative(r, env.readReg),
    budget,
    moves,
    measured,
    exchanged: measured ? exchangedAsMeasured : () => true,
    ends: new Map(),
    doomed: new Map(),
    made: new Set(),
    equivView,
    instView,
    partView,
    valueView: remark.shown.table("value-numbers", "Value numbers"),
    shownParts: 0,
    block: 0 as BlockId,
    order: 0,
    at: 0,
    epoch: 0,
  };
}

/** One instruction, as it reads representatives. */
function instruction(state: State, inst: Inst): void {
  const { ws, env, numbers, block, order } = state;
  if (endsLaneEpoch(inst)) state.epoch++;
  if (!state.budget.take(RULES.gate)) {
    define(state, inst, numbers.fresh());
    return;
  }
  switch (inst.op) {
    case "MOV":
    case "PMOV":
      move(state, inst);
      return;
    case "SEL":
      ws.classes.obs.at(RULES.sel, { block, inst });
      define(state, inst, plainVersion(state, inst));
      ws.classes.reset();
      return;
    case "PHI":
      ws.classes.obs.at(RULES.phi, { block, inst });
      define(state, inst, env.phiNumber(block, inst.id, ""));
      ws.classes.snapshot(order);
      return;
    default:
  }
  if (isTerminator(inst)) define(state, inst, numbers.fresh());
  else if (eligible(state.remark, block, inst)) computation(state, inst);
  else {
    define(state, inst, numbers.fresh());
    accumulate(state, inst);
  }
}

function move(state: State, inst: Inst): void {
  const { remark, ws, env, moves, block } = state;
  const [dest] = inst.ops;
  const source = copiedRegister(inst);
  if (source === null || dest?.kind !== "reg") {
    define(state, inst, plainVersion(state, inst));
    return;
  }
  const ws2 = ws.view.node("WS[2]");
  if (moves && ws.linked > 0) {
    const links = ws.linked;
    const shortened = ws.flush(env.readReg);
    remark.step(RULES.mov, "shortened", { links, shortened, block, inst, node: ws2 });
  }
  const n = env.read(source);
  define(state, inst, n);
  if (!moves || isConstantReg(dest.reg) || dest.reg === source || regClass(dest.reg) !== regClass(source)) return;
  ws.link(dest.reg, source, n, true);
  const nodes = (): string[] => [ws.registers.node(regName(dest.reg)), ws2];
  remark.step(RULES.mov, "linked", { reg: dest.reg, to: source, block, inst, nodes });
}

/** Takes the value of a candidate, or becomes one. */
function computation(state: State, inst: Inst): void {
  const { remark, ws, env, numbers, block, order, at } = state;
  const dest = defsOf(inst)[0] as Reg;
  const mine = describe(inst, block, at, dest, env.readReg, stateOf(state, inst), state.exchanged);
  const n = numbers.intern(mine.text);
  // Under a guard the result may be the old value.
  const version = inst.guard === null ? n : numbers.fresh();
  if (tryCommon(state, mine, version)) return;
  define(state, inst, version, n);
  state.chains.add(candidateOf(mine, order, version));
  ws.setSlot(dest, order);
  if (remark.listening) {
    const node = ws.registers.node(regName(dest));
    remark.step(RULES.candidate, { inst, reg: dest, block, node, also: { order, hashHex: hex(mine.hash) } });
  }
  accumulate(state, inst);
}

/** The commoning check. `version`: the number that the result has otherwise. */
function tryCommon(state: State, mine: Described, version: number): boolean {
  const candidate = candidateFor(state, mine);
  if (candidate === null) return false;
  const rewrite = common.look(state, { mine, candidate, version })?.request() ?? null;
  if (rewrite === null) return false;
  define(state, mine.inst, mine.dest === candidate.dest ? candidate.version : version);
  rewrite.commit();
  return true;
}

function candidateFor(state: State, mine: Described): Candidate | null {
  const { remark, ws, order } = state;
  const { inst, block } = mine;
  const found = state.chains.find(mine.hash);
  const mask = classOf(inst);
  if (remark.listening) showHash(state, mine, mask);
  remark.candidate(RULES.hash, "found", () => {
    const nodes = [state.instView.node(inst.id), state.chains.node(mine.hash)];
    return { inst, count: found.length, block, nodes, also: { hashHex: hex(mine.hash) } };
  });
  if (found.length === 0) return remark.missed(RULES.hash, "first-of-its-hash", { inst, block });
  for (const candidate of found) {
    const same = candidate.block === block;
    const seen = same ? ws.classes.accumulator : ws.classes.slot(order);
    if (mayContain(seen, mask)) {
      if (equivalent(candidate, mine, state.surroundings, remark, state.equivView)) return candidate;
    } else {
      const where = same ? "this block so far" : "the blocks above";
      const also = (): Facts => ({ maskHex: maskHex(mask), seenHex: maskHex(seen) });
      remark.missed(RULES.classMask, "class-mask", { inst, block, where, also, insts: [candidate.inst] });
    }
  }
  return null;
}

function showHash(state: State, { inst, block, hash: full }: Described, mask: ClassMask): void {
  const { remark, partView } = state;
  state.instView.set(inst.id, () => slotRow(full, mask));
  const parts = hashParts(inst, state.env.readReg);
  for (const [i, { part, word, hash: after }] of parts.entries()) partView.set(i, { part, word: hex(word), hash: hex(after) });
  for (let i = parts.length; i < state.shownParts; i++) partView.remove(i);
  state.shownParts = parts.length;
  const nodes = parts.map((_, i) => partView.node(i));
  remark.step(RULES.hash, "mixed", { inst, block, parts: parts.length, nodes, also: { hashHex: hex(full) } });
}

/** +88: the hash in the upper half, class bits in the lower one (the mask's extended bits have no room in it). */
function slotRow(full: number, mask: ClassMask): InstSlotRow {
  const digits = (n: number): string => (n >>> 0).toString(16).toUpperCase().padStart(8, "0");
  return { word: `0x${digits(full)}${digits(mask.lo)}`, hash: full === 0xffff_ffff ? "-1" : hex(full), classes: maskHex(mask) };
}

function accumulate({ ws }: State, inst: Inst): void {
  ws.classes.obs.at(RULES.candidate, { inst });
  ws.classes.accumulate(classOf(inst));
}

/** `key`: the number of its expression; under a guard the result has a different one. */
function define(state: State, inst: Inst, version: number, key = version): void {
  const { env, numbers, remark } = state;
  const defs = defsOf(inst);
  if (remark.listening && defs.length > 0) showNumber(state, inst, version, key);
  for (let k = 0; k < defs.length; k++) env.set(defs[k] as Reg, k === 0 ? version : numbers.fresh());
  const spaces = changedSpaces(inst);
  for (let k = 0; k < spaces.length; k++) env.set(spaces[k] as Variable, numbers.fresh());
}

function showNumber({ numbers, valueView, edit, block }: State, inst: Inst, number: number, expressed: number): void {
  const expression = numbers.textOf(expressed);
  const row = { number, key: expression === null ? -1 : expressed, reg: regName(defsOf(inst)[0] as Reg), block: edit.block(block).label };
  valueView.set(inst.id, expression === null ? row : { ...row, expression });
}

const plainVersion = ({ numbers, env }: State, inst: Inst): number =>
  inst.guard === null ? numbers.intern(expressionText(inst, env.readReg, "")) : numbers.fresh();

/** Memory versions of a load; the block and its lanes for what depends on them. */
const stateOf = ({ env, block, epoch, measured }: State, inst: Inst): string =>
  effectOf(inst) === "warp" ? `!${block}.${epoch}` : memoryState(inst, env, measured);

/** Deletes instructions that rewrite their own value, and MOVs made here that nothing reads; returns how many. */
function cleanUp({ edit, remark, walk, doomed, made }: State): number {
  if (doomed.size === 0 && made.size === 0) return 0;
  const read = new RegNumbers(edit.func);
  for (const r of edit.func.returns) read.set(r, 1);
  for (const id of edit.func.layout) {
    for (const inst of edit.block(id).insts) if (!doomed.has(inst.id)) for (const r of usesOf(inst)) read.set(r, 1);
  }
  const drops = (inst: Inst): boolean => {
    if (doomed.has(inst.id)) return true;
    const dest = made.has(inst.id) ? defsOf(inst)[0] : undefined;
    return dest !== undefined && !read.has(dest);
  };
  let cleaned = 0;
  for (const block of walk.order) {
    if (!edit.block(block).insts.some(drops)) continue;
    const tell = (inst: Inst): void => {
      const leader = doomed.get(inst.id);
      const about = { inst, block, also: { verdict: "yes" } };
      if (leader === undefined) remark.step(RULES.cleanup, "unread", about);
      else remark.step(RULES.cleanup, "held", { ...about, leader });
    };
    cleaned += edit.sweep(block, drops, remark.listening ? tell : undefined);
  }
  return cleaned;
}
