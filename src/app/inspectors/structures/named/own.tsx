/** The set and the tree that a user's pass shows: members side by side, nodes under their parents. */

import { useMemo } from "react";
import { cx } from "../../../ui/cx.ts";
import { Panel, Row, Stack } from "../../../ui/layout.tsx";
import { plural } from "../../../ui/plural.ts";
import { showCell } from "../cells.ts";
import structures from "../structures.module.css";
import { cellClass, type StructureViewProps } from "../view.ts";
import styles from "./named.module.css";
import { ownTreeRows } from "./own-tree.ts";

/** Drawn; the rest is counted. */
const MOST = 1_000;
/** Deeper nodes are below each other. */
const MOST_DEPTH = 24;

export function OwnSetView(props: StructureViewProps) {
  const { structure, selected, onSelect } = props;
  const members = [...structure.cells.keys()];
  return (
    <Panel pad={2}>
      <p className="muted">{members.length === 0 ? "The set is empty." : plural(members.length, "member")}</p>
      <Row as="ul" wrap gap={1} className="mono" aria-label={structure.title}>
        {members.slice(0, MOST).map((key) => (
          <li key={key}>
            <button
              type="button"
              className={cellClass(props, key, structures.cell)}
              aria-pressed={selected === key}
              onClick={() => onSelect(key)}
            >
              {key}
            </button>
          </li>
        ))}
      </Row>
      <More count={members.length} />
    </Panel>
  );
}

export function OwnTreeView(props: StructureViewProps) {
  const { structure, selected, onSelect } = props;
  const rows = useMemo(() => ownTreeRows(structure.cells), [structure.cells]);
  return (
    <Panel pad={2}>
      {rows.length === 0 ? <p className="muted">The tree is empty.</p> : null}
      <Stack as="ul" align="start" gap="hair" aria-label={structure.title}>
        {rows.slice(0, MOST).map(({ key, depth, value, lost }) => (
          <li key={key} style={{ paddingInlineStart: Math.min(depth, MOST_DEPTH) * 16 }}>
            <button
              type="button"
              className={cx(cellClass(props, key, structures.cell), styles.place)}
              aria-pressed={selected === key}
              onClick={() => onSelect(key)}
            >
              <span>
                <span className="visually-hidden">level {depth + 1}: </span>
                {key}
              </span>
              {value === undefined ? null : <b>{showCell(value)}</b>}
              {lost === null ? null : (
                <small>{structure.cells.has(lost) ? `in a cycle with its parent ${lost}` : `its parent ${lost} is not in the tree`}</small>
              )}
            </button>
          </li>
        ))}
      </Stack>
      <More count={rows.length} />
    </Panel>
  );
}

function More({ count }: { readonly count: number }) {
  return count > MOST ? <p className="muted">and {count - MOST} more</p> : null;
}
