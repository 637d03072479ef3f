/** The timeline: 159 pipeline positions and the cicc group before them, with the names that the reference gives, and which of them are modelled. */

import type { PhaseAbout } from "./about.ts";
import { ABOUTS } from "./abouts.ts";

/** Id of a modelled phase. Each position of a pass that runs several times has its own id. */
export type PassId = (typeof ABOUTS)[number]["phases"][number]["id"];

export type PositionGroup = "ptxas" | "cicc";

export interface Position {
  /** 0 … 158; null in the cicc group. */
  readonly number: number | null;
  readonly group: PositionGroup;
  /** Unique: the pass id of a modelled position, `phase-N` of any other. */
  readonly id: string;
  /** The pass that runs here; null: not modelled, never run. */
  readonly pass: PassId | null;
  readonly modelled: boolean;
  /** The name in the reference; lower case if it only describes it; null if there is none. */
  readonly name: string | null;
  /** What else the reference calls this position. */
  readonly otherNames: readonly string[];
  /** What is uncertain about the name or the place. */
  readonly remark: string | null;
  /** The part of the pipeline it is in. */
  readonly stage: string;
}

export const POSITION_COUNT = 159;

interface NamedPosition {
  readonly name: string;
  readonly otherNames?: readonly string[];
  readonly remark?: string;
}

const named = (name: string, otherNames: readonly string[] = [], remark?: string): NamedPosition =>
  remark === undefined ? { name, otherNames } : { name, otherNames, remark };

const HOT_COLD = named("hot/cold partitioning", [], "the reference gives a description, no name");

/** Names of the positions that are not modelled. Lower-case names are descriptions: the reference gives no other. */
const NAMES: Readonly<Record<number, NamedPosition>> = {
  0: named("OriCheckInitialProgram"),
  1: named("ApplyNvOptRecipes"),
  2: named("PromoteFP16"),
  4: named("AdvancedPhaseBeforeConvUnSup"),
  5: named("ConvertUnsupportedOps"),
  7: named("AdvancedPhaseAfterConvUnSup"),
  8: named("OriCreateMacroInsts"),
  18: named("OriLoopMakeSingleEntry", ["loop canonicalization"]),
  21: named("strength reduction", [], "another page places StrengthReduction at 26"),
  22: named("OriLoopFusion", ["loop unrolling"], "one page has loop fusion here, another loop unrolling"),
  23: named("SSA phi insertion", [], "the reference gives a description, no name"),
  24: named("OriLoopSimplification", ["software pipelining"], "one page has loop simplification here, another software pipelining"),
  26: named("StrengthReduction", [], "another page places strength reduction at 21"),
  27: named("AnalyzeUniformsForSpeculation"),
  41: HOT_COLD,
  48: named("EnforceArgumentRestrictions"),
  51: named("ExtractShaderConstsFinal"),
  53: named("OriPropagateVaryingFirst"),
  56: named("speculative hoisting", [], "named after the knob SpeculativeHoistCommonInsts, which the reference ties to it"),
  59: named("OriLoopFusion", [], "a second entry of position 22's pass"),
  66: named("OriHoistInvariantsLate"),
  70: named("OriPropagateVaryingSecond"),
  73: named("ConvertAllMovPhiToMov"),
  74: named("ConvertToUniformReg"),
  90: named("register attributes", [], "the reference gives a description, no name"),
  95: named("SetAfterLegalization"),
  96: named("ReportBeforeScheduling"),
  99: named("synchronization", [], "the reference gives a description, no name"),
  100: named("Scheduling"),
  101: named("register allocation", [], "another page places the allocator at 110"),
  108: HOT_COLD,
  109: HOT_COLD,
  110: named("Fatpoint register allocator", [], "two other pages place register allocation at 101"),
  119: named("PlaceBlocksInSourceOrder"),
};

const CICC_STAGE = "cicc · machine level";

/** Parts of the pipeline: first position and description. */
const STAGES: readonly (readonly [first: number, stage: string])[] = [
  [0, "set-up and legalization of the input"],
  [13, "early clean-up, branches and loops"],
  [29, "switches and invariant code"],
  [37, "nested branches and mid-level expansion"],
  [46, "value numbering and late expansion"],
  [58, "predication and last clean-up"],
  [66, "late optimizations"],
  [82, "backward copies, register attributes, legalization"],
  [96, "scheduling, register allocation, block placement"],
  [120, "final layout and encoding"],
];

function stageOf(number: number): string {
  let stage = "";
  for (const [first, name] of STAGES) if (number >= first) stage = name;
  return stage;
}

/** A position that a modelled phase runs at. */
function modelledPosition({ id, number, name, otherNames = [], remark }: Modelled): Position {
  return {
    number,
    group: number === null ? "cicc" : "ptxas",
    id,
    pass: id,
    modelled: true,
    name,
    otherNames,
    remark: remark ?? null,
    stage: number === null ? CICC_STAGE : stageOf(number),
  };
}

function otherPosition(number: number): Position {
  const { name = null, otherNames = [], remark = null } = NAMES[number] ?? {};
  return { number, group: "ptxas", id: `phase-${number}`, pass: null, modelled: false, name, otherNames, remark, stage: stageOf(number) };
}

/** A phase as its pass's `about.ts` gives it. */
type Modelled = PhaseAbout & { readonly id: PassId };

/** In pipeline order. */
const MODELLED: readonly Modelled[] = ABOUTS.flatMap((about): readonly Modelled[] => about.phases).toSorted(
  (a, b) => (a.number ?? -1) - (b.number ?? -1),
);

/** Every pass id, in pipeline order. */
export const PASS_IDS: readonly PassId[] = MODELLED.map(({ id }) => id);

const ABOUT_PHASE = new Map<string, Modelled>(MODELLED.map((phase) => [phase.id, phase]));

/** What a modelled phase says about itself; undefined for any other id. */
export const aboutPhase = (id: string): PhaseAbout | undefined => ABOUT_PHASE.get(id);

const MODELLED_AT = new Map(MODELLED.map((phase) => [phase.number, phase]));

/** The 159 positions by number. Source: the phase numbers and names of all five reference pages. */
export const PTXAS_POSITIONS: readonly Position[] = Array.from({ length: POSITION_COUNT }, (_, number) => {
  const phase = MODELLED_AT.get(number);
  return phase === undefined ? otherPosition(number) : modelledPosition(phase);
});

/** cicc's group, which runs before position 0. */
export const CICC_POSITIONS: readonly Position[] = MODELLED.filter(({ number }) => number === null).map(modelledPosition);

/** The whole timeline in the order it runs: the cicc group, then 0 … 158. */
export const POSITIONS: readonly Position[] = [...CICC_POSITIONS, ...PTXAS_POSITIONS];

const BY_PASS = new Map<PassId, Position>();
for (const position of POSITIONS) if (position.pass !== null) BY_PASS.set(position.pass, position);

/** The position of a pass. */
export function positionOf(pass: PassId): Position {
  const position = BY_PASS.get(pass);
  if (position === undefined) throw new Error(`pass ${pass} has no position`);
  return position;
}

/** The position with this number; undefined outside 0 … 158. */
export const positionAt = (number: number): Position | undefined => PTXAS_POSITIONS[number];

export const isPassId = (text: string): text is PassId => ABOUT_PHASE.has(text);

/** The name shown for a pass: that of its position. */
export const passName = (pass: PassId): string => positionOf(pass).name ?? pass;
