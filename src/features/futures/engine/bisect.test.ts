import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { bisect } from "./bisect.ts";
import type { Light, RewritePrefixes } from "./prefixes.ts";

/** Lights by number of rewrites: g, r or a dot for grey. */
function prefixesOf(lights: string): Pick<RewritePrefixes, "rewrites" | "light"> {
  const made: Readonly<Record<string, Light>> = {
    g: { colour: "green", reason: "same" },
    r: { colour: "red", reason: "other", counterexample: null },
    ".": { colour: "grey", reason: "it traps" },
  };
  return { rewrites: lights.length - 1, light: (n) => made[lights[n] ?? "."] as Light };
}

describe("the first wrong rewrite", () => {
  it("is found by halving where the light stays red, in log2 looks", () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), (good, bad) => {
        const prefixes = prefixesOf(`g${"g".repeat(good)}${"r".repeat(bad)}`);
        const found = bisect(prefixes, "search");
        expect(found).toMatchObject({ rewrites: good + bad, first: bad === 0 ? null : good + 1, monotone: true, undecided: null });
        expect(bisect(prefixes, "scan").first).toBe(found.first);
        expect(found.looked).toBeLessThanOrEqual(2 + Math.ceil(Math.log2(good + bad + 1)) + 1);
      }),
      { seed: freshSeed() },
    );
  });

  it("lies between a program that is not red and one that is, whatever the lights are", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("g", "r", "."), minLength: 1, maxLength: 60 }), (rest) => {
        const lights = `g${rest}`;
        const { first } = bisect(prefixesOf(lights), "search");
        if (first === null) expect(lights.at(-1)).not.toBe("r");
        else expect([lights[first], lights[first - 1] === "r"]).toEqual(["r", false]);
        expect(bisect(prefixesOf(lights), "scan").first).toBe(lights.includes("r") ? lights.indexOf("r") : null);
      }),
      { seed: freshSeed() },
    );
  });

  it("says where a later light is green again, and where the program itself says nothing", () => {
    expect(bisect(prefixesOf("ggrgr"), "scan")).toMatchObject({ first: 2, monotone: false });
    expect(bisect(prefixesOf("ggrrg"), "scan")).toMatchObject({ first: 2, monotone: false });
    expect(bisect(prefixesOf("..."), "search")).toMatchObject({ first: null, undecided: "it traps", looked: 2 });
    expect(bisect(prefixesOf(".rr"), "search")).toMatchObject({ first: 1, undecided: null, monotone: true });
    expect(bisect(prefixesOf("g"), "search")).toMatchObject({ rewrites: 0, first: null, monotone: true });
  });
});
