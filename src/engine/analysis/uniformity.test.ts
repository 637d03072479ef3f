import { describe, expect, it } from "vitest";
import { parseReg } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import { parseModule } from "../text/parser.ts";
import { randomGraph } from "./testing/graphs.ts";
import { randomProgram } from "./testing/programs.ts";
import { uniformity } from "./uniformity.ts";
import { specialRegisterVaries } from "./varying-sources.ts";

function parse(text: string): Func {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return module.funcs[0]!;
}

/** Names of the registers whose written values vary, in order of the text. */
function varying(fn: Func): string[] {
  const u = uniformity(fn);
  return fn.layout.flatMap((id) =>
    fn.blocks[id]!.insts.flatMap((inst) =>
      u.resultVaries(inst.id) && defsOf(inst).length > 0 ? [`${fn.blocks[id]!.label}:${inst.op}`] : [],
    ),
  );
}

const divergent = (fn: Func): string[] => {
  const u = uniformity(fn);
  return fn.layout.filter((id) => u.isDivergent(id)).map((id) => fn.blocks[id]!.label);
};

describe("sources", () => {
  it("are the thread's place and what comes from it, not parameters, block and size registers, clocks and votes", () => {
    for (const name of ["SR_TID", "SR_TID.X", "SR_TID.Z", "SR_LANEID", "SR_WARPID", "SR_LTMASK"])
      expect(specialRegisterVaries(name), name).toBe(true);
    for (const name of [
      "SR_NTID.X",
      "SR_CTAID.Y",
      "SR_CTAID",
      "SR_NCTAID.X",
      "SR_CLOCKLO",
      "SR_SMID",
      "SR_ENVREG31",
      "SR_CLUSTER_CTARANK",
      "SR_NWARPID",
    ])
      expect(specialRegisterVaries(name), name).toBe(false);
    const fn = parse(`.kernel k(n: R0, p: RD0, out: RD1)
BB0:
    S2R R1, SR_TID.X
    S2R R2, SR_CTAID.X
    CS2R R3, SR_CLOCKLO
    IADD R4, R2, R0
    IADD R5, R1, R4
    LDG R6, [RD0]
    IMAD.WIDE RD2, R1, 4, RD0
    LDG R7, [RD2]
    LDC R8, c[0x0][0x160]
    LDS R9, [R2]
    LDL R10, [R2]
    ISETP.LT P0, R1, R0
    VOTE.BALLOT R11, P0
    SHFL.BFLY R12, R2, 1, 31
    ATOM.ADD R13, [RD0], R2
    SEL R14, R2, R0, P0
    EXIT
`);
    const expected = ["S2R", "IADD", "IMAD", "LDG", "LDL", "ISETP", "SHFL", "ATOM", "SEL"].map((op) => `BB0:${op}`);
    expect(varying(fn)).toEqual(expected);
  });

  it("are the arguments of a function, too: its callers may pass anything", () => {
    expect(varying(parse(".func f(a: R0) -> R1\nBB0:\n  IADD R1, R0, 1\n  RET\n"))).toEqual(["BB0:IADD"]);
    expect(varying(parse(".kernel f(a: R0)\nBB0:\n  IADD R1, R0, 1\n  EXIT\n"))).toEqual([]);
  });
});

it("lanes that go on while others wait inside a block are asked apart from them", () => {
  const fn = parse(`.kernel k(n: R0)
BB0:
    S2R R1, SR_LANEID
    ISETP.LT P0, R1, R0
    ACTIVEMASK R2
    @P0 BAR.SYNC 0
    ACTIVEMASK R3
    IADD R4, R2, R3
    EXIT
`);
  const asked = fn.blocks[0]!.insts.filter(({ op }) => op === "ACTIVEMASK");
  expect(asked.map(({ id }) => uniformity(fn).resultVaries(id))).toEqual([false, true]);
});

describe("control dependence", () => {
  const arms = (source: string): Func =>
    parse(`.kernel k(n: R0, out: RD0)
BB0:
    ${source}
    ISETP.LT P0, R1, 7
@P0 BRA BB2
BB1:
    MOV R2, 1
    MOV R4, 9
    IADD R5, R4, R0
    BRA BB3
BB2:
    MOV R2, 2
BB3:
    IADD R3, R2, R0
    STG [RD0], R3
    EXIT
`);
  it("makes a value merged after a divergent branch vary, and nothing inside its arms", () => {
    const fn = arms("S2R R1, SR_LANEID");
    expect(divergent(fn)).toEqual(["BB0"]);
    expect(varying(fn)).toEqual(["BB0:S2R", "BB0:ISETP", "BB3:IADD"]);
    expect(uniformity(fn).isJoin(fn.layout[3]!)).toBe(true);
    expect(uniformity(fn).variesIn(fn.layout[3]!, parseReg("R2")!)).toBe(true);
  });

  it("does nothing when the branch is uniform", () => {
    const fn = arms("S2R R1, SR_CTAID.X");
    expect(divergent(fn)).toEqual([]);
    expect(varying(fn)).toEqual([]);
  });

  it("reaches PHIs, unless all inputs are the same", () => {
    const fn = parse(`.kernel k(n: R0, out: RD0)
BB0:
    S2R R1, SR_TID.X
    ISETP.LT P0, R1, 7
@P0 BRA BB2
BB1:
    BRA BB3
BB2:
    BRA BB3
BB3:
    PHI R2, [BB1: 1], [BB2: 2]
    PHI R3, [BB1: R0], [BB2: R0]
    IADD R4, R3, R0
    EXIT
`);
    expect(varying(fn)).toEqual(["BB0:S2R", "BB0:ISETP", "BB3:PHI"]);
  });

  it("makes a loop's counter vary after a divergent exit, not inside", () => {
    const loop = (bound: string): Func =>
      parse(`.kernel k(n: R0, out: RD0)
BB0:
    S2R R1, SR_TID.X
    MOV R2, 0
BB1:
    IADD R2, R2, 1
    ISETP.LT P0, R2, ${bound}
@P0 BRA BB1
BB2:
    IADD R3, R2, R0
    EXIT
`);
    expect(varying(loop("R1"))).toEqual(["BB0:S2R", "BB1:ISETP", "BB2:IADD"]);
    expect(varying(loop("R0"))).toEqual(["BB0:S2R"]);
    expect(divergent(loop("R1"))).toEqual(["BB1"]);
  });

  it("sees that a guarded write under a varying guard leaves the lanes apart", () => {
    const fn = parse(`.kernel k(n: R0, out: RD0)
BB0:
    S2R R1, SR_TID.X
    ISETP.LT P0, R1, R0
    MOV R2, 1
@P0 MOV R2, 2
    ISETP.EQ P1, R0, 3
    MOV R3, 1
@P1 MOV R3, 2
    IADD R4, R2, R3
    EXIT
`);
    expect(varying(fn)).toEqual(["BB0:S2R", "BB0:ISETP", "BB0:MOV", "BB0:IADD"]);
    const u = uniformity(fn);
    expect(fn.blocks[0]!.insts.map((i) => u.guardVaries(i))).toEqual([false, false, false, true, false, false, false, false, false]);
  });

  it("finds nothing in a program without sources, whatever its shape, and terminates on every graph", () => {
    for (let seed = 1; seed <= 500; seed++) {
      expect(randomGraph(seed, 10).length).toBeGreaterThan(0);
      const fn = randomProgram(seed, 10);
      expect(varying(fn), `seed ${seed}`).toEqual([]);
      // The same program as a function: its argument is a source, and the answer only grows with the sources.
      expect(uniformity({ ...fn, kind: "func" }).capped).toBe(false);
    }
  });
});
