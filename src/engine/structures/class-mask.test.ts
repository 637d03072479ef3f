import { describe, expect, it } from "vitest";
import { CLASS_BITS, type ClassProperties, ClassTable, classMask, EMPTY_MASK, maskDigits, mayContain } from "./class-mask.ts";
import { MirrorRecorder } from "./testing/mirror-recorder.ts";

const NOTHING: ClassProperties = {
  eligible: false,
  spaceClass: 0,
  memoryAccess: false,
  uniformDest: false,
  nonVolatile: false,
  varyingAddress: false,
  specificAddressing: false,
  predicated: false,
  volatileAccess: false,
};

describe("class mask", () => {
  it("puts each property at its bit", () => {
    const bits = (p: Partial<ClassProperties>): number[] => {
      const digits = maskDigits(classMask({ ...NOTHING, ...p }));
      return [...digits].reverse().flatMap((d, i) => (d === "1" ? [i] : []));
    };
    expect(bits({})).toEqual([]);
    expect(bits({ eligible: true })).toEqual([0]);
    expect(bits({ spaceClass: 1 })).toEqual([20]);
    expect(bits({ memoryAccess: true })).toEqual([0, 21]);
    expect(bits({ uniformDest: true, nonVolatile: true, varyingAddress: true, specificAddressing: true })).toEqual([25, 27, 28, 29]);
    expect(bits({ predicated: true, volatileAccess: true })).toEqual([32, 33]);
    const all = bits({ ...NOTHING, eligible: true, spaceClass: 3, uniformDest: true, nonVolatile: true, varyingAddress: true });
    for (const bit of all) expect(CLASS_BITS.some((c) => c.bit === bit)).toBe(true);
  });

  it("rejects only blocks that lack a bit", () => {
    const a = classMask({ ...NOTHING, eligible: true, predicated: true });
    const b = classMask({ ...NOTHING, eligible: true });
    expect([mayContain(a, b), mayContain(b, a), mayContain(EMPTY_MASK, EMPTY_MASK), mayContain(EMPTY_MASK, b)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it("accumulates, resets and takes snapshots, all of them visible", () => {
    const rec = new MirrorRecorder();
    const table = new ClassTable(4, { rec, name: "classes", title: "Classes" });
    table.accumulate(classMask({ ...NOTHING, eligible: true }));
    table.accumulate(classMask({ ...NOTHING, predicated: true, specificAddressing: true }));
    table.snapshot(4);
    table.reset();
    expect(table.accumulator).toEqual(EMPTY_MASK);
    expect(table.slot(4)).toEqual({ lo: 0x2000_0001, hi: 1 });
    expect(rec.state()).toEqual({ acc: { lo: 0, hi: 0 }, b4: { lo: 0x2000_0001, hi: 1 } });
    expect(rec.ops()).toEqual(["accumulate", "accumulate", "snapshot", "reset"]);
    expect(rec.events.every((e) => e.kind === "class-mask")).toBe(true);
  });
});
