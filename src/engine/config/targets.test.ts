import { describe, expect, it } from "vitest";
import { BACKENDS, FOLD_BOUNDARY, needsConservativeFold, resolveTarget, TARGETS, targetOf } from "./targets.ts";

describe("targets", () => {
  it.each([
    ["sm_30", "SM30", 12288],
    ["sm_50", "SM50", 16385],
    ["sm_50a", "SM50", 20481],
    ["sm_60", "SM60", 24576],
    ["sm_70", "SM70", 28672],
    ["sm_75", "SM70", 28672],
    ["sm_80", "SM80", 28673],
    ["sm_89", "SM89", 28674],
    ["sm_90", "SM90", 32768],
    ["sm_100", "SM90", 36864],
  ] as const)("%s is served by %s as %i", (id, backend, packed) => {
    const target = targetOf(id);
    expect(target.backend.id).toBe(backend);
    expect(target.packedVersion).toBe(packed);
    expect(target.packedVersion).toBe((target.generation << 12) | target.variant);
  });

  it.each([
    ["SM30", "no-op", "sub_661210", "no-op", "sub_661250", "no-op"],
    ["SM50", "no-op", "sub_661210", "no-op", "sub_661250", "no-op"],
    ["SM60", "A", "sub_849110", "body", "sub_BEE590", "body"],
    ["SM70", "A", "sub_849110", "body", "sub_BEE590", "body"],
    ["SM80", "B", "sub_729160", "no-op", "sub_661250", "body"],
    ["SM89", "B", "sub_729160", "no-op", "sub_661250", "body"],
    ["SM90", "A", "sub_849110", "body", "sub_BEE590", "body"],
  ] as const)("%s: slots 17, 23 and 56", (id, first, firstSymbol, gvn, gvnSymbol, mid2) => {
    const { slots } = BACKENDS[id];
    expect([slots[14].slot, slots[14].handler, slots[14].symbol]).toEqual([17, first, firstSymbol]);
    expect([slots[49].slot, slots[49].handler, slots[49].symbol]).toEqual([23, gvn, gvnSymbol]);
    expect([slots[46].slot, slots[46].handler]).toEqual([56, mid2]);
  });

  it("places slots at the offsets of the reference", () => {
    const { slots } = BACKENDS.SM90;
    expect([slots[14].offset, slots[46].offset, slots[49].offset, slots[50].offset, slots[65].offset, slots[82].offset]).toEqual([
      136,
      0x1c0,
      0xb8,
      0x160,
      392,
      null,
    ]);
    for (const backend of Object.values(BACKENDS))
      for (const [phase, slot] of Object.entries(backend.slots)) expect(slot.phase).toBe(Number(phase));
  });

  it("ties capability bits to the architecture classes that imply them", () => {
    for (const { capabilities: bits } of Object.values(BACKENDS)) {
      if (bits.archClass === 4) expect(bits.dualIssue).toBe(true);
      if (bits.archClass === 11) expect(bits.nvlink).toBe(true);
      if (bits.archClass === 10) expect(bits.grace).toBe(true);
      if (bits.dualIssue) expect(bits.archClass).toBe(4);
    }
    expect(TARGETS.filter((t) => !needsConservativeFold(t.backend.capabilities)).map((t) => t.id)).toEqual(["sm_30", "sm_60", "sm_89"]);
    expect(TARGETS.filter((t) => t.packedVersion <= FOLD_BOUNDARY).map((t) => t.id)).toEqual(["sm_30", "sm_50"]);
  });

  it.each([
    ["sm_90", "sm_90", "exact"],
    ["sm_90a", "sm_90", "exact"],
    ["SM50A", "sm_50a", "exact"],
    ["sm_52", "sm_50", "older"],
    ["sm_52a", "sm_50", "older"],
    ["SM86", "sm_80", "older"],
    ["compute_75", "sm_75", "exact"],
    ["sm_120", "sm_100", "older"],
    [" 61 ", "sm_60", "older"],
    ["sm_20", "sm_30", "oldest"],
    ["compute_13", "sm_30", "oldest"],
  ] as const)("resolves %j to %s, %s", (text, id, match) => {
    const found = resolveTarget(text);
    expect(found?.target.id).toBe(id);
    expect(found?.match).toBe(match);
  });

  it.each(["", "sm_1", "sm_", "gfx90a", "sm_90 sm_80", "sm_9999"])("finds no target in %j", (text) => {
    expect(resolveTarget(text)).toBeNull();
  });
});
