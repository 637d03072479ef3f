import { expect, it } from "vitest";
import { parseModule } from "../../text/parser.ts";
import { eligibilityOf } from "./safety.ts";

const TEXT = `.kernel k(out: RD0)
BB0:
    STG     [RD0], 1
    BAR.SYNC 0
    IADD    R1, 1, 2
    EXIT
`;

it("a store is refused for its effect; only what involves other lanes is called convergent", () => {
  const [store, barrier, add] = (parseModule(TEXT).module.funcs[0]?.blocks[0]?.insts ?? []).map((inst) => eligibilityOf(inst, ""));
  expect(store).toMatchObject({ convergence: "passes", effects: "refuses" });
  expect(barrier).toMatchObject({ convergence: "refuses", effects: "refuses" });
  expect(add).toMatchObject({ convergence: "passes", effects: "passes" });
});
