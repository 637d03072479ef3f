/** Words drawn as bits, least significant first: 32 small squares a word. */

import styles from "./structures.module.css";

const SIZE = 4;
const GAP = 1;

/** Width of one word's drawing in pixels. */
export const WORD_WIDTH: number = 32 * (SIZE + GAP);

interface BitSquaresProps {
  readonly words: readonly number[];
  readonly y: number;
  readonly perRow: number;
}

/** The bits of words as squares in an SVG drawing, from `y` on, `perRow` words a row. */
export function BitSquares({ words, y, perRow }: BitSquaresProps) {
  return words.flatMap((word, w) => {
    const left = (w % perRow) * (WORD_WIDTH + 4);
    const top = y + Math.floor(w / perRow) * (SIZE + 3);
    // One path for the ones and one for the zeros: two elements a word instead of 32.
    let on = "";
    let off = "";
    for (let bit = 0; bit < 32; bit++) {
      const square = `M${left + bit * (SIZE + GAP)} ${top}h${SIZE}v${SIZE}h${-SIZE}z`;
      if (((word >>> bit) & 1) === 1) on += square;
      else off += square;
    }
    return [
      <path key={`off-${left}-${top}`} className={styles.bitOff} d={off} />,
      on === "" ? null : <path key={`on-${left}-${top}`} className={styles.bitOn} d={on} />,
    ];
  });
}

export function BitRow({ words, label }: { readonly words: readonly number[]; readonly label: string }) {
  const height = words.length * (SIZE + 3);
  return (
    <svg className={styles.svg} width={WORD_WIDTH} height={height} role="img" aria-label={label}>
      <BitSquares words={words} y={0} perRow={1} />
    </svg>
  );
}

/** Members of a bit set in words. */
export function membersOf(words: readonly number[], base: number): number[] {
  const members: number[] = [];
  for (const [w, word] of words.entries())
    for (let bit = 0; bit < 32; bit++) if (((word >>> bit) & 1) === 1) members.push(base + 32 * w + bit);
  return members;
}

/** Members of a bit set in words, for people: `0, 3, 5–9`. */
export function memberText(words: readonly number[], base = 0, limit = 60): string {
  const parts: string[] = [];
  let start = -1;
  const total = words.length * 32;
  for (let i = 0; i <= total; i++) {
    const on = i < total && (((words[i >> 5] ?? 0) >>> (i & 31)) & 1) === 1;
    if (on && start < 0) start = i;
    if (!on && start >= 0) {
      const end = i - 1;
      parts.push(start === end ? String(base + start) : `${base + start}–${base + end}`);
      start = -1;
      if (parts.length >= limit) return `${parts.join(", ")}, …`;
    }
  }
  return parts.join(", ") || "none";
}
