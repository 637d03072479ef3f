/** The three figures of a bundle's cost over its rounds. */

import { Panel } from "../../../ui/layout.tsx";
import { numberOf, objectCell } from "../cells.ts";
import { TableView } from "../list-view.tsx";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const WIDTH = 320;
const HEIGHT = 120;
const LEFT = 36;
/** Room for the names of the lines, after their last points. */
const RIGHT = 64;

const LINES = [
  { name: "total", color: "var(--text-3)", dash: undefined },
  { name: "weighted", color: "var(--kind-structure)", dash: undefined },
  { name: "count", color: "var(--kind-annotate)", dash: "2 3" },
  { name: "delta", color: "var(--accent)", dash: undefined },
] as const;

export function ConvergenceView(props: StructureViewProps) {
  const { cells } = props.structure;
  const threshold = numberOf(cells.get("threshold"), Number.NaN);
  const rounds = [...cells.keys()]
    .map((key) => /^round (\d+)$/.exec(key)?.[1])
    .filter((n) => n !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
  const valuesOf = (name: string): number[] => rounds.map((n) => numberOf(objectCell(cells, `round ${n}`)?.[name], 0));
  const lines = LINES.map((line) => ({ ...line, values: valuesOf(line.name) }));
  const top = Math.max(1, threshold || 0, ...lines.flatMap(({ values }) => values));
  const x = (i: number): number => LEFT + (i * (WIDTH - LEFT - RIGHT)) / Math.max(1, rounds.length - 1);
  const y = (v: number): number => 8 + (1 - v / top) * (HEIGHT - 28);
  const labels = apart(lines.map(({ name, values }) => ({ name, at: y(values[values.length - 1] ?? 0) + 4 })));
  return (
    <>
      <Panel pad={2} style={{ flex: "none" }}>
        <svg
          className={styles.plot}
          width={WIDTH}
          height={HEIGHT}
          role="img"
          aria-label={`${lines.map(({ name, values }) => `${name} by round: ${values.join(", ")}`).join("; ")}; threshold ${threshold}`}
        >
          <text x={0} y={y(top) + 4}>
            {top.toPrecision(3)}
          </text>
          <text x={0} y={y(0) + 4}>
            0
          </text>
          {Number.isNaN(threshold) ? null : (
            <line x1={LEFT} x2={WIDTH - RIGHT} y1={y(threshold)} y2={y(threshold)} stroke="var(--warn)" strokeDasharray="4 3" />
          )}
          {lines.map(({ name, values, color, dash }) => (
            <g key={name}>
              <polyline
                points={values.map((v, i) => `${x(i)},${y(v)}`).join(" ")}
                fill="none"
                stroke={color}
                strokeWidth="2"
                strokeDasharray={dash}
              />
              {values.map((v, i) => (
                <circle key={`round-${rounds[i]}`} cx={x(i)} cy={y(v)} r="3" fill={color} />
              ))}
              <text x={WIDTH - RIGHT + 8} y={labels.get(name)}>
                {name}
              </text>
            </g>
          ))}
          {rounds.map((round, i) => (
            <text key={`round-${round}`} x={x(i) - 3} y={HEIGHT - 4}>
              {round}
            </text>
          ))}
        </svg>
        <p className={styles.note}>
          Per round: folds at full cost (total), at weighted cost (weighted), folds examined (count), and the increase of weighted in the
          round (delta). The loop stops when delta is below the dashed threshold{Number.isNaN(threshold) ? "" : ` of ${threshold}`}.
        </p>
      </Panel>
      <TableView {...props} />
    </>
  );
}

/** Places of labels, moved apart where they would cover each other. */
function apart(wanted: readonly { readonly name: string; readonly at: number }[]): ReadonlyMap<string, number> {
  const placed = new Map<string, number>();
  let last = Number.POSITIVE_INFINITY;
  for (const { name, at } of wanted.toSorted((a, b) => b.at - a.at)) {
    last = Math.min(at, last - 12);
    placed.set(name, last);
  }
  return placed;
}
