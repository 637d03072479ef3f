import { describe, expect, it } from "vitest";
import { ofMaps, ofSequences, ofSets } from "./credit.ts";

describe("the share of the points", () => {
  it("of a set: right less what does not belong, of all that is right, never below nothing", () => {
    const right = ["a", "b", "c", "d"];
    const shareOf = (...given: string[]): number => ofSets(right, given).share;
    expect([shareOf(...right), shareOf("a", "b", "c"), shareOf("a", "b", "c", "x"), shareOf("x"), shareOf()]).toEqual([1, 0.75, 0.5, 0, 0]);
    expect(shareOf(...right, "x", "y")).toBe(0.5);
    expect(ofSets(right, ["a", "b", "c", "x"]).said).toBe("missing: d; x does not belong");
    expect([ofSets([], []).share, ofSets([], ["x"]).share]).toEqual([1, 0]);
  });

  it("of a map: right values of all, keys that are not asked count against it", () => {
    const map = (text: string): ReadonlyMap<string, string> => new Map(Object.entries(Object.fromEntries(new URLSearchParams(text))));
    const shareOf = (given: string): number => ofMaps(map("a=1&b=2"), map(given)).share;
    expect([shareOf("a=1&b=2"), shareOf("a=1&b=3"), shareOf("a=1&b=2&c=3"), shareOf("c=3")]).toEqual([1, 0.5, 0.5, 0]);
    expect(ofMaps(map("a=1&b=2"), map("a=1&b=2&c=3"), (key) => key === "c").share).toBe(1);
    expect(ofMaps(map("a=1&b=2"), map("b=3")).said).toBe("a is 1, which is missing; b is 2, not 3");
  });

  it("of an order: the longest common part; an order that is not right is never worth everything", () => {
    const shareOf = (given: string): number => ofSequences([..."abcd"], [...given]).share;
    expect([shareOf("abcd"), shareOf("abdc"), shareOf("abcdef"), shareOf("dcba"), shareOf("")]).toEqual([1, 0.75, 0.5, 0.25, 0]);
  });
});
