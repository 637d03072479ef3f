/** Damaged texts: whole lines, words and characters of programs taken out, doubled, swapped, made extreme or mixed with those of another program. */

import { createPrng } from "../../base/prng.ts";

/** A number below `n`, drawn. */
export type Draw = (n: number) => number;

/** The same seed draws the same. */
export function drawFrom(seed: number): Draw {
  return createPrng(seed).below;
}

const pick = <T>(draw: Draw, items: readonly T[]): T | undefined => items[draw(items.length)];

/** Longer ones are cut: what is sought are wrong answers to small texts. */
const MOST_CHARACTERS = 300_000;

const EXTREMES = (
  "0 -1 1 7 31 32 63 64 255 65535 16777215 16777216 2147483647 2147483648 -2147483648 4294967295 4294967296 9007199254740993 18446744073709551615 " +
  "99999999999999999999 0x7fffffff 0xffffffffffffffff 0x 1e9 1e400 0f7F800000 0f3F8 1/0 1<<64"
).split(" ");
const HOSTILE = [
  "\u0000",
  "\ufeff",
  "\u2028",
  "\ud800",
  "\u202e",
  "\r",
  "\t",
  '"',
  "`",
  "``",
  "/*",
  "*/",
  "//",
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "@",
  "@!P0 ",
  ";",
  ",",
  "+",
  "-",
  "|",
  ":",
  "BB0:",
  ".table JT0 base=-2 default=BB1 { BB0 }",
  "PHI R1, [BB0: R1], [BB1: 7]",
  ".kernel again()",
  "BSSY B0, BB1",
  "BSYNC B0",
  "BRA BB0",
  "@P0 EXIT",
  "R16777215",
  "P16777215",
  "RZ",
  "PT",
  "é",
];

/** `text` with one to six damages; `others`: where lines of other programs come from. */
export function damage(text: string, others: readonly string[], draw: Draw): string {
  let result = text;
  for (let i = draw(6); i >= 0; i--) result = (pick(draw, DAMAGES) ?? dropLines)(result, draw, others);
  return result.slice(0, MOST_CHARACTERS);
}

type Damage = (text: string, draw: Draw, others: readonly string[]) => string;

const dropLines: Damage = (text, draw) => withLines(text, (lines) => lines.splice(draw(lines.length), 1 + draw(4)));

const doubleLines: Damage = (text, draw) =>
  withLines(text, (lines) => {
    const at = draw(lines.length);
    const part = lines.slice(at, at + 1 + draw(6));
    lines.splice(draw(lines.length + 1), 0, ...part);
  });

const swapLines: Damage = (text, draw) =>
  withLines(text, (lines) => {
    const [a, b] = [draw(lines.length), draw(lines.length)];
    [lines[a], lines[b]] = [lines[b] ?? "", lines[a] ?? ""];
  });

/** A stretch of lines many times over: long blocks, long chains. */
const repeatLines: Damage = (text, draw) =>
  withLines(text, (lines) => {
    if (draw(4) > 0) return;
    const at = draw(lines.length);
    const part = lines.slice(at, at + 1 + draw(3)).join("\n");
    lines.splice(at, 0, ...Array.from({ length: pick(draw, [10, 100, 1000]) ?? 10 }, () => part));
  });

const mixLines: Damage = (text, draw, others) =>
  withLines(text, (lines) => {
    const other = (pick(draw, others) ?? "").split("\n");
    const at = draw(other.length);
    lines.splice(draw(lines.length + 1), 0, ...other.slice(at, at + 1 + draw(8)));
  });

/** A register, label or number replaces another one of its kind: most results are programs. */
const swapWords: Damage = (text, draw) => {
  const kind = pick(draw, WORDS) ?? /\d+/g;
  const found = [...text.matchAll(kind)];
  const [from, to] = [pick(draw, found), pick(draw, found)];
  if (from === undefined || to === undefined) return text;
  return text.slice(0, from.index) + to[0] + text.slice(from.index + from[0].length);
};

const WORDS = [
  /\bR\d+\b/g,
  /\bRD\d+\b/g,
  /\bU?P\d+\b/g,
  /\b(?:BB|L_)\w+\b/g,
  /%\w+/g,
  /\$\w+/g,
  /\b[A-Z][A-Z0-9]+(?:\.\w+)*\b/g,
  /\b[a-z]+(?:\.\w+)+\b/g,
];

const extremeNumber: Damage = (text, draw) => {
  const from = pick(draw, [...text.matchAll(/\b(?:0x[0-9a-f]+|\d+)\b/gi)]);
  if (from === undefined) return text;
  return text.slice(0, from.index) + (pick(draw, EXTREMES) ?? "0") + text.slice(from.index + from[0].length);
};

const characters: Damage = (text, draw) => {
  const at = draw(text.length + 1);
  const into = draw(2) === 0 ? (pick(draw, HOSTILE) ?? "") : text.slice(draw(text.length + 1)).slice(0, draw(4));
  return text.slice(0, at) + into + text.slice(at + draw(5));
};

/** One character very often: nests, long names. */
const flood: Damage = (text, draw) => {
  if (draw(4) > 0) return text;
  const at = draw(text.length + 1);
  return text.slice(0, at) + (pick(draw, HOSTILE) ?? "(").repeat(pick(draw, [50, 1000, 20_000]) ?? 50) + text.slice(at);
};

const cut: Damage = (text, draw) => (draw(4) > 0 ? text : text.slice(0, draw(text.length + 1)));

const DAMAGES: readonly Damage[] = [
  dropLines,
  doubleLines,
  swapLines,
  repeatLines,
  mixLines,
  swapWords,
  swapWords,
  swapWords,
  swapWords,
  extremeNumber,
  extremeNumber,
  characters,
  characters,
  flood,
  cut,
];

function withLines(text: string, change: (lines: string[]) => void): string {
  const lines = text.split("\n");
  change(lines);
  return lines.join("\n");
}
