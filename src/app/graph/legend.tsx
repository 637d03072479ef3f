/** What lines, colours and chips mean, and what was simplified. */

import { memo, useMemo } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { cx } from "../ui/cx.ts";
import { Row } from "../ui/layout.tsx";
import { plural } from "../ui/plural.ts";
import { valueHue } from "../ui/value-hue.ts";
import edge from "./edge-layer.module.css";
import type { Comparison } from "./face/faces.ts";
import styles from "./graph-pane.module.css";
import { closeRegions } from "./graph-view.ts";
import type { Drawing } from "./model/drawing.ts";
import { pairKey } from "./model/graph-model.ts";
import { diffCounts } from "./model/states.ts";
import card from "./node/card.module.css";
import type { LegendItem, OverlayData } from "./overlay/overlay.ts";

interface LegendProps {
  readonly drawing: Drawing;
  readonly compare: Comparison | null;
  readonly overlay: OverlayData | null;
}

export const Legend = memo(function Legend({ drawing, compare, overlay }: LegendProps) {
  const session = useSessionObject();
  const near = useSession((s) => s.graph.near);
  const opened = useSession((s) => s.graph.opened.size);
  const { simplified } = drawing.layout;
  const meanings = useSession((s) => s.graph.meanings);
  const explained = overlay !== null && (overlay.legend.length > 0 || overlay.note !== null);
  if (simplified === null && opened === 0 && compare === null && near === 0 && !explained && !meanings) return null;
  return (
    <Row wrap align="start" gap={1} pad={[1, 2]} rigid scroll className={cx(styles.legend, "line-above small")}>
      {simplified === null ? null : (
        <details className={cx(styles.note, "boxed")}>
          <summary>{simplified.summary}</summary>
          <p>{simplified.reason}</p>
        </details>
      )}
      {opened === 0 ? null : (
        <p className={cx(styles.note, "boxed")}>
          {plural(opened, "region is", "regions are")} open.{" "}
          <button type="button" className="link-button" onClick={() => closeRegions(session)}>
            Close
          </button>
        </p>
      )}
      {compare === null ? null : (
        <p className={cx(styles.note, "boxed")}>
          {"Blocks: "}
          <DiffLegend compare={compare} />
        </p>
      )}
      {near === 0 ? null : (
        <p className={cx(styles.note, "boxed")}>
          {near} {near === 1 ? "step" : "steps"} around the selection.{" "}
          <button type="button" className="link-button" onClick={() => session.patch("graph", { near: 0 })}>
            Show all
          </button>
        </p>
      )}
      {!explained ? null : (
        <Row wrap gap={["hair", 3]} className={cx(styles.key, "boxed")}>
          {overlay.legend.map((item) => (
            <Row as="span" gap={2} key={item.id}>
              <Swatch item={item} />
              {item.text}
            </Row>
          ))}
          {overlay.note === null ? null : <p>{overlay.note}</p>}
        </Row>
      )}
      {meanings ? <Meanings drawing={drawing} /> : null}
    </Row>
  );
});

function Meanings({ drawing }: { readonly drawing: Drawing }) {
  const disagree = useDisagreement(drawing);
  const tables = [...drawing.nodes.values()].some((n) => n.kind === "table");
  return (
    <Row as="section" wrap gap={["hair", 3]} className={cx(styles.key, "boxed")} aria-label="What the lines mean">
      <Line className={edge.true} text="T: branch taken" />
      <Line className={edge.false} text="F: not taken" />
      <Line className={edge.plain} text="jump" />
      <Line className={cx(edge.plain, edge.fall)} text="falls through" />
      <Line className={edge.back} text="back edge: drawn upwards, to a lower RPO number" />
      {disagree ? (
        <>
          <Line className={edge.upOnly} text="drawn upwards, but to a higher RPO number" />
          <Line className={edge.retreatOnly} text="to a lower RPO number, but drawn downwards" />
        </>
      ) : null}
      {tables ? <Line className={edge.case} text="cases of a table" /> : null}
      <Line className={edge.ghost} text="does not exist at this step" />
    </Row>
  );
}

const DIFFS = ["added", "removed", "changed"] as const;
const SIGNS = { added: "+", removed: "−", changed: "≠" } as const;

/** How many blocks differ, each kind in the colour that is visible from afar. */
function DiffLegend({ compare: { base, head } }: { readonly compare: Comparison }) {
  const moment = useSession((s) => s.position.moment);
  const counts = useMemo(() => diffCounts(base, head ?? moment), [base, head, moment]);
  const some = DIFFS.filter((diff) => counts[diff] > 0);
  if (some.length === 0) return "no block differs. ";
  return some.map((diff) => (
    <span key={diff} className={styles.diff}>
      <span className={cx(styles.swatch, card[`diff-${diff}`])} />
      {`${SIGNS[diff]} ${counts[diff]} ${diff} `}
    </span>
  ));
}

/** Whether some edge is drawn one way and numbered the other: in irreducible loops, and where nothing has numbered the blocks yet. */
function useDisagreement(drawing: Drawing): boolean {
  return useMemo(() => {
    const retreating = new Set(drawing.model.union.edges.filter((e) => e.retreating).map((e) => pairKey(e.from, e.to)));
    return [...drawing.edges.values()].some(
      (e) => e.role === "flow" && e.pairs.length > 0 && e.back !== e.pairs.some(([from, to]) => retreating.has(pairKey(from, to))),
    );
  }, [drawing]);
}

function Line({ className, text }: { readonly className: string | undefined; readonly text: string }) {
  return (
    <Row as="span" gap={2}>
      <svg width={28} height={10} aria-hidden="true">
        <g className={cx(edge.edge, className)}>
          <path d="M1 5H27" />
        </g>
      </svg>
      {text}
    </Row>
  );
}

function Swatch({ item }: { readonly item: LegendItem }) {
  const { swatch } = item;
  switch (swatch?.kind) {
    case "tone":
      return <span className={cx(styles.swatch, card[swatch.tone])} />;
    case "value":
      return <span className={styles.swatch} style={{ background: valueHue(swatch.value) }} />;
    case "link":
      return (
        <svg width={28} height={10} aria-hidden="true">
          <g className={edge.link}>
            <path d="M1 5H27" />
          </g>
        </svg>
      );
    case undefined:
      return null;
  }
}
