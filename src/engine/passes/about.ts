/** What a pass says about itself in its `about.ts`: data, and gates that read only what they are given, so that the page can list it without the pass's code. */

import type { KnobValue } from "../config/knob-row.ts";
import type { KnobKey } from "../config/knobs.ts";
import type { Policy } from "../config/policy.ts";
import type { SlotPhase, Target } from "../config/targets.ts";

export interface About {
  /** The name of the pass's folder. */
  readonly family: string;
  /** One sentence: what the pass does. */
  readonly summary: string;
  /** Where it runs, in pipeline order. */
  readonly phases: readonly PhaseAbout[];
  /** Named parts without a position that can be run or skipped alone. */
  readonly parts?: readonly PartAbout[];
}

export interface PhaseAbout {
  /** Stable id: links, the command line and traces use it. */
  readonly id: string;
  /** 0 … 158; null in cicc, before position 0. */
  readonly number: number | null;
  /** The name in the reference. */
  readonly name: string;
  /** What else the reference calls it. */
  readonly otherNames?: readonly string[];
  /** What is uncertain about the name or the position. */
  readonly remark?: string;
  /** The name in textbooks: what the page shows. */
  readonly plain: string;
  /** Other names for it or for a part of it: what people search for. */
  readonly also: readonly string[];
  /** The lowest level at which it runs; absent: every level. */
  readonly level?: LevelAbout;
  /** Gates after `--no-phase` and the level, in the order of the reference. */
  readonly gates?: readonly GateAbout[];
  /** Its address in the binary; absent if the reference does not give it. */
  readonly binary?: BinaryAbout;
}

export interface PartAbout {
  readonly id: string;
  /** The name in the binary. */
  readonly name: string;
}

/**
 * `notes`: from the reference pages (`sub_7DDB50`), or `chosen` where they leave it open, so that -O0 optimizes nothing and predication starts at the level that was
 * measured. `measured`: ptxas 13.0.88 does all of this from -O1 on, except commoning across blocks, which starts at -O2.
 */
export interface LevelAbout {
  readonly notes: number;
  readonly measured: number;
  readonly chosen?: true;
}

/** What a gate may read. */
export interface GateState {
  readonly knob: (key: KnobKey) => KnobValue;
  readonly target: Target;
  readonly policy: Policy;
  /** The text is PTX as a compiler wrote it, and nothing requests the phases before it by name. */
  readonly afterCicc: boolean;
}

export interface GateAnswer {
  readonly ok: boolean;
  /** For a knob's gate the predicate of a sentence: the knob's name is put before it. */
  readonly sentence: string;
  /** The knob that decided, where it is not the gate's own. */
  readonly knob?: KnobKey;
}

export interface GateAbout {
  readonly gate: "knob" | "slot" | "policy";
  /** The knob that it reads, if it reads one. */
  readonly knob: KnobKey | null;
  /** null: the gate does not apply to this text. */
  readonly test: (state: GateState) => GateAnswer | null;
}

export interface BinaryAbout {
  /** What isNoOp returns by default. */
  readonly isNoOp?: boolean;
  readonly functions: readonly Address[];
  /** Page and section of the reference. */
  readonly section: string;
}

/** A function or thunk in the binary; `bytes` where the reference gives its size. */
export interface Address {
  readonly name: string;
  readonly bytes: number | string | null;
  readonly does: string;
}

export const address = (name: string, does: string, bytes: number | string | null = null): Address => ({ name, does, bytes });

/** A gate on one knob; the answer's sentence follows the knob's name. */
export const knobGate = (knob: KnobKey, test: GateAbout["test"]): GateAbout => ({ gate: "knob", knob, test });

/** A switch that must be on. */
export const enable = (key: KnobKey): GateAbout =>
  knobGate(key, ({ knob }) => answer(knob(key) === true, "is on", "is off, which turns this phase off"));

/** A switch that must not be set. */
export const veto = (key: KnobKey): GateAbout =>
  knobGate(key, ({ knob }) => answer(knob(key) !== true, "is not set", "is set, which skips this phase"));

/** A number that must not be 0. */
export const nonZero = (key: KnobKey): GateAbout =>
  knobGate(key, ({ knob }) => answer(knob(key) !== 0, "is not 0", "is 0, which turns this phase off"));

/** The backend's vtable must have a body for the phase. */
export const slot = (phase: SlotPhase): GateAbout => ({
  gate: "slot",
  knob: null,
  test: ({ target: { backend } }) => {
    const { slot: index, handler } = backend.slots[phase];
    const where = index === null ? backend.id : `${backend.id}, slot ${index}`;
    if (handler === "no-op") return { ok: false, sentence: `no-op on this target (${where})` };
    const which = handler === "A" || handler === "B" ? `handler ${handler}` : "a body";
    return { ok: true, sentence: `${which} on this target (${where})` };
  },
});

/** Runs under one policy only. */
export const policyGate = (test: GateAbout["test"]): GateAbout => ({ gate: "policy", knob: null, test });

const answer = (ok: boolean, open: string, closed: string): GateAnswer => ({ ok, sentence: ok ? open : closed });
