/** Where in ptxas 13.0.88 and cicc a phase is, as far as the reference gives addresses: what a reader with a disassembler looks up. */

import type { PassId } from "./positions.ts";

/** A function of the binary. */
export interface BinaryFunction {
  /** `sub_781F80`. */
  readonly symbol: string;
  readonly does: string;
  /** Bytes; null where the reference gives none. */
  readonly bytes: number | null;
  /** How many functions call it; null where the reference does not say. */
  readonly callers: number | null;
}

export interface Provenance {
  /** Page and section of the reference. */
  readonly page: string;
  readonly functions: readonly BinaryFunction[];
}

/** The vtables of the 159 phases lie side by side, 40 bytes each, by the phase's number. */
const VTABLES = 0x22bd5c8;
const VTABLE_BYTES = 0x28;

/** Address of a phase's vtable: execute at +0, getPhaseNumber at +8, isNoOp at +16. */
export function vtableOf(number: number): number {
  return VTABLES + number * VTABLE_BYTES;
}

const fn = (symbol: string, does: string, bytes: number | null = null, callers: number | null = null): BinaryFunction => ({
  symbol: `sub_${symbol}`,
  does,
  bytes,
  callers,
});

const CONTROL_FLOW: Provenance = {
  page: "analyze-control-flow",
  functions: [
    fn("C60870", "execute: asks the level and knob 235, then goes on in the body", 89),
    fn("781F80", "the body, which other phases call as a service", 8335, 131),
    fn("780D80", "classifies terminators", 4007),
    fn("749140", "registers an edge"),
    fn("749090", "records a loop exit"),
    fn("7486F0", "tests for a back edge"),
  ],
};

const COPIES = "general-optimize";

const BY_PASS: Readonly<Partial<Record<PassId, Provenance>>> = {
  "branch-folding": {
    page: "branch-folding-and-tail-merge",
    functions: [
      fn("2F36310", "entry: walks the blocks until nothing changes"),
      fn("2F336B0", "branch optimization and tail merging of one block", 11347),
      fn("2E88A90", "asks for an instruction's properties, 0x200 for reserved registers"),
      fn("2DAC790", "vtable of NVPTXInstrInfo, checked before a merge"),
    ],
  },
  "analyze-control-flow": CONTROL_FLOW,
  "general-optimize-early": {
    page: `${COPIES}, Variant A`,
    functions: [fn("C5F940", "execute"), fn("7917F0", "the body for several functions", 529, 2), fn("753600", "one block", 1351, 1)],
  },
  "do-switch-opt-first": {
    page: "branch-and-switch, Phase 14",
    functions: [
      fn("C5F720", "execute: calls slot 17 of the backend", 42),
      fn("849110", "handler A: sync pairs, then a scan of branches", 613),
      fn("729160", "handler B: rewrites by branch distance", 546),
      fn("661210", "no handler: returns", 2),
      fn("848F40", "restructures sync pairs for handler A", 472, 1),
    ],
  },
  "ori-branch-opt": {
    page: "branch-and-switch, Phase 15",
    functions: [
      fn("C5F950", "execute", 34),
      fn("7917F0", "one walk over the blocks in RPO, each until it settles", 529, 2),
      fn("753600", "the rewrites of one block", 1351, 1),
      fn("753B50", "the rest of one block", 598, 1),
    ],
  },
  "general-optimize": {
    page: `${COPIES}, Variant A`,
    functions: [fn("C5FC50", "execute"), fn("908EB0", "the body: one walk over the instructions")],
  },
  "do-switch-opt-second": {
    page: "branch-and-switch, Phase 30",
    functions: [
      fn("C5FC80", "execute", 34),
      fn("791F00", "makes the SwitchOptContext", 587, 3),
      fn("77CF40", "patterns, strategy and emission", 4698, 1),
    ],
  },
  "general-optimize-mid": {
    page: `${COPIES}, Variant B`,
    functions: [fn("C5FD70", "execute"), fn("910840", "the body"), fn("8F3EA0", "the check before it")],
  },
  "general-optimize-mid2": {
    page: `${COPIES}, Variant C`,
    functions: [fn("C60840", "execute: calls slot 56 of the backend"), fn("7D6DD0", "no body: returns")],
  },
  "optimize-nested-cond-branches": {
    page: "branch-and-switch, Phase 38",
    functions: [
      fn("C5FA70", "execute", 34),
      fn("A0F020", "combines predicates", 2375, 11),
      fn("A07940", "which instructions may be executed early"),
    ],
  },
  "gvn-cse": {
    page: "copy-propagation-and-cse, Phase 49",
    functions: [
      fn("BEE590", "entry, in slot 23 of the backend"),
      fn("BEE370", "chooses the variant by knob 402"),
      fn("BEA450", "mode 1: inside a block"),
      fn("BEAD00", "mode 2: along dominators"),
      fn("BED7E0", "modes 3 to 6, with the scope tree"),
      fn("BED430", "the pre-pass over extended basic blocks"),
      fn("BEA5F0", "one dominated block"),
      fn("BEA3B0", "dominance, with a cache of one entry"),
      fn("BEA1E0", "which instructions are eligible"),
      fn("661250", "no body: returns 0"),
    ],
  },
  "ori-reassociate-and-common": {
    page: "copy-propagation-and-cse, Phase 50",
    functions: [fn("C604D0", "execute: calls slot 44 of the backend")],
  },
  "late-ori-commoning": {
    page: "copy-propagation-and-cse, Phase 64",
    functions: [
      fn("C60020", "execute", 48),
      fn("9059B0", "entry: knob, working set"),
      fn("9055F0", "the walk over the code list"),
      fn("901A90", "one instruction: hash, dominance, replacement"),
      fn("8F2CD0", "follows equal values through MOVs"),
    ],
  },
  "general-optimize-late": {
    page: `${COPIES}, Variant C`,
    functions: [fn("C5FF20", "execute"), fn("8F7080", "the body")],
  },
  "general-optimize-late2": {
    page: `${COPIES}, Variant C`,
    functions: [fn("C60550", "execute: calls slot 49 of the backend")],
  },
  "ori-back-copy-propagate": { page: "copy-propagation-and-cse, Phase 83", functions: [fn("C5EB80", "execute")] },
};

/** What the reference says of where a pass is; null: it gives no address. */
export function provenanceOf(pass: PassId | null): Provenance | null {
  return pass === null ? null : (BY_PASS[pass] ?? null);
}
