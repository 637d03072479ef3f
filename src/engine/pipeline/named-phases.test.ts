import { describe, expect, it } from "vitest";
import { PASS_IDS, positionOf } from "../passes/positions.ts";
import { lookupPhase, NAMED_PHASES } from "./named-phases.ts";

describe("lookupPhase", () => {
  it.each([
    ["OriCopyProp", ["ori-copy-prop"]],
    ["oricopyprop", ["ori-copy-prop"]],
    ["ConvertMemoryToRegisterOrUniform", ["convert-memory-to-register-or-uniform"]],
    ["GvnCse", ["gvn-cse"]],
    ["gvn-cse", ["gvn-cse"]],
    ["49", ["gvn-cse"]],
    [" BranchFolding ", ["branch-folding"]],
    ["MergeEquivalentConditionalFlow", ["merge-equivalent-conditional-flow"]],
    [
      "OriPerformLiveDead",
      ["ori-perform-live-dead-first", "ori-perform-live-dead-second", "ori-perform-live-dead-third", "ori-perform-live-dead-fourth"],
    ],
  ])("%s", (text, ids) => {
    expect(lookupPhase(text)).toMatchObject({ ok: true, ids });
  });

  it("finds every modelled position by id, name and number", () => {
    for (const id of PASS_IDS) {
      const { name, number } = positionOf(id);
      expect(lookupPhase(id)).toMatchObject({ ok: true, ids: [id] });
      expect(lookupPhase(name!.toUpperCase())).toMatchObject({ ok: true, ids: [id] });
      if (number !== null) expect(lookupPhase(String(number))).toMatchObject({ ok: true, ids: [id] });
    }
  });

  it.each([
    ["GnvCse", /There is no phase 'GnvCse'; did you mean GvnCse\?/, "GvnCse"],
    ["159", /go from 0 to 158/, null],
    ["12", /Position 12 \(name unknown\) is not modelled/, null],
    ["phase-12", /Position 12 \(name unknown\) is not modelled/, null],
    ["PromoteFP16", /Position 2 \(PromoteFP16\) is not modelled/, null],
    ["", /There is no phase ''/, null],
    ["x".repeat(1000), /There is no phase/, null],
  ])("refuses %s", (text, message, suggestion) => {
    const found = lookupPhase(text);
    expect(found).toMatchObject({ ok: false, message: expect.stringMatching(message), suggestion });
  });

  it("is sorted without repeats, so that the binary search is right", () => {
    const names = NAMED_PHASES.map((entry) => entry.name.toLowerCase());
    expect([...names].sort()).toEqual(names);
    const byName = new Map<string, string>();
    for (const entry of NAMED_PHASES) {
      const key = entry.name.toLowerCase();
      expect(byName.has(key), key).toBe(false);
      byName.set(key, entry.ids.join());
    }
  });
});
