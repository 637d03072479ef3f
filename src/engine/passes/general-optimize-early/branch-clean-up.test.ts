/** What ptxas 13.0.88 was measured to remove, and to keep, around branches (ptxas-facts, Branch clean-up): phases 13, 15 and 16 together, policy 'measured'. */

import { describe, expect, it } from "vitest";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { parseModule } from "../../text/parser.ts";
import { printFunc } from "../../text/printer.ts";
import { verifyFunc } from "../../verify/verify.ts";

const HEAD = ".kernel k(n: R0, m: R1, out: RD0)\n";
const WORK = (label: string, value: number): string => `${label}:\n    MOV R9, ${value}\n    STG [RD0+${4 * value}], R9\n`;

interface Row {
  readonly name: string;
  readonly text: string;
  /** Conditional branches left; all branches left where `all` is given. */
  readonly conditional: number;
  readonly jumps?: number;
  readonly blocks?: number;
}

const ROWS: readonly Row[] = [
  {
    name: "unreachable block",
    text: `BB0:\n    STG [RD0], R0\n    EXIT\nBB1:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB1\nBB2:\n    EXIT\n`,
    conditional: 0,
    jumps: 0,
    blocks: 1,
  },
  {
    name: "unreachable loop",
    text: `BB0:\n    STG [RD0], R0\n    EXIT\nBB1:\n    IADD R5, R0, 1\n    BRA BB2\nBB2:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB1\nBB3:\n    BRA BB1\n`,
    conditional: 0,
    jumps: 0,
    blocks: 1,
  },
  {
    name: "unreachable chain",
    text: `BB0:\n    STG [RD0], R0\n    EXIT\nBB1:\n    BRA BB2\nBB2:\n    BRA BB3\nBB3:\n    EXIT\n`,
    conditional: 0,
    jumps: 0,
    blocks: 1,
  },
  {
    name: "jump to jump",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\n${WORK("BB1", 1)}    EXIT\nBB2:\n    BRA BB3\n${WORK("BB4", 2)}    EXIT\n${WORK("BB3", 3)}    EXIT\n`,
    conditional: 1,
    jumps: 0,
  },
  {
    name: "jump over jump",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\nBB1:\n    BRA BB3\n${WORK("BB2", 1)}    EXIT\n${WORK("BB3", 2)}    EXIT\n`,
    conditional: 1,
    jumps: 0,
  },
  { name: "jump to next", text: `BB0:\n    STG [RD0], R0\n    BRA BB1\n${WORK("BB1", 1)}    EXIT\n`, conditional: 0, jumps: 0 },
  {
    name: "empty diamond",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\nBB1:\n    BRA BB3\nBB2:\n    BRA BB3\n${WORK("BB3", 1)}    EXIT\n`,
    conditional: 0,
    jumps: 0,
  },
  {
    name: "condition constant by moves",
    text: `BB0:\n    MOV R5, 7\n    MOV R6, R5\n    ISETP.EQ P0, R6, 7\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "condition constant by arithmetic",
    text: `BB0:\n    MOV R5, 7\n    IADD R6, R5, 3\n    SHL R7, R6, 2\n    ISETP.GT P0, R7, 41\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "condition constant across blocks",
    text: `BB0:\n    MOV R5, 7\n    ISETP.LT P1, R0, 3\n@P1 BRA BB2\n${WORK("BB1", 1)}BB2:\n    ISETP.GT P0, R5, 41\n@P0 BRA BB4\n${WORK("BB3", 2)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "x == x",
    text: `BB0:\n    ISETP.EQ P0, R0, R0\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "x == copy of x",
    text: `BB0:\n    MOV R5, R0\n    ISETP.NE P0, R0, R5\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "equal targets",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB1\n    BRA BB1\n${WORK("BB1", 1)}    EXIT\n`,
    conditional: 0,
    jumps: 0,
  },
  {
    name: "a second test of the same predicate",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB3\n${WORK("BB1", 1)}@P0 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "a second test of an equal compare",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB3\n${WORK("BB1", 1)}    ISETP.LT P1, R0, 3\n@P1 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "laneid > 32",
    text: `BB0:\n    S2R R5, SR_LANEID\n    ISETP.GT.U32 P0, R5, 32\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "stays: laneid > 31",
    text: `BB0:\n    S2R R5, SR_LANEID\n    ISETP.GT.U32 P0, R5, 31\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "the same predicate at a join",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n@P0 BRA BB4\n${WORK("BB3", 2)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "an equal compare at a join",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    ISETP.LT P1, R0, 3\n@P1 BRA BB4\n${WORK("BB3", 2)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "stays: the same predicate after a join that works",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\n${WORK("BB1", 1)}${WORK("BB2", 3)}@P0 BRA BB4\n${WORK("BB3", 2)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
  {
    name: "the test of a guarded return",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 EXIT\n${WORK("BB1", 1)}@P0 BRA BB4\n${WORK("BB3", 2)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "x & 0",
    text: `BB0:\n    LOP.AND R5, R0, 0\n    ISETP.EQ P0, R5, 0\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 0,
  },
  {
    name: "a fact of setp.ne on the fall-through",
    text: `BB0:\n    LDG R2, [RD0+64]\n    ISETP.NE P0, R2, 4\n@P0 BRA BB3\nBB1:\n    STG [RD0+8], R1\n    IADD R5, R2, 1\n    ISETP.EQ P1, R5, 5\n@P1 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  // What stays at every level.
  {
    name: "stays: the same predicate inverted",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB3\n${WORK("BB1", 1)}@!P0 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
  {
    name: "stays: an inverse compare",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB3\n${WORK("BB1", 1)}    ISETP.GE P1, R0, 3\n@P1 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
  {
    name: "stays: an implied compare",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB3\n${WORK("BB1", 1)}    ISETP.LT P1, R0, 2\n@P1 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
  {
    name: "stays: a test of a PHI of constants",
    text: `BB0:\n    ISETP.LT P0, R0, 3\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    PHI R5, [BB0: 1], [BB1: 2]\n    ISETP.EQ P1, R5, 1\n@P1 BRA BB4\n${WORK("BB3", 3)}BB4:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
  {
    name: "stays: x - x == 0",
    text: `BB0:\n    ISUB R5, R0, R0\n    ISETP.EQ P0, R5, 0\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "stays: known bits",
    text: `BB0:\n    LOP.AND R5, R0, 7\n    ISETP.GT.U32 P0, R5, 7\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "stays: tid > 1023",
    text: `BB0:\n    S2R R5, SR_TID.X\n    ISETP.GT.U32 P0, R5, 1023\n@P0 BRA BB2\n${WORK("BB1", 1)}BB2:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 1,
  },
  {
    name: "stays: a fact of setp.eq on the taken edge",
    text: `BB0:\n    ISETP.EQ P0, R0, 4\n@P0 BRA BB1\n${WORK("BB4", 4)}    EXIT\nBB1:\n    STG [RD0+8], R1\n    IADD R5, R0, 1\n    ISETP.EQ P1, R5, 5\n@P1 BRA BB3\n${WORK("BB2", 2)}BB3:\n    STG [RD0], R0\n    EXIT\n`,
    conditional: 2,
  },
];

function clean(text: string) {
  const { module, diagnostics } = parseModule(HEAD + text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const options = {
    ...DEFAULT_OPTIONS,
    policy: "measured",
    phases: ["general-optimize-early", "ori-branch-opt", "ori-perform-live-dead-first"],
  };
  const { result, runs } = runPipeline(module.funcs[0]!, module, planPipeline(options, null).plan);
  expect(runs.map((r) => r.error)).toEqual([null, null, null]);
  expect(verifyFunc(result, module).filter((d) => d.severity === "error")).toEqual([]);
  return result;
}

describe("branch clean-up by phases 13, 15 and 16", () => {
  it.each(ROWS)("$name", ({ text, conditional, jumps, blocks }) => {
    const fn = clean(text);
    const branches = fn.layout.flatMap((id) => fn.blocks[id]!.insts).filter((inst) => inst.op === "BRA");
    const seen = { conditional: branches.filter((b) => b.guard !== null).length, jumps: branches.filter((b) => b.guard === null).length };
    expect({ ...seen, text: printFunc(fn) }).toMatchObject({ conditional, ...(jumps === undefined ? {} : { jumps }) });
    if (blocks !== undefined) expect(fn.layout).toHaveLength(blocks);
  });
});
