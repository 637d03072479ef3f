/** The four gates between a pair of candidates and their merge, each with its verdict. */

import { notShareable } from "../../analysis/shareable.ts";
import type { Inst } from "../../ir/types.ts";
import { isTerminator, sameInst, terminatorsOf } from "../../ir/visit.ts";
import { plural } from "../../text/plural.ts";
import { printInst } from "../../text/printer.ts";
import type { Candidate } from "./candidates.ts";
import { LINE } from "./pseudocode.ts";
import { isReserved, tailLiveIns } from "./reserved.ts";
import { labelOf, refuse, type State } from "./state.ts";

/** Length of the longest common end of two candidates whose instructions may be shared, found by walking both backwards. */
export function commonTailLength(state: State, a: Candidate, b: Candidate): number {
  const { rec } = state;
  const [labelA, labelB] = rec.on ? [labelOf(state, a.block), labelOf(state, b.block)] : ["", ""];
  if (rec.on) state.observed.newPair(labelA, labelB);
  let length = 0;
  for (; length < a.insts.length && length < b.insts.length; length++) {
    const x = a.insts[a.insts.length - 1 - length] as Inst;
    const y = b.insts[b.insts.length - 1 - length] as Inst;
    const same = sameInst(x, y);
    const why = same ? notShareable(x) : "they differ";
    if (rec.on) {
      const [textX, textY] = [printInst(state.edit.func, x), printInst(state.edit.func, y)];
      state.observed.walked(labelA, labelB, length, { a: textX, b: textY, same, why, insts: [x.id, y.id] });
      rec.event(
        "visit",
        LINE.walk,
        why === null ? "{a}: '{x}' and {b}: '{y}' are identical" : "{a}: '{x}' and {b}: '{y}' end the common tail: {why}",
        { a: labelA, b: labelB, x: textX, y: textY, same, why },
        { blocks: [a.block, b.block], insts: [x.id, y.id], nodes: [`tail-walk/${length}`] },
      );
    }
    if (why !== null) {
      if (same) refuse(state, "convergence");
      break;
    }
  }
  return length;
}

interface Verdict {
  readonly gate: string;
  readonly ok: boolean;
  readonly line: number;
  /** Only asked for while recording: a threshold without bound means millions of pairs. */
  readonly sentence: () => string;
}

/** All gates in order up to the first that refuses. True: merge. */
export function passGates(state: State, a: Candidate, b: Candidate, length: number, ownBlock: boolean): boolean {
  const pair = state.rec.on ? `${labelOf(state, a.block)} + ${labelOf(state, b.block)}` : "";
  const verdicts: { readonly gate: string; readonly ok: boolean; readonly sentence: string }[] = [];
  for (const gate of GATES) {
    const verdict = gate(state, a, b, length, ownBlock);
    if (verdict === null) continue;
    if (state.rec.on) {
      const { ok, line } = verdict;
      const sentence = verdict.sentence();
      verdicts.push({ gate: verdict.gate, ok, sentence });
      state.observed.verdicts(pair, [...verdicts]);
      state.rec.event(
        "match",
        line,
        "{pair}: {sentence}",
        { pair, sentence, verdict: ok ? "yes" : "no", condition: verdict.gate, length },
        { blocks: [a.block, b.block], nodes: [`merge-gates/${pair}`] },
      );
    }
    if (!verdict.ok) {
      refuse(state, verdict.gate);
      return false;
    }
  }
  return true;
}

type GateCheck = (state: State, a: Candidate, b: Candidate, length: number, ownBlock: boolean) => Verdict | null;

const tailLength: GateCheck = (state, _a, _b, length) => {
  const least = Math.max(1, state.minTail);
  const ok = length >= least;
  return {
    gate: "tail-length",
    ok,
    line: LINE.gate1,
    sentence: () => `the common tail has ${plural(length, "instruction")}, tail-merge-size asks for ${least}`,
  };
};

const analyzable: GateCheck = (state, a) => ({
  gate: "analyzable-branch",
  ok: true,
  line: LINE.gate2,
  sentence: () => `the end of ${labelOf(state, a.block)} can be analysed`,
});

const reserved: GateCheck = (state, a, b, length) => {
  if (!state.nvidia) return null;
  const { special } = tailLiveIns(a.insts.slice(a.insts.length - length));
  const found = special.filter(isReserved);
  if (state.rec.on) state.observed.checkedReserved(`${labelOf(state, a.block)} + ${labelOf(state, b.block)}`, found);
  return {
    gate: "reserved-register",
    ok: found.length === 0,
    line: LINE.gate3,
    sentence: () =>
      found.length === 0
        ? "no reserved register is live into the tail"
        : `the reserved register ${found.join(", ")} would be live into the shared tail`,
  };
};

/** Not stated in the notes: a shared condition lets lanes of both blocks part together, and a shared BSYNC lets them go on together. */
const convergence: GateCheck = (state, a, _b, length) => {
  const last = a.insts[a.insts.length - 1];
  if (length === 0 || last === undefined) return null;
  const condition = last.op === "BRA";
  if (!condition && !a.insts.slice(a.insts.length - length).some((inst) => inst.op === "BSYNC")) return null;
  const obstacle = state.rejoin.joinBranches();
  const what = condition ? "ends with a condition" : "ends a region";
  return obstacle === null
    ? null
    : { gate: "convergence", ok: false, line: LINE.gate2, sentence: () => `the tail ${what}, and ${obstacle.reason}` };
};

/** Not stated in the notes, which argue that it cannot happen: a tail shared with a block outside of a loop is a second way into the loop. */
const loopEntry: GateCheck = (state, a, b, length) => {
  const header = length === 0 ? null : state.entries.secondWay(a.block, b.block);
  if (header === null) return null;
  return {
    gate: "loop-entry",
    ok: false,
    line: LINE.gate2,
    sentence: () =>
      `one of the two is in the loop of ${labelOf(state, header)}, which would be entered at the shared tail as well (not stated in the notes)`,
  };
};

const profit: GateCheck = (state, a, _b, length, ownBlock) => {
  const first = state.edit.block(a.block);
  // A tail that is a block already needs no split, so that block's terminators stay where they are.
  const rewritten = !ownBlock && terminatorsOf(first).insts.some(isTerminator);
  const overhead = 1 + (rewritten ? 1 : 0);
  return {
    gate: "profit",
    ok: length > overhead,
    line: LINE.gate4,
    sentence: () =>
      `${plural(length, "shared instruction")} against ${overhead} for ${rewritten ? "the new branch and the moved terminator" : "the new branch"}`,
  };
};

/** Only in upstream mode: shown last, so that it says what cicc would have merged. */
const structuredCfg: GateCheck = (state) =>
  state.tailMergeOff === null
    ? null
    : { gate: "structured-cfg", ok: false, line: LINE.tailMerge, sentence: () => `cicc would merge here, but ${state.tailMergeOff}` };

const GATES: readonly GateCheck[] = [tailLength, analyzable, convergence, loopEntry, reserved, profit, structuredCfg];
