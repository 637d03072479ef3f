/** Sub-passes by rounds: how much each did in each round, to show how the rounds die down. */

import type { CellValue } from "../../../session/moment.ts";
import { cx } from "../../../ui/cx.ts";
import type { Column } from "../../../ui/data-table.tsx";
import { numberOf } from "../cells.ts";
import structures from "../structures.module.css";
import { Note, view } from "../table.tsx";
import styles from "./named.module.css";

/** In the order in which a round runs them; others follow. */
const ORDER = [
  "structural equivalence",
  "memory to register",
  "copy propagation",
  "constant folding",
  "predicate simplification",
  "dead code",
];

/** Rounds drawn; more of them scroll no further. */
const MOST_ROUNDS = 64;

/** A pass and what it changed, by round; the last row is their sum. */
interface PassRow {
  readonly key: string;
  readonly counts: readonly number[];
  readonly total: number;
}

const ALL = "all";
const sum = (counts: readonly number[]): number => counts.reduce((a, b) => a + b, 0);

function passRows(cells: ReadonlyMap<string, CellValue>): readonly PassRow[] {
  const passes = new Map<string, number[]>();
  for (const [key, value] of cells) {
    const slash = key.lastIndexOf("/");
    const round = Number(key.slice(slash + 1));
    if (slash < 1 || !Number.isInteger(round)) continue;
    const counts = passes.get(key.slice(0, slash)) ?? [];
    counts[round - 1] = numberOf(value, 0);
    passes.set(key.slice(0, slash), counts);
  }
  const rounds = Math.max(0, ...[...passes.values()].map((counts) => counts.length));
  if (rounds === 0) return [];
  const rank = (pass: string): number => (ORDER.includes(pass) ? ORDER.indexOf(pass) : ORDER.length);
  const rows = [...passes]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([key, counts]): PassRow => {
      const all = Array.from({ length: rounds }, (_, i) => counts[i] ?? 0);
      return { key, counts: all, total: sum(all) };
    });
  const all = Array.from({ length: rounds }, (_, i) => sum(rows.map((row) => row.counts[i] ?? 0)));
  return [...rows, { key: ALL, counts: all, total: sum(all) }];
}

export const RoundsView = view(passRows, {
  label: "Changes by sub-pass and round",
  empty: "No round has changed anything yet.",
  mono: true,
  fit: true,
  // A row has a cell for each round, and each is marked by itself.
  cells: () => [],
  columns: ({ structure, focused, selected, onSelect }, rows) => {
    const passes = rows.filter(({ key }) => key !== ALL);
    const most = Math.max(1, ...passes.flatMap(({ counts }) => counts));
    const rounds = (rows[0]?.counts ?? []).slice(0, MOST_ROUNDS).map(
      (_, i): Column<PassRow> => ({
        title: `round ${i + 1}`,
        align: "end",
        changed: ({ key }) => structure.touched.has(`${key}/${i + 1}`),
        cell: ({ key, counts }) => {
          const count = counts[i] ?? 0;
          const at = `${key}/${i + 1}`;
          if (count === 0 || key === ALL) return <span className={cx(count === 0 && "muted")}>{count}</span>;
          return (
            <button
              type="button"
              className={cx(styles.count, focused.has(at) && structures.focused, selected === at && structures.selected)}
              style={{ backgroundSize: `${(count / most) * 100}% 100%` }}
              onClick={() => onSelect(at)}
            >
              {count}
            </button>
          );
        },
      }),
    );
    return [{ title: "Sub-pass", head: true, cell: ({ key }) => key }, ...rounds, { title: ALL, align: "end", cell: ({ total }) => total }];
  },
  below: (_, rows) => {
    const rounds = rows[0]?.counts.length ?? 0;
    return rounds > MOST_ROUNDS ? <Note>and {rounds - MOST_ROUNDS} more rounds</Note> : null;
  },
});
