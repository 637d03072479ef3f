import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../testing/seed.ts";
import { type Intervention, interventionText, parseIntervention } from "./intervention.ts";

const run = fc.constantFrom("49", "gvn-cse", "r12", "gvn-cse+1", "cicc");
const place = fc.record({ side: fc.constantFrom("after" as const, "before" as const), run });
const anyIntervention: fc.Arbitrary<Intervention> = fc.oneof(
  fc.record({ kind: fc.constant("skip" as const), run, n: fc.integer({ min: 1, max: 9999 }) }),
  fc.record({ kind: fc.constant("fuel" as const), run: fc.option(run, { nil: null }), n: fc.nat(9999) }),
  fc.record({
    kind: fc.constant("knob" as const),
    assignment: fc.constantFrom("464=0", "SwitchOptBudget=4"),
    from: run,
    to: fc.option(run, { nil: null }),
  }),
  fc.record({ kind: fc.constant("leave-out" as const), run }),
  fc.record({ kind: fc.constant("insert" as const), id: fc.constantFrom("gvn-cse", "ori-branch-opt"), at: place }),
  fc.record({ kind: fc.constant("move" as const), run, at: place }),
  fc.record({
    kind: fc.constant("drop" as const),
    phase: fc.constantFrom("gvn-cse", "expand-jmx-computation"),
    condition: fc.constantFrom("unbounded", "T4"),
  }),
);

describe("the text of interventions", () => {
  it("is read back as what was written", () => {
    fc.assert(
      fc.property(anyIntervention, (intervention) => {
        const [, kind, rest] = /^(\S+) (.*)$/.exec(interventionText(intervention)) ?? [];
        expect(kind).toBe(intervention.kind);
        expect(parseIntervention(intervention.kind, rest ?? "")).toEqual(intervention);
      }),
      { seed: freshSeed() },
    );
  });

  it.each([
    ["skip", "15"],
    ["skip", "15#0"],
    ["skip", "#3"],
    ["fuel", "some"],
    ["knob", "464=0"],
    ["knob", "464@49"],
    ["insert", "gvn-cse@38"],
    ["insert", "gvn-cse@beside:38"],
    ["move", "@after:38"],
    ["leave-out", "15#3"],
    ["drop", "gvn-cse"],
    ["edit", "=text"],
  ] as const)("refuses %s %s", (kind, text) => {
    expect(parseIntervention(kind, text)).toBe(null);
  });
});
