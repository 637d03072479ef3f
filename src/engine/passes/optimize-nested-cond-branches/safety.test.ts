import { expect, it } from "vitest";
import { Editor } from "../../ir/edit.ts";
import type { InstId, Reg } from "../../ir/ids.ts";
import { parseReg } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { silentRemarks } from "../../remark/remarks.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import type { PassContext } from "../pass.ts";
import { conditionOf, pairOf } from "./pair.ts";
import { eligibilityOf, mayCombine, SAFETY } from "./safety.ts";
import { prepare, stateOf } from "./state.ts";

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

/** BB1 computes R5 below the condition of BB0; X, where both leave to, reads `reads`. */
const nested = (reads: string, combined = ""): string => `.kernel k(a: R0, b: R1, out: RD0)
BB0:
    MOV     R5, 7
    ISETP.EQ P0, R0, 1
@P0 BRA     X
BB1:
    IADD    R5, R1, 4
    ISETP.EQ${combined === "" ? "" : ".AND"} P1, R5, 9${combined}
@P1 BRA     X
BB2:
    STG     [RD0], 1
X:
    STG     [RD0+4], ${reads}
    EXIT
`;

function pairIn(text: string) {
  const edit = new Editor(parseModule(text).module.funcs[0] as Func, NO_RECORDER);
  const state = stateOf({ edit, remark: silentRemarks(edit, SAFETY), policy: "notes" } as PassContext);
  const [outer, inner] = edit.func.layout;
  const pair = pairOf(edit, outer!, conditionOf(edit, outer!)!, inner!);
  if ("missing" in pair) throw new Error(pair.missing);
  return { state, round: prepare(state), pair, inner: edit.block(inner!) };
}

const R5 = parseReg("R5")!;

it("condition 2 reads the kill set and the tombstones: a wrong entry in one lets a pair pass whose value is read", () => {
  const killed = pairIn(nested("R5"));
  expect(mayCombine(killed.state, killed.round, killed.pair, null)).toBe(false);
  (killed.round.stages.kills.get(killed.pair.inner) as Set<Reg>).add(R5);
  expect(mayCombine(killed.state, killed.round, killed.pair, null)).toBe(true);
  const marked = pairIn(nested("R5"));
  (marked.round.stages.tombstones as Set<InstId>).add(marked.inner.insts[0]!.id);
  expect(mayCombine(marked.state, marked.round, marked.pair, null)).toBe(true);
});

it("a compare combined with the constant-true predicate is not a combined compare", () => {
  const mayWith = (combined: string): boolean => {
    const { state, round, pair } = pairIn(nested("R1", combined));
    return mayCombine(state, round, pair, null);
  };
  expect([mayWith(""), mayWith(", PT"), mayWith(", P3")]).toEqual([true, true, false]);
});
