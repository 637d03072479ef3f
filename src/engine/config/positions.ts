/** The timeline: 159 pipeline positions and the cicc group before them, with the names that the reference gives, and which of them are modelled. */

/** A modelled pass and its position; `null` for cicc's pass, which has no number. The one place where pass ids and positions are tied. */
const MODELLED = {
  "branch-folding": null,
  "analyze-control-flow": 3,
  "set-control-flow-op-last-in-bb": 6,
  "general-optimize-early": 13,
  "do-switch-opt-first": 14,
  "ori-branch-opt": 15,
  "ori-perform-live-dead-first": 16,
  "general-optimize": 29,
  "do-switch-opt-second": 30,
  "ori-linear-replacement": 31,
  "ori-perform-live-dead-second": 33,
  "general-optimize-mid": 37,
  "optimize-nested-cond-branches": 38,
  "general-optimize-mid2": 46,
  "gvn-cse": 49,
  "ori-reassociate-and-common": 50,
  "general-optimize-late": 58,
  "ori-perform-live-dead-third": 61,
  "ori-do-predication": 63,
  "late-ori-commoning": 64,
  "general-optimize-late2": 65,
  "expand-jmx-computation": 80,
  "advanced-phase-back-prop-vreg": 82,
  "ori-back-copy-propagate": 83,
  "ori-perform-live-dead-fourth": 84,
  "merge-equivalent-conditional-flow": 133,
  "late-merge-equivalent-conditional-flow": 136,
} as const satisfies Record<string, number | null>;

/** Id of a modelled pass. Each position of a pass that runs several times has an id of its own. */
export type PassId = keyof typeof MODELLED;

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
  /** The name in the reference; lower case when it only describes it; null when it says nothing. */
  readonly name: string | null;
  /** What else the reference calls this position. */
  readonly otherNames: readonly string[];
  /** What is uncertain about the name or the place. */
  readonly remark: string | null;
  /** The part of the pipeline it lies in. */
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

/** Names by position. Lower-case names are descriptions: the reference gives no other. */
const NAMES: Readonly<Record<number, NamedPosition>> = {
  0: named("OriCheckInitialProgram"),
  1: named("ApplyNvOptRecipes"),
  2: named("PromoteFP16"),
  3: named("AnalyzeControlFlow"),
  4: named("AdvancedPhaseBeforeConvUnSup"),
  5: named("ConvertUnsupportedOps"),
  6: named("SetControlFlowOpLastInBB"),
  7: named("AdvancedPhaseAfterConvUnSup"),
  8: named("OriCreateMacroInsts"),
  13: named("GeneralOptimizeEarly"),
  14: named("DoSwitchOptFirst"),
  15: named("OriBranchOpt"),
  16: named("OriPerformLiveDeadFirst"),
  18: named("OriLoopMakeSingleEntry", ["loop canonicalization"]),
  21: named("strength reduction", [], "another page places StrengthReduction at 26"),
  22: named("OriLoopFusion", ["loop unrolling"], "one page has loop fusion here, another loop unrolling"),
  23: named("SSA phi insertion", [], "the reference gives a description, no name"),
  24: named("OriLoopSimplification", ["software pipelining"], "one page has loop simplification here, another software pipelining"),
  26: named("StrengthReduction", [], "another page places strength reduction at 21"),
  27: named("AnalyzeUniformsForSpeculation"),
  29: named("GeneralOptimize"),
  30: named("DoSwitchOptSecond"),
  31: named("OriLinearReplacement"),
  33: named("OriPerformLiveDeadSecond", [], "the reference lists the four runs and names the first and the last"),
  37: named("GeneralOptimizeMid"),
  38: named("OptimizeNestedCondBranches"),
  41: HOT_COLD,
  46: named("GeneralOptimizeMid2"),
  48: named("EnforceArgumentRestrictions"),
  49: named("GvnCse"),
  50: named("OriReassociateAndCommon"),
  51: named("ExtractShaderConstsFinal"),
  53: named("OriPropagateVaryingFirst"),
  56: named("speculative hoisting", [], "named after the knob SpeculativeHoistCommonInsts, which the reference ties to it"),
  58: named("GeneralOptimizeLate"),
  59: named("OriLoopFusion", [], "a second entry of position 22's pass"),
  61: named("OriPerformLiveDeadThird", [], "the reference lists the four runs and names the first and the last"),
  63: named("OriDoPredication"),
  64: named("LateOriCommoning"),
  65: named("GeneralOptimizeLate2"),
  66: named("OriHoistInvariantsLate"),
  70: named("OriPropagateVaryingSecond"),
  73: named("ConvertAllMovPhiToMov"),
  74: named("ConvertToUniformReg"),
  80: named("ExpandJmxComputation"),
  82: named("AdvancedPhaseBackPropVReg"),
  83: named("OriBackCopyPropagate"),
  84: named("OriPerformLiveDeadFourth"),
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
  133: named("MergeEquivalentConditionalFlow"),
  136: named("LateMergeEquivalentConditionalFlow"),
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

function ciccPosition(): Position {
  return {
    number: null,
    group: "cicc",
    id: "branch-folding",
    pass: "branch-folding",
    modelled: true,
    name: "BranchFolding",
    otherNames: ["branch-folder"],
    remark: "runs in cicc, before the PTX is written that ptxas reads",
    stage: CICC_STAGE,
  };
}

function ptxasPosition(number: number, pass: PassId | null): Position {
  const entry = NAMES[number];
  return {
    number,
    group: "ptxas",
    id: pass ?? `phase-${number}`,
    pass,
    modelled: pass !== null,
    name: entry?.name ?? null,
    otherNames: entry?.otherNames ?? [],
    remark: entry?.remark ?? null,
    stage: stageOf(number),
  };
}

/** Every pass id, in pipeline order. */
export const PASS_IDS = Object.keys(MODELLED) as readonly PassId[];

const PASS_AT = new Map<number, PassId>();
for (const id of PASS_IDS) {
  const number = MODELLED[id];
  if (number !== null) PASS_AT.set(number, id);
}

/** The 159 positions by number. Source: the phase numbers and names of all five reference pages. */
export const PTXAS_POSITIONS: readonly Position[] = Array.from({ length: POSITION_COUNT }, (_, n) =>
  ptxasPosition(n, PASS_AT.get(n) ?? null),
);

/** cicc's group, which runs before position 0. */
export const CICC_POSITIONS: readonly Position[] = [ciccPosition()];

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

export const isPassId = (text: string): text is PassId => Object.hasOwn(MODELLED, text);

/** The name shown for a pass: that of its position. */
export const passName = (pass: PassId): string => positionOf(pass).name ?? pass;
