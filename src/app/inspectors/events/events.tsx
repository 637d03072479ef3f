/** The event log: the trace as a tree of sentences, filtered by kind and text. */

import { type KeyboardEvent, useCallback, useEffect, useMemo, useState } from "react";
import type { TraceInfo } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { GROUP_TITLES, KIND_GROUPS, kindAt } from "../../session/event-kinds.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { selectTrace } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Row, Toolbar } from "../../ui/layout.tsx";
import { VirtualList } from "../../ui/virtual-list.tsx";
import { KindMark } from "../shared/kind-mark.tsx";
import { Verdict } from "../shared/verdict.tsx";
import styles from "./events.module.css";
import { opensSpan, rowOfStep, visibleSteps } from "./rows.ts";
import { SEARCH_LIMIT, useEventPages, useEventSearch } from "./use-events.ts";

const NOTHING: ReadonlySet<number> = new Set();

export function Events() {
  const trace = useSession(selectTrace);
  const hidden = useSession((s) => s.view.hiddenGroups);
  const filter = useSession((s) => s.view.eventFilter);
  const [closed, setClosed] = useState<{ run: number; steps: ReadonlySet<number> }>({ run: -1, steps: NOTHING });
  const closedSteps = closed.run === trace?.run ? closed.steps : NOTHING;
  const { matches, cut, error } = useEventSearch(trace, filter);
  const rows = useMemo(
    () => (trace === null ? new Int32Array(0) : visibleSteps(trace, hidden, closedSteps, matches)),
    [trace, hidden, closedSteps, matches],
  );
  if (trace === null || trace.steps === 0) return <EmptyState title="No events.">Open a phase that ran.</EmptyState>;
  const toggle = (at: number) => {
    const next = new Set(closedSteps);
    if (!next.delete(at)) next.add(at);
    setClosed({ run: trace.run, steps: next });
  };
  return (
    <>
      <Toolbar>
        <Filters />
        <span className="muted num">
          {rows.length.toLocaleString("en")} of {trace.steps.toLocaleString("en")}
        </span>
        {cut ? <Badge tone="warn">text searched in the first {SEARCH_LIMIT.toLocaleString("en")} only</Badge> : null}
        {error === null ? null : <Badge tone="warn">text not searched: {error}</Badge>}
      </Toolbar>
      {rows.length === 0 ? (
        <EmptyState title="No event matches the filters." />
      ) : (
        <Tree trace={trace} rows={rows} closed={closedSteps} toggle={toggle} />
      )}
    </>
  );
}

/** By text, and by kind. */
function Filters() {
  const hidden = useSession((s) => s.view.hiddenGroups);
  const filter = useSession((s) => s.view.eventFilter);
  const { view } = useActions();
  return (
    <>
      <TextField
        label="Filter events"
        hideLabel
        type="search"
        placeholder="Filter events"
        value={filter}
        onChange={(eventFilter) => view.set({ eventFilter })}
      />
      <Row wrap gap="hair" role="group" aria-label="Kinds shown">
        {KIND_GROUPS.map((group) => (
          <button
            key={group}
            type="button"
            className={cx(styles.kind, "boxed small hovers")}
            aria-pressed={!hidden.includes(group)}
            title={`${hidden.includes(group) ? "Show" : "Hide"} ${GROUP_TITLES[group]}`}
            aria-label={`Show ${GROUP_TITLES[group]}`}
            onClick={() => view.toggleGroup(group)}
          >
            <span className={styles.dot} style={{ background: `var(--kind-${group})` }} />
            {GROUP_TITLES[group]}
          </button>
        ))}
      </Row>
    </>
  );
}

interface TreeProps {
  readonly trace: TraceInfo;
  /** The steps shown. */
  readonly rows: Int32Array;
  /** Spans whose inside is hidden. */
  readonly closed: ReadonlySet<number>;
  readonly toggle: (at: number) => void;
}

function Tree({ trace, rows, closed, toggle }: TreeProps) {
  const step = useSession((s) => s.position.step);
  const { position } = useActions();
  const pages = useEventPages(trace);
  const [visible, setVisible] = useState<readonly [number, number]>([0, 40]);
  useEffect(() => {
    pages.want(rows.subarray(visible[0], visible[1]));
  }, [rows, visible, pages]);
  const onVisible = useCallback(
    (first: number, last: number) => setVisible((v) => (v[0] === first && v[1] === last ? v : [first, last])),
    [],
  );
  const openOf = (at: number): boolean | undefined => (opensSpan(trace, at) ? !closed.has(at) : undefined);
  const onKey = ({ key }: KeyboardEvent, index: number): boolean => {
    const at = rows[index];
    if (at === undefined || (key !== "ArrowLeft" && key !== "ArrowRight")) return false;
    const left = key === "ArrowLeft";
    if (openOf(at) === left) toggle(at);
    else if (left) position.seek(trace.parents[at] ?? -1);
    else position.move("into", 1);
    return true;
  };
  return (
    <VirtualList
      label="Events of this phase"
      role="tree"
      count={rows.length}
      rowHeight={22}
      active={rowOfStep(rows, step)}
      onActivate={(index) => position.seek(rows[index] ?? 0)}
      onVisible={onVisible}
      level={(index) => (trace.depths[rows[index] ?? 0] ?? 0) + 1}
      expanded={(index) => openOf(rows[index] ?? 0)}
      onKey={onKey}
      row={(index, active) => {
        const at = rows[index] ?? 0;
        return <EventRow trace={trace} at={at} event={pages.get(at)} open={openOf(at)} active={active && at === step} toggle={toggle} />;
      }}
    />
  );
}

interface RowProps {
  readonly trace: TraceInfo;
  readonly at: number;
  /** Null while its page is fetched. */
  readonly event: TraceEvent | null;
  /** Of a span. */
  readonly open: boolean | undefined;
  readonly active: boolean;
  readonly toggle: (at: number) => void;
}

function EventRow({ trace, at, event, open, active, toggle }: RowProps) {
  const changes = trace.changes[at] === 1;
  return (
    <Row className={cx(styles.row, "nowrap hovers", active && "is-current")}>
      <span className={cx(styles.edge, changes && styles.changes, "rigid")} title={changes ? "changes the program" : undefined} />
      <span className="line-number small" style={{ width: 44 }}>
        {at + 1}
      </span>
      <span style={{ width: Math.min(12, trace.depths[at] ?? 0) * 10, flex: "none" }} />
      {open === undefined ? (
        <span className={styles.twist} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
        <span
          className={styles.twist}
          onClick={(e) => {
            e.stopPropagation();
            toggle(at);
          }}
        >
          <Icon name={open ? "chevronDown" : "chevronRight"} size={12} />
        </span>
      )}
      <KindMark kind={kindAt(trace.kinds, at)} />
      <span className={cx("ellipsis", event?.facts.verdict === "no" && "quiet")} title={event?.sentence}>
        {event?.sentence ?? "…"}
      </span>
      {event === null ? null : <Verdict facts={event.facts} short />}
    </Row>
  );
}
