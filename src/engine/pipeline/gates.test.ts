import { describe, expect, it } from "vitest";
import { parseKnobs } from "../config/knob-parse.ts";
import type { Policy } from "../config/policy.ts";
import { type TargetId, targetOf } from "../config/targets.ts";
import { PASS_IDS, type PassId, POSITIONS, positionAt, positionOf } from "../passes/positions.ts";
import { effectiveLevel, evaluateGates, type GateEnvironment, minimumLevel } from "./gates.ts";
import { lookupPhase, type RunnableId } from "./named-phases.ts";

interface Setting {
  level?: number;
  target?: TargetId;
  knobs?: string[];
  policy?: Policy;
  noPhase?: string[];
}

function environment({ level = 3, target = "sm_90", knobs = [], policy = "notes", noPhase = [] }: Setting): GateEnvironment {
  const parsed = parseKnobs(knobs);
  expect(parsed.errors).toEqual([]);
  const skipped = new Set<RunnableId>();
  for (const name of noPhase) {
    const found = lookupPhase(name);
    if (!found.ok) throw new Error(found.message);
    for (const id of found.ids) skipped.add(id);
  }
  return { level, target: targetOf(target), knobs: parsed.settings, policy, noPhase: skipped, afterCicc: false };
}

const verdict = (number: number, setting: Setting = {}) => evaluateGates(positionAt(number)!, environment(setting));

const running = (setting: Setting): (number | null)[] =>
  POSITIONS.filter((p) => evaluateGates(p, environment(setting)).runs).map((p) => p.number);

describe("gates", () => {
  it("leaves BranchFolding out of PTX under policy 'measured', and says what the other policy does", () => {
    const { steps } = evaluateGates(POSITIONS[0]!, { ...environment({}), afterCicc: true });
    const [ours, theirs] = [
      evaluateGates(POSITIONS[0]!, { ...environment({ policy: "measured" }), afterCicc: true }),
      steps.find((s) => s.gate === "policy"),
    ];
    expect(ours.runs).toBe(false);
    expect(ours.reason).toContain("PTX has been through cicc");
    expect(theirs).toMatchObject({ ok: true, other: { policy: "measured", ok: false, sentence: ours.reason } });
    // Any other text has no such gate.
    expect(verdict(15).steps.some((s) => s.gate === "policy")).toBe(false);
    expect(evaluateGates(POSITIONS[0]!, environment({ policy: "measured" })).runs).toBe(true);
  });

  const RUNS: readonly [string, Setting, readonly (number | null)[]][] = [
    ["O3 sm_90", {}, [null, 3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 49, 50, 58, 61, 63, 64, 65, 80, 84, 133, 136]],
    ["O2 sm_90", { level: 2 }, [null, 3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 49, 50, 61, 63, 64, 65, 80, 84, 133, 136]],
    ["O1 sm_90", { level: 1 }, [null, 3, 6, 16, 33, 49, 61, 63, 80, 84]],
    ["O0 sm_90", { level: 0 }, [6, 80]],
    ["O3 sm_50", { target: "sm_50" }, [null, 3, 6, 13, 15, 16, 29, 30, 31, 33, 37, 38, 50, 58, 61, 63, 64, 65, 80, 84, 133, 136]],
    ["O3 sm_80", { target: "sm_80" }, [null, 3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 50, 58, 61, 63, 64, 65, 80, 84, 133, 136]],
    [
      "measured sm_80",
      { target: "sm_80", policy: "measured" },
      [null, 3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 49, 50, 58, 61, 63, 64, 65, 80, 84],
    ],
    [
      "measured O1",
      { level: 1, policy: "measured" },
      [null, 3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 49, 50, 58, 61, 63, 65, 80, 84],
    ],
    ["OptBudget off", { knobs: ["OptBudget=off"] }, [null, 3, 6, 16, 33, 49, 61, 63, 80, 84]],
    ["target option", { level: 1, knobs: ["back-copy-prop-enable=on"] }, [null, 3, 6, 16, 33, 49, 61, 63, 80, 82, 83, 84]],
  ];
  // A pass that is not in the reference may be at any other position.
  const known = new Set(RUNS.flatMap(([, , numbers]) => numbers));

  it.each(RUNS)("runs at %s", (_, setting, numbers) => {
    expect(running(setting).filter((number) => known.has(number))).toEqual(numbers);
  });

  it.each<[number, Setting, string]>([
    [14, { target: "sm_50" }, "no-op on this target (SM50, slot 17)"],
    [46, { target: "sm_30" }, "no-op on this target (SM30, slot 56)"],
    [49, { target: "sm_89" }, "no-op on this target (SM89, slot 23)"],
    [49, { target: "sm_50", policy: "measured" }, "no-op on this target (SM50, slot 23)"],
    [58, { level: 2 }, "needs level 3, but this is -O2"],
    [13, { knobs: ["499=0"] }, "needs level 2, but this is level 1 (knob 499, OptBudget, caps -O3)"],
    [3, { knobs: ["235=on"] }, "knob 235 is set, which skips this phase"],
    [13, { knobs: ["214=1"] }, "knob 214 (DisableMergeEquivalentConditionalFlow) is set, which skips this phase"],
    [15, { knobs: ["214=1"] }, "knob 214 (DisableMergeEquivalentConditionalFlow) is set, which skips this phase"],
    [29, { knobs: ["231=1"] }, "knob 231 (DisableRedundantBarrierRemoval) is set, which skips this phase"],
    [29, { knobs: ["461=0"] }, "knob 461 (MembarFlowControl) is 0, which turns this phase off"],
    [37, { noPhase: ["GeneralOptimizeMid"] }, "skipped by --no-phase GeneralOptimizeMid"],
    [49, { noPhase: ["gvn-cse"] }, "skipped by --no-phase GvnCse"],
    [49, { knobs: ["EnableGvnCse=off"] }, "EnableGvnCse is off, which turns this phase off"],
    [49, { knobs: ["402=7"] }, "knob 402 (EnableGvnCseMode) = 7, which does nothing (modes go from 1 to 6)"],
    [50, { knobs: ["AllowReassociateCSE=0"] }, "knob 31 (AllowReassociateCSE) is 0, which turns this phase off"],
    [64, { knobs: ["843=off"] }, "knob 843 says that the function's commoning state is off, and ForceLateCommoning is off"],
    [82, {}, "knob 82"],
    [133, { policy: "measured" }, "policy 'measured': ptxas 13.0.88 was never seen to merge equal blocks"],
    [12, {}, "not modelled"],
  ])("closes %i with %j: %s", (number, setting, reason) => {
    const { runs, reason: why, steps } = verdict(number, setting);
    expect(runs).toBe(false);
    expect(why).toBe(number === 82 ? "back-copy-prop-enable is off by default on SM90" : reason);
    expect(steps.at(-1)).toMatchObject({ ok: false, sentence: why });
    expect(steps.slice(0, -1).every((step) => step.ok)).toBe(true);
  });

  it("closes phases 13, 15, 29, 37 and 64 with knob 487, and no other", () => {
    const without = running({ knobs: ["487=off"] });
    expect(running({}).filter((n) => !without.includes(n))).toEqual([13, 15, 29, 37, 64]);
  });

  it("forces phase 64 although the commoning state is off", () => {
    expect(verdict(64, { knobs: ["843=off", "ForceLateCommoning=on"] }).runs).toBe(true);
    expect(verdict(64, { knobs: ["487=off", "ForceLateCommoning=on"] }).runs).toBe(false);
  });

  it("shows every gate that it passed", () => {
    expect(verdict(14).steps).toEqual([
      { gate: "no-phase", ok: true, sentence: "DoSwitchOptFirst is not switched off by --no-phase", knob: null, other: null },
      { gate: "level", ok: true, sentence: "enabled at -O2 and above", knob: null, other: null },
      { gate: "slot", ok: true, sentence: "handler A on this target (SM90, slot 17)", knob: null, other: null },
    ]);
    expect(verdict(49, { target: "sm_80", policy: "measured" }).steps.find((s) => s.gate === "slot")!.sentence).toContain("here too");
  });

  it("shows what the other policy says of a gate that it would decide otherwise", () => {
    const others = (number: number, setting: Setting) =>
      verdict(number, setting).steps.flatMap(({ gate, other }) => (other === null ? [] : [[gate, other.ok]]));
    expect(others(14, {})).toEqual([]);
    expect(others(30, { level: 1 })).toEqual([["level", true]]);
    expect(others(133, {})).toEqual([["policy", false]]);
    expect(others(49, { target: "sm_80" })).toEqual([["slot", true]]);
    expect(others(49, { target: "sm_80", policy: "measured" })).toEqual([["slot", false]]);
  });

  it("skips cicc's pass by its own option", () => {
    const { reason } = evaluateGates(positionOf("branch-folding"), environment({ knobs: ["disable-branch-fold=on"] }));
    expect(reason).toBe("disable-branch-fold is set, which skips this phase");
  });

  it("caps the level at 1 only when the budget is 0", () => {
    expect(effectiveLevel(3, { "opt-budget": 0 })).toBe(1);
    expect(effectiveLevel(0, { "opt-budget": 0 })).toBe(0);
    expect(effectiveLevel(3, { "opt-budget": 5 })).toBe(3);
    expect(effectiveLevel(4, {})).toBe(4);
  });

  it("never asks for more under 'measured' than under 'notes'", () => {
    const stricter = PASS_IDS.filter((id: PassId) => minimumLevel(id, "measured") > minimumLevel(id, "notes"));
    expect(stricter).toEqual([]);
  });
});
