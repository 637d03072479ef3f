/** The rewrites of the walk; each fires one of the seven counters. */

import { regOp } from "../../ir/builder.ts";
import { withOps } from "../../ir/copies.ts";
import { is64, isPredicateReg } from "../../ir/reg.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import type { Copy, Place } from "./copy.ts";
import type { Counter, Counters } from "./counters.ts";
import { type Ring, type Slot, sourceText } from "./ring.ts";

export interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly flags: number;
  /** Knob 605. */
  readonly restricted: boolean;
  readonly counters: Counters;
}

/** A slot of the ring that has the source of a copy. */
interface Pair {
  readonly ring: Ring;
  readonly slot: number;
  readonly pair: Slot;
}

export const dead = rule<State, Place>()({
  line: "    I is a dead copy: remove it; counter 3",
  done: "'{inst}' is dead and is removed",
  match: (_, { inst, block }) => ({ inst, block }),
  apply: (state, match) => remove(state, match, "dead"),
});

export const repeat = rule<State, { readonly copy: Copy } & (Pair | { readonly pair?: undefined })>()({
  line: "      the slot's destination is I's destination: I is redundant and is removed; counter 2, 4 for I = MOV R, R",
  done: {
    self: "'{inst}' copies a register to itself and is removed",
    repeat: "'{inst}' repeats a copy in the ring and is removed",
  },
  because: {
    self: "it copies a register to itself",
    repeat: "an earlier copy, which the ring still contains, has made the same copy into the same register",
  },
  match(_, { copy: { inst, block, dest, source }, ...from }) {
    if (from.pair === undefined) return source.kind === "reg" && source.reg === dest ? { done: "self", inst, block } : null;
    return from.pair.dest === dest ? { done: "repeat", inst, block, from } : null;
  },
  apply(state, match) {
    if (match.done === "repeat") match.from.ring.pair(match.from.slot, match.inst.id);
    remove(state, match, match.done);
  },
});

export const reuse = rule<State, { readonly copy: Copy } & Pair>()({
  line: "      else I reads the slot's destination instead; counter 0 (register) or 1 (immediate), 5 predicate, 6 64 bit",
  done: "'{inst}' reads {from:reg} instead, which slot {slot} has as a copy of {source}",
  because: "{from} is a copy of {source} already, so both have the same value",
  match: (_, { copy, ring, slot, pair: { dest: from } }) => ({
    inst: copy.inst,
    from,
    slot,
    source: () => sourceText(copy.source),
    block: copy.block,
    regs: [from, copy.dest],
    node: ring.node(slot),
    copy,
    ring,
  }),
  apply(state, { copy, from, slot, ring, node }) {
    const { edit, remark } = state;
    const { block, inst } = copy;
    state.counters.fire(counterOf(copy));
    edit.replace(block, edit.block(block).insts.indexOf(inst), withOps(inst, [...inst.ops.slice(0, 1), regOp(from)]));
    ring.pair(slot, inst.id);
    remark.step(second, { slot, node });
  },
});

export const second = line("      the slot records I as its second instruction", {
  kind: "note",
  step: "slot {slot} records it as the second copy",
});

function remove(state: State, { block, inst }: Place, counter: Counter): void {
  state.counters.fire(counter);
  state.edit.remove(block, state.edit.block(block).insts.indexOf(inst));
}

function counterOf({ dest, source }: Copy): Counter {
  if (isPredicateReg(dest)) return "predicate";
  if (is64(dest)) return "wide";
  return source.kind === "reg" ? "register" : "immediate";
}
