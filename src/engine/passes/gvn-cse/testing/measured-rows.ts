/** What was measured of redundancy in ptxas 13.0.88, one row per finding, each with its program. */

export interface Row {
  readonly name: string;
  /** After the common head: a, b, c, d in R10 to R13, tid in R3, inputs at RD4, outputs at RD3. */
  readonly body: string;
  readonly marker: string;
  /** Copies left at -O0, -O1 and -O2 (-O3 is like -O2). */
  readonly counts: readonly [o0: number, o1: number, o2: number];
}

const pair = (first: string, second: string): string => `${first}
    POPC    R31, R30
${second}
    POPC    R33, R32
    STG     [RD3+0x40], R31
    STG     [RD3+0x44], R33
    EXIT`;

const value = (name: string, first: string, second: string, o1: number, o2: number): Row => ({
  name,
  body: pair(first, second),
  marker: "POPC",
  counts: [2, o1, o2],
});

const loads = (name: string, op: string, between: string, left: number, first = "[RD4+0x20]", second = first): Row => ({
  name,
  body: `    ${op}     R30, ${first}
${between}
    ${op}     R31, ${second}
    STG     [RD3+0x40], R30
    STG     [RD3+0x44], R31
    EXIT`,
  marker: op.split(".")[0] as string,
  counts: [2, left, left],
});

const arithmetic: readonly Row[] = [
  value("in a block", "    LOP.XOR R30, R10, 0x55", "    LOP.XOR R32, R10, 0x55", 1, 1),
  value("through moves", "    LOP.XOR R30, R10, R11", "    MOV     R20, R10\n    MOV     R21, R20\n    LOP.XOR R32, R21, R11", 1, 1),
  value("commuted add", "    IADD    R30, R10, R11", "    IADD    R32, R11, R10", 1, 1),
  value("commuted mul", "    IMUL    R30, R10, R11", "    IMUL    R32, R11, R10", 1, 1),
  value("commuted fadd", "    FADD    R30, R10, R11", "    FADD    R32, R11, R10", 1, 1),
  value("constants regrouped", "    IADD    R20, R10, 5\n    IADD    R30, R20, 7", "    IADD    R32, R10, 12", 1, 1),
  value("shl 3 = mul 8", "    SHL     R30, R10, 3", "    IMUL    R32, R10, 8", 1, 1),
  value("mad = mul + add", "    IMAD    R30, R10, R11, R12", "    IMUL    R20, R10, R11\n    IADD    R32, R20, R12", 1, 1),
  value(
    "a*c + b*c = (a+b)*c",
    "    IMUL    R20, R10, R12\n    IMUL    R21, R11, R12\n    IADD    R30, R20, R21",
    "    IADD    R22, R10, R11\n    IMUL    R32, R22, R12",
    1,
    1,
  ),
  value(
    "never: (a+b)+c and (a+c)+b",
    "    IADD    R20, R10, R11\n    IADD    R30, R20, R12",
    "    IADD    R21, R10, R12\n    IADD    R32, R21, R11",
    2,
    2,
  ),
  value(
    "never: (a+b)+c and a+(b+c)",
    "    IADD    R20, R10, R11\n    IADD    R30, R20, R12",
    "    IADD    R21, R11, R12\n    IADD    R32, R10, R21",
    2,
    2,
  ),
  value(
    "never: (a*b)*c and (a*c)*b",
    "    IMUL    R20, R10, R11\n    IMUL    R30, R20, R12",
    "    IMUL    R21, R10, R12\n    IMUL    R32, R21, R11",
    2,
    2,
  ),
  value(
    "never: (a*b)*c and a*(b*c)",
    "    IMUL    R20, R10, R11\n    IMUL    R30, R20, R12",
    "    IMUL    R21, R11, R12\n    IMUL    R32, R10, R21",
    2,
    2,
  ),
  value(
    "never: (a^b)^c and (a^c)^b",
    "    LOP.XOR R20, R10, R11\n    LOP.XOR R30, R20, R12",
    "    LOP.XOR R21, R10, R12\n    LOP.XOR R32, R21, R11",
    2,
    2,
  ),
  value(
    "never: (a^b)^c and a^(b^c)",
    "    LOP.XOR R20, R10, R11\n    LOP.XOR R30, R20, R12",
    "    LOP.XOR R21, R11, R12\n    LOP.XOR R32, R10, R21",
    2,
    2,
  ),
  value("never: x+x and x<<1", "    IADD    R30, R10, R10", "    SHL     R32, R10, 1", 2, 2),
  value(
    "never: swapped compares",
    "    ISETP.LT P0, R10, R11\n    SEL     R30, R12, R13, P0",
    "    ISETP.GT P1, R11, R10\n    SEL     R32, R12, R13, P1",
    2,
    2,
  ),
  value(
    "never: inverse compares",
    "    ISETP.LT P0, R10, R11\n    SEL     R30, R12, R13, P0",
    "    ISETP.GE P1, R10, R11\n    SEL     R32, R13, R12, P1",
    2,
    2,
  ),
];

/** Long enough that no arm is predicated. */
const filler = (r: string): string =>
  Array.from({ length: 12 }, (_, i) => `    IMUL    ${r}, ${r}, ${2012351 + 154 * i}\n    LOP.XOR ${r}, ${r}, ${2012428 + 154 * i}`).join(
    "\n",
  );

const across: readonly Row[] = [
  {
    name: "from a dominating block",
    marker: "POPC",
    counts: [2, 2, 1],
    body: `    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
    ISETP.GT P0, R3, 100
@P0 BRA     BB9
BB2:
    LOP.XOR R32, R10, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
${filler("R11")}
    STG     [RD3+0x60], R11
BB9:
    EXIT`,
  },
  {
    name: "from a dominating block far above",
    marker: "POPC",
    counts: [2, 2, 1],
    body: `    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
    ISETP.GT P0, R3, 100
@P0 BRA     BB9
BB2:
${filler("R11")}
    STG     [RD3+0x60], R11
    ISETP.GT P1, R3, 50
@P1 BRA     BB9
BB3:
${filler("R12")}
    STG     [RD3+0x64], R12
    LOP.XOR R32, R10, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
BB9:
    EXIT`,
  },
  {
    name: "both arms of a join have it",
    marker: "POPC",
    counts: [3, 3, 2],
    body: `    ISETP.GT P0, R3, 100
@P0 BRA     BB2
BB1:
    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
${filler("R11")}
    STG     [RD3+0x60], R11
    BRA     BB3
BB2:
    LOP.XOR R32, R10, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
${filler("R12")}
    STG     [RD3+0x64], R12
BB3:
    LOP.XOR R34, R10, 0x55
    POPC    R35, R34
    STG     [RD3+0x48], R35
    EXIT`,
  },
  {
    name: "never: sibling arms alone",
    marker: "POPC",
    counts: [2, 2, 2],
    body: `    ISETP.GT P0, R3, 100
@P0 BRA     BB2
BB1:
    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
${filler("R11")}
    STG     [RD3+0x60], R11
    EXIT
BB2:
    LOP.XOR R32, R10, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
${filler("R12")}
    STG     [RD3+0x64], R12
    EXIT`,
  },
  {
    name: "never: partial redundancy",
    marker: "POPC",
    counts: [2, 2, 2],
    body: `    ISETP.GT P0, R3, 100
@P0 BRA     BB3
BB1:
    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
${filler("R11")}
    STG     [RD3+0x60], R11
BB3:
    LOP.XOR R32, R10, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
    EXIT`,
  },
  {
    name: "a phi of equal values",
    marker: "POPC",
    counts: [2, 1, 1],
    body: `    LOP.XOR R30, R10, 0x55
    POPC    R31, R30
    STG     [RD3+0x40], R31
    MOV     R20, R10
    ISETP.GT P0, R3, 100
@P0 BRA     BB2
BB1:
    MOV     R21, R20
    BRA     BB3
BB2:
    MOV     R21, R10
BB3:
    LOP.XOR R32, R21, 0x55
    POPC    R33, R32
    STG     [RD3+0x44], R33
    EXIT`,
  },
];

const memory: readonly Row[] = [
  loads("a repeated LDG", "LDG", "", 1),
  loads("a repeated LDS", "LDS", "", 1, "[0x20]"),
  loads("not across bar.sync", "LDS", "    BAR.SYNC 0", 2, "[0x20]"),
  loads("LDG not across bar.sync", "LDG", "    BAR.SYNC 0", 2),
  loads("not across membar", "LDG", "    MEMBAR.SC.GPU", 2),
  loads("not across a store to an unknown address", "LDG", "    STG     [RD3], R11", 2),
  loads("not across a store at another offset of the same base", "LDG", "    STG     [RD4+0x24], R11", 2),
  loads("not across an atomic", "LDG", "    ATOM.ADD R20, [RD3], R11\n    STG     [RD3+0x80], R20", 2),
  loads("LDG across STS", "LDG", "    STS     [0x20], R11", 1),
  loads("LDS across STG", "LDS", "    STG     [RD3], R11", 1, "[0x20]"),
  loads("volatile", "LDG.VOLATILE", "", 2),
  loads("non-coherent, across a store to its own word", "LDG.CONSTANT", "    STG     [RD4+0x20], R11", 1),
  loads("non-coherent, across an atomic", "LDG.CONSTANT", "    ATOM.ADD R20, [RD3], R11\n    STG     [RD3+0x80], R20", 1),
  loads("non-coherent, across a barrier", "LDG.CONSTANT", "    BAR.SYNC 0", 1),
  {
    name: "forwarded across a store to the same address",
    marker: "LDG",
    counts: [2, 1, 1],
    body: `    LDG     R30, [RD4+0x20]
    STG     [RD4+0x20], R11
    LDG     R31, [RD4+0x20]
    STG     [RD3+0x40], R30
    STG     [RD3+0x44], R31
    EXIT`,
  },
];

export const ROWS: readonly Row[] = [...arithmetic, ...across, ...memory];

/** Findings about what no modelled phase does. */
export const NOT_APPLICABLE: readonly string[] = [
  "loop-invariant code moves out from -O2: no modelled phase moves code out of loops",
  "dead stores go: OriPerformLiveDead removes them, and its fixtures show it",
];

/** The row's program; if the marker is LDG, loads of the head are counted as a different opcode. */
export function programOf(row: Row): string {
  const head = row.marker === "LDG" ? "    MOV     R10, R3\n    MOV     R11, R3\n    MOV     R12, R3\n    MOV     R13, R3" : INPUTS;
  return `.kernel row(p: RD1, q: RD2)
BB0:
    S2R     R3, SR_TID.X
    IMAD.WIDE.U32 RD3, R3, 4, RD1
    IMAD.WIDE.U32 RD4, R3, 4, RD2
${head}
${row.body}
`;
}

const INPUTS = ["R10", "R11", "R12", "R13"].map((r, i) => `    LDG     ${r}, [RD4+0x${(4 * i).toString(16)}]`).join("\n");
