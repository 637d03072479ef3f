/** Target architectures and their seven backends, each a record of vtable slots, a version number and capability bits. */

export type TargetId = "sm_30" | "sm_50" | "sm_50a" | "sm_60" | "sm_70" | "sm_75" | "sm_80" | "sm_89" | "sm_90" | "sm_100";
export type BackendId = "SM30" | "SM50" | "SM60" | "SM70" | "SM80" | "SM89" | "SM90";

/** Phases that call through the backend. */
export type SlotPhase = 14 | 46 | 49 | 50 | 65 | 82;

/** `A` and `B` are phase 14's two real handlers; `hook` is empty until a target option installs a body. */
export type SlotHandler = "no-op" | "A" | "B" | "body" | "hook";

/** What a phase finds in the backend's vtable. */
export interface BackendSlot {
  readonly phase: SlotPhase;
  /** Vtable slot; null for 82, whose own vtable is replaced instead. */
  readonly slot: number | null;
  /** Byte offset of the slot in the vtable. */
  readonly offset: number | null;
  readonly handler: SlotHandler;
  /** The function in the slot; null where the reference names none. */
  readonly symbol: string | null;
  readonly does: string;
  /** True when the reference gives no handler for this backend and one was chosen. */
  readonly chosen: boolean;
}

/** Capability bits of a backend, by what reads them. */
export interface Capabilities {
  /** Architecture class at profile+12; 4, 10 and 11 are the ones that are read. */
  readonly archClass: number;
  /** Class 4 (`sub_7DC0E0`). */
  readonly dualIssue: boolean;
  /** Class 11 or bit 0 of profile+1418 (`sub_7DC050`). */
  readonly nvlink: boolean;
  /** Class 10 or bit 7 of profile+1417 (`sub_7DC030`). */
  readonly grace: boolean;
  /** Bit 6 of sm_backend+1106: enhanced CSE scope in phase 49. */
  readonly enhancedCse: boolean;
  /** Backend slot at +1312 answers non-zero: predicate marking (0x400) in forward copy propagation. */
  readonly archPred: boolean;
  /** Backend+1400 is non-zero: the second half of phase 14's handler A scans branch targets. */
  readonly branchTargetScan: boolean;
  /** Context+1398 bit 2: address-register constraints may be relaxed once the pipeline counter has passed 9. */
  readonly relaxedAddressOperands: boolean;
}

export interface Backend {
  readonly id: BackendId;
  readonly family: string;
  readonly vtable: string;
  readonly slots: Readonly<Record<SlotPhase, BackendSlot>>;
  readonly capabilities: Capabilities;
}

export interface Target {
  readonly id: TargetId;
  readonly backend: Backend;
  /** `(generation << 12) | variant`, the number at sm_backend+372. */
  readonly packedVersion: number;
  readonly generation: number;
  readonly variant: number;
  /** True when the reference gives no number for this target and one was chosen. */
  readonly versionChosen: boolean;
}

/** Largest generation-4 number: above it, constraint bits must be clear for a conditional select to fold. */
export const FOLD_BOUNDARY = 20479;
/** Largest number for which phase 49's extended-basic-block pre-pass runs without reading knob 210. */
export const EBB_BOUNDARY = 32767;
/** Largest number for which in phase 49 the backend may sort exchangeable operands and mark them. */
export const SORTING_BOUNDARY = 28671;

const slot = (
  phase: SlotPhase,
  index: number | null,
  handler: SlotHandler,
  symbol: string | null,
  does: string,
  chosen = false,
): BackendSlot => ({
  phase,
  slot: index,
  offset: index === null ? null : index * 8,
  handler,
  symbol,
  does,
  chosen,
});

const SWITCH = {
  none: slot(14, 17, "no-op", "sub_661210", "returns at once; switches are left to phase 30"),
  a: slot(14, 17, "A", "sub_849110", "restructures sync pairs, then retargets block operands"),
  b: slot(14, 17, "B", "sub_729160", "classifies branches and tags those within reach as near"),
};
const MID2 = {
  none: slot(46, 56, "no-op", "sub_7D6DD0", "the no-op sentinel: the phase returns without a call", true),
  body: slot(46, 56, "body", null, "runs the body of phase 29", true),
};
const GVN = {
  none: slot(49, 23, "no-op", "sub_661250", "returns 0"),
  body: slot(49, 23, "body", "sub_BEE590", "rebuilds the def chains and dispatches on the mode of knob 402"),
};
const REASSOCIATE = slot(50, 44, "body", null, "reassociates and commons", true);
const LATE2 = slot(65, 49, "body", null, "copy propagation and removal of dead code", true);
const BACK_PROP = slot(82, null, "hook", null, "empty, unless the target option installs backward copy propagation");

type SlotSet = Readonly<Record<SlotPhase, BackendSlot>>;

const slots = (first: BackendSlot, mid2: BackendSlot, gvn: BackendSlot): SlotSet => ({
  14: first,
  46: mid2,
  49: gvn,
  50: REASSOCIATE,
  65: LATE2,
  82: BACK_PROP,
});

const NO_CAPABILITIES: Capabilities = {
  archClass: 0,
  dualIssue: false,
  nvlink: false,
  grace: false,
  enhancedCse: false,
  archPred: false,
  branchTargetScan: false,
  relaxedAddressOperands: false,
};

const capabilities = (bits: Partial<Capabilities>): Capabilities => ({ ...NO_CAPABILITIES, ...bits });

/**
 * The backends. Slots 17 and 23 and the vtable addresses are from branch-and-switch (Phase 14 Vtable Slot 17) and
 * copy-propagation-and-cse (GVN Algorithm Details); class 4 is from general-optimize (sub_8F29C0 Internals). The other bits are chosen:
 * docs/fidelity.md lists them.
 */
export const BACKENDS: Readonly<Record<BackendId, Backend>> = {
  SM30: {
    id: "SM30",
    family: "Kepler",
    vtable: "off_2029DD0",
    slots: slots(SWITCH.none, MID2.none, GVN.none),
    capabilities: capabilities({ archClass: 3 }),
  },
  SM50: {
    id: "SM50",
    family: "Maxwell",
    vtable: "off_21B4A50",
    slots: slots(SWITCH.none, MID2.none, GVN.none),
    capabilities: capabilities({ archClass: 4, dualIssue: true }),
  },
  SM60: {
    id: "SM60",
    family: "Pascal",
    vtable: "off_22B2A58",
    slots: slots(SWITCH.a, MID2.body, GVN.body),
    capabilities: capabilities({ archClass: 6, branchTargetScan: true }),
  },
  SM70: {
    id: "SM70",
    family: "Volta/Turing",
    vtable: "off_21D82B0",
    slots: slots(SWITCH.a, MID2.body, GVN.body),
    capabilities: capabilities({ archClass: 11, nvlink: true, branchTargetScan: true }),
  },
  SM80: {
    id: "SM80",
    family: "Ampere",
    vtable: "off_21B2D30",
    slots: slots(SWITCH.b, MID2.body, GVN.none),
    capabilities: capabilities({ archClass: 8, nvlink: true, archPred: true }),
  },
  SM89: {
    id: "SM89",
    family: "Ada",
    vtable: "off_21C0C68",
    slots: slots(SWITCH.b, MID2.body, GVN.none),
    capabilities: capabilities({ archClass: 8, archPred: true }),
  },
  SM90: {
    id: "SM90",
    family: "Hopper/Blackwell",
    vtable: "off_21D6860",
    slots: slots(SWITCH.a, MID2.body, GVN.body),
    capabilities: capabilities({
      archClass: 10,
      nvlink: true,
      grace: true,
      enhancedCse: true,
      archPred: true,
      branchTargetScan: true,
      relaxedAddressOperands: true,
    }),
  },
};

const target = (id: TargetId, backend: BackendId, generation: number, variant: number, versionChosen = false): Target => ({
  id,
  backend: BACKENDS[backend],
  packedVersion: (generation << 12) | variant,
  generation,
  variant,
  versionChosen,
});

/** Targets, oldest first. Version numbers: general-optimize, SM Version Encoding; sm_75 and sm_89 have none there. */
export const TARGETS: readonly Target[] = [
  target("sm_30", "SM30", 3, 0),
  target("sm_50", "SM50", 4, 1),
  target("sm_50a", "SM50", 5, 1),
  target("sm_60", "SM60", 6, 0),
  target("sm_70", "SM70", 7, 0),
  target("sm_75", "SM70", 7, 0, true),
  target("sm_80", "SM80", 7, 1),
  target("sm_89", "SM89", 7, 2, true),
  target("sm_90", "SM90", 8, 0),
  target("sm_100", "SM90", 9, 0),
];

export const DEFAULT_TARGET_ID: TargetId = "sm_90";

/** What every backend has in the slot that a position dispatches to, oldest first; empty for a position that dispatches to none. */
export function dispatchOf(
  position: number | null,
): readonly { readonly backend: Backend; readonly targets: readonly TargetId[]; readonly slot: BackendSlot }[] {
  return Object.values(BACKENDS).flatMap((backend) => {
    const slot = Object.values(backend.slots).find(({ phase }) => phase === position);
    return slot === undefined ? [] : [{ backend, targets: TARGETS.filter((t) => t.backend === backend).map(({ id }) => id), slot }];
  });
}

const BY_ID = new Map(TARGETS.map((t) => [t.id, t] as const));
const BY_NAME: ReadonlyMap<string, Target> = BY_ID;

/** The record of a known target. */
export function targetOf(id: TargetId): Target {
  const found = BY_ID.get(id);
  if (found === undefined) throw new Error(`unknown target ${id}`);
  return found;
}

export const isTargetId = (text: string): text is TargetId => BY_NAME.has(text);

export interface ResolvedTarget {
  readonly target: Target;
  /** Its relation to the requested architecture: its own record, the nearest older one, or the oldest for one older than all. */
  readonly match: "exact" | "older" | "oldest";
}

/**
 * Finds the target for an architecture name as PTX and SASS write it (`sm_86`, `sm_90a`, `compute_80`, `SM90`, `90`). With a letter only sm_50a is a target itself.
 * An architecture without a record takes the nearest older one, and one older than all of them the oldest; null when the text names none.
 */
export function resolveTarget(text: string): ResolvedTarget | null {
  const match = /^(?:(?:sm|compute)_?)?(\d{2,3})([a-z]?)$/i.exec(text.trim());
  if (match === null) return null;
  const [, digits = "", letter = ""] = match;
  const named = BY_NAME.get(`sm_${digits}${letter.toLowerCase()}`);
  if (named !== undefined) return { target: named, match: "exact" };
  const wanted = Number(digits);
  const older = TARGETS.findLast((t) => architectureNumber(t) <= wanted);
  if (older !== undefined) return { target: older, match: architectureNumber(older) === wanted ? "exact" : "older" };
  const [oldest] = TARGETS;
  return oldest === undefined ? null : { target: oldest, match: "oldest" };
}

/** NaN for one with a letter, which only its own name finds. */
const architectureNumber = ({ id }: Target): number => Number(id.slice("sm_".length));

/** True when folding a constant into a conditional select takes the conservative path (`sub_8F29C0`). */
export const needsConservativeFold = (bits: Capabilities): boolean => bits.dualIssue || bits.nvlink || bits.grace;
