import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { freshSeed } from "../testing/seed.ts";
import type { Reg } from "./ids.ts";
import { type Copy, sequentialCopies } from "./parallel-copy.ts";
import { reg } from "./reg.ts";
import type { Operand } from "./types.ts";

const r = (index: number): Reg => reg("R", index);
const from = (index: number): Operand => ({ kind: "reg", reg: r(index), neg: false, abs: false, not: false });
const TEMP = r(1000);

/** The registers' contents afterwards; every register starts with its own number. */
function effect(copies: readonly Copy[], parallel: boolean): Map<Reg, number> {
  const now = new Map<Reg, number>();
  const read = (state: ReadonlyMap<Reg, number>, value: Operand): number => {
    if (value.kind === "imm") return value.value;
    if (value.kind === "reg") return state.get(value.reg) ?? value.reg;
    // The contents of a constant: any function of the base will do.
    return value.kind === "cbank" && value.base !== null ? 7 * (state.get(value.base) ?? value.base) + 5 : -1;
  };
  const before = new Map(now);
  for (const { dest, value } of copies) now.set(dest, read(parallel ? before : now, value));
  return now;
}

describe("sequentialCopies", () => {
  it.each([
    [
      "a chain",
      [
        [1, 2],
        [2, 3],
        [3, 4],
      ],
      3,
    ],
    [
      "a swap",
      [
        [1, 2],
        [2, 1],
      ],
      3,
    ],
    [
      "two swaps through one register",
      [
        [1, 2],
        [2, 1],
        [3, 4],
        [4, 3],
      ],
      6,
    ],
    [
      "a rotation with readers beside it",
      [
        [1, 2],
        [2, 3],
        [3, 1],
        [4, 1],
        [5, 4],
      ],
      6,
    ],
    ["a copy to itself", [[1, 1]], 0],
  ] as const)("%s", (_name, pairs, length) => {
    const copies = pairs.map(([dest, source]) => ({ dest: r(dest), value: from(source) }));
    const sequence = sequentialCopies(copies, () => TEMP);
    expect(sequence).toHaveLength(length);
    const after = effect(sequence, false);
    for (const [dest, value] of effect(copies, true)) expect(after.get(dest) ?? dest).toBe(value);
  });

  const seed = freshSeed();
  it(`gives every destination its value of before, on random copies (seed ${seed})`, () => {
    const rng = createPrng(seed);
    let cycles = 0;
    for (let round = 0; round < 3000; round++) {
      const size = 1 + rng.below(8);
      const copies = Array.from({ length: 1 + rng.below(10) }, (): Copy => {
        const dest = r(rng.below(size));
        const kind = rng.below(10);
        if (kind === 0) return { dest, value: { kind: "imm", value: 5000 + rng.below(9) } };
        if (kind === 1) return { dest, value: { kind: "cbank", bank: 0, base: r(rng.below(size)), offset: 16, neg: false, abs: false } };
        return { dest, value: from(rng.below(size)) };
      });
      const sequence = sequentialCopies(copies, () => {
        cycles++;
        return TEMP;
      });
      const after = effect(sequence, false);
      for (const [dest, value] of effect(copies, true)) expect(after.get(dest) ?? dest, JSON.stringify(copies)).toBe(value);
      // Nothing else is written, and nothing twice but the register that opens cycles.
      const written = sequence.map((copy) => copy.dest).filter((dest) => dest !== TEMP);
      expect(new Set(written).size).toBe(written.length);
      expect(written.every((dest) => copies.some((copy) => copy.dest === dest))).toBe(true);
    }
    expect(cycles).toBeGreaterThan(100);
  });
});
