/** Sub-passes by rounds: how much each did in each round, so that one sees the rounds die down. */

import { cx } from "../../../ui/cx.ts";
import { numberOf } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
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

export function RoundsView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const counts = new Map<string, number>();
  const passes = new Set<string>();
  let last = 0;
  for (const [key, value] of structure.cells) {
    const slash = key.lastIndexOf("/");
    const round = Number(key.slice(slash + 1));
    if (slash < 1 || !Number.isInteger(round)) continue;
    passes.add(key.slice(0, slash));
    counts.set(key, numberOf(value, 0));
    last = Math.max(last, round);
  }
  if (last === 0) {
    return (
      <div className={structures.canvas}>
        <p className="muted">No round has changed anything yet.</p>
      </div>
    );
  }
  const rank = (pass: string): number => (ORDER.includes(pass) ? ORDER.indexOf(pass) : ORDER.length);
  const rows = [...passes].sort((a, b) => rank(a) - rank(b));
  const rounds = Array.from({ length: Math.min(last, MOST_ROUNDS) }, (_, i) => i + 1);
  const most = Math.max(1, ...counts.values());
  const total = (keys: readonly string[]): number => keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  return (
    <div className={structures.canvas}>
      <table className={styles.table}>
        <caption className="visually-hidden">Changes by sub-pass and round</caption>
        <thead>
          <tr>
            <th scope="col">Sub-pass</th>
            {rounds.map((round) => (
              <th key={round} scope="col" className={styles.number}>
                round {round}
              </th>
            ))}
            <th scope="col" className={styles.number}>
              all
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((pass) => (
            <tr key={pass}>
              <th scope="row">{pass}</th>
              {rounds.map((round) => {
                const key = `${pass}/${round}`;
                const count = counts.get(key) ?? 0;
                return (
                  <td key={round} className={cx(styles.number, structure.touched.has(key) && structures.touched)}>
                    {count === 0 ? (
                      <span className="muted">0</span>
                    ) : (
                      <button
                        type="button"
                        className={cx(styles.count, focused.has(key) && structures.focused, selected === key && structures.selected)}
                        style={{ backgroundSize: `${(count / most) * 100}% 100%` }}
                        onClick={() => onSelect(key)}
                      >
                        {count}
                      </button>
                    )}
                  </td>
                );
              })}
              <td className={styles.number}>{total(rounds.map((r) => `${pass}/${r}`))}</td>
            </tr>
          ))}
          <tr>
            <th scope="row">all</th>
            {rounds.map((round) => (
              <td key={round} className={styles.number}>
                {total(rows.map((pass) => `${pass}/${round}`))}
              </td>
            ))}
            <td className={styles.number}>{total([...counts.keys()])}</td>
          </tr>
        </tbody>
      </table>
      {last > MOST_ROUNDS ? <p className="muted">and {last - MOST_ROUNDS} more rounds</p> : null}
    </div>
  );
}
