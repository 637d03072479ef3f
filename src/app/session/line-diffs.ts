/** What happened to each line of the source since the program was read: removed, moved or replaced. */

import type { MomentState } from "./moment.ts";
import { type PlacedInst, sourceIndex } from "./source-lines.ts";

export interface LineDiff {
  readonly diff: "deleted" | "moved" | "replaced";
  /** What happened to it, in words. */
  readonly text: string;
}

/** By line, without unchanged lines. `by`: the phase that changed a line last; null: unknown. */
export function lineDiffs(
  input: MomentState,
  now: MomentState,
  by: (line: number) => string | null = () => null,
): ReadonlyMap<number, LineDiff> {
  const diffs = new Map<number, LineDiff>();
  if (input.blocks === now.blocks) return diffs;
  const { lines } = sourceIndex(now);
  for (const [line, before] of sourceIndex(input).lines) {
    const after = lines.get(line) ?? [];
    const diff = isAsBefore(before, after) ? null : diffOf(before, after, by(line));
    if (diff !== null) diffs.set(line, diff);
  }
  return diffs;
}

/** The state of most lines, for which no sentence is built: there may be many thousands. */
const isAsBefore = ([was, ...more]: readonly PlacedInst[], [is, ...others]: readonly PlacedInst[]): boolean =>
  more.length === 0 && others.length === 0 && was?.inst.text === is?.inst.text && was?.block.label === is?.block.label;

function diffOf(before: readonly PlacedInst[], now: readonly PlacedInst[], phase: string | null): LineDiff | null {
  const by = phase === null ? "" : ` by ${phase}`;
  if (now.length === 0) return { diff: "deleted", text: `Deleted${by}: nothing of this line is left in the program.` };
  const text = (placed: readonly PlacedInst[]): string => placed.map((p) => p.inst.text).join("; ");
  const place = (placed: readonly PlacedInst[]): string => [...new Set(placed.map((p) => p.block.label))].join(", ");
  const [from, to] = [place(before), place(now)];
  if (text(before) !== text(now)) {
    const become = `${text(now)}${from === to ? "" : ` (in ${to})`}`;
    return { diff: "replaced", text: phase === null ? `Now: ${become}` : `Replaced${by}. Now: ${become}` };
  }
  return from === to ? null : { diff: "moved", text: `Moved${by} from ${from} to ${to}.` };
}
