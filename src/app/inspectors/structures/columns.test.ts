import { expect, it } from "vitest";
import { columnTitle, compareKeys, keyTitle } from "./columns.ts";

it("heads columns in words", () => {
  expect(["inst", "chainSlot", "divergence_points", "verdict"].map(columnTitle)).toEqual([
    "Instruction",
    "Chain slot",
    "Divergence points",
    "Verdict",
  ]);
  expect(keyTitle(["+0x1E0", "+8", "+280 bit 3"])).toBe("Offset");
  expect(keyTitle(["BB0", "+8"])).toBe("Key");
  expect(keyTitle([])).toBe("Key");
});

it("sorts offsets in hex by their value, and others by the numbers in them", () => {
  expect(["+0x1E0", "+0x008", "+0x0D0", "+0x3F8"].toSorted(compareKeys)).toEqual(["+0x008", "+0x0D0", "+0x1E0", "+0x3F8"]);
  expect(["BB10", "BB9", "BB1"].toSorted(compareKeys)).toEqual(["BB1", "BB9", "BB10"]);
});
