/** Phases 16, 33, 61 and 84, OriPerformLiveDead: backward liveness to a fixed point, then removal of what nothing depends on. */

import { Needed } from "../../analysis/needed.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import type { InstId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { defsOf, effectOf, getBlock, isVolatileAccess, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { watchRounds } from "./watch.ts";

/** The notes place these phases and describe none of them; see the README for what was decided. */
export const oriPerformLiveDead: Pass = {
  family: "live-dead",
  ids: ["ori-perform-live-dead-first", "ori-perform-live-dead-second", "ori-perform-live-dead-third", "ori-perform-live-dead-fourth"],
  summary: "Removes instructions without effect whose results nothing needs.",
  pseudocode: PSEUDOCODE,
  run: (ctx: PassContext): PassOutcome => {
    const { edit, rec } = ctx;
    const { order } = reversePostOrder(edit.func);
    const reachable = new Set(order);
    if (rec.on)
      rec.event("visit", LINE.start, "{func}: {blocks} {blocks:block|blocks} to visit", { func: edit.func.name, blocks: order.length });
    const needed = new Needed(edit.func, rec.on ? watchRounds(edit.func, rec) : null);
    if (rec.on) rec.begin("round", LINE.removal, "removal, after {rounds} {rounds:round|rounds}", { rounds: needed.rounds });
    const tally = { candidates: 0, kept: 0, removed: 0 };
    for (const id of edit.func.layout) if (reachable.has(id)) sweepBlock(ctx, needed, getBlock(edit.func, id), tally);
    if (rec.on) {
      rec.end();
      rec.event(
        "note",
        LINE.report,
        "{removed} {removed:instruction|instructions} removed; {kept} {kept:has a dead result and stays for its effect|have dead results and stay for their effect}",
        tally,
      );
    }
    return {
      matches: tally.candidates + tally.kept,
      rewrites: tally.removed,
      why: tally.removed > 0 ? null : whyNothing(tally),
      figures: { rounds: needed.rounds, removed: tally.removed, keptForEffect: tally.kept },
    };
  },
};

interface Tally {
  /** Instructions that may go when their results are dead, and are. */
  candidates: number;
  /** Instructions whose results are dead, kept for their effect. */
  kept: number;
  removed: number;
}

function sweepBlock({ edit, rec }: PassContext, needed: Needed, block: Block, tally: Tally): void {
  const doomed = new Set<InstId>();
  // For the sentences only: who reads a register next, seen from the walk's place.
  const readers = new Map<Reg, Inst>();
  if (rec.on) rec.begin("visit", LINE.removal, "{block}", { block: block.label }, { blocks: [block.id] });
  needed.scan(block.id, (inst, _at, need) => {
    const defs = defsOf(inst);
    const wasted = defs.length > 0 && !defs.some((r) => needed.isLive(r));
    if (need === "dead") {
      doomed.add(inst.id);
      tally.candidates++;
    } else if (need === "effect" && wasted) tally.kept++;
    if (!rec.on) return;
    const text = printInst(edit.func, inst);
    const focus = { blocks: [block.id], insts: [inst.id], regs: defs };
    if (need === "effect" && wasted) {
      const facts = {
        verdict: "no",
        condition: "effect",
        inst: text,
        block: block.label,
        effect: effectWord(inst),
        regs: defs.map(regName),
      };
      rec.event("match", LINE.keepEffect, "nothing reads {regs}, but '{inst}' in {block} stays: {effect}", facts, focus);
    } else if (need === "result") {
      const live = defs.find((r) => needed.isLive(r)) ?? defs[0];
      const reader = live === undefined ? undefined : readers.get(live);
      const facts = {
        verdict: "no",
        condition: "live",
        inst: text,
        block: block.label,
        reg: live === undefined ? "" : regName(live),
        reader: reader === undefined ? `live at the end of ${block.label}` : `read by '${printInst(edit.func, reader)}'`,
      };
      rec.event("match", LINE.keepLive, "{reg} is {reader}, so '{inst}' stays", facts, focus);
    } else if (need === "dead") {
      const facts = { verdict: "yes", condition: null, inst: text, block: block.label, regs: defs.map(regName) };
      const template =
        defs.length === 0 ? "'{inst}' in {block} has no result and no effect" : "nothing needs {regs}: '{inst}' in {block} goes";
      rec.event("match", LINE.remove, template, facts, focus);
    }
    if (need !== "dead" && inst.op !== "PHI") for (const r of usesOf(inst)) readers.set(r, inst);
  });
  if (doomed.size > 0) {
    if (rec.on) rec.at(LINE.remove);
    tally.removed += edit.sweep(block.id, (inst) => doomed.has(inst.id));
  }
  if (rec.on) rec.end();
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

function whyNothing(tally: Tally): string {
  if (tally.kept > 0) return `every instruction is needed: ${tally.kept} with dead results stay for their effect`;
  return "every instruction is needed: each has an effect, or something needs its result";
}
