import { describe, expect, it } from "vitest";
import type { HistoryItem } from "../../../engine/api/types.ts";
import { DEFAULT_OPTIONS } from "../../../engine/pipeline/defaults.ts";
import { localEngine } from "../../../worker/local.ts";
import { outcomeOf } from "./value-outcome.ts";

const TEXT = `.kernel k(a: R0, b: R1, out: RD0)
BB0:
    IADD    R2, R0, R1
    IADD    R3, R0, R1
    STG     [RD0], R3
    EXIT
`;

describe("the outcome of an instruction", () => {
  it("is told by the engine's own events", () => {
    const api = localEngine();
    api.open(1, TEXT, null);
    const options = { ...DEFAULT_OPTIONS, policy: "notes", phases: ["gvn-cse"], verify: false, check: 0, fuel: null } as const;
    const run = api.run(1, "k", options).phases.findIndex((p) => p.id === "gvn-cse");
    const outcome = (id: number) => outcomeOf(id, api.history(run, { kind: "inst", id }).items);
    expect(outcome(0)).toMatchObject({ verdict: "leader", text: "IADD R2, R0, R1" });
    expect(outcome(1)).toMatchObject({ verdict: "replaced", condition: "T6", text: "IADD R3, R0, R1" });
    expect(outcome(2)).toMatchObject({ verdict: "kept", condition: "eligible" });
    expect(outcome(99)).toMatchObject({ verdict: "unseen", text: null, step: null });
  });

  it("does not take a verdict about another instruction for its own", () => {
    const item = { kind: "match", facts: { verdict: "no", condition: "T4", why: "w" }, focus: { insts: [7, 3] }, sentence: "", step: 1 };
    expect(outcomeOf(3, [item as unknown as HistoryItem]).verdict).toBe("unseen");
  });
});
