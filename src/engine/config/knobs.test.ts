import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { KNOBS, knobOf, knobsReadBy, rot13 } from "./knobs.ts";

const engine = fileURLToPath(new URL("../", import.meta.url));

/** Every number that the reference pages call a knob or an option, and the three found through container offsets (offset / 72). */
const NUMBERS = [31, 91, 135, 136, 210, 214, 231, 232, 235, 257, 351, 402, 461, 464, 474, 487, 499, 605, 614, 615, 808, 843, 844];

/** Every named knob of the reference pages. */
const NAMES = [
  ..."SwitchOptBudget SwitchOptExtendedPatternMatch EnableGvnCse EnableGvnCseMode EnableGvnCsePerInstr AllowReassociateCSE".split(" "),
  ..."ReassociateCSEBudget ReassociateCSEWindow ReassociateCSESkip ReassociateLargeImmInUIADD64".split(" "),
  ..."DistributeAndReassociateMulBudget ForceLateCommoning DisableMoveCommoning BackCopyPropBudget CopyPropBudget".split(" "),
  ..."CopyPropGlobalBudget CopyPropForceGlobal CopyPropAddr CopyPropConstantBank CopyPropUseReachingDefs CopyPropPreAllocReg".split(" "),
  ..."CopyPropNoWriteNonRR CopyPropNonRegMultiDef CopyPropNoMmaCb LateCopyPropComplPred SpeculativeHoistCommonInsts".split(" "),
  ..."OptBudget DisableMergeEquivalentConditionalFlow DisableRedundantBarrierRemoval MembarFlowControl".split(" "),
  ..."MergeEquivalentConditionalFlowBudget MovWeightForConvertMemToReg ConvertMemoryToRegIndexedSizeLimit limit-fold-fp".split(" "),
  ..."disable-branch-fold enable-tail-merge tail-merge-threshold tail-merge-size branch-fold-placement ifcvt-branch-fold".split(" "),
  ..."EnableHoistCommonCode disable-nvptx-require-structured-cfg".split(" "),
];

describe("knob table", () => {
  it("holds every number and name of the pages once", () => {
    expect(KNOBS.flatMap((k) => (k.index === null ? [] : [k.index])).sort((a, b) => a - b)).toEqual(NUMBERS);
    expect(KNOBS.flatMap((k) => (k.name === null ? [] : [k.name])).sort()).toEqual(NAMES.sort());
    expect(new Set(KNOBS.map((k) => k.key)).size).toBe(KNOBS.length);
  });

  it("says of each knob that it is read just where some code names it", () => {
    const code = readdirSync(engine, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|knobs-\w+\.ts$/.test(file))
      .map((file) => readFileSync(join(engine, file), "utf8"))
      .join("\n");
    const named = KNOBS.filter(({ key }) => code.includes(`"${key}"`)).map(({ key }) => key);
    expect(named).toEqual(KNOBS.filter(({ readBy }) => readBy.length > 0).map(({ key }) => key));
  });

  it("has ROT13 names that decode to their names", () => {
    const encoded = KNOBS.filter((k) => k.rot13 !== null);
    for (const knob of encoded) expect(rot13(knob.rot13!)).toBe(knob.name);
    expect(encoded).toHaveLength(24);
    expect(rot13("ErnffbpvngrYnetrVzzVaHVNQQ64")).toBe("ReassociateLargeImmInUIADD64");
  });

  it("has defaults of the knob's type and within its limits, and one sentence each", () => {
    for (const knob of KNOBS) {
      if (knob.type === "flag") expect(typeof knob.default).toBe("boolean");
      if (knob.type === "double") expect(typeof knob.default).toBe("number");
      if (typeof knob.default === "number") {
        expect(knob.default).toBeGreaterThanOrEqual(knob.min!);
        expect(knob.default).toBeLessThanOrEqual(knob.max!);
      }
      expect(knob.doc).toMatch(/^[A-Z0-9].*\.$/);
      expect(knob.key).toMatch(/^[a-z0-9-]+$/);
    }
  });

  it("derives numbers from container offsets of 72 bytes", () => {
    expect(knobOf("near-branch-forward-bytes").index! * 72).toBe(44280);
    expect(knobOf("near-branch-backward-bytes").index! * 72).toBe(44208);
    expect(knobOf("late-commoning-state").index! * 72).toBe(60696);
    expect(knobOf("gvn-mode").index! * 72).toBe(28944);
    expect(knobOf("analyze-control-flow-veto").index! * 72).toBe(16920);
  });

  it("wires the eleven CopyProp knobs and the readings of 214, 464 and 487", () => {
    expect(KNOBS.filter((k) => k.name?.includes("CopyProp") && k.key !== "back-copy-prop-budget")).toHaveLength(11);
    expect(knobOf("disable-early-and-branch-opt").readBy).toEqual(["general-optimize-early", "ori-branch-opt"]);
    expect(knobOf("general-opt-enable").readBy).toEqual([
      "general-optimize-early",
      "ori-branch-opt",
      "general-optimize",
      "general-optimize-mid",
      "late-ori-commoning",
    ]);
    expect(knobsReadBy("analyze-control-flow").map((k) => k.key)).toEqual(["analyze-control-flow-veto", "control-flow-full-rebuild"]);
  });
});
