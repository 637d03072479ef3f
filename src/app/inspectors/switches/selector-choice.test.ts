import { describe, expect, it } from "vitest";
import { distributionOf } from "./selector-choice.tsx";

describe("selectors as typed", () => {
  it("takes numbers that fit, one or up to 32", () => {
    expect(distributionOf("one", " -7 ")).toEqual({ kind: "one", value: -7 });
    expect(distributionOf("values", "1, 2 3,0x10")).toEqual({ kind: "values", values: [1, 2, 3, 16] });
    expect(distributionOf("cases", "anything")).toEqual({ kind: "cases" });
  });

  it.each([
    ["one", ""],
    ["one", "1 2"],
    ["random", "x"],
    ["one", "1.5"],
    ["one", "99999999999"],
    ["values", Array.from({ length: 33 }, () => 1).join(",")],
  ] as const)("refuses %s of '%s'", (kind, text) => {
    expect(distributionOf(kind, text)).toBeNull();
  });
});
