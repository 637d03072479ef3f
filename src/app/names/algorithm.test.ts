/** No line of an algorithm shows an address, an offset or a mask in its first layer. */

import { describe, expect, it } from "vitest";
import { PASSES } from "../../engine/passes/registry.ts";
import { textbookLine } from "./algorithm.ts";

const INNER = /\bsub_|0x[0-9a-f]{5,}|\(\+\d+|\+\d{2,}|\+0x|\(\d+\)|\bT\d\b|\banchor \(|\bslot \d/i;

describe("the lines of the algorithms", () => {
  it("show no addresses, and keep their words and their nesting", () => {
    const lines = PASSES.flatMap(({ pseudocode }) => pseudocode);
    expect(lines.map(textbookLine).filter((line) => INNER.test(line))).toEqual([]);
    for (const line of lines) {
      const shown = textbookLine(line);
      expect(shown.search(/\S/), line).toBe(line.search(/\S/));
      expect(shown.trim().length, line).toBeGreaterThan(3);
      expect(shown, line).not.toMatch(/ [,.](?=\s|$)| :(?!=)|\(\)/);
    }
  });

  it("keep what is in brackets for every reader", () => {
    expect(textbookLine("  no tail (not stated in the reference)")).toBe("  no tail (not stated in the reference)");
    expect(textbookLine("  anchor (97), a copy: it follows (sub_781F80, force = 0)")).toBe("  anchor, a copy: it follows");
  });
});
