import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../engine/api/defaults.ts";
import { EngineSession } from "../../engine/api/session.ts";
import { phaseName, searchNames } from "./phases.ts";

const rows = new EngineSession({ now: () => 0 }).phases(DEFAULT_PIPELINE);

describe("textbook names", () => {
  it.each(rows.filter((r) => r.modelled).map((r) => [r.id] as const))("%s has a plain name and others to find it by", (id) => {
    const name = phaseName(id);
    expect(name?.plain).toMatch(/^[A-Z][a-z]/);
    expect(name?.also.length).toBeGreaterThanOrEqual(2);
  });

  it("finds a phase by what a course calls it", () => {
    const found = (query: string) => rows.filter((r) => r.modelled && searchNames(r).includes(query)).map((r) => r.name);
    expect(found("common subexpression")).toContain("GvnCse");
    expect(found("predication")).toEqual(["OriDoPredication"]);
    expect(found("dead code").length).toBe(4);
    expect(found("jump threading")).toContain("OriBranchOpt");
  });
});
