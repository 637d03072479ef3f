/** Tail merging: candidates with the factors of their hashes, a pair walked from its ends, the 63 reserved registers, live-ins of a new tail. */

import type { ReactNode } from "react";
import { useActions } from "../../../session/hooks.ts";
import type { CellValue } from "../../../session/moment.ts";
import { Badge } from "../../../ui/badge.tsx";
import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { type CellObject, isObject, numbered, numberOf, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./tails.module.css";

const MOST_ROWS = 300;

const PRIORITIES: Readonly<Record<number, string>> = { 0: "jumps or ends", 1: "falls through", 2: "ends with a condition" };

interface Row {
  readonly label: string;
  readonly cell: CellObject;
}

/** Sorted by hash, then priority, then layout place: the order in which pairs are tried. */
export function sortedCandidates(cells: ReadonlyMap<string, CellValue>): readonly Row[] {
  const rows = [...cells].flatMap(([label, cell]): Row[] => (isObject(cell) ? [{ label, cell }] : []));
  const keys = ["hash", "priority", "place"] as const;
  return rows.sort((a, b) => {
    for (const key of keys) {
      const difference = numberOf(a.cell[key]) - numberOf(b.cell[key]);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

export function CandidatesView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const rows = sortedCandidates(structure.cells);
  const shown =
    rows.find((r) => r.label === selected) ??
    rows.find((r) => focused.has(r.label)) ??
    rows.find((r) => structure.touched.has(r.label)) ??
    rows[0];
  const sizes = new Map<number, number>();
  for (const { cell } of rows) sizes.set(numberOf(cell.hash), (sizes.get(numberOf(cell.hash)) ?? 0) + 1);
  return (
    <div className={structures.canvas}>
      <table className={panel.table}>
        <caption>Candidates, by hash, then priority</caption>
        <thead>
          <tr>
            <th scope="col">Hash</th>
            <th scope="col">Priority</th>
            <th scope="col">Block</th>
            <th scope="col">Hashed</th>
            <th scope="col">Length</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map(({ label, cell }, i) => (
            <tr
              key={label}
              className={cx(
                numberOf(rows[i - 1]?.cell.hash) !== numberOf(cell.hash) && styles.group,
                structure.touched.has(label) && panel.changed,
                focused.has(label) && panel.current,
              )}
            >
              <td className={cx("mono", "num", styles.hash)}>
                {showCell(cell.hash)}
                {(sizes.get(numberOf(cell.hash)) ?? 0) > 1 ? <span className="muted"> ×{sizes.get(numberOf(cell.hash))}</span> : null}
              </td>
              <td className="num" title={PRIORITIES[numberOf(cell.priority)]}>
                {numberOf(cell.priority) < 0 ? "…" : numberOf(cell.priority)}
              </td>
              <td>
                <button
                  type="button"
                  className={cx(structures.cell, label === shown?.label && structures.selected)}
                  aria-pressed={label === shown?.label}
                  onClick={() => onSelect(label)}
                >
                  {label}
                </button>
              </td>
              <td className="mono">{cell.last === null ? "none: terminators only" : showCell(cell.last)}</td>
              <td className="num">{showCell(cell.length)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 ? (
        <p className="muted">No candidate at this step.</p>
      ) : (
        <p className={styles.note}>
          Priority:{" "}
          {Object.entries(PRIORITIES)
            .map(([number, words]) => `${number} ${words}`)
            .join(", ")}
          .
        </p>
      )}
      {rows.length > MOST_ROWS ? <p className="muted">and {rows.length - MOST_ROWS} more</p> : null}
      {shown === undefined ? null : <Factors label={shown.label} cell={shown.cell} />}
    </div>
  );
}

/** `21 × 37 + 2 = 779`, one line a factor. */
function Factors({ label, cell }: { readonly label: string; readonly cell: CellObject }) {
  const factors = Array.isArray(cell.factors) ? (cell.factors as readonly CellValue[]) : [];
  if (factors.length === 0) return <p className={styles.note}>{label} contains only terminators: its hash is 0.</p>;
  let before = 0;
  return (
    <>
      <table className={cx(panel.table, styles.factors)}>
        <caption>
          Hash of {label}: <code>{showCell(cell.last)}</code>
        </caption>
        <thead>
          <tr>
            <th scope="col">Factor</th>
            <th scope="col">Value</th>
            <th scope="col">Step</th>
            <th scope="col">Hash</th>
          </tr>
        </thead>
        <tbody>
          {factors.map((factor, i) => {
            const [what, value, hash] = Array.isArray(factor) ? (factor as readonly CellValue[]) : [];
            const sum = before * 37 + numberOf(value, 0);
            const step = i === 0 ? "initial value" : `${before} × 37 + ${showCell(value)}${sum > 0xffff_ffff ? ", modulo 2³²" : ""}`;
            before = numberOf(hash, 0);
            return (
              <tr key={showCell(what)}>
                <td>{showCell(what)}</td>
                <td className="mono num">{showCell(value)}</td>
                <td className="mono">{step}</td>
                <td className="mono num">{showCell(hash)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className={styles.note}>
        An opcode counts as its index in the opcode table, a register as 8 × its number plus its class (R 0, RD 1, P 2, UR 3, UP 4, B 5), a
        32-bit literal as its bits, and an address or a special register as 0, so that the comparison decides.
      </p>
    </>
  );
}

/** Both blocks side by side, their ends at the bottom; the walk goes upwards. */
export function WalkView({ structure, focused }: StructureViewProps) {
  const { selection } = useActions();
  const meta = objectCell(structure.cells, "meta");
  const rows = numbered(structure.cells, "");
  if (meta === null) return <p className={cx(structures.canvas, "muted")}>No pair is compared at this step.</p>;
  const line = (inst: CellValue | undefined, text: CellValue | undefined): ReactNode => (
    <button type="button" className={styles.inst} onClick={() => selection.select({ kind: "inst", id: numberOf(inst) })}>
      {showCell(text)}
    </button>
  );
  return (
    <div className={structures.canvas}>
      <table className={panel.table}>
        <caption>
          {showCell(meta.a)} beside {showCell(meta.b)}, from their ends upwards: {showCell(meta.length)} in common
        </caption>
        <thead>
          <tr>
            <th scope="col">From the end</th>
            <th scope="col">{showCell(meta.a)}</th>
            <th scope="col">{showCell(meta.b)}</th>
            <th scope="col">Verdict</th>
          </tr>
        </thead>
        <tbody>
          {rows
            .slice(0, MOST_ROWS)
            .toReversed()
            .map(([at, cell]) => {
              if (!isObject(cell)) return null;
              const [a, b] = Array.isArray(cell.insts) ? (cell.insts as readonly CellValue[]) : [];
              return (
                <tr key={at} className={cx(focused.has(String(at)) && panel.current, structure.touched.has(String(at)) && panel.changed)}>
                  <td className="num">{at + 1}</td>
                  <td className="mono">{line(a, cell.a)}</td>
                  <td className="mono">{line(b, cell.b)}</td>
                  <td>
                    {cell.why === null ? (
                      <Badge tone="ok">identical</Badge>
                    ) : (
                      <>
                        <Badge tone="warn">ends here</Badge> {showCell(cell.why)}
                      </>
                    )}
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
      {rows.length > MOST_ROWS ? <p className="muted">and {rows.length - MOST_ROWS} more above</p> : null}
    </div>
  );
}

/** The table of gate 3, a row a group; what is live into the tail in hand says so. */
export function ReservedView({ structure }: StructureViewProps) {
  const groups = new Map<string, { readonly ptx: string; readonly names: { readonly name: string; readonly live: string | null }[] }>();
  let live: string | null = null;
  for (const [name, cell] of structure.cells) {
    if (!isObject(cell)) continue;
    const title = showCell(cell.title);
    const group = groups.get(title) ?? { ptx: showCell(cell.ptx), names: [] };
    const into = cell.live === null ? null : showCell(cell.live);
    live ??= into;
    group.names.push({ name, live: into });
    groups.set(title, group);
  }
  return (
    <div className={structures.canvas}>
      <table className={panel.table}>
        <caption>
          The {structure.cells.size} reserved registers:{" "}
          {live === null ? "none is live into the current tail" : `live into the tail of ${live}, so gate 3 refuses`}
        </caption>
        <thead>
          <tr>
            <th scope="col">What it holds</th>
            <th scope="col">Registers</th>
          </tr>
        </thead>
        <tbody>
          {[...groups].map(([title, { ptx, names }]) => (
            <tr key={title}>
              <td>
                {title} <code className="muted">{ptx}</code>
              </td>
              <td>
                <span className={styles.names}>
                  {names.map((r) =>
                    r.live === null ? (
                      <code key={r.name}>{r.name}</code>
                    ) : (
                      <Badge key={r.name} tone="warn">
                        {r.name}: live
                      </Badge>
                    ),
                  )}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** computeLiveIns. */
export function TailLiveInsView({ structure }: StructureViewProps) {
  const meta = objectCell(structure.cells, "meta");
  if (meta === null) return <p className={cx(structures.canvas, "muted")}>No tail has been created yet.</p>;
  const registers = [...structure.cells.keys()].filter((key) => key !== "meta");
  return (
    <div className={structures.canvas}>
      <table className={panel.table}>
        <caption>computeLiveIns of {showCell(meta.tail)}: read in it before being written there</caption>
        <thead>
          <tr>
            <th scope="col">Register</th>
          </tr>
        </thead>
        <tbody>
          {registers.map((name) => (
            <tr key={name} className={cx(structure.touched.has(name) && panel.changed)}>
              <td className="mono">{name}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {registers.length === 0 ? <p className="muted">Nothing is live into it.</p> : null}
    </div>
  );
}
