import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { fnv1a32, fnv1aObserved, fnv1aSteps } from "./fnv.ts";
import { Observation } from "./observe.ts";
import { MirrorRecorder } from "./testing/mirror-recorder.ts";

/** FNV-1a by its definition, in exact arithmetic. */
function reference(key: number): number {
  let h = 0x811c9dc5n;
  for (let i = 0n; i < 4n; i++) h = ((h ^ ((BigInt(key >>> 0) >> (8n * i)) & 0xffn)) * 16777619n) & 0xffffffffn;
  return Number(h);
}

describe("fnv1a32", () => {
  it("has the known values", () => {
    // "foobar" has the published FNV-1a value 0xBF9CF968; its first four bytes "foob" are this key.
    expect(fnv1a32(0x626f6f66)).toBe(reference(0x626f6f66));
    expect(fnv1a32(0)).toBe(0x4b95f515);
    expect(fnv1a32(0x64636261)).toBe(0xce3479bd); // "abcd"
  });

  it("agrees with exact arithmetic, also for negative keys (seed 0x1234567)", () => {
    const next = createPrng(0x1234567).u32;
    for (let i = 0; i < 5000; i++) {
      const key = next() | 0;
      expect(fnv1a32(key)).toBe(reference(key));
    }
    expect(fnv1a32(-1)).toBe(fnv1a32(0xffffffff));
  });

  it("steps byte by byte to the same hash", () => {
    for (const key of [0, 1, 255, 256, 0x80000000, 0xdeadbeef, 0xffffffff]) {
      const steps = fnv1aSteps(key);
      expect(steps.map((s) => s.byte)).toEqual([key & 255, (key >>> 8) & 255, (key >>> 16) & 255, key >>> 24]);
      expect(steps[0]!.before).toBe(0x811c9dc5);
      expect(steps[1]!.before).toBe(steps[0]!.after);
      expect(steps[3]!.after).toBe(fnv1a32(key));
      for (const s of steps) expect(s.xored).toBe((s.before ^ s.byte) >>> 0);
    }
  });

  it("reports four events with complete sentences", () => {
    const rec = new MirrorRecorder();
    const obs = new Observation("hash-map", { rec, name: "t", title: "T", line: 7 });
    expect(fnv1aObserved(0x0102, obs)).toBe(fnv1a32(0x0102));
    expect(rec.ops()).toEqual(["fnv-byte", "fnv-byte", "fnv-byte", "fnv-byte"]);
    expect(rec.events.every((e) => e.kind === "hash" && e.line === 7 && !e.sentence.includes("{"))).toBe(true);
    expect(rec.events[0]!.sentence).toBe("FNV-1a of 258: byte 0, which is 2, is mixed into the hash");
    expect(rec.events[0]!.facts).toMatchObject({
      beforeHex: "0x811C9DC5",
      byteHex: "0x02",
      xoredHex: "0x811C9DC7",
      afterHex: "0x070C6045",
    });
  });
});
