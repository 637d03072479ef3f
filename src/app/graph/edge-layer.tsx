/** All lines of the graph in one SVG under the cards: only those near the view, each subscribed to its own face only. */

import { useStore, ViewportPortal } from "@xyflow/react";
import { memo, useMemo } from "react";
import { edgePath, labelPlace } from "../../layout/line-path.ts";
import { cx } from "../ui/cx.ts";
import styles from "./edge-layer.module.css";
import { fromFoot, middleOf } from "./edge-path.ts";
import type { EdgeEvent, EdgeFace } from "./face/faces.ts";
import { useEdgeFace, useLod } from "./face/use-face.ts";
import { type Drawing, type DrawnEdge, type DrawnNode, nodeOfBlock } from "./model/drawing.ts";
import { shortTitle, titleAt, titleSize } from "./model/sides.ts";
import type { OverlayData } from "./overlay/overlay.ts";

/** Letters of the titles above two sides: larger where the picture is smaller. */
const TITLE_SIZES = { full: 22, label: 40, box: 160 } as const;

export function EdgeLayer({ drawing, overlay }: { readonly drawing: Drawing; readonly overlay: OverlayData | null }) {
  const window = useCulling();
  const lod = useLod();
  const { sides = [] } = drawing;
  const size = titleSize(sides, TITLE_SIZES[lod]);
  const far = useStore((s) => s.transform[2] < 0.07);
  const edges = useMemo(() => visible([...drawing.edges.values()], window), [drawing, window]);
  return (
    <ViewportPortal>
      <svg className={cx(styles.layer, styles[far ? "at-far" : `at-${lod}`])} width={1} height={1} aria-hidden="true" focusable="false">
        {edges.map((edge) => (
          <EdgeLine key={edge.id} edge={edge} source={drawing.nodes.get(edge.from)} />
        ))}
        {sides.map((s) => (
          <text key={s.side} {...titleAt(s)} className={styles.title} fontSize={size}>
            <title>{s.title}</title>
            {shortTitle(s, size)}
          </text>
        ))}
        {overlay === null || overlay.links.length === 0 ? null : <Links drawing={drawing} links={overlay.links} />}
      </svg>
    </ViewportPortal>
  );
}

/** The part of the drawing in which lines are mounted, as text so that it stays equal while the view moves within it. */
function useCulling(): string {
  return useStore((s) => {
    const [x, y, zoom] = s.transform;
    const width = s.width / zoom;
    const height = s.height / zoom;
    // Half a view to each side, in steps of half a view.
    const left = Math.floor((-x / zoom - width / 2) / (width / 2)) * (width / 2);
    const top = Math.floor((-y / zoom - height / 2) / (height / 2)) * (height / 2);
    return [left, top, left + width * 2.5, top + height * 2.5].map(Math.round).join(" ");
  });
}

function visible(edges: readonly DrawnEdge[], window: string): readonly DrawnEdge[] {
  const [left = 0, top = 0, right = 0, bottom = 0] = window.split(" ").map(Number);
  return edges.filter((e) => e.x <= right && e.x + e.width >= left && e.y <= bottom && e.y + e.height >= top);
}

const EVENT_MARKS: Readonly<Record<EdgeEvent, string>> = { none: "", focus: "", added: "+", removed: "×", redirected: "↪" };

interface EdgeLineProps {
  readonly edge: DrawnEdge;
  readonly source: DrawnNode | undefined;
}

const EdgeLine = memo(function EdgeLine({ edge, source }: EdgeLineProps) {
  const face = useEdgeFace(edge.id);
  const lod = useLod();
  // Cards keep their size from afar.
  const foot = lod === "full" ? face?.foot : undefined;
  const points = useMemo(
    () => (foot !== undefined && source !== undefined ? fromFoot(edge.points, source, foot) : edge.points),
    [edge, source, foot],
  );
  const d = useMemo(() => edgePath(points), [points]);
  if (face === null || face.hidden) return null;
  const mark = EVENT_MARKS[face.event];
  const place = labelPlace(points);
  const [mx, my] = mark === "" ? [0, 0] : middleOf(points);
  return (
    <g className={cx(...edgeClasses(edge, face))}>
      <path d={d} />
      {lod === "box" || face.label === "" || !face.present ? null : (
        <text x={place.x} y={place.y} textAnchor={place.anchor}>
          {face.label}
        </text>
      )}
      {mark === "" ? null : (
        <>
          <circle cx={mx} cy={my} r={8} />
          <text x={mx} y={my + 4} className={styles.mark}>
            {mark}
          </text>
        </>
      )}
    </g>
  );
});

export function edgeClasses(edge: DrawnEdge, face: EdgeFace): readonly (string | undefined | false)[] {
  return [
    styles.edge,
    edge.role === "flow" ? styles[face.label === "T" ? "true" : face.label === "F" ? "false" : "plain"] : styles.case,
    face.kind === "fall" && edge.role === "flow" && styles.fall,
    edge.back && styles[face.retreating || edge.role === "case" ? "back" : "upOnly"],
    !edge.back && face.retreating && styles.retreatOnly,
    face.diff === "added" && styles.diffAdded,
    face.diff === "removed" && styles.diffRemoved,
    !face.present && styles.ghost,
    face.related && styles.related,
    face.hovered && styles.hovered,
    face.event !== "none" && styles.event,
    face.event === "removed" && styles.removed,
    face.selected && styles.selected,
  ];
}

/** Arrows of an overlay: straight from card to card; those of one pair of cards, of which a region has many, are one. */
function Links({ drawing, links }: { readonly drawing: Drawing; readonly links: OverlayData["links"] }) {
  const paths = useMemo(() => {
    const between = new Map<string, string>();
    for (const [from, to] of links) {
      const [a, b] = [nodeOfBlock(drawing, from), nodeOfBlock(drawing, to)];
      if (a !== null && b !== null && a !== b) between.set(`${a.id}>${b.id}`, linkPath(a, b));
    }
    return [...between];
  }, [drawing, links]);
  return (
    <g className={styles.link}>
      {paths.map(([key, d]) => (
        <path key={key} d={d} />
      ))}
    </g>
  );
}

/** A bowed line between the facing sides of two cards. */
function linkPath(a: DrawnNode, b: DrawnNode): string {
  const down = b.y >= a.y;
  const [ax, ay] = [a.x + a.width * 0.3, down ? a.y + a.height : a.y];
  const [bx, by] = [b.x + b.width * 0.3, down ? b.y : b.y + b.height];
  const bow = Math.max(24, Math.abs(by - ay) / 3) * (down ? 1 : -1);
  const tip = down ? -7 : 7;
  return `M${ax} ${ay}C${ax} ${ay + bow} ${bx} ${by - bow} ${bx} ${by}M${bx - 4} ${by + tip}L${bx} ${by}L${bx + 4} ${by + tip}`;
}
