/** Phase 64, LateOriCommoning: common computations after predication, found by hash and class mask, proved by EQUIV. */

import { copiedRegister } from "../../analysis/commoning.ts";
import { exchangedAsMeasured } from "../../analysis/expression-text.ts";
import { domWalk } from "../../analysis/value-environment.ts";
import { FUNC_FLAG } from "../../ir/flags.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, isTerminator } from "../../ir/visit.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { type ClassMask, EMPTY_MASK } from "../../structures/class-mask.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { ABOUT } from "./about.ts";
import { Chains, candidateOf, describe, eligible, hash, hex } from "./candidates.ts";
import { cleanUp, cleanup } from "./clean-up.ts";
import { candidateFor, classMask, common, remap } from "./common.ts";
import { DomSets } from "./dom-sets.ts";
import { EQUIV } from "./equiv.ts";
import { HashView } from "./hash-view.ts";
import type { EquivRow } from "./rows.ts";
import type { State } from "./state.ts";
import { Values } from "./values.ts";
import { classOf, reset, WorkingSet } from "./working-set.ts";

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
  cleanup,
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
  const { walk, values, ws, chains } = state;
  // The accumulator at the end of each block.
  const ends = new Map<BlockId, ClassMask>();
  for (const [place, block] of walk.order.entries()) {
    const order = place + 1;
    remark.open(RULES.block, { block, order });
    ws.classes.obs.at(RULES.block, { block });
    values.enter(block);
    ws.resume(ends.get(walk.tree.idom[block] as BlockId) ?? EMPTY_MASK);
    ws.classes.obs.at(RULES.boundary, { block });
    ws.classes.snapshot(order);
    state.block = block;
    state.order = order;
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
    values.leave(block);
    remark.close();
  }
  const cleaned = cleanUp(state);
  remark.at(RULES.allocate);
  edit.setFuncFlags(edit.func.flags | FUNC_FLAG.COMMONED);
  const tried = remark.candidates(hash);
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
      forgotten: chains.forgotten,
    },
  });
}

/** One instruction, as it reads representatives. */
function instruction(state: State, inst: Inst): void {
  const { remark, ws, values, budget, block, order } = state;
  values.reach(inst);
  if (!budget.take(RULES.gate)) {
    values.define(inst);
    return;
  }
  switch (inst.op) {
    case "MOV":
    case "PMOV":
      move(state, inst);
      return;
    case "SEL":
      ws.classes.obs.at(RULES.sel, { block, inst });
      values.define(inst, values.ofExpression(inst));
      ws.classes.reset();
      return;
    case "PHI":
      ws.classes.obs.at(RULES.phi, { block, inst });
      values.define(inst, values.ofPhi(inst));
      ws.classes.snapshot(order);
      return;
    default:
  }
  if (isTerminator(inst)) values.define(inst);
  else if (eligible(remark, block, inst)) computation(state, inst);
  else {
    values.define(inst);
    accumulate(state, inst);
  }
}

/** A copy links its register with the source, which later instructions then read. */
function move({ remark, ws, values, moves, block }: State, inst: Inst): void {
  const [dest] = inst.ops;
  const source = copiedRegister(inst);
  if (source === null || dest?.kind !== "reg") {
    values.define(inst, values.ofExpression(inst));
    return;
  }
  const ws2 = ws.view.node("WS[2]");
  if (moves && ws.linked > 0) {
    const links = ws.linked;
    const shortened = ws.flush(values.read);
    remark.step(RULES.mov, "shortened", { links, shortened, block, inst, node: ws2 });
  }
  const n = values.read(source);
  values.define(inst, n);
  if (!moves || isConstantReg(dest.reg) || dest.reg === source || regClass(dest.reg) !== regClass(source)) return;
  ws.link(dest.reg, source, n, true);
  const nodes = (): string[] => [ws.registers.node(regName(dest.reg)), ws2];
  remark.step(RULES.mov, "linked", { reg: dest.reg, to: source, block, inst, nodes });
}

/** Takes the value of a candidate, or becomes one. */
function computation(state: State, inst: Inst): void {
  const { remark, ws, values, chains, block, order, at } = state;
  const dest = defsOf(inst)[0] as Reg;
  const mine = describe(inst, block, at, dest, values.read, values.stateOf(inst), state.exchanged);
  const n = values.numbers.intern(mine.text);
  // Under a guard the result may be the old value.
  const version = inst.guard === null ? n : values.numbers.fresh();
  const candidate = candidateFor(state, mine);
  const rewrite = candidate === null ? null : (common.look(state, { mine, candidate, version })?.request() ?? null);
  if (candidate !== null && rewrite !== null) {
    values.define(inst, dest === candidate.dest ? candidate.version : version);
    rewrite.commit();
    return;
  }
  values.define(inst, version, n);
  chains.add(candidateOf(mine, order, version));
  ws.setSlot(dest, order);
  if (remark.listening) {
    const node = ws.registers.node(regName(dest));
    remark.step(RULES.candidate, { inst, reg: dest, block, node, also: { order, hashHex: hex(mine.hash) } });
  }
  accumulate(state, inst);
}

function accumulate({ ws }: State, inst: Inst): void {
  ws.classes.obs.at(RULES.candidate, { inst });
  ws.classes.accumulate(classOf(inst));
}

/** Knobs and structures, in the order in which they are shown. */
function begin(ctx: PassContext): State {
  const { edit, remark, knobs, policy } = ctx;
  const budget = knobs.budget("late-commoning-per-instruction", RULES.gate);
  const moves = !knobs.flag("disable-move-commoning", RULES.mov);
  const walk = domWalk(edit.func);
  const blocks = walk.order.length;
  const ws = new WorkingSet(remark, edit.func.name, blocks);
  remark.step(RULES.allocate, { name: edit.func.name });
  remark.step(RULES.chains, { blocks });
  const equivView = remark.shown.table<EquivRow>("equiv", "EQUIV: verdicts of the last comparison");
  const hashView = new HashView(remark);
  const print = (inst: Inst): string => printInst(edit.func, inst);
  const chains = new Chains(remark, print);
  const dom = new DomSets(walk, knobs.flag("late-commoning-dom-sets", RULES.c2), remark);
  if (remark.listening) remark.step(RULES.reset, { slots: blocks + 1, slotted: hashView.reset(edit.func) });
  const values = new Values(ctx, walk);
  const { read } = values;
  return {
    edit,
    remark,
    walk,
    values,
    ws,
    chains,
    surroundings: { dom, label: (id) => edit.block(id).label, print, read, slot: (r) => ws.slot(r) },
    instead: (r) => ws.representative(r, read),
    budget,
    moves,
    exchanged: policy === "measured" ? exchangedAsMeasured : () => true,
    doomed: new Map(),
    made: new Set(),
    equivView,
    hashView,
    block: 0 as BlockId,
    order: 0,
    at: 0,
  };
}
