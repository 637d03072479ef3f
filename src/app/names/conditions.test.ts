import { describe, expect, it } from "vitest";
import { PASSES } from "../../engine/passes/registry.ts";
import { conditionName, conditionReference, conditionsFound, gateName, plainReason } from "./conditions.ts";

interface Spec {
  readonly missed?: Readonly<Record<string, { readonly code?: string }>>;
  readonly gates?: Readonly<Record<string, unknown>>;
}

const specs = PASSES.flatMap((pass) => Object.values(pass.rules ?? {}).map((rule) => (rule as { readonly spec?: Spec }).spec ?? {}));
const codes = new Set(specs.flatMap(({ missed = {} }) => Object.entries(missed).map(([name, { code }]) => code ?? name)));
const gates = new Set(specs.flatMap((spec) => Object.keys(spec.gates ?? {})));
/** Numbers, offsets, symbols and camelCase are the reference's words. */
const RAW = /^[A-Z]\d|^\d|\d\)|\+\d|sub_|[a-z][A-Z]|guard \d|-/;

describe("names of conditions", () => {
  it("names every condition and gate of every phase in words", () => {
    expect(codes.size).toBeGreaterThan(150);
    expect([...codes].map((code) => conditionName(code).plain).filter((plain) => RAW.test(plain))).toEqual([]);
    expect([...gates].map(gateName).filter((plain) => RAW.test(plain))).toEqual([]);
  });

  it("keeps the reference's name where it says something else", () => {
    expect(conditionName("T5").plain).toBe("leader copied already");
    expect(conditionReference("T5")).toBe("T5");
    expect(conditionReference("two-conditions")).toBeNull();
  });

  it("says in words why everything was refused, and leaves other reasons as they are", () => {
    expect(plainReason("every candidate was refused: 6 shape (2), not-empty (7 times), copy, no leader yet")).toBe(
      "every candidate was refused: different computations (2), target not empty (7 times), already a move, no leader yet",
    );
    expect(plainReason("nothing changed (2 matches, 0 rewrites): every candidate was refused: T4 (2), 6 shape). Again")).toBe(
      "nothing changed (2 matches, 0 rewrites): every candidate was refused: leader does not dominate (2), different computations). Again",
    );
    expect(plainReason("no two blocks do the same, shape")).toBe("no two blocks do the same, shape");
  });

  it("finds conditions by plain words, by synonyms and by the reference's names", () => {
    expect(conditionsFound("already a move")).toEqual(new Set(["copy"]));
    expect(conditionsFound("dominance")).toEqual(new Set(["T4", "C2", "not-dominating", "irreducible"]));
    expect(conditionsFound("c7d")).toEqual(new Set(["C7d"]));
    expect(conditionsFound(" ")).toEqual(new Set());
  });
});
