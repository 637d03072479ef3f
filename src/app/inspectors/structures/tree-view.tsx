/** Red-black trees: nodes in key order, red ones dashed, each 256-bit leaf as four rows of bits under it, and the bytes of the selected one. */

import { useMemo } from "react";
import { cx } from "../../ui/cx.ts";
import { Panel } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { BitSquares, membersOf, memberText, WORD_WIDTH } from "./bit-row.tsx";
import { objectCell } from "./cells.ts";
import { RecordBytes } from "./record-bytes.tsx";
import { treeNodeRecord } from "./record-layouts.ts";
import styles from "./structures.module.css";
import { layoutTree, type TreeLayout, type TreeNode } from "./tree-layout.ts";
import { cellClass, type StructureViewProps } from "./view.ts";

/** Between the middles of two nodes, beyond the box; a box of up to four digits, and of each digit more. */
const NODE_GAP = 12;
const BOX_WIDTH = 40;
const DIGIT = 7;
const LEVEL = 46;
const LEAF_HEIGHT = 32;
/** Nodes beyond this are not drawn. */
const MAX_NODES = 400;

/** `nameOf`: the name of a member. With names a leaf lists its members, else it shows their bits. */
export function TreeView({ nameOf, ...props }: StructureViewProps & { readonly nameOf?: (member: number) => string }) {
  const { structure, selected } = props;
  const layout = useMemo(() => layoutTree(structure.cells), [structure.cells]);
  const nodes = layout.nodes.slice(0, MAX_NODES);
  const left = layout.nodes.length - nodes.length;
  const chosen = selected === null ? null : objectCell(structure.cells, selected);
  if (nodes.length === 0)
    return (
      <Panel pad={2}>
        <p className="muted">The tree is empty.</p>
      </Panel>
    );
  return (
    <Panel pad={2}>
      <Picture {...props} layout={layout} nodes={nodes} />
      <ul aria-label="Leaves in order">
        {nodes.map((node) => (
          <li key={node.id}>
            <Leaf {...props} node={node} nameOf={nameOf} />
          </li>
        ))}
      </ul>
      {left > 0 ? <p className="muted">and {left} more nodes</p> : null}
      <RecordBytes
        record={chosen === null || selected === null ? null : treeNodeRecord(Number(selected.slice(1)), chosen)}
        pick="Select a node to see its bytes."
      />
    </Panel>
  );
}

type PictureProps = StructureViewProps & { readonly layout: TreeLayout; readonly nodes: readonly TreeNode[] };

function Picture({ layout, nodes, ...props }: PictureProps) {
  const digits = nodes.reduce((n, { key }) => Math.max(n, String(key).length), 0);
  const box = Math.max(BOX_WIDTH, DIGIT * digits + 12);
  const column = box + NODE_GAP;
  const px = (n: TreeNode) => 4 + n.x * column + column / 2;
  const py = (n: TreeNode) => 20 + n.depth * LEVEL;
  const byId = new Map(nodes.map((n) => [n.id, n]));
  return (
    <svg
      className={styles.svg}
      width={nodes.length * column + 8}
      height={layout.depth * LEVEL + 8}
      role="img"
      aria-label={`${props.structure.title}: tree of ${plural(layout.nodes.length, "node")}, ${plural(layout.depth, "level")}`}
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
          onClick={() => props.onSelect(`n${n.id}`)}
        >
          <rect
            className={cellClass(props, `n${n.id}`, cx(styles.node, n.red && styles.red))}
            x={-box / 2}
            y={-11}
            width={box}
            height={22}
            rx={n.red ? 11 : 3}
          />
          <text textAnchor="middle" y={4}>
            {n.key}
          </text>
        </g>
      ))}
    </svg>
  );
}

type LeafProps = StructureViewProps & { readonly node: TreeNode; readonly nameOf: ((member: number) => string) | undefined };

function Leaf({ node: { id, key, red, words }, nameOf, ...props }: LeafProps) {
  const base = key * 256;
  const width = 2 * WORD_WIDTH + 4;
  return (
    <button
      type="button"
      className={cellClass(props, `n${id}`, styles.cell)}
      style={{ marginBottom: 3, maxWidth: "100%" }}
      aria-pressed={props.selected === `n${id}`}
      onClick={() => props.onSelect(`n${id}`)}
    >
      <span className="mono">
        key {key} · {red ? "red" : "black"} · {base}–{base + 255}
      </span>
      {nameOf === undefined ? (
        <>
          <svg className={cx(styles.svg, styles.leaf)} width={width} viewBox={`0 0 ${width} ${LEAF_HEIGHT}`} aria-hidden="true">
            <BitSquares words={words} y={1} perRow={2} />
          </svg>
          <small>{memberText(words, base)}</small>
        </>
      ) : (
        <span>{membersOf(words, base).map(nameOf).join(", ") || "no block"}</span>
      )}
    </button>
  );
}
