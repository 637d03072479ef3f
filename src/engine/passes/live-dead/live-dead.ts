/** Phases 16, 33, 61 and 84, OriPerformLiveDead: backward liveness to a fixed point, then removal of what nothing depends on. */

import { Needed } from "../../analysis/needed.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import { identityOf, type Pass, type PassContext } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { removeOverwritten } from "./overwritten.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { watchRounds } from "./watch.ts";

type Ctx = Pick<PassContext, "edit" | "remark">;

/** The reference places these phases and describes none of them; see the README for what was decided. */
export const oriPerformLiveDead: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  run: ({ edit, remark, policy }) => {
    const { order } = reversePostOrder(edit.func);
    const reachable = new Set(order);
    if (policy === "measured" || remark.listening) removeOverwritten({ edit, remark, policy }, order);
    remark.step(RULES.start, { func: edit.func.name, blocks: order.length });
    let needed = new Needed(edit.func, remark.listening ? watchRounds(edit.func, remark) : null);
    const { rounds } = needed;
    const blocks = edit.func.layout.filter((id) => reachable.has(id));
    const kept = refusedAhead({ edit, remark }, needed, blocks);
    if (kept.size > 0) needed = new Needed(edit.func, null, kept);
    remark.span(RULES.removal, "all", { rounds }, () => {
      for (const id of blocks) sweepBlock({ edit, remark }, needed, edit.block(id));
    });
    // A store that is overwritten counts with what nothing needs.
    const [removed, stay] = [remark.rewrites, remark.times(RULES.keepEffect, "effect")];
    remark.step(RULES.report, { removed, kept: stay, also: { candidates: removed } });
    return remark.outcome({
      matches: removed + stay,
      none:
        stay > 0
          ? `every instruction is needed: ${stay} with dead results stay for their effect`
          : "every instruction is needed: each has an effect, or something needs its result",
      figures: { rounds, removed, keptForEffect: stay },
    });
  },
};

/** An instruction that may not be removed keeps what it reads: asked for before anything is. */
function refusedAhead({ remark }: Ctx, needed: Needed, blocks: readonly BlockId[]): ReadonlySet<InstId> {
  const refused = new Set<InstId>();
  if (!remark.mayRefuse) return refused;
  for (const block of blocks) {
    needed.scan(block, (inst, _at, need) => {
      if (need === "dead" && !remark.askAhead(RULES.remove, ...removal(block, inst))) refused.add(inst.id);
    });
  }
  return refused;
}

const removal = (block: BlockId | Block, inst: Inst) => {
  const regs = defsOf(inst);
  return [regs.length === 0 ? "useless" : "unread", { inst, block, regs }] as const;
};

function sweepBlock({ edit, remark }: Ctx, needed: Needed, block: Block): void {
  const doomed = new Set<InstId>();
  // For the sentences only: who reads a register next, seen from the walk's place.
  const readers = new Map<Reg, Inst>();
  let live: Reg | null = null;
  const reader = (): string => readerText(edit, block, readers, live);
  remark.open(RULES.removal, "block", { block });
  needed.scan(block.id, (inst, _at, need) => {
    if (need === "dead") {
      remove(remark, block, inst, doomed);
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
  if (doomed.size > 0) edit.sweep(block.id, (inst) => doomed.has(inst.id));
  remark.close();
}

function remove(remark: Ctx["remark"], block: Block, inst: Inst, doomed: Set<InstId>): void {
  const [way, about] = removal(block, inst);
  remark.found(RULES.remove, way, about, () => doomed.add(inst.id));
}

function readerText(edit: Ctx["edit"], block: Block, readers: ReadonlyMap<Reg, Inst>, live: Reg | null): string {
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
