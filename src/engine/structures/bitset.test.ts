import { describe, expect, it } from "vitest";
import { BitSet, popcount } from "../../base/bitset.ts";
import { createPrng } from "../../base/prng.ts";
import { ObservedBitSet } from "./bitset.ts";
import { MirrorRecorder } from "./testing/mirror-recorder.ts";

function make(length: number, members: Iterable<number>): BitSet {
  const set = new BitSet(length);
  for (const m of members) set.add(m);
  return set;
}

describe("bit set", () => {
  it("counts the bits of any word", () => {
    expect([0, 1, 0x80000000, 0xffffffff, 0xaaaaaaaa, -1].map(popcount)).toEqual([0, 1, 1, 32, 16, 32]);
  });

  it("refuses what is outside and sets of another length", () => {
    const set = new BitSet(33);
    expect(() => set.add(33)).toThrow(RangeError);
    expect(() => set.add(-1)).toThrow(RangeError);
    expect([set.has(40), set.has(-1), set.delete(99)]).toEqual([false, false, false]);
    expect(() => set.addAll(new BitSet(34))).toThrow(RangeError);
    expect(set.add(32)).toBe(true);
    expect([...set]).toEqual([32]);
  });

  it("agrees with a Set over 200,000 random operations (seed 8675309)", () => {
    const next = createPrng(8675309).u32;
    const set = new BitSet(1000);
    const model = new Set<number>();
    for (let i = 0; i < 200_000; i++) {
      const bit = next() % 1000;
      const what = next() % 3;
      if (what === 0) {
        if (set.add(bit) === model.has(bit)) expect.fail(`add ${bit} at ${i}`);
        model.add(bit);
      } else if (what === 1) {
        if (set.delete(bit) !== model.delete(bit)) expect.fail(`delete ${bit} at ${i}`);
      } else if (set.has(bit) !== model.has(bit)) expect.fail(`has ${bit} at ${i}`);
    }
    const members = [...model].sort((a, b) => a - b);
    expect([...set]).toEqual(members);
    const visited: number[] = [];
    set.forEach((m) => {
      visited.push(m);
    });
    expect(visited).toEqual(members);
    expect(set.count()).toBe(members.length);
  });

  it("combines sets as sets do, and says whether anything changed (seed 5150)", () => {
    const next = createPrng(5150).u32;
    for (let i = 0; i < 300; i++) {
      const length = 1 + (next() % 130);
      const pick = (): number[] => Array.from({ length: next() % 40 }, () => next() % length);
      const [x, y] = [new Set(pick()), new Set(pick())];
      const [a, b] = [make(length, x), make(length, y)];
      const order = (s: Iterable<number>): number[] => [...s].sort((p, q) => p - q);
      const union = order(new Set([...x, ...y]));
      const both = order([...x].filter((m) => y.has(m)));
      const only = order([...x].filter((m) => !y.has(m)));
      expect([...a.union(b)]).toEqual(union);
      expect([...a.intersect(b)]).toEqual(both);
      expect([...a.subtract(b)]).toEqual(only);
      expect([...a]).toEqual(order(x));
      expect(a.equals(b)).toBe(union.length === both.length);
      expect(a.clone().addAll(b)).toBe(union.length !== x.size);
      expect(a.clone().retainAll(b)).toBe(both.length !== x.size);
      expect(a.clone().removeAll(b)).toBe(only.length !== x.size);
      const target = b.clone();
      expect(a.unionInto(target)).toBe(union.length !== y.size);
      expect([...target]).toEqual(union);
      expect(a.copyFrom(b)).toBe(!(union.length === both.length));
      expect(a.equals(b)).toBe(true);
      a.clear();
      expect([a.isEmpty(), a.count()]).toEqual([true, 0]);
    }
  });
});

describe("observed bit set", () => {
  it("mirrors words after every operation, and cells undo to every earlier state (seed 1701)", () => {
    const next = createPrng(1701).u32;
    const rec = new MirrorRecorder();
    const set = new ObservedBitSet(100, { rec, name: "live", title: "Live" });
    const expected = () => ({ meta: { length: 100 }, w0: set.words[0]!, w1: set.words[1]!, w2: set.words[2]!, w3: set.words[3]! });
    const states = [{ position: rec.position, state: expected() }];
    for (let i = 0; i < 1000; i++) {
      const other = make(100, [next() % 100, next() % 100, next() % 100]);
      const before = rec.position;
      const was = set.clone();
      const what = next() % 16;
      if (what < 5) set.add(next() % 100);
      else if (what < 7) set.delete(next() % 100);
      else if (what < 10) set.addAll(other);
      else if (what < 12) set.removeAll(other);
      else if (what === 12) set.retainAll(other);
      else if (what === 13) set.copyFrom(other);
      else if (what === 14) set.clear();
      else other.unionInto(set);
      if (was.equals(set)) expect(rec.position).toBe(before);
      states.push({ position: rec.position, state: expected() });
      expect(rec.state()).toEqual(states.at(-1)!.state);
    }
    for (const { position, state } of states.reverse()) {
      rec.undoTo(position);
      expect(rec.state()).toEqual(state);
    }
  });
});
