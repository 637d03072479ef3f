/** Phases 16, 33, 61 and 84, OriPerformLiveDead: backward liveness to a fixed point, then removal of what nothing depends on. */

import { Needed } from "../../analysis/needed.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { overwritten, removeOverwritten } from "./overwritten.ts";
import { type State, sweepDoomed } from "./state.ts";
import { ROUNDS, watchRounds } from "./watch.ts";

interface Place {
  readonly block: Block;
  readonly inst: Inst;
}

const remove = rule<State, Place>()({
  line: "  else: remove i",
  found: {
    useless: "'{inst}' in {block} has no result and no effect",
    unread: "nothing needs {regs}: '{inst}' in {block} is removed",
  },
  match(_, { block, inst }) {
    const regs = defsOf(inst);
    return regs.length === 0 ? { found: "useless", inst, block, regs } : { found: "unread", inst, block, regs };
  },
  apply: ({ doomed }, { inst }) => doomed.add(inst.id),
});

const RULES = rules({
  overwritten,
  start: line("live_in[b] = {} for every block b; queue every block", {
    step: "{func}: {blocks} {blocks:block|blocks} queued",
  }),
  ...ROUNDS,
  removal: line("for each block b, from the last to the first instruction, with the sets as they are now:", {
    step: { all: { kind: "round", say: "removal, after {rounds} {rounds:round|rounds}" }, block: "look for dead instructions in {block}" },
  }),
  keepEffect: line("  i has an effect: it is kept, even if nothing reads its results", {
    missed: { effect: { counts: false, say: "nothing reads {regs}, but '{inst}' in {block} is kept: {effect}" } },
  }),
  keepLive: line("  a result of i is live: it is kept", {
    missed: { live: { counts: false, say: "{reg:reg} is {reader}, so '{inst}' is kept" } },
  }),
  remove,
  report: line("report what was removed", {
    kind: "note",
    step: "{removed} {removed:instruction|instructions} removed; {kept} {kept:has a dead result and is kept for its effect|have dead results and are kept for their effect}",
  }),
});

/** The reference gives the positions of these phases and describes none of them; docs/fidelity.md explains our decisions. */
export const oriPerformLiveDead: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  readsPolicy: true,
  run,
};

function run({ edit, remark, policy }: PassContext): PassOutcome {
  const { order } = reversePostOrder(edit.func);
  const reachable = new Set(order);
  const state: State = { edit, remark, policy, granted: new Map(), doomed: new Set() };
  if (policy === "measured" || remark.listening) for (const id of order) removeOverwritten(state, edit.block(id));
  remark.step(RULES.start, { func: edit.func.name, blocks: order.length });
  let needed = new Needed(edit.func, remark.listening ? watchRounds(edit.func, remark) : null);
  const { rounds } = needed;
  const blocks = edit.func.layout.filter((id) => reachable.has(id));
  const kept = requestAll(state, needed, blocks);
  if (kept.size > 0) needed = new Needed(edit.func, null, kept);
  remark.span(RULES.removal, "all", { rounds }, () => {
    for (const id of blocks) sweepBlock(state, needed, edit.block(id));
  });
  // An overwritten store counts as not needed.
  const [removed, stay] = [remark.rewrites, remark.times(RULES.keepEffect, "effect")];
  remark.step(RULES.report, { removed, kept: stay, also: { candidates: removed } });
  return remark.outcome({
    matches: removed + stay,
    none:
      stay > 0
        ? `every instruction is needed: ${stay} with dead results are kept for their effect`
        : "every instruction is needed: each has an effect, or something needs its result",
    figures: { rounds, removed, keptForEffect: stay },
  });
}

/** An instruction that may not be removed keeps what it reads: where some may be refused, all are requested before any is removed. */
function requestAll(state: State, needed: Needed, blocks: readonly BlockId[]): ReadonlySet<InstId> {
  const refused = new Set<InstId>();
  if (!state.remark.mayRefuse) return refused;
  for (const id of blocks) {
    const block = state.edit.block(id);
    needed.scan(id, (inst, _at, need) => {
      if (need !== "dead") return;
      const rewrite = remove.look(state, { block, inst })?.request() ?? null;
      if (rewrite === null) refused.add(inst.id);
      else state.granted.set(inst.id, rewrite);
    });
  }
  return refused;
}

function sweepBlock(state: State, needed: Needed, block: Block): void {
  const { edit, remark } = state;
  // For the sentences only: who reads a register next, seen from the walk's place.
  const readers = new Map<Reg, Inst>();
  let live: Reg | null = null;
  const reader = (): string => readerText(edit, block, readers, live);
  remark.open(RULES.removal, "block", { block });
  needed.scan(block.id, (inst, _at, need) => {
    if (need === "dead") {
      removeDead(state, block, inst);
      return;
    }
    const regs = defsOf(inst);
    live = null;
    for (const r of regs) if (live === null && needed.isLive(r)) live = r;
    if (need === "result") {
      // Nothing counts these.
      if (remark.listening) remark.missed(RULES.keepLive, "live", { reg: live, reader, inst, block, regs });
    } else if (need === "effect" && regs.length > 0 && live === null) {
      remark.missed(RULES.keepEffect, "effect", { regs, inst, block, effect: effectWord(inst) });
    }
    if (remark.listening && inst.op !== "PHI") for (const r of usesOf(inst)) readers.set(r, inst);
  });
  remark.at(RULES.remove);
  sweepDoomed(state, block.id);
  remark.close();
}

function removeDead(state: State, block: Block, inst: Inst): void {
  const rewrite = state.granted.get(inst.id) ?? remove.look(state, { block, inst })?.request();
  rewrite?.commit();
}

function readerText(edit: State["edit"], block: Block, readers: ReadonlyMap<Reg, Inst>, live: Reg | null): string {
  const reader = live === null ? undefined : readers.get(live);
  return reader === undefined ? `live at the end of ${block.label}` : `read by '${printInst(edit.func, reader)}'`;
}

function effectWord(inst: Inst): string {
  const effect = effectOf(inst);
  if (effect === "load") return isVolatileAccess(inst) ? "it is a volatile access" : "it reads memory";
  switch (effect) {
    case "store":
    case "atomic":
      return "it writes memory";
    case "barrier":
      return "it is a barrier";
    case "sync":
      return "it marks a convergence region";
    case "call":
      return "it is a call";
    case "volatile":
      return "it reads state that changes by itself";
    case "control":
      return "it redirects control";
    case "pure":
    case "warp":
      return "it has an effect";
  }
}
