import { expect, it } from "vitest";
import { parseModule } from "../text/parser.ts";
import { Needed } from "./needed.ts";

it("follows PHIs that feed each other around a loop, one a round, though nothing else becomes live", () => {
  const { module, diagnostics } = parseModule(`.kernel k(n: R0, out: RD0)
BB0:
    MOV R9, 5
BB1:
    PHI R1, [BB0: 0], [BB1: R2]
    PHI R2, [BB0: 1], [BB1: R3]
    PHI R3, [BB0: 2], [BB1: R4]
    IADD R4, R3, 1
    ISETP.LT P0, R1, R0
@P0 BRA BB1
BB2:
    STG [RD0], R1
    EXIT
`);
  expect(diagnostics).toEqual([]);
  const fn = module.funcs[0]!;
  const needed = new Needed(fn);
  expect(fn.layout.map((id) => needed.deadIn(id).map(({ op }) => op))).toEqual([["MOV"], [], []]);
  expect(needed.rounds).toBe(4);
});
