/** The gates between a pair of candidates and their merge, each with its verdict. */

import { plural } from "../../../base/plural.ts";
import { notShareable } from "../../analysis/shareable.ts";
import type { Inst } from "../../ir/types.ts";
import { isTerminator, sameInst, terminatorsOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { Candidate } from "./candidates.ts";
import { isReserved, tailLiveIns } from "./reserved.ts";
import { RULES } from "./rules.ts";
import type { State } from "./state.ts";

/** Two candidates with the length of their common tail. */
export interface Pair {
  readonly keep: Candidate;
  readonly give: Candidate;
  readonly length: number;
  /** The tail is all of `keep`'s block. */
  readonly whole: boolean;
}

export function pairName({ edit }: State, { keep, give }: Pick<Pair, "keep" | "give">): string {
  return `${edit.block(keep.block).label} + ${edit.block(give.block).label}`;
}

/** Length of the longest common end of two candidates whose instructions may be shared, found by walking both backwards. */
export function commonTailLength(state: State, a: Candidate, b: Candidate): number {
  const { edit, remark, observed } = state;
  const { listening } = remark;
  if (listening) observed.newPair(edit.block(a.block).label, edit.block(b.block).label);
  let length = 0;
  for (; length < a.insts.length && length < b.insts.length; length++) {
    const x = a.insts[a.insts.length - 1 - length] as Inst;
    const y = b.insts[b.insts.length - 1 - length] as Inst;
    const same = sameInst(x, y);
    const effect = same ? notShareable(x) : null;
    if (listening) walked(state, a, b, length, x, y, same ? effect : "they differ");
    const at = length;
    const about = () => ({
      a: a.block,
      b: b.block,
      x,
      y,
      effect: effect ?? "",
      blocks: [a.block, b.block],
      insts: [x, y],
      node: `tail-walk/${at}`,
    });
    if (!same) {
      remark.step(RULES.walk, "differ", about);
      break;
    }
    if (effect === null) remark.step(RULES.walk, "same", about);
    else if (!remark.holds(RULES.walk, "tail-sees-lanes", false, about)) break;
  }
  return length;
}

function walked({ edit, observed }: State, a: Candidate, b: Candidate, at: number, x: Inst, y: Inst, why: string | null): void {
  const texts = { a: printInst(edit.func, x), b: printInst(edit.func, y) };
  observed.walked(edit.block(a.block).label, edit.block(b.block).label, at, { ...texts, same: sameInst(x, y), why, insts: [x.id, y.id] });
}

/** All gates in order up to the first that refuses. True: merge. */
export function passGates(state: State, pair: Pair): boolean {
  return GATES.every((passes) => passes(state, pair));
}

/** True: the pair passes, or the gate is not there. */
type Gate = (state: State, pair: Pair) => boolean;

/** A verdict as the holes of its sentence. It is made only when somebody listens, and is then shown, too: a threshold without bound means millions of pairs. */
function verdict(state: State, pair: Pair, gate: string, ok: boolean, sentence: () => string) {
  return () => {
    const row = { gate, ok, sentence: sentence() };
    const name = pairName(state, pair);
    state.observed.verdict(name, row);
    return {
      pair: name,
      sentence: row.sentence,
      blocks: [pair.keep.block, pair.give.block],
      node: `merge-gates/${name}`,
      also: { length: pair.length, condition: gate },
    };
  };
}

const tailLength: Gate = (state, pair) => {
  const { remark, minTail } = state;
  const { length } = pair;
  const least = Math.max(1, minTail);
  const ok = length >= least;
  const said = verdict(
    state,
    pair,
    "tail-length",
    ok,
    () => `the common tail has ${plural(length, "instruction")}, tail-merge-size asks for ${least}`,
  );
  if (!ok) return remark.missed(RULES.gate1, "tail-length", said) !== null;
  remark.matched(RULES.gate1, said);
  return true;
};

const analyzable: Gate = (state, pair) => {
  const { edit, remark } = state;
  const { keep, give } = pair;
  const stuck = keep.unknown !== null ? keep : give.unknown !== null ? give : null;
  const said = verdict(state, pair, "analyzable-branch", stuck === null, () =>
    stuck === null
      ? `the ends of ${edit.block(keep.block).label} and ${edit.block(give.block).label} can be analysed`
      : `the end of ${edit.block(stuck.block).label} cannot be analysed: ${stuck.unknown}`,
  );
  if (stuck !== null) return remark.missed(RULES.gate2, "analyzable-branch", said) !== null;
  remark.matched(RULES.gate2, said);
  return true;
};

const convergence: Gate = (state, pair) => {
  const { insts } = pair.keep;
  const last = insts[insts.length - 1];
  if (pair.length === 0 || last === undefined) return true;
  const condition = last.op === "BRA";
  if (!condition && !insts.slice(insts.length - pair.length).some((inst) => inst.op === "BSYNC")) return true;
  const obstacle = state.rejoin.joinBranches();
  const what = condition ? "ends with a condition" : "ends a region";
  const said = verdict(state, pair, "convergence", false, () => `the tail ${what}, and ${obstacle?.reason ?? ""}`);
  return state.remark.holds(RULES.gate2, "tail-parts", obstacle === null, said);
};

const loopEntry: Gate = (state, pair) => {
  const header = pair.length === 0 ? null : state.entries.secondWay(pair.keep.block, pair.give.block);
  const loop = () =>
    `one of the two is in the loop of ${header === null ? "" : state.edit.block(header).label}, which would be entered at the shared tail as well (not stated in the reference)`;
  return header === null || state.remark.missed(RULES.gate2, "loop-entry", verdict(state, pair, "loop-entry", false, loop)) !== null;
};

function reservedIn({ keep: { insts }, length }: Pair): readonly string[] {
  return tailLiveIns(insts.slice(insts.length - length)).special.filter(isReserved);
}

const reserved: Gate = (state, pair) => {
  const { remark, observed, nvidia } = state;
  if (!nvidia) return true;
  const found = reservedIn(pair);
  if (remark.listening) observed.checkedReserved(pairName(state, pair), found);
  const ok = found.length === 0;
  const said = verdict(state, pair, "reserved-register", ok, () =>
    ok ? "no reserved register is live into the tail" : `the reserved register ${found.join(", ")} would be live into the shared tail`,
  );
  if (!ok) return remark.missed(RULES.gate3, "reserved-register", said) !== null;
  remark.matched(RULES.gate3, said);
  return true;
};

const profit: Gate = (state, pair) => {
  const { edit, remark } = state;
  const { length, whole } = pair;
  // A tail that is a block already needs no split, so that block's terminators stay where they are.
  const rewritten = !whole && terminatorsOf(edit.block(pair.keep.block)).insts.some(isTerminator);
  const overhead = 1 + (rewritten ? 1 : 0);
  const ok = length > overhead;
  const cost = rewritten ? "the new branch and the moved terminator" : "the new branch";
  const said = verdict(state, pair, "profit", ok, () => `${plural(length, "shared instruction")} against ${overhead} for ${cost}`);
  if (!ok) return remark.missed(RULES.gate4, "profit", said) !== null;
  remark.matched(RULES.gate4, said);
  return true;
};

/** Only in upstream mode: shown last, so that it says what cicc would have done with the pair. */
const structuredCfg: Gate = (state, pair) => {
  const { remark, tailMergeOff } = state;
  if (tailMergeOff === null) return true;
  const said = verdict(state, pair, "structured-cfg", false, () => {
    const found = reservedIn(pair);
    if (found.length === 0) return `cicc would merge here, but ${tailMergeOff}`;
    return `${tailMergeOff}; cicc would not merge here either, for the reserved register ${found.join(", ")}`;
  });
  return remark.missed(RULES.tailMerge, "structured-cfg", said) !== null;
};

const GATES: readonly Gate[] = [tailLength, analyzable, convergence, loopEntry, reserved, profit, structuredCfg];
