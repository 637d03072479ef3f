/** The one node type of the graph: a block, a jump table, a region or a stub, in as much detail as the zoom allows. */

import type { Node, NodeProps } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { useSessionObject } from "../../session/hooks.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Stack } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { type NodeFace, shownHeight } from "../face/faces.ts";
import { useLod, useNodeFace } from "../face/use-face.ts";
import { openRegion } from "../graph-view.ts";
import type { DrawnNode } from "../model/drawing.ts";
import { TABLE } from "../model/metrics.ts";
import { ownName } from "../model/sides.ts";
import { tableRows } from "../model/table-rows.ts";
import { BlockCard } from "./block-card.tsx";
import styles from "./card.module.css";
import { flagBadges } from "./flags.ts";

export type CardData = {
  readonly node: DrawnNode;
  /** Said on the card of a block that does not exist at this step. */
  readonly ghost: string;
  readonly labels: ReadonlyMap<number, string>;
};

export type CardNode = Node<CardData, "card">;

export const Card = memo(function Card({ data }: NodeProps<CardNode>) {
  const { node } = data;
  const face = useNodeFace(node.id);
  const lod = useLod();
  if (face === null) return null;
  const className = cx(styles.card, styles[node.kind], ...stateClasses(face), lod !== "full" && styles.low, lod === "box" && styles.box);
  // Where a menu opens that a key requests.
  const anchor = face.cursor ? "cursor" : face.selected ? "selected" : undefined;
  if (lod === "box") return <div className={className} data-node={node.id} data-menu-anchor={anchor} />;
  const height = lod === "full" ? shownHeight(node, face) : undefined;
  return (
    <div className={className} data-node={node.id} data-menu-anchor={anchor} style={height === undefined ? undefined : { height }}>
      {lod === "label" ? <LowDetail node={node} face={face} /> : <Content data={data} face={face} />}
    </div>
  );
});

function Content({ data, face }: { readonly data: CardData; readonly face: NodeFace }): ReactNode {
  const { node } = data;
  switch (node.kind) {
    case "block":
      return <BlockCard node={node} face={face} ghost={data.ghost} />;
    case "table":
      return <TableCard node={node} face={face} labels={data.labels} />;
    case "region":
      return <RegionCard node={node} />;
    case "stub":
      return <div className={cx(styles.stubText, "ellipsis")}>{node.title}</div>;
  }
}

/** Name and flags, as large as the card allows: it is seen from afar. */
function LowDetail({ node, face }: { readonly node: DrawnNode; readonly face: NodeFace }) {
  const title = node.kind === "table" ? "⋮ table" : node.title;
  const size = Math.max(12, Math.min(40, (node.width - 16) / Math.max(3, title.length * 0.62), node.height * 0.5));
  const badges = face.block === null ? [] : flagBadges(face.block, face.unreachable, false);
  const room = node.height > size * 2.4;
  return (
    <Stack align="center" justify="center" className={styles.lowText}>
      <span style={{ fontSize: size }}>{title}</span>
      {badges.length === 0 || !room ? null : (
        <span style={{ fontSize: Math.min(size * 0.8, (node.width - 16) / (badges.length * 1.2)) }}>
          {badges.map((b) => b.mark).join(" ")}
        </span>
      )}
    </Stack>
  );
}

export function stateClasses(face: NodeFace): readonly (string | undefined | false)[] {
  return [
    !face.present && styles.ghost,
    face.focus && styles.focus,
    face.changed && styles.changed,
    face.selected && styles.selected,
    face.hovered && styles.hovered,
    face.cursor && styles.cursor,
    face.unreachable && styles.unreachable,
    face.diff !== "same" && styles[face.diff === "changed" ? "diff-changed" : face.diff === "added" ? "diff-added" : "diff-removed"],
    face.match !== "none" && styles.match,
    face.match === "current" && styles.matchCurrent,
    face.overlay?.tone != null && styles[face.overlay.tone],
  ];
}

/** A region's card: its blocks, how many there are, and how to open it. */
function RegionCard({ node }: { readonly node: DrawnNode }) {
  const session = useSessionObject();
  return (
    <>
      <div className={styles.head}>
        <span className={cx(styles.label, "ellipsis")}>{node.title}</span>
      </div>
      <div className={styles.regionText}>
        <span>{plural(node.blocks.length, "block")}</span>
        <Button
          variant="link"
          tabIndex={-1}
          onClick={(event) => {
            event.stopPropagation();
            openRegion(session, ownName(node.id));
          }}
        >
          open
        </Button>
      </div>
    </>
  );
}

/** A jump table's card: one row for each target with the cases that lead there, in columns. */
interface TableCardProps {
  readonly node: DrawnNode;
  readonly face: NodeFace;
  readonly labels: ReadonlyMap<number, string>;
}

function TableCard({ node, face, labels }: TableCardProps) {
  const { table } = face;
  if (table === null) {
    return (
      <div className={cx(styles.tableHead, "ellipsis")}>
        <span aria-hidden="true">⋮</span> no table at this step
      </div>
    );
  }
  const rows = tableRows(table, (id) => labels.get(id) ?? `#${id}`);
  const room = Math.floor((node.height - TABLE.headerHeight - TABLE.paddingY) / TABLE.rowHeight);
  const columns = Math.max(1, Math.ceil(rows.length / Math.max(1, room)));
  return (
    <>
      <div
        className={cx(styles.tableHead, "ellipsis")}
        title={`${plural(table.entries.length, "entry", "entries")} from case ${table.base}`}
      >
        <span aria-hidden="true">⋮</span> {table.name}: {plural(table.entries.length, "case")}, {plural(rows.length, "target")}
      </div>
      <div
        className={styles.tableRows}
        style={{ gridTemplateRows: `repeat(${room}, ${TABLE.rowHeight}px)`, gridTemplateColumns: `repeat(${columns}, 1fr)` }}
      >
        {rows.map((row) => (
          <div
            key={row.target ?? "none"}
            className={cx(styles.tableRow, row.isDefault && styles.tableDefault)}
            data-target={row.target ?? undefined}
            title={`${row.cases} → ${row.label}`}
          >
            <span className={cx(styles.cases, "ellipsis")}>{row.cases}</span>
            <span aria-hidden="true">→</span>
            <span className={cx(styles.label, "ellipsis")}>{row.label}</span>
          </div>
        ))}
      </div>
    </>
  );
}
