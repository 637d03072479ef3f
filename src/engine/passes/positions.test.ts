import { describe, expect, it } from "vitest";
import { KNOBS } from "../config/knobs.ts";
import { ABOUTS } from "./abouts.ts";
import { isPassId, PASS_IDS, POSITIONS, PTXAS_POSITIONS, positionAt, positionOf } from "./positions.ts";
import { PASSES } from "./registry.ts";

describe("knobs", () => {
  it.each(KNOBS)("names phases, parts and the pipeline as readers of $key", ({ readBy }) => {
    for (const user of readBy) expect(isPassId(user) || user === "ori-copy-prop" || user === "pipeline").toBe(true);
  });
});

describe("positions", () => {
  it("has 159 numbered positions after the cicc group", () => {
    expect(POSITIONS[0]).toMatchObject({ number: null, group: "cicc", id: "branch-folding", name: "BranchFolding", modelled: true });
    expect(PTXAS_POSITIONS.map((p) => p.number)).toEqual(Array.from({ length: 159 }, (_, n) => n));
    expect(POSITIONS).toHaveLength(160);
  });

  it("models the positions that the reference describes", () => {
    const described = [3, 6, 13, 14, 15, 16, 29, 30, 31, 33, 37, 38, 46, 49, 50, 58, 61, 63, 64, 65, 80, 82, 83, 84, 133, 136];
    expect(described.filter((number) => positionAt(number)?.modelled !== true)).toEqual([]);
  });

  it("derives each pass id from the position's name", () => {
    const kebab = (name: string) =>
      name
        .replace("VReg", "Vreg")
        .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
        .toLowerCase();
    for (const p of POSITIONS) if (p.pass !== null) expect(p.pass).toBe(kebab(p.name!));
  });

  it("has the same passes in the list of abouts and in the registry", () => {
    expect(PASSES.map(({ family }) => family).toSorted()).toEqual(ABOUTS.map(({ family }) => family).toSorted());
  });

  it("gives every position a unique id and finds it again", () => {
    expect(new Set(POSITIONS.map((p) => p.id)).size).toBe(POSITIONS.length);
    for (const id of PASS_IDS) expect(positionOf(id).pass).toBe(id);
    expect(isPassId("phase-9")).toBe(false);
    expect(isPassId("toString")).toBe(false);
  });

  it("keeps both names where the reference disagrees with itself", () => {
    expect(positionAt(22)).toMatchObject({ name: "OriLoopFusion", otherNames: ["loop unrolling"] });
    expect(positionAt(24)).toMatchObject({ name: "OriLoopSimplification", otherNames: ["software pipelining"] });
    expect(positionAt(21)!.remark).toContain("26");
    expect(positionAt(26)!.remark).toContain("21");
    expect(positionAt(9)).toMatchObject({ name: null, modelled: false, id: "phase-9" });
    expect(positionAt(159)).toBeUndefined();
  });

  it("puts every position into a stage", () => {
    for (const p of POSITIONS) expect(p.stage).not.toBe("");
    expect(positionAt(82)!.stage).toBe(positionAt(95)!.stage);
  });
});
