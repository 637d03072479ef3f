/** Passes that people look for and that no compiler stage shown here has. */
const ABSENT: readonly (readonly [words: RegExp, sentence: string])[] = [
  [/\binlin/, "Functions are inlined before the programs shown here begin, so no phase inlines."],
  [/\bunroll/, "Loops are unrolled outside the phases that are modelled, so no example shows it."],
  [/\bvector/, "GPU threads are not vectorized: no phase does it."],
  [/\bschedul/, "Instruction scheduling is not modelled: the phases shown here change control flow and redundancy."],
  [/\b(?:regalloc|allocation|spill)/, "Register allocation is not modelled: the phases shown here run before it."],
  [/\b(?:licm|invariant)/, "No modelled phase moves loop-invariant code."],
];

export function absentPass(query: string): string | null {
  const text = query.toLowerCase();
  return ABSENT.find(([words]) => words.test(text))?.[1] ?? null;
}
