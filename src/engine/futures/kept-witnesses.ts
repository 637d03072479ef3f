/** The programs among the passes' witnesses, for an engine that has no files. The list is written by `npm run bless -- witnesses`. */

export interface KeptWitness {
  readonly family: string;
  /** Its file's. */
  readonly name: string;
  readonly phase: string;
  /** Conditions that are dropped together: without them the phase changes the meaning, or makes no valid program. */
  readonly drops: readonly string[];
  readonly caught: "meaning" | "verifier";
  readonly target: string | null;
  readonly level: number;
  readonly policy: string;
  readonly knobs: readonly string[];
  readonly text: string;
}

export const KEPT_WITNESSES: readonly KeptWitness[] = [
  {
    family: "branch-folding",
    name: "head-defines-condition",
    phase: "branch-folding",
    drops: ["head-defines-condition"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: head-defines-condition
// Before the branch, the compare would change what it tests.
.kernel head_defines_condition(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA     BB2
BB1:
    ISETP.GE P0, R0, 3
    SEL     R4, R0, 7, P0
    BRA     BB3
BB2:
    ISETP.GE P0, R0, 3
    SEL     R4, R1, 9, P0
BB3:
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "head-sees-lanes",
    phase: "branch-folding",
    drops: ["head-sees-lanes"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: head-sees-lanes
// Each way counts its own lanes: before the branch the vote would count all.
.kernel head_sees_lanes(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 3
@P0 BRA     BB2
BB1:
    VOTE.BALLOT R5, PT
    IADD    R5, R5, 1
    BRA     BB3
BB2:
    VOTE.BALLOT R5, PT
    IADD    R5, R5, 2
BB3:
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "single-predecessor",
    phase: "branch-folding",
    drops: ["single-predecessor"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: single-predecessor
// BB3 comes to BB2 as well: it would miss the addition that moves into BB0.
.kernel single_predecessor(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
    ISETP.LT P1, R0, 5
@P0 BRA     BB2
BB1:
    IADD    R1, R1, 7
    STG     [RD0], R1
@P1 BRA     BB4
BB3:
    IMUL    R1, R1, 3
BB2:
    IADD    R1, R1, 7
    STG     [RD0+0x4], R1
    EXIT
BB4:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "tail-parts",
    phase: "branch-folding",
    drops: ["tail-parts"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: tail-parts
// BB1 and BB2 end with the same condition. In one block, lanes that part in BB0 would be together again there, and vote together in BB7.
.kernel tail_parts(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 9
    ISETP.LT P1, R4, 5
@P0 BRA     BB2
BB1:
    MOV     R5, 1
    IADD    R6, R4, 1
    IMUL    R6, R6, 3
    IADD    R6, R6, R5
@P1 BRA     BB8
    BRA     BB7
BB2:
    MOV     R5, 2
    IADD    R6, R4, 1
    IMUL    R6, R6, 3
    IADD    R6, R6, R5
@P1 BRA     BB8
    BRA     BB7
BB7:
    VOTE.BALLOT R6, PT
BB8:
    STG     [RD1], R6
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "tail-sees-lanes",
    phase: "branch-folding",
    drops: ["tail-sees-lanes"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: tail-sees-lanes
// Each block counts its own lanes. In a shared tail all of them would be counted together.
.kernel tail_sees_lanes(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 3
@P0 BRA     BB2
BB1:
    MOV     R6, 5
    VOTE.BALLOT R5, PT
    IADD    R5, R5, R6
    IMUL    R5, R5, 3
    STG     [RD1], R5
    EXIT
BB2:
    MOV     R6, 8
    VOTE.BALLOT R5, PT
    IADD    R5, R5, R6
    IMUL    R5, R5, 3
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "empty-way",
    phase: "branch-folding",
    drops: ["ways-join"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: ways-join
// The way through the empty block is another way: in the open region its lanes vote apart, and without the block they would vote with the others.
.kernel k(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT P0, R3, 4
    BSSY    B0, L2
@P0 BRA     L1
E:
L1:
    VOTE.BALLOT R4, PT
    STG     [RD2], R4
L2:
    BSYNC   B0
    EXIT
`,
  },
  {
    family: "branch-folding",
    name: "guarded-bssy-splice",
    phase: "branch-folding",
    drops: ["parts-inside"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["disable-nvptx-require-structured-cfg=true", "upstream-llvm20=true"],
    text: `// phase: branch-folding
// drops: parts-inside
// knob: disable-nvptx-require-structured-cfg=true
// knob: upstream-llvm20=true
// Lanes part at the guarded BSSY and meet at the head of BB3: spliced, they would reduce apart.
.func fuzz(in: RD0, own: RD1, sums: RD2, n: R0, k: R1, f: R2) -> R5, R6, R7, R8, R9, P0
.table JT0 base=0 default=BB1 { BB5, BB1, BB1, BB1 }
BB0:
    S2R     R4, SR_TID.X
    ISETP.NE  P3, R4, 0
@P3 BSSY    B1, BB5
BB3:
    JMX     RZ, JT0
BB5:
    REDUX.ADD R17, R0
    IMAD    R5, RZ, 0, R17
BB1:
    RET
`,
  },
  {
    family: "branch-folding",
    name: "guarded-table-empty",
    phase: "branch-folding",
    drops: ["after-table"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: branch-folding
// drops: after-table
// Lanes go to the empty BB6 by the table and by falling behind it: they stay together, and must when BB6 goes.
.func fuzz(in: RD0, own: RD1, sums: RD2, n: R0, k: R1, f: R2) -> R5, R6, R7, P0
.table JT0 base=0 default=BB6 { BB6, BB6, BB6, BB6 }
BB0:
    S2R     R4, SR_TID.X
    MOV     R6, R4
BB3:
    BSSY    B3, BB4
    ISETP.EQ  P3, R4, 0
@!P3 JMX     RZ, JT0
BB6:
BB5:
    SHFL.IDX  R11, R6, 1, 1
    IMAD    R5, RZ, 0, R11
BB4:
    RET
`,
  },
  {
    family: "back-copy-prop",
    name: "fixed-register",
    phase: "advanced-phase-back-prop-vreg",
    drops: ["fixed-register"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["back-copy-prop-enable=on"],
    text: `// phase: advanced-phase-back-prop-vreg
// drops: fixed-register
// knob: back-copy-prop-enable=on
// threads: 1
// R5 is a result of the function: its MOV would write R7 instead, and RET reads an R5 that nothing defines.
.func k(in: RD0, own: RD1, sums: RD2, n: R0, k: R1, f: R2) -> R5, R6, R7, R8, R9, P0
BB0:
    MOV     R5, 0
    MOV     R7, R5
    RET
`,
  },
  {
    family: "back-copy-prop",
    name: "guarded",
    phase: "advanced-phase-back-prop-vreg",
    drops: ["guarded"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["back-copy-prop-enable=on"],
    text: `// phase: advanced-phase-back-prop-vreg
// drops: guarded
// knob: back-copy-prop-enable=on
// threads: 1
// The guarded MOV leaves R3 alone where P0 is false; writing R4 in its place, it would leave the 1 there.
.kernel k(n: R0, out: RD0)
BB0:
    MOV     R4, 1
@P0 MOV     R3, 0
    MOV     R4, R3
    IADD3   R12, RZ, R4, RZ
    STG     [RD0], R12
    EXIT
`,
  },
  {
    family: "back-copy-prop",
    name: "other-uses",
    phase: "advanced-phase-back-prop-vreg",
    drops: ["other-uses"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["back-copy-prop-enable=on"],
    text: `// phase: advanced-phase-back-prop-vreg
// drops: other-uses
// knob: back-copy-prop-enable=on
// threads: 1
// R4 has two readers. With R6 in its place the IMAD finds nothing.
.kernel k(out: RD1, n: R1)
BB0:
    MOV     R4, 0
    IMAD.WIDE RD2, R4, 0, RD1
    MOV     R6, R4
    EXIT
`,
  },
  {
    family: "back-copy-prop",
    name: "read-between",
    phase: "advanced-phase-back-prop-vreg",
    drops: ["read-between"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["back-copy-prop-enable=on"],
    text: `// phase: advanced-phase-back-prop-vreg
// drops: read-between
// knob: back-copy-prop-enable=on
// threads: 1
// The store reads R8 before the copy; the addition would already have written it.
.kernel k(n: R0, out: RD0)
BB0:
    IADD    R9, RZ, 1
    STG     [RD0], R8
    MOV     R8, R9
    EXIT
`,
  },
  {
    family: "back-copy-prop",
    name: "written-between",
    phase: "advanced-phase-back-prop-vreg",
    drops: ["written-between"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["back-copy-prop-enable=on"],
    text: `// phase: advanced-phase-back-prop-vreg
// drops: written-between
// knob: back-copy-prop-enable=on
// threads: 1
// R7 is 1 between the definition of R6 and the copy: with R7 in the place of R6 the 1 would stay.
.kernel k(n: R0, out: RD0)
BB0:
    MOV     R6, 0
    MOV     R7, 1
    MOV     R7, R6
    STG     [RD0], R7
    EXIT
`,
  },
  {
    family: "optimize-nested-cond-branches",
    name: "convergence",
    phase: "optimize-nested-cond-branches",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: optimize-nested-cond-branches
// drops: convergence
// Lanes leave for X from BB0 and from BB1, and vote there one group after the other.
.kernel convergence(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 3
@P0 BRA     X
BB1:
    ISETP.GT P1, R4, 20
@P1 BRA     X
BB2:
    MOV     R5, 0
    BRA     Z
X:
    VOTE.BALLOT R5, PT
Z:
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "optimize-nested-cond-branches",
    name: "dependent",
    phase: "optimize-nested-cond-branches",
    drops: ["dependent"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: optimize-nested-cond-branches
// drops: dependent
// The combination would read the P0 that BB1 has written, not the one that BB0 tests.
.kernel dependent(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA     X
BB1:
    ISETP.GE P0, R0, 3
    SEL     R2, R0, R1, P0
    ISETP.LT P1, R2, 10
@P1 BRA     X
BB2:
    STG     [RD0], R0
X:
    EXIT
`,
  },
  {
    family: "optimize-nested-cond-branches",
    name: "live-out",
    phase: "optimize-nested-cond-branches",
    drops: ["live-out"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: optimize-nested-cond-branches
// drops: live-out
// X reads R4: on BB0's own way it would hold what BB1 computes.
.kernel live_out(out: RD0, a: R0, b: R1)
BB0:
    MOV     R4, 7
    ISETP.LT P0, R0, R1
@P0 BRA     X
BB1:
    IADD    R4, R1, 1
    ISETP.LT P1, R1, 10
@P1 BRA     X
BB2:
    STG     [RD0+0x4], R0
X:
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "optimize-nested-cond-branches",
    name: "phi-input",
    phase: "optimize-nested-cond-branches",
    drops: ["phi-input"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: optimize-nested-cond-branches
// drops: phi-input
// One way to X is left, and with it the value that the PHI takes from BB0.
.kernel phi_input(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA     X
BB1:
    ISETP.LT P1, R1, 10
@P1 BRA     X
BB2:
    STG     [RD0+0x4], R0
    EXIT
X:
    PHI     R4, [BB0: R0], [BB1: R1]
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "optimize-nested-cond-branches",
    name: "side-effects",
    phase: "optimize-nested-cond-branches",
    drops: ["side-effects"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: optimize-nested-cond-branches
// drops: side-effects
// The store would happen on BB0's own way to X, too.
.kernel side_effects(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA     X
BB1:
    STG     [RD0], R1
    ISETP.LT P1, R1, 10
@P1 BRA     X
BB2:
    STG     [RD0+0x4], R0
X:
    EXIT
`,
  },
  {
    family: "ori-linear-replacement",
    name: "guarded",
    phase: "ori-linear-replacement",
    drops: ["guarded"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-linear-replacement
// drops: guarded
// A SEL would give R4 the value 5 in lanes whose P1 is false.
.kernel guarded(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
    ISETP.EQ P1, R0, 3
    MOV     R4, 7
@P0 BRA     BB2
BB1:
@P1 MOV     R4, 5
BB2:
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "ori-linear-replacement",
    name: "apart-vote",
    phase: "ori-linear-replacement",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-linear-replacement
// drops: convergence
// The parts of the warp get a vote each, so that lanes part at the branch on it: with a SEL they would vote together.
.kernel apart(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT P0, R3, 4
    BSSY    B0, L4
@P0 BRA     L0
E0:
    MOV     R6, 1
L0:
    VOTE.BALLOT R4, P0
L1:
    BSYNC   B0
    BSSY    B1, L4
    ISETP.NE P1, R4, 0
    MOV     R5, 1
@P1 BRA     L3
L2:
    MOV     R5, 2
L3:
    VOTE.BALLOT R7, PT
    IADD    R7, R7, R5
L4:
    BSYNC   B1
    STG     [RD2], R7
    EXIT
`,
  },
  {
    family: "ori-do-predication",
    name: "guarded",
    phase: "ori-do-predication",
    drops: ["guarded"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-do-predication
// drops: guarded
// Under !P0 alone, the addition would run in lanes whose P1 is false.
.kernel guarded(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
    ISETP.EQ P1, R0, 3
    MOV     R4, 7
@P0 BRA     BB2
BB1:
@P1 IADD    R4, R4, R0
BB2:
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "ori-do-predication",
    name: "writes-condition",
    phase: "ori-do-predication",
    drops: ["writes-condition"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-do-predication
// drops: writes-condition
// The addition would run under the P0 that the arm has just written.
.kernel writes_condition(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
    MOV     R4, 7
@P0 BRA     BB2
BB1:
    ISETP.GE P0, R0, R1
    IADD    R4, R4, R0
BB2:
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "ori-do-predication",
    name: "apart-vote",
    phase: "ori-do-predication",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-do-predication
// drops: convergence
// The parts of the warp get a vote each, so that lanes part at the branch on it: without it they would vote together.
.kernel apart(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT P0, R3, 4
    BSSY    B0, L4
@P0 BRA     L0
E0:
    MOV     R6, 1
L0:
    VOTE.BALLOT R4, P0
L1:
    BSYNC   B0
    BSSY    B1, L4
    ISETP.NE P1, R4, 0
    MOV     R5, 1
@P1 BRA     L3
L2:
    IADD    R5, R3, 2
L3:
    VOTE.BALLOT R7, PT
    IADD    R7, R7, R5
L4:
    BSYNC   B1
    STG     [RD2], R7
    EXIT
`,
  },
  {
    family: "merge-equivalent-conditional-flow",
    name: "ends-apart",
    phase: "merge-equivalent-conditional-flow",
    drops: ["ends-apart"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: merge-equivalent-conditional-flow
// drops: ends-apart
// BB3 and BB5 end with the same condition. In one block, lanes that part in BB0 would be together again there, and vote together in BB7.
.kernel ends_apart(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 9
    ISETP.LT P1, R4, 5
@P0 BRA     BB2
BB1:
    MOV     R5, 1
BB3:
    IADD    R5, R5, 1
@P1 BRA     BB8
    BRA     BB7
BB2:
    MOV     R5, 2
BB5:
    IADD    R5, R5, 1
@P1 BRA     BB8
    BRA     BB7
BB7:
    VOTE.BALLOT R5, PT
BB8:
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "merge-equivalent-conditional-flow",
    name: "parts-in-one-block",
    phase: "merge-equivalent-conditional-flow",
    drops: ["parts-in-one-block"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: merge-equivalent-conditional-flow
// drops: parts-in-one-block
// BB1 and BB2 do the same, and lanes part for the two in BB0: with one of them left they would vote together below it.
.kernel parts_in_one_block(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    MOV     R5, 0
    BSSY    B0, BB4
    ISETP.LT P0, R4, 3
@P0 BRA     BB2
BB1:
    IADD    R5, R5, 1
    BRA     BB3
BB2:
    IADD    R5, R5, 1
BB3:
    VOTE.BALLOT R6, PT
    IADD    R5, R5, R6
BB4:
    BSYNC   B0
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "merge-equivalent-conditional-flow",
    name: "phi-values",
    phase: "merge-equivalent-conditional-flow",
    drops: ["phi-values"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: merge-equivalent-conditional-flow
// drops: phi-values
// The PHI takes R1 from BB2: with BB1 and BB2 merged it would take R0 on both ways.
.kernel phi_values(out: RD0, a: R0, b: R1)
BB0:
    ISETP.LT P0, R0, R1
@P0 BRA     BB2
BB1:
    STG     [RD0], R0
    BRA     BB3
BB2:
    STG     [RD0], R0
BB3:
    PHI     R4, [BB1: R0], [BB2: R1]
    STG     [RD0+0x4], R4
    EXIT
`,
  },
  {
    family: "merge-equivalent-conditional-flow",
    name: "sees-lanes",
    phase: "merge-equivalent-conditional-flow",
    drops: ["parts-in-one-block", "sees-lanes"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: merge-equivalent-conditional-flow
// drops: sees-lanes, parts-in-one-block
// The lanes of the two blocks vote apart.
.kernel sees_lanes(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 3
@P0 BRA     BB2
BB1:
    VOTE.BALLOT R5, PT
    BRA     BB3
BB2:
    VOTE.BALLOT R5, PT
BB3:
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "gvn-cse",
    name: "leader-dominates",
    phase: "gvn-cse",
    drops: ["leader-dominates", "value-overwritten"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: gvn-cse
// drops: leader-dominates, value-overwritten
// threads: 1
// The load in BB1 does not run on the way to BB2: R1 has no value there to share.
.kernel k(n: R0, a: RD0, out: RD1)
BB0:
@P0 BRA     BB2
BB1:
    LDG     R1, [RD0]
    EXIT
BB2:
    LDG     R1, [RD0]
    IADD    R2, R1, 0
    EXIT
`,
  },
  {
    family: "gvn-cse",
    name: "value-overwritten",
    phase: "gvn-cse",
    drops: ["value-overwritten"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: gvn-cse
// drops: value-overwritten
// threads: 1
// R2 held the sum, and no longer does where it is computed again.
.kernel k(i: R0, n: R1, a: RD0, out: RD1)
BB0:
    IADD    R2, R0, R1
    MOV     R2, 0
    IADD    R5, R0, R1
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "ori-reassociate-and-common",
    name: "value-overwritten",
    phase: "ori-reassociate-and-common",
    drops: ["value-overwritten"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-reassociate-and-common
// drops: value-overwritten
// threads: 1
// R2 held the AND, and no longer does where it is computed again.
.kernel k(a: R0, b: R1, p: RD1, out: RD0)
BB0:
    LOP.AND R2, R0, R1
    MOV     R2, 0
    LOP.AND R4, R0, R1
    STG     [RD0], R4
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "active-lanes",
    phase: "late-ori-commoning",
    drops: ["active-lanes", "state-unchanged"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: active-lanes, state-unchanged
// Lanes part between the two readings: the second sees fewer of them.
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    ACTIVEMASK  R2
    ISETP.GT  P0, R9, 0
@P0 BRA     BB2
BB1:
    ACTIVEMASK  R3
    ISUB    R5, R3, RZ
    IMAD.WIDE RD2, RZ, 0, RD1
    STG     [RD2], R5
BB2:
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "candidate-dominates",
    phase: "late-ori-commoning",
    drops: ["candidate-dominates", "value-overwritten"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: candidate-dominates, value-overwritten
// threads: 1
// The addition in BB1 does not run on the way to BB2: R2 has no value there to share.
.kernel k(n: R0, a: RD0, out: RD1)
BB0:
    ISETP.LT  P0, RZ, 0
@P0 BRA     BB2
BB1:
    LDG     R1, [RD0]
    IADD    R2, R1, 1
    EXIT
BB2:
    LDG     R1, [RD0]
    IADD    R2, R1, 1
    ISETP.EQ  P0, R2, 0
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "modifiers",
    phase: "late-ori-commoning",
    drops: ["modifiers"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: modifiers
// threads: 1
// AND and XOR of the same registers are the same opcode with another modifier.
.func k(a: R0, b: R1, c: R2, p: P0, q: P1, r: P2) -> R9, R4, R6, P5
BB0:
    LOP.XOR R3, R2, R1
    LOP.AND R7, R2, R1
    LOP.AND R9, R7, R0
    RET
`,
  },
  {
    family: "late-ori-commoning",
    name: "reads-clock",
    phase: "late-ori-commoning",
    drops: ["reads-clock"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: reads-clock
// threads: 1
// The clock has gone on between the two readings.
.kernel k(out: RD1)
BB0:
    S2R     R2, SR_CLOCKLO
    S2R     R3, SR_CLOCKLO
    ISUB    R4, R3, RZ
    STG     [RD1], R4
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "same-guard",
    phase: "late-ori-commoning",
    drops: ["same-guard"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: same-guard
// threads: 1
// Where P0 is false R2 does not hold the sum.
.kernel k(i: R0, n: R1, out: RD1)
BB0:
@P0 IADD    R2, R0, 5
    IADD    R3, R0, 5
    STG     [RD1], R3
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "state-unchanged",
    phase: "late-ori-commoning",
    drops: ["state-unchanged"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: state-unchanged
// threads: 1
// The store between the two loads may change what they read.
.kernel k(a: R0, b: R1, p: RD1, out: RD0)
BB0:
    LOP.AND R2, R0, R1
    LDG     R3, [RD1]
    STG     [RD0], R2
    LDG     R5, [RD1]
    STG     [RD0], R5
    EXIT
`,
  },
  {
    family: "late-ori-commoning",
    name: "value-overwritten",
    phase: "late-ori-commoning",
    drops: ["value-overwritten"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: late-ori-commoning
// drops: value-overwritten
// threads: 1
// R2 held the sum, and no longer does where it is computed again.
.kernel k(i: R0, n: R1, a: RD0, out: RD1)
BB0:
    IADD    R2, R0, R1
    MOV     R2, 0
    IADD    R5, R0, R1
    STG     [RD1], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "barrier-open",
    phase: "do-switch-opt-first",
    drops: ["barrier-open", "later-use"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: barrier-open, later-use
// The inner region reopens the barrier of the outer one, which takes its lanes out of that region: found by random programs.
.func k(n: R3) -> R5
BB0:
    S2R     R4, SR_LANEID
    ISETP.GT  P3, R4, 0
    BSSY    B1, J1
@P3 BRA     J1
INNER:
    BSSY    B1, J2
J2:
    BSYNC   B1
J1:
    BSYNC   B1
    VOTE.BALLOT R5, PT
    RET
`,
  },
  {
    family: "do-switch-opt-first",
    name: "barrier-used",
    phase: "do-switch-opt-first",
    drops: ["barrier-used", "closes-others", "shared-bsync"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: barrier-used, shared-bsync, closes-others
// threads: 1
// BREAK names the barrier of a region that would be removed.
.kernel k(out: RD1, n: R3)
BB0:
    BSSY    B0, JOIN
    BREAK   B0
JOIN:
    BSYNC   B0
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "closes-others",
    phase: "do-switch-opt-first",
    drops: ["closes-others"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: closes-others
// The BSYNC of B0 closes B1 as well: without the pair of B0 the region of B1 would stay open, and the lanes of the branch would vote apart.
.kernel k(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT  P0, R3, 4
    BSSY    B0, J
    BSSY    B1, J
    MOV     R4, 1
J:
    BSYNC   B0
@P0 BRA     L
E:
    MOV     R4, 2
L:
    VOTE.BALLOT R5, PT
    IADD    R4, R4, R5
    STG     [RD2], R4
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "convergence",
    phase: "do-switch-opt-first",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: convergence
// Lanes that reach A by F0 vote apart from those that reach it directly; they must not meet earlier.
.kernel k(out: RD1, n: R3)
.table JT0 base=0 default=B { F0, A, B, A }
BB0:
    S2R     R9, SR_TID.X
    MOV     R5, 0
    LOP.AND R4, R9, 3
    JMX     R4, JT0
F0:
    BRA     A
A:
    VOTE.BALLOT R5, PT
    BRA     JOIN
B:
    MOV     R5, 20
JOIN:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "divergent-branch",
    phase: "do-switch-opt-first",
    drops: ["divergent-branch"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: divergent-branch
// In the open region of B0 the two parts of the warp get an answer each: the branch on it parts the lanes, and B1's pair is needed.
.kernel apart(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT  P0, R3, 4
    BSSY    B0, L1
@P0 BRA     L0
E0:
    MOV     R6, 1
L0:
    ACTIVEMASK  R4
    LOP.AND R4, R4, 1
L1:
    BSYNC   B0
    ISETP.NE  P1, R4, 0
    BSSY    B1, L3
@P1 BRA     L2
E1:
    MOV     R5, 7
L2:
    VOTE.BALLOT R5, PT
L3:
    BSYNC   B1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "guarded-bsync",
    phase: "do-switch-opt-first",
    drops: ["guarded-bsync"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: guarded-bsync
// Lanes 0 to 3 wait at the BSYNC for lanes that never come, and vote apart from them.
.kernel k(out: RD1, n: R3)
BB0:
    S2R     R9, SR_LANEID
    IMAD.WIDE RD2, R9, 4, RD1
    ISETP.LT  P0, R9, 4
    BSSY    B0, JOIN
JOIN:
@P0 BSYNC   B0
    VOTE.BALLOT R5, PT
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "later-use",
    phase: "do-switch-opt-first",
    drops: ["later-use"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: later-use
// The second BSYNC does nothing, but reads the barrier: B0's pair stays. The BSYNC of B1 closes B2 as well: that pair stays, too.
.kernel k(out: RD1)
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    ISETP.LT  P0, R3, 4
    BSSY    B0, J
    MOV     R4, 1
J:
    BSYNC   B0
    BSYNC   B0
    BSSY    B1, K
    BSSY    B2, K
K:
    BSYNC   B1
    STG     [RD2], R4
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "past-table",
    phase: "do-switch-opt-first",
    drops: ["past-table"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: past-table
// Lanes reach BB6 by the table and, where the guard does not hold, by falling into it: they vote together, and must when the table names what BB6 leads to.
.kernel k(out: RD1)
.table JT0 base=0 default=BB6 { BB6, BB7 }
BB0:
    S2R     R3, SR_LANEID
    IMAD.WIDE RD2, R3, 4, RD1
    BSSY    B3, BB4
    ISETP.LE P2, R3, 0
@P2 JMX     RZ, JT0
BB6:
BB7:
BB5:
    VOTE.BALLOT R4, PT
    STG     [RD2], R4
BB4:
    BSYNC   B3
    EXIT
`,
  },
  {
    family: "do-switch-opt-first",
    name: "phi-conflict",
    phase: "do-switch-opt-first",
    drops: ["phi-conflict"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-first
// drops: phi-conflict
// The PHI takes another value from the forwarding block than from the table: that entry stays, the other one goes.
.kernel k(out: RD1, n: R3)
.table JT0 base=0 default=JOIN { F0, A, F1, A }
BB0:
    S2R     R9, SR_TID.X
    MOV     R5, 0
    LOP.AND R4, R9, 3
    JMX     R4, JT0
F0:
    BRA     JOIN
A:
    MOV     R6, 10
    BRA     JOIN
F1:
    BRA     A
JOIN:
    PHI     R5, [BB0: 7], [F0: 8], [A: R6]
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "combined-compare",
    phase: "do-switch-opt-second",
    drops: ["combined-compare"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: combined-compare
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.GT  P7, R9, 8
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ.AND  P3, R1, 3, P7
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "convergence",
    phase: "do-switch-opt-second",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: convergence
// The default votes. With a table, lanes in the gap would come there apart from the lanes out of range.
.kernel k(out: RD1)
BB0:
    S2R     R1, SR_TID.X
    MOV     R9, R1
    ISETP.EQ  P0, R1, 10
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 11
@P1 BRA     L1
BB0.2:
    ISETP.EQ  P2, R1, 12
@P2 BRA     L2
BB0.3:
    ISETP.EQ  P3, R1, 14
@P3 BRA     L3
BB0.4:
    ISETP.EQ  P4, R1, 15
@P4 BRA     L4
    BRA     LD
L0:
    MOV     R5, 100
    BRA     LE
L1:
    MOV     R5, 101
    BRA     LE
L2:
    MOV     R5, 102
    BRA     LE
L3:
    MOV     R5, 103
    BRA     LE
L4:
    MOV     R5, 104
    BRA     LE
LD:
    VOTE.BALLOT R5, PT
LE:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "guarded-compare",
    phase: "do-switch-opt-second",
    drops: ["guarded-compare"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: guarded-compare
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.GT  P7, R9, 40
    ISETP.GE  P3, R9, 0
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
@P7 ISETP.EQ  P3, R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "interleaved-effect",
    phase: "do-switch-opt-second",
    drops: ["interleaved-effect"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: interleaved-effect
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    STG     [RD2+0x400], R9
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ  P3, R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "live-at-case",
    phase: "do-switch-opt-second",
    drops: ["live-at-case"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: live-at-case
// The instruction between the compares writes a register that an earlier case still reads.
.kernel k(out: RD1)
BB0:
    S2R     R1, SR_TID.X
    MOV     R9, R1
    MOV     R7, 5
    ISETP.EQ  P0, R1, 10
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 11
@P1 BRA     L1
BB0.2:
    ISETP.EQ  P2, R1, 12
@P2 BRA     L2
BB0.3:
    IMUL    R7, R9, 77
    ISETP.EQ  P3, R1, 13
@P3 BRA     L3
BB0.4:
    ISETP.EQ  P4, R1, 14
@P4 BRA     L4
BB0.5:
    ISETP.EQ  P5, R1, 15
@P5 BRA     L5
    BRA     LD
L0:
    MOV     R5, R7
    BRA     LE
L1:
    MOV     R5, 101
    BRA     LE
L2:
    MOV     R5, 102
    BRA     LE
L3:
    MOV     R5, 103
    BRA     LE
L4:
    MOV     R5, 104
    BRA     LE
L5:
    MOV     R5, 105
    BRA     LE
LD:
    MOV     R5, R7
LE:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "modified-selector",
    phase: "do-switch-opt-second",
    drops: ["modified-selector"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: modified-selector
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ  P3, -R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "moved-changes-selector",
    phase: "do-switch-opt-second",
    drops: ["moved-changes-selector"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: moved-changes-selector
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    IADD    R1, R1, 1
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ  P3, R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "moved-touches-predicate",
    phase: "do-switch-opt-second",
    drops: ["moved-touches-predicate", "predicate-live-out"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: predicate-live-out, moved-touches-predicate
// An instruction between the compares reads the predicate of an earlier one.
.kernel k(out: RD1)
BB0:
    S2R     R1, SR_TID.X
    MOV     R9, R1
    ISETP.EQ  P0, R1, 10
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 11
@P1 BRA     L1
BB0.2:
    ISETP.EQ  P2, R1, 12
@P2 BRA     L2
BB0.3:
    SEL     R7, 3, 4, P1
    ISETP.EQ  P3, R1, 13
@P3 BRA     L3
BB0.4:
    ISETP.EQ  P4, R1, 14
@P4 BRA     L4
BB0.5:
    ISETP.EQ  P5, R1, 15
@P5 BRA     L5
    BRA     LD
L0:
    MOV     R5, 100
    BRA     LE
L1:
    MOV     R5, 101
    BRA     LE
L2:
    MOV     R5, 102
    BRA     LE
L3:
    MOV     R5, 103
    BRA     LE
L4:
    MOV     R5, 104
    BRA     LE
L5:
    MOV     R5, 105
    BRA     LE
LD:
    MOV     R5, R7
LE:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "other-selector",
    phase: "do-switch-opt-second",
    drops: ["other-selector"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: other-selector
// Two chains: the first one's default is the head of the second one, which takes another selector.
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    LOP.AND R1, R9, 0xf
    SHR.U32 R2, R9, 2
    ISETP.EQ  P0, R1, 0
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
BB0.2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
BB0.3:
    ISETP.EQ  P3, R1, 3
@P3 BRA     L3
BB0.4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
BB0.5:
    ISETP.EQ  P5, R2, 100
@P5 BRA     L5
BB0.6:
    ISETP.EQ  P6, R2, 200
@P6 BRA     L6
BB0.7:
    ISETP.EQ  P7, R2, 300
@P7 BRA     L7
BB0.8:
    ISETP.EQ  P8, R2, 2
@P8 BRA     L8
BB0.9:
    ISETP.EQ  P9, R2, 3
@P9 BRA     L9
    BRA     LD
L0:
    MOV     R5, 100
    BRA     LE
L1:
    MOV     R5, 101
    BRA     LE
L2:
    MOV     R5, 102
    BRA     LE
L3:
    MOV     R5, 103
    BRA     LE
L4:
    MOV     R5, 104
    BRA     LE
L5:
    MOV     R5, 105
    BRA     LE
L6:
    MOV     R5, 106
    BRA     LE
L7:
    MOV     R5, 107
    BRA     LE
L8:
    MOV     R5, 108
    BRA     LE
L9:
    MOV     R5, 109
    BRA     LE
LD:
    MOV     R5, 1
LE:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "phi-conflict",
    phase: "do-switch-opt-second",
    drops: ["phi-conflict"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: phi-conflict
// The twin of \`phi\`: the two cases bring different values, which one edge cannot.
.kernel k(out: RD1)
BB0:
    S2R     R1, SR_TID.X
    MOV     R9, R1
    ISETP.EQ  P0, R1, 10
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 11
@P1 BRA     LE
BB0.2:
    ISETP.EQ  P2, R1, 12
@P2 BRA     L2
BB0.3:
    ISETP.EQ  P3, R1, 13
@P3 BRA     LE
BB0.4:
    ISETP.EQ  P4, R1, 14
@P4 BRA     L4
    BRA     LD
L0:
    BRA     LE
L2:
    BRA     LE
L4:
    BRA     LE
LD:
    BRA     LE
LE:
    PHI     R5, [BB0.1: 7], [BB0.3: 8], [L0: 100], [L2: 102], [L4: 104], [LD: 1]
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "predicate-live-out",
    phase: "do-switch-opt-second",
    drops: ["predicate-live-out"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: predicate-live-out
// The default reads a predicate of the third compare, so the chain ends before it.
.kernel k(out: RD1)
BB0:
    S2R     R1, SR_TID.X
    MOV     R9, R1
    ISETP.EQ  P0, R1, 10
@P0 BRA     L0
BB0.1:
    ISETP.EQ  P1, R1, 11
@P1 BRA     L1
BB0.2:
    ISETP.EQ  P2, R1, 12
@P2 BRA     L2
BB0.3:
    ISETP.EQ  P3, R1, 13
@P3 BRA     L3
BB0.4:
    ISETP.EQ  P4, R1, 14
@P4 BRA     L4
BB0.5:
    ISETP.EQ  P5, R1, 15
@P5 BRA     L5
    BRA     LD
L0:
    MOV     R5, 100
    BRA     LE
L1:
    MOV     R5, 101
    BRA     LE
L2:
    MOV     R5, 102
    BRA     LE
L3:
    MOV     R5, 103
    BRA     LE
L4:
    MOV     R5, 104
    BRA     LE
L5:
    MOV     R5, 105
    BRA     LE
LD:
    SEL     R5, 1, 2, P2
LE:
    IMAD.WIDE RD2, R9, 4, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "predicate-used",
    phase: "do-switch-opt-second",
    drops: ["predicate-used"],
    caught: "verifier",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: predicate-used
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.EQ  P0, R1, 0
    SEL     R7, R9, 77, P0
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ  P3, R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, R7
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "do-switch-opt",
    name: "selector-changed",
    phase: "do-switch-opt-second",
    drops: ["selector-changed"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: do-switch-opt-second
// drops: selector-changed
.kernel k(out: RD1)
BB0:
    S2R     R9, SR_TID.X
    IMAD.WIDE RD2, R9, 4, RD1
    LOP.AND R1, R9, 0xf
    ISETP.EQ  P0, R1, 0
    IADD    R1, R1, 1
@P0 BRA     L0
C1:
    ISETP.EQ  P1, R1, 1
@P1 BRA     L1
C2:
    ISETP.EQ  P2, R1, 2
@P2 BRA     L2
C3:
    ISETP.EQ  P3, R1, 3
@P3 BRA     L3
C4:
    ISETP.EQ  P4, R1, 4
@P4 BRA     L4
C5:
    ISETP.EQ  P5, R1, 5
@P5 BRA     L5
DEF:
    MOV     R5, 1
    BRA     JOIN
L0:
    MOV     R5, 100
    BRA     JOIN
L1:
    MOV     R5, 101
    BRA     JOIN
L2:
    MOV     R5, 102
    BRA     JOIN
L3:
    MOV     R5, 103
    BRA     JOIN
L4:
    MOV     R5, 104
    BRA     JOIN
L5:
    MOV     R5, 105
    BRA     JOIN
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "expand-jmx",
    name: "index-wraps",
    phase: "expand-jmx-computation",
    drops: ["unbounded"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: expand-jmx-computation
// drops: unbounded
// The index 0x40000000 is out of range; its fourfold is 0, which is the first case.
.kernel k(a: R0, out: RD2)
.table JT0 base=0 default=D { A, B, D, A }
BB0:
    SHL     R4, R0, 30
    JMX     R4, JT0
A:
    MOV     R5, 10
    BRA     JOIN
B:
    MOV     R5, 20
    BRA     JOIN
D:
    MOV     R5, 1
JOIN:
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "branch-opt",
    name: "lanes-meet-elsewhere",
    phase: "ori-branch-opt",
    drops: ["lanes-meet-elsewhere"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-branch-opt
// drops: lanes-meet-elsewhere
// BB1's exit never happens, but without it the lanes that part in BB0 would meet in BB3, before the vote, and it would count more of them.
.kernel regroup(n: R0, out: RD0)
BB0:
    S2R     R1, SR_TID.X
    IMAD.WIDE RD1, R1, 4, RD0
    ISETP.LT  P0, R1, R0
@P0 BRA     BB2
BB1:
    ISETP.NE  P1, R0, R0
@P1 BRA     BB4
BB3:
    VOTE.BALLOT R2, PT
    STG     [RD1], R2
    EXIT
BB2:
    IADD    R3, R1, 1
    BRA     BB3
BB4:
    STG     [RD1], RZ
    EXIT
`,
  },
  {
    family: "branch-opt",
    name: "lanes-stay-together",
    phase: "ori-branch-opt",
    drops: ["lanes-stay-together"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-branch-opt
// drops: lanes-stay-together
// BB2 only leads on to BB3, but lanes that part over it stay apart up to the BSYNC: with the edge threaded, the vote between would see more of them.
.kernel regroup_region(n: R0, out: RD0)
BB0:
    S2R     R1, SR_TID.X
    IMAD.WIDE RD1, R1, 4, RD0
    BSSY    B0, BB4
    ISETP.LT  P0, R1, R0
@P0 BRA     BB2
BB3:
    VOTE.BALLOT R2, PT
BB4:
    BSYNC   B0
    STG     [RD1], R2
    EXIT
BB2:
    BRA     BB3
`,
  },
  {
    family: "branch-opt",
    name: "phi-conflict",
    phase: "ori-branch-opt",
    drops: ["phi-conflict"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: ori-branch-opt
// drops: phi-conflict
// BB0 reaches BB2 directly with 1 and through BB1 with 2: one edge could carry only one of them.
.kernel no_thread_phi(n: R0, out: RD0)
BB0:
    ISETP.LT  P0, R0, 4
@P0 BRA     BB2
BB1:
    NOP
BB2:
    PHI     R2, [BB0: 1], [BB1: 2]
    STG     [RD0], R2
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "alias-hazard",
    phase: "general-optimize-early",
    drops: ["alias-hazard", "operand"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: alias-hazard, operand
// threads: 1
// Both loads read one word, and a store between them changes it: the second test is not decided by the first.
.kernel k(n: R0, out: RD0)
BB0:
    LDG     R2, [RD0]
    ISETP.EQ  P3, R2, 0
@P3 BRA     BB9
BB1:
    MOV     R5, 4
    STG     [RD0], R5
    LDG     R3, [RD0]
    ISETP.EQ  P4, R3, 4
@P4 BRA     BB9
BB2:
    STG     [RD0], RZ
BB9:
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "branch-negation",
    phase: "general-optimize-early",
    drops: ["branch-negation"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: branch-negation
// The second branch is taken whenever it is reached, not never.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
@!P0 BRA    BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "computation",
    phase: "general-optimize-early",
    drops: ["computation"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: computation
// The second compare is the opposite one.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    ISETP.GE P1, R0, 3
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "constants",
    phase: "general-optimize-early",
    drops: ["constants"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: constants
// One compare is with 0, the other with a parameter.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, RZ
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    ISETP.LT P1, R0, R1
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "convergence",
    phase: "general-optimize-early",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: convergence
// Without its edge to BB7, lanes that part in BB0 meet at the ballot.
.kernel k(n: R0, out: RD0)
BB0:
    S2R     R1, SR_TID.X
    IMAD.WIDE RD1, R1, 4, RD0
    ISETP.LT P0, R1, 5
    ISETP.EQ P1, R0, 2
    MOV     R4, 0
@P0 BRA     BB2
BB1:
    BRA     BB4
BB2:
    STG     [RD1+0x400], R1
@P1 BRA     BB6
BB3:
    STG     [RD1+0x400], R0
@P1 BRA     BB7
BB4:
    VOTE.BALLOT R4, PT
    STG     [RD1], R4
BB5:
    EXIT
BB6:
    STG     [RD1+0x800], R1
    BRA     BB4
BB7:
    STG     [RD1+0x800], R0
    BRA     BB5
`,
  },
  {
    family: "general-optimize-early",
    name: "modifiers",
    phase: "general-optimize-early",
    drops: ["modifiers"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: modifiers
// A value and its negative are compared with one constant.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    ISETP.LT P1, -R0, 3
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "operand-changed",
    phase: "general-optimize-early",
    drops: ["operand-changed"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: operand-changed
// The parameter grows between the compares where the other one is small.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.GT P0, R0, 8
    ISETP.LT P2, R1, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
@P2 IADD    R0, R0, 9
    ISETP.GT P1, R0, 8
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "operand-differs",
    phase: "general-optimize-early",
    drops: ["operand-differs"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: operand-differs
// Two parameters are compared with one constant.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    ISETP.LT P1, R1, 3
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "operand",
    phase: "general-optimize-early",
    drops: ["operand"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: operand
// Values from 3 to 19 answer the compares differently.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    ISETP.LT P1, R0, 20
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "sub-dag-changed",
    phase: "general-optimize-early",
    drops: ["sub-dag-changed"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: sub-dag-changed
// The register holds a sum, then a product.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    IADD    R4, R0, 2
    ISETP.LT P0, R4, 30
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    IMUL    R4, R0, 2
    ISETP.LT P1, R4, 30
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize-early",
    name: "sub-dag-differs",
    phase: "general-optimize-early",
    drops: ["sub-dag-differs"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-early
// drops: sub-dag-differs
// A sum and a product are compared with one constant.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    IADD    R4, R0, 2
    ISETP.LT P0, R4, 30
@P0 BRA     BB3
BB1:
    STG     [RD0], R0
    IMUL    R5, R0, 2
    ISETP.LT P1, R5, 30
@P1 BRA     BB3
BB2:
    STG     [RD0+0x4], R0
BB3:
    STG     [RD0+0x8], R0
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "convergence",
    phase: "general-optimize",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize
// drops: convergence
// Without its edge to BB5, lanes that part in BB0 meet at the ballot.
.kernel k(n: R0, out: RD0)
BB0:
    S2R     R1, SR_TID.X
    IMAD.WIDE RD1, R1, 4, RD0
    MOV     R9, 1
    ISETP.EQ P1, R9, 2
    ISETP.LT P0, R1, 5
    MOV     R4, 0
@P0 BRA     BB2
BB1:
    STG     [RD1+0x400], R1
    BRA     BB3
BB2:
    STG     [RD1+0x800], R1
@P1 BRA     BB5
BB3:
    VOTE.BALLOT R4, PT
BB5:
    STG     [RD1], R4
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "copies-apart",
    phase: "general-optimize-late2",
    drops: ["source-redefined"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["LateCopyPropComplPred=on"],
    text: `// phase: general-optimize-late2
// knob: LateCopyPropComplPred=on
// drops: source-redefined
// Where P0 does not hold, the copy takes the source one later.
.kernel k(n: R0, m: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 MOV     R5, R1
    IADD    R1, R1, 1
@!P0 MOV    R5, R1
    STG     [RD0], R5
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "destination-redefined",
    phase: "general-optimize-late2",
    drops: ["destination-redefined"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["LateCopyPropComplPred=on"],
    text: `// phase: general-optimize-late2
// knob: LateCopyPropComplPred=on
// drops: destination-redefined
// What is written in between stays where P0 holds only.
.kernel k(n: R0, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
@P0 MOV     R5, R0
    IADD    R5, R0, 9
@!P0 MOV    R5, R0
    STG     [RD0], R5
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "different-guard",
    phase: "general-optimize",
    drops: ["different-guard"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize
// drops: different-guard
// Where P0 does not hold, R1 is still the sum.
.kernel k(n: R0, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
    IADD    R1, R0, 9
@P0 MOV     R1, R0
    STG     [RD0], R1
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "predicate-redefined",
    phase: "general-optimize-late2",
    drops: ["predicate-redefined"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["LateCopyPropComplPred=on"],
    text: `// phase: general-optimize-late2
// knob: LateCopyPropComplPred=on
// drops: predicate-redefined
// For a parameter from 3 to 19 neither copy runs.
.kernel k(n: R0, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
    IADD    R5, R0, 9
@P0 MOV     R5, R0
    ISETP.LT P0, R0, 20
@!P0 MOV    R5, R0
    STG     [RD0], R5
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "read-between",
    phase: "general-optimize-late2",
    drops: ["read-between"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: ["LateCopyPropComplPred=on"],
    text: `// phase: general-optimize-late2
// knob: LateCopyPropComplPred=on
// drops: read-between
// The store in between sees the sum where P0 does not hold.
.kernel k(n: R0, out: RD0)
BB0:
    ISETP.LT P0, R0, 3
    IADD    R5, R0, 9
@P0 MOV     R5, R0
    STG     [RD0], R5
@!P0 MOV    R5, R0
    STG     [RD0+0x4], R5
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "several-definitions",
    phase: "general-optimize",
    drops: ["several-definitions"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize
// drops: several-definitions
// On the way over BB1 the register holds 7, not what the copy took.
.kernel k(n: R0, out: RD0)
BB0:
    MOV     R1, R0
    ISETP.LT P0, R0, 3
@P0 BRA     BB2
BB1:
    MOV     R1, 7
    STG     [RD0+0x4], R0
BB2:
    STG     [RD0], R1
    EXIT
`,
  },
  {
    family: "general-optimize",
    name: "source-redefined",
    phase: "general-optimize",
    drops: ["source-redefined"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize
// drops: source-redefined
// The source is one more by the time the copy is read.
.kernel k(n: R0, out: RD0)
BB0:
    MOV     R1, R0
    IADD    R0, R0, 1
    STG     [RD0], R1
    STG     [RD0+0x4], R0
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "address-taken",
    phase: "general-optimize-mid",
    drops: ["address-taken"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: address-taken
// threads: 1
// The generic load reads the slot in local memory, which a promoted slot no longer is.
.kernel k(n: R0, p: RD3, out: RD1)
BB0:
    STL     [0x0], R0
    MOV     R5, 16777216
    IMAD.WIDE RD4, R5, 1, RZ
    LD      R5, [RD4]
    IMAD.WIDE RD2, RZ, 0, RD1
    STG     [RD2], R5
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "convergence",
    phase: "general-optimize-mid",
    drops: ["convergence"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: convergence
// BB1's exit never happens, but without it the lanes that part in BB0 would meet in BB3, before the vote, and it would count more of them.
.kernel k(n: R0, out: RD0)
BB0:
    S2R     R1, SR_TID.X
    IMAD.WIDE RD1, R1, 4, RD0
    ISETP.LT  P0, R1, R0
@P0 BRA     BB3
BB1:
    ISETP.NE  P1, R0, R0
@P1 BRA     BB4
BB3:
    VOTE.BALLOT R2, PT
    STG     [RD1], R2
BB4:
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "different-guard",
    phase: "general-optimize-mid",
    drops: ["different-guard"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: different-guard
// threads: 1
// Where P0 is false R1 still is 0: its reader may not take the guarded MOV's 1.
.kernel k(n: R0, out: RD0)
BB0:
@P0 MOV     R1, 1
    STG     [RD0], R1
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "entry-in-loop",
    phase: "general-optimize-mid",
    drops: ["entry-in-loop"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: entry-in-loop
// The count in local memory survives the way back to the entry.
.kernel k(n: R0, out: RD0)
BB0:
    LDL     R1, [0x0]
    IADD    R1, R1, 1
    STL     [0x0], R1
    IADD    R0, R0, 1
    ISETP.LT P0, R1, 4
@P0 BRA     BB0
BB1:
    STG     [RD0], R1
    STG     [RD0+0x4], R0
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "partial-overlap",
    phase: "general-optimize-mid",
    drops: ["partial-overlap"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: partial-overlap
// A byte is written into the word in between.
.kernel k(n: R0, out: RD0)
BB0:
    STL     [0x0], R0
    MOV     R1, 77
    STL.U8  [0x1], R1
    LDL     R2, [0x0]
    STG     [RD0], R2
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "several-definitions",
    phase: "general-optimize-mid",
    drops: ["several-definitions"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: several-definitions
// threads: 1
// Two definitions of R3 reach the store: the copied 0 is right for one way only.
.kernel k(n: R0, out: RD0)
Entry:
    MOV     R3, 0
    IADD    R2, RZ, 1
@P1 BRA     Done
Latch:
    LOP.XOR R3, RZ, R2
Done:
    STG     [RD0], R3
    EXIT
`,
  },
  {
    family: "general-optimize-mid",
    name: "source-redefined",
    phase: "general-optimize-mid",
    drops: ["source-redefined"],
    caught: "meaning",
    target: null,
    level: 3,
    policy: "notes",
    knobs: [],
    text: `// phase: general-optimize-mid
// drops: source-redefined
// threads: 1
// R1 is written between the copy and the store, which must read what R1 was before.
.kernel k(a: R0, b: R1, out: RD0)
BB0:
    MOV     R0, R1
    MOV     R1, RZ
    STG     [RD0], R0
    EXIT
`,
  },
];
