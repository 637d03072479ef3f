/** The gates between a pair of candidates and their merge, each with its verdict. */

import { plural } from "../../../base/plural.ts";
import type { Reg } from "../../ir/ids.ts";
import { RESERVED_SPECIAL_REGISTERS } from "../../ir/special-registers.ts";
import type { Inst } from "../../ir/types.ts";
import { isTerminator, sureDefsOf, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { Candidate } from "./candidates.ts";
import type { State } from "./state.ts";

/** The sentences are made below, since the observed structure shows them, too. */
const GATE = "{pair}: {sentence}";

export const tailMerge = line("  TailMergeBlocks, unless switched off or prevented by the structured-CFG gate:", {
  kind: "span",
  step: "TailMergeBlocks: merge blocks that end alike",
  missed: {
    off: { kind: "gate", why: "enable-tail-merge is off", say: "no tail merging: enable-tail-merge is off" },
    "no-candidates": { kind: "gate", why: "tail-merge-threshold is 0", say: "no tail merging: tail-merge-threshold is 0" },
    "structured-cfg": { say: GATE },
  },
});

export const GATES = {
  gate1: line("      gate 1: L >= tail-merge-size", { found: GATE, missed: { "tail-length": { say: GATE } } }),
  gate2: line("      gate 2: the branches can be analysed", {
    found: GATE,
    missed: {
      "analyzable-branch": { say: GATE },
      // Not stated in the reference: a shared condition lets lanes of both blocks diverge together, and a shared BSYNC lets them continue together.
      "tail-parts": {
        code: "convergence",
        say: GATE,
        droppable: "lanes of both blocks diverge or reconverge at the end of the tail together",
      },
      // Not stated in the reference, which argues that it cannot happen: a tail shared with a block outside a loop is a second entry of the loop.
      "loop-entry": {
        say: GATE,
        fixed:
          "A second entry into a loop changes no result: the condition keeps the graph reducible, since later phases do less where it is not.",
      },
    },
  }),
  // In this IR a special register is read by an S2R that means the same in a shared tail, so the gate protects no meaning here.
  gate3: line("      gate 3: no reserved special register is live into the tail", {
    found: GATE,
    missed: { "reserved-register": { say: GATE } },
  }),
  gate4: line("      gate 4: L is more than the branches the merge adds", { found: GATE, missed: { profit: { say: GATE } } }),
};

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

/** All gates in order up to the first that refuses. True: merge. */
export function passGates(state: State, pair: Pair): boolean {
  return ALL.every((passes) => passes(state, pair));
}

/** True: the pair passes, or the gate is not there. */
type Gate = (state: State, pair: Pair) => boolean;

/** A verdict as the holes of its sentence. It is made only while a trace is recorded, and is then shown, too: a threshold without bound means millions of pairs. */
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
    () => `the common tail has ${plural(length, "instruction")}, tail-merge-size is ${least}`,
  );
  if (!ok) return remark.fails(GATES.gate1, "tail-length", said);
  remark.matched(GATES.gate1, said);
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
  if (stuck !== null) return remark.fails(GATES.gate2, "analyzable-branch", said);
  remark.matched(GATES.gate2, said);
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
  return state.remark.holds(GATES.gate2, "tail-parts", obstacle === null, said);
};

const loopEntry: Gate = (state, pair) => {
  const header = pair.length === 0 ? null : state.entries.secondEntry(pair.keep.block, pair.give.block);
  const loop = () =>
    `one of the two is in the loop of ${header === null ? "" : state.edit.block(header).label}, which would be entered at the shared tail as well (not stated in the reference)`;
  return header === null || state.remark.fails(GATES.gate2, "loop-entry", verdict(state, pair, "loop-entry", false, loop));
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
  if (!ok) return remark.fails(GATES.gate3, "reserved-register", said);
  remark.matched(GATES.gate3, said);
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
  if (!ok) return remark.fails(GATES.gate4, "profit", said);
  remark.matched(GATES.gate4, said);
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
  return remark.fails(tailMerge, "structured-cfg", said);
};

const ALL: readonly Gate[] = [tailLength, analyzable, convergence, loopEntry, reserved, profit, structuredCfg];

// --- reserved registers ----------------------------------------------------------------------------------------------------------

const RESERVED: ReadonlySet<string> = new Set(RESERVED_SPECIAL_REGISTERS);

/** Property 0x200 of the reference: one of the 63 hardware-defined registers. */
function isReserved(name: string): boolean {
  return RESERVED.has(name);
}

export interface TailLiveIns {
  /** Special registers that the tail reads: no instruction defines them, so each is live into it. */
  readonly special: readonly string[];
  /** Registers read in the tail before it surely writes them. */
  readonly regs: readonly Reg[];
}

export function tailLiveIns(tail: readonly Inst[]): TailLiveIns {
  const special = new Set<string>();
  const live = new Set<Reg>();
  for (let i = tail.length - 1; i >= 0; i--) {
    const inst = tail[i] as Inst;
    // A guarded definition may leave the old value, which is then live through it.
    for (const r of sureDefsOf(inst)) live.delete(r);
    for (const r of usesOf(inst)) live.add(r);
    for (const operand of inst.ops) if (operand.kind === "sreg") special.add(operand.name);
  }
  return { special: [...special], regs: [...live].sort((a, b) => a - b) };
}
