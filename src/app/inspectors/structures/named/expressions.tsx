/** Reassociation: the flattened tree, and next to it the left-leaning chain it becomes. */

import { useMemo } from "react";
import { useSession } from "../../../session/hooks.ts";
import type { CellValue } from "../../../session/moment.ts";
import { selectMoment } from "../../../session/selectors.ts";
import { Row } from "../../../ui/layout.tsx";
import { plural } from "../../../ui/plural.ts";
import { TableView } from "../list-view.tsx";
import structures from "../structures.module.css";
import { cellClass, type StructureViewProps } from "../view.ts";
import { chainTree, flattenedTree, type PlacedTree, sameLeaves } from "./expression-tree.ts";
import styles from "./named.module.css";

const COLUMN = 62;
const LEVEL = 44;
/** Leaves beyond this are listed, not drawn. */
const MOST_LEAVES = 120;

const NONE: ReadonlyMap<string, CellValue> = new Map();

export function ExpressionsView(props: StructureViewProps) {
  const { structure } = props;
  const flatCells = useSession((s) => selectMoment(s)?.structures.get("flattened-tree")?.cells ?? NONE);
  const chainCells = useSession((s) => selectMoment(s)?.structures.get("rebuilt-chain")?.cells ?? NONE);
  const isFlat = structure.name === "flattened-tree";
  const own = useMemo(() => (isFlat ? flattenedTree : chainTree)(structure.cells), [isFlat, structure.cells]);
  const pair = useMemo(() => {
    const flat = flattenedTree(flatCells);
    const chain = chainTree(chainCells);
    return flat !== null && chain !== null && sameLeaves(flat, chain) ? { flat, chain } : null;
  }, [flatCells, chainCells]);
  if (own === null || own.width > MOST_LEAVES) return <TableView {...props} />;
  return (
    <>
      <Row align="start" gap={3} pad={2} grow scroll>
        {pair === null ? (
          <Tree tree={own} title={isFlat ? "flattened" : "rebuilt"} {...props} />
        ) : (
          <>
            <Tree tree={pair.flat} title="flattened" other={!isFlat} {...props} />
            <span className={styles.becomes} role="img" aria-label="becomes">
              →
            </span>
            <Tree tree={pair.chain} title="rebuilt, leaves sorted" other={isFlat} {...props} />
          </>
        )}
      </Row>
      <TableView {...props} />
    </>
  );
}

function Tree({
  tree,
  title,
  other = false,
  ...props
}: StructureViewProps & { readonly tree: PlacedTree; readonly title: string; readonly other?: boolean }) {
  const px = (x: number): number => (x + 0.5) * COLUMN;
  const py = (depth: number): number => 14 + depth * LEVEL;
  return (
    <figure className="rigid">
      <svg
        className={structures.svg}
        width={tree.width * COLUMN}
        height={tree.depth * LEVEL + 8}
        role="img"
        aria-label={`Expression tree, ${title}: ${plural(tree.width, "leaf", "leaves")}, ${plural(tree.depth, "level")}`}
      >
        {tree.nodes.flatMap((node) =>
          node.children.map((c) => {
            const child = tree.nodes[c];
            return child === undefined ? null : (
              <path
                key={`${node.at}-${c}`}
                className={structures.edge}
                d={`M${px(node.x)} ${py(node.depth)}L${px(child.x)} ${py(child.depth)}`}
              />
            );
          }),
        )}
        {tree.nodes.map(({ at, key, text, note, children, x, depth }) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table below offers the same by keyboard
          <g
            key={at}
            className={structures.group}
            style={{ transform: `translate(${px(x)}px, ${py(depth)}px)` }}
            onClick={() => (key === null || other ? undefined : props.onSelect(key))}
          >
            <title>{note === "" ? text : `${text}: ${note}`}</title>
            <rect
              className={key === null || other ? structures.node : cellClass(props, key, structures.node)}
              x={-27}
              y={-11}
              width={54}
              height={22}
              rx={children.length === 0 ? 11 : 2}
            />
            <text textAnchor="middle" y={4}>
              {text.length > 8 ? `${text.slice(0, 7)}…` : text}
            </text>
            {children.length === 0 && note !== "" ? (
              <text textAnchor="middle" y={20} className={structures.small}>
                {note}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      <figcaption className={styles.note}>{title}</figcaption>
    </figure>
  );
}
