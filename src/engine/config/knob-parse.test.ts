import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../testing/seed.ts";
import { findKnob, parseKnobs } from "./knob-parse.ts";
import { KNOBS, knobLabel } from "./knobs.ts";

describe("parseKnobs", () => {
  it("takes each knob by what the documents and messages call it", () => {
    for (const knob of KNOBS) expect([knobLabel(knob), findKnob(knobLabel(knob))?.key]).toEqual([knobLabel(knob), knob.key]);
  });

  it.each([
    ["SwitchOptBudget=10", { "switch-opt-budget": 10 }],
    ["switchoptbudget = 0x10", { "switch-opt-budget": 16 }],
    ["464=off", { "convergence-budget": 0 }],
    ["464=unbounded", { "convergence-budget": null }],
    ["knob 487=off", { "general-opt-enable": false }],
    [" Knob  235 = 1", { "analyze-control-flow-veto": true }],
    ["knob-487=off", { "general-opt-enable": false }],
    ["enable-gvn-cse=0", { "enable-gvn-cse": false }],
    ["RanoyrTiaPfr=yes", { "enable-gvn-cse": true }],
    ["474=.5", { "mov-weight": 0.5 }],
    ["enable-tail-merge=false", { "enable-tail-merge": 0 }],
    ["enable-tail-merge=unset", { "enable-tail-merge": -1 }],
    ["461=0", { "membar-flow-control": 0 }],
    ["402=default", { "gvn-mode": 4 }],
    ["AllowReassociateCSE=extended", { "allow-reassociate-cse": 2 }],
  ])("%s", (text, settings) => {
    expect(parseKnobs([text])).toEqual({ settings, errors: [] });
  });

  it.each([
    ["SwitchOptBuget=1", "KNOB002", 1, 14, "SwitchOptBudget"],
    ["EnableGvnCse", "KNOB001", 1, 12, "EnableGvnCse=off"],
    ["  tail-merge-size= many", "KNOB003", 20, 4, null],
    ["EnableGvnCse=flase", "KNOB003", 14, 5, "false"],
    ["tail-merge-size=-1", "KNOB004", 17, 2, "0"],
    ["136=1.5", "KNOB004", 5, 3, "1"],
    ["402=4.5", "KNOB003", 5, 3, null],
    ["SwitchOptBudget=-1", "KNOB004", 17, 2, "0"],
    ["EnableGvnCse=", "KNOB003", 14, 0, null],
    ["=3", "KNOB002", 1, 0, null],
    ["constructor=1", "KNOB002", 1, 11, null],
    ["enable-tail-merge=constructor", "KNOB003", 19, 11, null],
    ["tail-merge-size=99999999999999999999", "KNOB004", 17, 20, "2147483647"],
  ])("%s is %s at %i, length %i", (text, code, column, length, suggestion) => {
    const { settings, errors } = parseKnobs(["EnableGvnCse=on", text]);
    expect(settings).toEqual({ "enable-gvn-cse": true });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ code, assignment: 1, column, length, suggestion });
  });

  it("lets the last assignment of a knob win", () => {
    expect(parseKnobs(["402=1", "EnableGvnCseMode=2"]).settings).toEqual({ "gvn-mode": 2 });
  });

  it("reads back every default of every knob", () => {
    for (const knob of KNOBS) {
      const text = `${knob.key}=${knob.default ?? "unset"}`;
      expect(parseKnobs([text])).toEqual({ settings: { [knob.key]: knob.default }, errors: [] });
    }
  });

  it("never throws, and keeps messages short", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 })), (assignments) => {
        for (const error of parseKnobs(assignments).errors) {
          expect(error.message.length).toBeLessThan(250);
          expect(error.column).toBeGreaterThan(0);
        }
      }),
      { seed: freshSeed(), numRuns: 200 },
    );
  });
});
