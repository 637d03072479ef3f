/** Makes a few small random changes to a program's text. Most results are programs, some are not; the caller checks. */

import type { Prng } from "../../base/prng.ts";

type Change = (lines: string[], rng: Prng) => void;

/** One to five changes, drawn at random. */
export function variantOf(text: string, rng: Prng): string {
  const lines = text.split("\n");
  const changes = 1 + rng.below(5);
  for (let i = 0; i < changes; i++) rng.pick(CHANGES)(lines, rng);
  return lines.join("\n");
}

/** Instructions that show which lanes are together, what they wait for, and what they read and write in memory. */
const ADDED = [
  "    VOTE.BALLOT R5, PT",
  "    ACTIVEMASK R6",
  "    BAR.SYNC 0",
  "    STS     [0], R4",
  "    LDS     R4, [0]",
  "    EXIT",
  "    NOP",
];

const isInst = (line: string): boolean => /^\s+\S|^@/.test(line) && !line.trimStart().startsWith(".");
const REGISTER = /\b(U?RD?|U?P)(\d+)\b/g;
const NUMBER = /(?<![\w.#])(0x[0-9a-f]+|\d+)\b/g;

const CHANGES: readonly Change[] = [
  // One register becomes a different one of its class that the program names, in one place or everywhere.
  (lines, rng) => {
    const names = [...new Set(lines.join("\n").match(REGISTER) ?? [])];
    if (names.length < 2) return;
    const from = rng.pick(names);
    const alike = names.filter((name) => name !== from && name.replace(/\d+/, "") === from.replace(/\d+/, ""));
    if (alike.length === 0) return;
    const to = rng.pick(alike);
    const all = rng.chance(0.2);
    const at = instAt(lines, rng);
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? "";
      if ((all || i === at) && isInst(line)) lines[i] = line.replace(new RegExp(`\\b${from}\\b`, all ? "g" : ""), to);
    }
  },
  (lines, rng) => {
    const at = instAt(lines, rng);
    const values = ["0", "1", "2", "3", "4", "7", "31", "32"];
    edit(lines, at, (line) => line.replace(NUMBER, (old) => (rng.chance(0.5) ? rng.pick(values) : old)));
  },
  // Two neighbours change places.
  (lines, rng) => {
    const at = instAt(lines, rng);
    const [a, b] = [lines[at], lines[at + 1]];
    if (a === undefined || b === undefined || !isInst(a) || !isInst(b)) return;
    lines.splice(at, 2, b, a);
  },
  (lines, rng) => {
    const at = instAt(lines, rng);
    const line = lines[at];
    if (line !== undefined) lines.splice(instAt(lines, rng), 0, line);
  },
  (lines, rng) => {
    const at = instAt(lines, rng);
    if (at >= 0) lines.splice(at, 1);
  },
  // A guard is added, removed, or negated.
  (lines, rng) => {
    const at = instAt(lines, rng);
    const names = [...new Set(lines.join("\n").match(/\bP\d+\b/g) ?? [])];
    const guard = names.length === 0 ? "" : `@${rng.chance(0.5) ? "!" : ""}${rng.pick(names)} `;
    edit(lines, at, (line) => {
      const bare = line.replace(/^\s*@!?U?P[T\d]+\s+/, "    ");
      return bare !== line && rng.chance(0.5) ? bare : `${guard}${bare.trimStart()}`;
    });
  },
  // A jump leads somewhere else.
  (lines, rng) => {
    const labels = lines.flatMap((line) => /^(\w[\w.]*):/.exec(line)?.[1] ?? []);
    const jumps = lines.flatMap((line, i) => (/\bBRA\b|\bBSSY\b/.test(line) ? [i] : []));
    if (labels.length === 0 || jumps.length === 0) return;
    edit(lines, rng.pick(jumps), (line) => line.replace(/(?<![\w.])[\w.]+\s*$/, rng.pick(labels)));
  },
  (lines, rng) => {
    lines.splice(instAt(lines, rng), 0, rng.pick(ADDED));
  },
  // A uniform register for a plain one, or the other way.
  (lines, rng) =>
    edit(lines, instAt(lines, rng), (line) => (rng.chance(0.5) ? line.replace(/\bR(\d)/, "UR$1") : line.replace(/\bUR(\d)/, "R$1"))),
];

/** The place of some instruction; -1 when there is none. */
function instAt(lines: readonly string[], rng: Prng): number {
  const places = lines.flatMap((line, i) => (isInst(line) ? [i] : []));
  return places.length === 0 ? -1 : rng.pick(places);
}

function edit(lines: string[], at: number, how: (line: string) => string): void {
  const line = lines[at];
  if (line !== undefined) lines[at] = how(line);
}
