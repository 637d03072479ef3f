/** Picks the known word nearest to a mistyped one, for 'did you mean'. */

/** Longer words are never typing slips of ours; the cap bounds the work. */
const MAX_LENGTH = 64;

/**
 * The candidate with the smallest edit distance to `word`, ignoring case; null when none is within a third of its length (at least 2).
 * Ties go to the earlier candidate.
 */
export function closest(word: string, candidates: Iterable<string>): string | null {
  if (word.length === 0 || word.length > MAX_LENGTH) return null;
  const wanted = word.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance || candidate.length > MAX_LENGTH) continue;
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance by two rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 0; i < a.length; i += 1) {
    const row = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substitute = (previous[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      row.push(Math.min(substitute, (previous[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}
