/** Red-black trees: nodes in key order, red ones dashed, each 256-bit leaf as four rows of bits under it, and the bytes of the selected one. */

import { useMemo } from "react";
import { cx } from "../../ui/cx.ts";
import { plural } from "../../ui/plural.ts";
import { BitSquares, membersOf, memberText, WORD_WIDTH } from "./bit-row.tsx";
import { objectCell } from "./cells.ts";
import { RecordBytes } from "./record-bytes.tsx";
import { treeNodeRecord } from "./record-layouts.ts";
import styles from "./structures.module.css";
import { layoutTree, type TreeNode } from "./tree-layout.ts";
import type { StructureViewProps } from "./view.ts";

/** Between the middles of two nodes, beyond the box; a box of up to four digits, and of each digit more. */
const NODE_GAP = 12;
const BOX_WIDTH = 40;
const DIGIT = 7;
const LEVEL = 46;
const ROW_HEIGHT = 76;
/** Nodes beyond this are not drawn. */
const MAX_NODES = 400;

/** `nameOf`: the name of a member. With names a leaf lists its members, else it shows their bits. */
export function TreeView({
  structure,
  focused,
  selected,
  onSelect,
  nameOf,
}: StructureViewProps & { readonly nameOf?: (member: number) => string }) {
  const layout = useMemo(() => layoutTree(structure.cells), [structure.cells]);
  const nodes = layout.nodes.slice(0, MAX_NODES);
  const byId = new Map(nodes.map((n) => [n.id, n]));
  const left = layout.nodes.length - nodes.length;
  const digits = nodes.reduce((n, { key }) => Math.max(n, String(key).length), 0);
  const box = Math.max(BOX_WIDTH, DIGIT * digits + 12);
  const column = box + NODE_GAP;
  const width = Math.max(1, nodes.length) * column + 8;
  const height = layout.depth * LEVEL + 8;
  const px = (n: TreeNode) => 4 + n.x * column + column / 2;
  const py = (n: TreeNode) => 20 + n.depth * LEVEL;
  if (nodes.length === 0) {
    return (
      <div className={styles.canvas}>
        <p className="muted">The tree is empty.</p>
      </div>
    );
  }
  const chosen = selected === null ? null : objectCell(structure.cells, selected);
  const classes = (n: TreeNode) => {
    const key = `n${n.id}`;
    return cx(
      styles.node,
      n.red && styles.red,
      structure.touched.has(key) && styles.nodeTouched,
      selected === key && styles.nodeSelected,
      focused.has(key) && styles.nodeFocused,
    );
  };
  return (
    <div className={styles.canvas}>
      <svg
        className={styles.svg}
        width={width}
        height={height}
        role="img"
        aria-label={`${structure.title}: tree of ${plural(layout.nodes.length, "node")}, ${plural(layout.depth, "level")}`}
      >
        {nodes.map((n) => {
          const parent = byId.get(n.parent);
          return parent === undefined ? null : (
            <path key={`e${n.id}`} className={styles.edge} d={`M${px(parent)} ${py(parent)}L${px(n)} ${py(n)}`} />
          );
        })}
        {nodes.map((n) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the list below offers the same by keyboard
          <g
            key={n.id}
            className={styles.group}
            style={{ transform: `translate(${px(n)}px, ${py(n)}px)` }}
            onClick={() => onSelect(`n${n.id}`)}
          >
            <rect className={classes(n)} x={-box / 2} y={-11} width={box} height={22} rx={n.red ? 11 : 3} />
            <text textAnchor="middle" y={4}>
              {n.key}
            </text>
          </g>
        ))}
      </svg>
      <ul aria-label="Leaves in order">
        {nodes.map((n) => {
          const key = `n${n.id}`;
          const base = n.key * 256;
          return (
            <li key={n.id}>
              <button
                type="button"
                className={cx(
                  styles.cell,
                  focused.has(key) && styles.focused,
                  structure.touched.has(key) && styles.touched,
                  selected === key && styles.selected,
                )}
                style={{ marginBottom: 3, maxWidth: "100%" }}
                aria-pressed={selected === key}
                onClick={() => onSelect(key)}
              >
                <span className="mono">
                  key {n.key} · {n.red ? "red" : "black"} · {base}–{base + 255}
                </span>
                {nameOf === undefined ? (
                  <>
                    <svg
                      className={cx(styles.svg, styles.leaf)}
                      width={2 * WORD_WIDTH + 4}
                      viewBox={`0 0 ${2 * WORD_WIDTH + 4} ${ROW_HEIGHT - 44}`}
                      aria-hidden="true"
                    >
                      <BitSquares words={n.words} x={0} y={1} perRow={2} />
                    </svg>
                    <small>{memberText(n.words, base)}</small>
                  </>
                ) : (
                  <span>{membersOf(n.words, base).map(nameOf).join(", ") || "no block"}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
      {left > 0 ? <p className="muted">and {left} more nodes</p> : null}
      <RecordBytes
        record={chosen === null || selected === null ? null : treeNodeRecord(Number(selected.slice(1)), chosen)}
        pick="Select a node to see its bytes."
      />
    </div>
  );
}
