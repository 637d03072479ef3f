import { describe, expect, it } from "vitest";
import { KNOBS } from "../../engine/config/knobs.ts";
import { KNOB_STRINGS, provenanceOf, vtableOf } from "./provenance.ts";

describe("provenance", () => {
  it("computes the vtables that the reference lists", () => {
    const listed = {
      13: "off_22BD7D0",
      14: "off_22BD7F8",
      15: "off_22BD820",
      29: "off_22BDA50",
      30: "off_22BDA78",
      37: "off_22BDB90",
      38: "off_22BDBB8",
      46: "off_22BDCF8",
      49: "off_22BDD70",
      50: "off_22BDD98",
      58: "off_22BDED8",
      64: "off_22BDFC8",
      65: "off_22BDFF0",
      82: "off_22BE298",
      83: "off_22BE2C0",
    };
    expect(Object.fromEntries(Object.keys(listed).map((phase) => [phase, vtableOf(Number(phase))]))).toEqual(listed);
  });

  it("names knobs that exist, each at an address of its own", () => {
    const keys = new Set<string>(KNOBS.map(({ key }) => key));
    expect(Object.keys(KNOB_STRINGS).filter((key) => !keys.has(key))).toEqual([]);
    expect(new Set(Object.values(KNOB_STRINGS)).size).toBe(Object.keys(KNOB_STRINGS).length);
  });

  it("says of a phase with nothing but its number where its vtable stands", () => {
    expect(provenanceOf("ptxas", 80)).toMatchObject({ vtable: vtableOf(80), functions: [] });
    expect(provenanceOf("ptxas", null)).toBeNull();
    expect(provenanceOf("cicc", null)?.functions.length).toBeGreaterThan(0);
  });
});
