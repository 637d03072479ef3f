/**
 * The programs that labs draw are frozen: a student's programs follow from a seed, so a generator with new features must still make the same text for
 * the same shape, seed and size. A different digest here means that students who hand in today are graded on programs that they never saw.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SHAPES, shapeText } from "./shapes.ts";

/** Small and large seeds, as the digests that labs draw from are 32 bits long. */
const SEEDS = [1, 2, 3, 7, 40, 1_000_003, 0x7fff_fffb, 0xffff_ffc5];
const SIZES = [1, 2, 4, 6, 9, 14, 25];

const textOf = (shape: string, seed: number, size: number, irreducible: boolean): string => {
  const text = shapeText(shape, seed, { size, irreducible });
  if (text === null) throw new Error(`there is no shape ${shape}`);
  return text;
};

/** One digest a seed, over all sizes, reducible and not. */
function digestOf(shape: string, seed: number): string {
  const hash = createHash("sha256");
  for (const size of SIZES) for (const irreducible of [false, true]) hash.update(textOf(shape, seed, size, irreducible));
  return hash.digest("hex").slice(0, 12);
}

interface Frozen {
  /** By shape and seed. */
  readonly digests: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** A few whole, of seed 7 and size 4, so that a difference can be read. */
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

// No command rewrites this file.
const FROZEN = JSON.parse(readFileSync(new URL("frozen.json", import.meta.url), "utf8")) as Frozen;

describe("programs that labs draw", () => {
  it.each(Object.entries(FROZEN.texts))("shape %s makes the text that it always made", (shape, lines) => {
    expect(textOf(shape, 7, 4, false).split("\n")).toEqual(lines);
  });

  it.each(SHAPES)("so does shape %s, of every seed and size", (shape) => {
    expect(Object.fromEntries(SEEDS.map((seed) => [seed, digestOf(shape, seed)]))).toEqual(FROZEN.digests[shape]);
  });
});
