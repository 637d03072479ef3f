/** Where ptxas 13.0.88 and cicc have what is modelled: addresses and sizes as the reference gives them. Nothing is computed but the phases' vtables. */

/** A function or thunk in the binary; `bytes` where the reference gives its size. */
export interface Address {
  readonly name: string;
  readonly bytes: number | string | null;
  readonly does: string;
}

export interface Provenance {
  /** Address of the phase's table of functions: execute, getPhaseNumber, isNoOp. */
  readonly vtable: string | null;
  /** What stands there by default in isNoOp; null: not given. */
  readonly isNoOp: boolean | null;
  readonly functions: readonly Address[];
  /** Page and section of the reference. */
  readonly section: string;
}

/** The vtables of all phases stand in one array; a phase object has 16 bytes, a vtable and an allocator, and comes from the factory. */
const VTABLES = 0x22bd5c8;
const VTABLE_BYTES = 40;
export const PHASE_FACTORY = "sub_C60D30, a switch of 159 cases; a phase object has 16 bytes: its vtable and an allocator";

export const vtableOf = (phase: number): string => `off_${(VTABLES + phase * VTABLE_BYTES).toString(16).toUpperCase()}`;

const at = (name: string, does: string, bytes: number | string | null = null): Address => ({ name, does, bytes });

interface Row {
  readonly isNoOp?: boolean;
  readonly functions: readonly Address[];
  readonly section: string;
}

const SWITCHES = "branch-and-switch: Phase Objects, Function Map";
const GENERAL = "general-optimize: Instance Map, Function Map";
const COPIES = "copy-propagation-and-cse: Phase Summary Table, Function Map";

const BY_PHASE: Readonly<Record<number, Row>> = {
  3: {
    functions: [
      at("sub_C60870", "execute: the gates, then the body", 89),
      at("sub_781F80", "body: 454 blocks, 51 callees, 131 callers", 8335),
      at("sub_780D80", "classifies terminators", 4007),
      at("sub_749140", "registers an edge"),
      at("sub_749090", "records a loop's exit"),
      at("sub_7486F0", "tests for a back edge"),
      at("sub_747EE0", "tests a terminator"),
      at("sub_8E3A20", "resets a block's flags"),
      at("sub_7598E0", "resizes the worklist"),
    ],
    section: "analyze-control-flow: identity table",
  },
  13: {
    functions: [at("0xC5F940", "execute"), at("sub_7917F0", "body for several functions"), at("0x1C64BF0", "body for one function")],
    section: GENERAL,
  },
  14: {
    isNoOp: false,
    functions: [
      at("sub_C5F720", "execute: calls slot 17 of the backend", 42),
      at("sub_C5F4A0", "getPhaseNumber", 6),
      at("sub_C5F4B0", "isNoOp", 3),
      at("sub_849110", "handler A of SM60", 613),
      at("sub_729160", "handler B of SM80", 546),
      at("sub_7E6090", "scanner of branch patterns", 2614),
      at("sub_A9D9B0", "walks operands backwards"),
    ],
    section: SWITCHES,
  },
  15: {
    isNoOp: false,
    functions: [
      at("sub_C5F950", "execute", 34),
      at("sub_C5F480", "getPhaseNumber", 6),
      at("sub_C5F490", "isNoOp", 3),
      at("sub_7917F0", "body; another page assigns it to phase 13", 529),
    ],
    section: SWITCHES,
  },
  29: { functions: [at("0xC5FC50", "execute"), at("sub_908EB0", "body")], section: GENERAL },
  30: {
    isNoOp: false,
    functions: [
      at("sub_C5FC80", "execute", 34),
      at("sub_C5F2A0", "getPhaseNumber", 6),
      at("sub_C5F2B0", "isNoOp", 3),
      at("sub_791F00", "body, with 1 for the second pass", 587),
    ],
    section: SWITCHES,
  },
  37: {
    functions: [
      at("0xC5FD70", "execute"),
      at("sub_910840", "body"),
      at("sub_8F3EA0", "check before it"),
      at("sub_905B50", "sets the context up"),
      at("sub_90FBA0", "the main loop"),
    ],
    section: GENERAL,
  },
  38: {
    isNoOp: false,
    functions: [
      at("sub_C5FA70", "execute", 34),
      at("sub_C5F1A0", "getPhaseNumber", 6),
      at("sub_C5F1B0", "isNoOp", 3),
      at("sub_A0F020", "body: 563 instructions", 2375),
    ],
    section: SWITCHES,
  },
  46: { functions: [at("0xC60840", "execute: calls slot 56 of the backend"), at("sub_7D6DD0", "the slot's no-op")], section: GENERAL },
  49: {
    isNoOp: false,
    functions: [
      at("0xC5F000", "execute, a thunk to slot 23 of the backend"),
      at("0xC5F010", "getPhaseNumber"),
      at("0xC5F020", "isNoOp", 6),
      at("sub_BEE590", "body: chains, then the mode", "about 200"),
      at("sub_BEE370", "chooses the mode by knob 402", "about 550"),
      at("sub_BED7E0", "modes 3 to 6: 689 lines", "about 18 K"),
      at("sub_BEAD00", "mode 2", "about 2.5 K"),
      at("sub_BEA5F0", "commons in a dominated block", "about 9 K"),
      at("sub_BEA450", "mode 1", "about 2 K"),
      at("sub_BEA1E0", "eligibility", "about 500"),
      at("sub_BED430", "pre-pass over extended basic blocks", "about 2 K"),
      at("sub_BEEC80", "the value table", 1160),
    ],
    section: COPIES,
  },
  50: {
    isNoOp: false,
    functions: [
      at("sub_C604D0", "execute: calls slot 44 of the backend", 42),
      at("0xC5EFE0", "getPhaseNumber", 6),
      at("0xC5EFF0", "isNoOp", 6),
    ],
    section: COPIES,
  },
  58: {
    functions: [
      at("0xC5FF20", "execute"),
      at("sub_8F7080", "body"),
      at("sub_8F6FA0", "walks the blocks"),
      at("sub_8F6530", "a block: 550 lines"),
    ],
    section: GENERAL,
  },
  63: {
    functions: [at("sub_1381010", "calls the control-flow analysis, at 22 places")],
    section: "analyze-control-flow: Consumer Catalog",
  },
  64: {
    isNoOp: false,
    functions: [
      at("sub_C60020", "execute", 48),
      at("0xC5EDF0", "getPhaseNumber", 6),
      at("0xC5EE00", "isNoOp", 6),
      at("sub_9059B0", "knobs and the working set", "about 320"),
      at("sub_9055F0", "the walker", "about 800"),
      at("sub_901A90", "the commoning check", "about 1.5 K"),
      at("sub_8F4510", "EQUIV"),
      at("sub_74ED70", "class masks", "about 1.2 K"),
    ],
    section: COPIES,
  },
  65: { functions: [at("sub_C60550", "execute: calls slot 49 of the backend")], section: GENERAL },
  82: { functions: [at("0xC5EBB0", "getPhaseNumber", 6), at("0xC5EBC0", "isNoOp", 6)], section: COPIES },
  83: {
    isNoOp: true,
    functions: [
      at("sub_C5EB80", "execute: counter = 9", 7),
      at("0xC5EB90", "getPhaseNumber", 6),
      at("0xC5EBA0", "isNoOp", 6),
      at("sub_8C0270", "the scheduler's set-up, which reads knob 808", "14 K"),
    ],
    section: COPIES,
  },
};

const CICC: Provenance = {
  vtable: null,
  isNoOp: null,
  functions: [
    at("sub_2F36310", "entry: the fixed point"),
    at("sub_2F336B0", "a block, with a frame of 792 bytes", 11347),
    at("sub_2F31250", "tests whether a branch can be folded"),
    at("sub_2F33020", "looks candidates up"),
    at("sub_2DAC790", "the vtable of NVPTXInstrInfo, compared at 0x2F337A3"),
    at("sub_2E88A90", "queries the reserved registers, at 0x2F3427B"),
  ],
  section: "branch-folding-and-tail-merge: Function Map",
};

/** Null for a phase whose place the reference does not give. `phase`: its number, null for the cicc group. */
export function provenanceOf(group: "ptxas" | "cicc", phase: number | null): Provenance | null {
  if (group === "cicc") return CICC;
  if (phase === null) return null;
  const row = BY_PHASE[phase];
  if (row === undefined) return { vtable: vtableOf(phase), isNoOp: null, functions: [], section: "branch-and-switch: Phase Objects" };
  return { vtable: vtableOf(phase), isNoOp: row.isNoOp ?? null, functions: row.functions, section: row.section };
}

/** Addresses of the strings that name the knobs, by the knobs' keys. */
export const KNOB_STRINGS: Readonly<Record<string, string>> = {
  "allow-reassociate-cse": "0x21C0180",
  "back-copy-prop-budget": "0x21BFDF0",
  "copy-prop-addr": "0x21BECE8",
  "copy-prop-budget": "0x21BECD0",
  "copy-prop-constant-bank": "0x21BECB0",
  "copy-prop-force-global": "0x21BEC90",
  "copy-prop-global-budget": "0x21BEC70",
  "copy-prop-no-mma-cb": "0x21BEC50",
  "copy-prop-no-write-non-rr": "0x21BEC10",
  "copy-prop-non-reg-multi-def": "0x21BEC30",
  "copy-prop-pre-alloc-reg": "0x21BEBF0",
  "copy-prop-use-reaching-defs": "0x21BEBD0",
  "disable-move-commoning": "0x21BE2C0",
  "distribute-and-reassociate-mul-budget": "0x21BDDC0",
  "enable-gvn-cse": "0x21BDA50",
  "force-late-commoning": "0x21BD2F0",
  "late-copy-prop-compl-pred": "0x21BC680",
  "reassociate-cse-budget": "0x21BA810",
  "reassociate-cse-skip": "0x21BA7F0",
  "reassociate-cse-window": "0x21BA7D0",
  "reassociate-large-imm-in-uiadd64": "0x21BA7A0",
};
