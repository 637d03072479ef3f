/** Who reads which bit of the record, and who calls the analysis: the reference's catalogue, and of it what is modelled here. */

/** A bit of +280 with those who ask it. `here`: who asks it in the model. */
export interface BitReaders {
  readonly bit: string;
  readonly readers: readonly string[];
  readonly here: readonly string[];
}

/** Source: analyze-control-flow, Consumer Catalog, Pipeline Position and the diagram of +280. */
export const BIT_READERS: readonly BitReaders[] = [
  {
    bit: "EARLY_EXIT",
    readers: ["sub_781F80 itself, which copies it into bit 7 of the function's +1369"],
    here: ["the analysis itself, the same way"],
  },
  {
    bit: "LOOP_HEADER",
    readers: [
      "LoopStructurePass (sub_78B430)",
      "LoopMakeSingleEntry (18)",
      "OriBranchOpt (15): UBRA or BRA",
      "OriPropagateVarying (53, 70): merging of varying values",
      "OriDoPredication (63): tests of merged live-outs",
      "OriHoistInvariantsLate (66): the loop's preheader",
    ],
    here: ["this view: which of its two uses +152 has"],
  },
  {
    bit: "HAS_PRED",
    readers: ["OptimizeUniformAtomic: whether ELECT and REDUX may be used", "ConvertToUniformReg (74): where spills are placed"],
    here: ["nobody"],
  },
  {
    bit: "ANALYSIS_OK",
    readers: ["none is known"],
    here: ["nobody"],
  },
  {
    bit: "IN_LOOP",
    readers: [
      "OriDoRematEarly, OriDoRemat: candidate and user in one loop",
      "the scheduler: weights of edges in loops",
      "the writer of spills: adjacency of slots",
    ],
    here: ["AnalyzeControlFlow (3): its count of blocks in loops"],
  },
];

/** A caller of `sub_781F80`. */
export interface CallerRow {
  readonly functions: string;
  readonly pass: string;
  /** Whether it requests a full rebuild; null: not known. */
  readonly force: boolean | null;
  readonly why: string;
}

/** The callers that the reference names; of about a hundred others it states only that they edit the graph or the list of blocks. */
export const CALLERS: readonly CallerRow[] = [
  { functions: "sub_C60870", pass: "AnalyzeControlFlow (3)", force: false, why: "the first run, which knob 235 can disable" },
  {
    functions: "not named",
    pass: "GeneralOptimizeEarly (13), GeneralOptimize (29), OriCopyProp",
    force: true,
    why: "new chains of definitions",
  },
  { functions: "sub_8CE520", pass: "OriBranchOpt (15)", force: null, why: "bits of loop headers, for UBRA or BRA" },
  {
    functions: "sub_988500, sub_98E9D0, sub_995BE0, sub_9AEF60, sub_9BE7B0",
    pass: "OriLoopSimplification (24), LoopMakeSingleEntry (18), OriLoopFusion (22, 59), OriLoopSplit",
    force: true,
    why: "each edits the graph, so the next one would read stale bits",
  },
  { functions: "sub_9F9800, sub_9FD2C0", pass: "BackPropagateVEC2D", force: true, why: "instructions have moved across loop bodies" },
  { functions: "not named", pass: "GvnCse (49)", force: false, why: "numbers for the walk in reverse post-order" },
  { functions: "sub_900020", pass: "OriPropagateVarying (53, 70)", force: false, why: "loop bits after divergence was seeded" },
  { functions: "sub_1381010", pass: "OriDoPredication (63), 22 calls", force: false, why: "loop headers after a body has shrunk" },
  { functions: "not named", pass: "LateOriCommoning (64)", force: true, why: "new chains of definitions" },
  {
    functions: "sub_94F150",
    pass: "OriHoistInvariantsLate (66)",
    force: false,
    why: "the preheader: LOOP_HEADER and the smallest number of a predecessor",
  },
  { functions: "sub_893100", pass: "OptimizeUniformAtomic", force: null, why: "HAS_PRED" },
  { functions: "sub_8FAEC0, sub_8FBCF0", pass: "OriDoRematEarly, OriDoRemat", force: null, why: "IN_LOOP" },
  { functions: "sub_8CBAD0", pass: "LateExpansion", force: null, why: "blocks were split" },
  { functions: "sub_8CD6E0", pass: "the scheduler's walk", force: false, why: "+144, to walk in reverse post-order" },
  {
    functions: "sub_A0EE40, sub_A124E0, sub_A12EC0, sub_A1B560",
    pass: "Scheduling (100), 6 calls",
    force: false,
    why: "IN_LOOP, for weights of edges",
  },
  {
    functions: "sub_A88A80, sub_A9AEF0, sub_A9D140, sub_A9DDD0, sub_AA2A60, sub_AB0500, sub_AB93B0",
    pass: "register allocator (110), 18 calls",
    force: true,
    why: "each batch of spills makes liveness stale",
  },
  { functions: "sub_ADDDF0, sub_AE5030", pass: "the writer of spills", force: null, why: "IN_LOOP, for the depth of loops" },
  { functions: "not named", pass: "PlaceBlocksInSourceOrder (119)", force: false, why: "before the last reordering" },
];

export const CALL_SITES = { all: 131, incremental: 95, full: 36 } as const;
