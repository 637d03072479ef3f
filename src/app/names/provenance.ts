/** Where ptxas 13.0.88 and cicc have what is modelled: addresses and sizes as the reference gives them. Nothing is computed but the phases' vtables. */

import type { PhaseRun } from "../../engine/api/types.ts";
import type { Address, BinaryAbout, PhaseAbout } from "../../engine/passes/about.ts";
import { ABOUTS } from "../../engine/passes/abouts.ts";

export interface Provenance {
  /** Address of the phase's table of functions: execute, getPhaseNumber, isNoOp. */
  readonly vtable: string | null;
  /** The default entry there in isNoOp; null: not given. */
  readonly isNoOp: boolean | null;
  readonly functions: readonly Address[];
  /** Page and section of the reference. */
  readonly section: string;
}

/** The vtables of all phases are in one array; a phase object has 16 bytes, a vtable and an allocator, and comes from the factory. */
const VTABLES = 0x22bd5c8;
const VTABLE_BYTES = 40;
export const PHASE_FACTORY = "sub_C60D30, a switch of 159 cases; a phase object has 16 bytes: its vtable and an allocator";

export const vtableOf = (phase: number): string => `off_${(VTABLES + phase * VTABLE_BYTES).toString(16).toUpperCase()}`;

const BINARY = new Map<number | null, BinaryAbout>(
  ABOUTS.flatMap(({ phases }) =>
    phases.flatMap(({ number, binary }: PhaseAbout) => (binary === undefined ? [] : [[number, binary] as const])),
  ),
);

/** Null for a phase whose place the reference does not give. `phase`: its number, null for the cicc group. */
export function provenanceOf(group: PhaseRun["group"], phase: number | null): Provenance | null {
  if (group === "foreign" || (group === "ptxas" && phase === null)) return null;
  const { isNoOp = null, functions = [], section = "branch-and-switch: Phase Objects" } = BINARY.get(phase) ?? {};
  return { vtable: phase === null ? null : vtableOf(phase), isNoOp, functions, section };
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
