/** What the gallery finds: best first, words that are nearly right, and what no example can show. */

import { absentPass } from "../../../app/names/absent-passes.ts";
import { searchNames } from "../../../app/names/phases.ts";
import type { ExampleProgram } from "../../../app/session/example.ts";
import { closest } from "../../../base/closest.ts";

export interface Found {
  readonly examples: readonly ExampleProgram[];
  /** The corrected spelling that was searched for instead; null: none. */
  readonly instead: string | null;
}

export const wordsOf = (query: string): readonly string[] => query.toLowerCase().split(/\s+/).filter(Boolean);

const phaseWords = ({ phase }: ExampleProgram): string => (phase === null ? "" : searchNames({ id: phase, name: "" }));
const textOf = (e: ExampleProgram): string => `${e.title} ${e.about} ${e.look} ${phaseWords(e)} ${e.group}`.toLowerCase();

/** Where a word is found counts: in the title, in the names of the phase, anywhere. */
function rankOf(example: ExampleProgram, words: readonly string[]): number {
  const [title, phase] = [example.title.toLowerCase(), phaseWords(example).toLowerCase()];
  let rank = 0;
  for (const word of words) {
    if (title.startsWith(word)) rank += 8;
    else if (` ${title}`.includes(` ${word}`)) rank += 6;
    else if (title.includes(word)) rank += 4;
    else if (phase.includes(word)) rank += 2;
  }
  return rank;
}

function matching(all: readonly ExampleProgram[], words: readonly string[]): readonly ExampleProgram[] {
  const found = all.filter((e) => words.every((word) => textOf(e).includes(word)));
  const ranks = new Map(found.map((e) => [e, rankOf(e, words)]));
  return [...found].sort((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
}

export function searchExamples(all: readonly ExampleProgram[], query: string): Found {
  const words = wordsOf(query);
  const examples = words.length === 0 ? all : matching(all, words);
  if (examples.length > 0 || absentPass(query) !== null) return { examples, instead: null };
  const known = new Set(all.flatMap((e) => textOf(e).split(/[^a-z0-9-]+/)).filter((word) => word.length > 2));
  // A slip is seldom in the first letter.
  const nearest = (word: string): string =>
    closest(
      word,
      [...known].filter((other) => other[0] === word[0]),
    ) ??
    closest(word, known) ??
    word;
  const spelled = words.map((word) => (known.has(word) ? word : nearest(word)));
  const corrected = matching(all, spelled);
  return { examples: corrected, instead: corrected.length === 0 ? null : spelled.join(" ") };
}
