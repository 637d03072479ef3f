/** The three figures of a bundle's cost over its rounds. */

import { numberOf, objectCell } from "../cells.ts";
import { TableView } from "../list-view.tsx";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const WIDTH = 320;
const HEIGHT = 120;
const LEFT = 36;

export function ConvergenceView(props: StructureViewProps) {
  const { cells } = props.structure;
  const threshold = numberOf(cells.get("threshold"), Number.NaN);
  const rounds = [...cells.keys()]
    .map((key) => /^round (\d+)$/.exec(key)?.[1])
    .filter((n) => n !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  const deltas = rounds.map((n) => numberOf(objectCell(cells, `round ${n}`)?.delta, 0));
  const top = Math.max(1, threshold || 0, ...deltas);
  const x = (i: number): number => LEFT + (i * (WIDTH - LEFT - 8)) / Math.max(1, rounds.length - 1);
  const y = (v: number): number => 8 + (1 - v / top) * (HEIGHT - 28);
  return (
    <>
      <div className={structures.canvas} style={{ flex: "none" }}>
        <svg
          className={styles.plot}
          width={WIDTH}
          height={HEIGHT}
          role="img"
          aria-label={`Cost of each round: ${deltas.join(", ")}; threshold ${threshold}`}
        >
          <text x={0} y={y(top) + 4}>
            {top.toPrecision(3)}
          </text>
          <text x={0} y={y(0) + 4}>
            0
          </text>
          {Number.isNaN(threshold) ? null : (
            <>
              <line x1={LEFT} x2={WIDTH - 8} y1={y(threshold)} y2={y(threshold)} stroke="var(--warn)" strokeDasharray="4 3" />
              <text x={WIDTH - 80} y={y(threshold) - 3}>
                threshold {threshold}
              </text>
            </>
          )}
          <polyline points={deltas.map((d, i) => `${x(i)},${y(d)}`).join(" ")} fill="none" stroke="var(--accent)" strokeWidth="2" />
          {deltas.map((d, i) => (
            <g key={`round-${rounds[i]}`}>
              <circle cx={x(i)} cy={y(d)} r="3" fill="var(--accent)" />
              <text x={x(i) - 3} y={HEIGHT - 4}>
                {rounds[i]}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <TableView {...props} />
    </>
  );
}
