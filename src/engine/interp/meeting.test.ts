import { describe, expect, it } from "vitest";
import { run } from "./testing/eval.ts";

/** R9 by lane of one warp. P0: lane < 4, P1: lane < 8, P2: lane < 12. */
function lanes(body: string, threads = 16): number[] {
  const head = ["S2R R1, SR_LANEID", "ISETP.LT P0, R1, 4", "ISETP.LT P1, R1, 8", "ISETP.LT P2, R1, 12"]
    .map((line) => `    ${line}\n`)
    .join("");
  const outcome = run(`.func f() -> R9\nBB0:\n${head}${body}`, { threads });
  expect(outcome.message).toBe("");
  return [...outcome.returns[0]!.lo];
}

/** Sixteen lanes in groups of four. */
const fours = (a: number, b: number, c: number, d: number): number[] => [a, b, c, d].flatMap((v) => [v, v, v, v]);
const ALL = 0xffff;
const together = fours(ALL, ALL, ALL, ALL);

describe("lanes whose next block is the same", () => {
  const region = (middle: string, tables = ""): number[] =>
    lanes(`${tables}    BSSY B0, L2\n${middle}L1:\n    ACTIVEMASK R9\nL2:\n    BSYNC B0\n    RET\n`);

  it("stay together over a branch to the next block", () => {
    expect(region("@P0 BRA L1\n")).toEqual(together);
  });

  it("stay together where both ways of a branch name one block", () => {
    expect(region("@P0 BRA L1\n    BRA L1\nX:\n    NOP\n")).toEqual(together);
    expect(region("    BRA !P0, L1\n    BRA L1\nX:\n    NOP\n")).toEqual(together);
  });

  it("part where one way leads through an empty block", () => {
    expect(region("@P0 BRA L1\nE:\n")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
    expect(region("@P0 BRA E\n    BRA L1\nE:\n    BRA L1\n")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
  });

  const index = "    SHR R2, R1, 2\n";
  it("stay together over entries of a table that name one block, and part over one that leads there", () => {
    expect(region(`${index}    JMX R2, JT0\nX:\n    BRA L1\n`, ".table JT0 default=L1 { L1, L1, L1 }\n")).toEqual(together);
    expect(region(`${index}    JMX R2, JT0\nX:\n    BRA L1\n`, ".table JT0 default=L1 { L1, X, L1, X }\n")).toEqual(
      fours(0x0f0f, 0xf0f0, 0x0f0f, 0xf0f0),
    );
  });

  it("stay together over a guarded table whose only target is the next block", () => {
    expect(region(`${index}@P1 JMX R2, JT0\n`, ".table JT0 default=L1 { L1, L1 }\n")).toEqual(together);
  });

  it("take the values of a PHI all the same", () => {
    expect(lanes("    MOV R3, 7\n@P0 BRA L1\nL1:\n    PHI R9, [BB0: R3]\n    RET\n")).toEqual(fours(7, 7, 7, 7));
  });
});

describe("where parts meet", () => {
  it("is the BSYNC of the innermost open region, not the post-dominator", () => {
    const at = (open: string, close: string): number[] =>
      lanes(`${open}@P0 BRA B\nA:\n    NOP\n    BRA J\nB:\n    NOP\nJ:\n    ACTIVEMASK R9\nE:\n${close}    RET\n`);
    expect(at("", "")).toEqual(together);
    expect(at("    BSSY B0, E\n", "    BSYNC B0\n")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
    // A region that is closed already is none.
    expect(at("    BSSY B0, E\n    BSYNC B0\n", "    BSYNC B0\n")).toEqual(together);
  });

  it("is the inner BSYNC first, then the outer one", () => {
    const got = lanes(`    BSSY B0, O
@P1 BRA O
IN:
    BSSY B1, J
@P2 BRA J
X:
    NOP
J:
    BSYNC B1
    ACTIVEMASK R9
O:
    BSYNC B0
    ACTIVEMASK R3
    IMAD R9, R9, 65536, R3
    RET
`);
    expect(got).toEqual(fours(ALL, ALL, 0xff00ffff, 0xff00ffff));
  });

  it("is the outer BSYNC where it comes first: it closes the inner region", () => {
    const body = (last: string): number[] =>
      lanes(`    BSSY B0, O
    BSSY B1, O
@P0 BRA O
X:
    NOP
O:
    BSYNC B0
@P1 BRA Z
Y:
    NOP
Z:
    ACTIVEMASK R9
${last}    RET
`);
    // B1 is closed as well: the second branch meets at its post-dominator, and a BSYNC of B1 does nothing.
    expect(body("")).toEqual(together);
    expect(body("    BSYNC B1\n")).toEqual(together);
  });

  it("is nowhere for a BSYNC of a region that is not open, and for a second one of a region", () => {
    const body = (more: string): number[] =>
      lanes(`    BSSY B0, O\n@P0 BRA O\nX:\n    NOP\nO:\n    BSYNC B0\n${more}    ACTIVEMASK R9\n    RET\n`);
    expect(body("    BSYNC B0\n    BSYNC B7\n")).toEqual(together);
    expect(body("@P0 BRA Z\nY:\n    BSYNC B0\nZ:\n")).toEqual(together);
  });

  it("is where each waited, for lanes at two BSYNCs of one region", () => {
    const got = lanes(`    BSSY B0, O
@P0 BRA O
X:
    BSYNC B0
    ACTIVEMASK R9
    BRA Z
O:
    BSYNC B0
    ACTIVEMASK R9
Z:
    RET
`);
    expect(got).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
  });

  it("is the post-dominator of the split for a region opened after it: lanes leave the region there", () => {
    const got = lanes(`@P0 BRA J
A:
    BSSY B0, E
@P1 BRA J
X:
    NOP
J:
    ACTIVEMASK R9
E:
    BSYNC B0
    ACTIVEMASK R3
    IMAD R9, R9, 65536, R3
    RET
`);
    expect(got).toEqual(fours(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff));
  });

  it("counts a guarded EXIT as an edge to the end", () => {
    // With the edge, nothing post-dominates the branch: its parts stay apart.
    const body = (leave: string): number[] =>
      lanes(`    PMOV P3, !PT\n@P0 BRA B\nA:\n    NOP\n${leave}A2:\n    BRA J\nB:\n    NOP\nJ:\n    ACTIVEMASK R9\n    RET\n`);
    expect(body("")).toEqual(together);
    expect(body("@P3 EXIT\n")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
  });
});

describe("instructions that see who is there", () => {
  const part = (inst: string, result = "R9"): number[] =>
    lanes(`    MOV R4, 5\n    BSSY B0, O\n@P0 BRA L\nE:\nL:\n    ${inst}\nO:\n    BSYNC B0\n    MOV R9, ${result}\n    RET\n`);

  it("see the lanes of their own part", () => {
    expect(part("VOTE.BALLOT R9, PT")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
    expect(part("MATCH.ANY R9, R4")).toEqual(fours(0xf, 0xfff0, 0xfff0, 0xfff0));
    expect(part("REDUX.ADD R9, R4")).toEqual(fours(20, 60, 60, 60));
    expect(part("VOTE.ALL P4, P0\n    SEL R9, 1, 2, P4")).toEqual(fours(1, 2, 2, 2));
  });

  it("get 0 by a shuffle from a lane that takes no part", () => {
    expect(part("SHFL.IDX R9, R4, 2, 31")).toEqual(fours(5, 0, 0, 0));
    expect(part("SHFL.IDX R9, R4, 9, 31")).toEqual(fours(0, 5, 5, 5));
  });
});

describe("blocks that a part of the warp entered", () => {
  it("are told, and no others", () => {
    const outcome = run(`.func f() -> R9
BB0:
    S2R R1, SR_LANEID
    ISETP.LT P0, R1, 8
@P0 BRA BB2
BB1:
    MOV R9, 1
BB2:
    RET
`);
    expect([...outcome.partial]).toEqual([0, 1, 0]);
  });
});
