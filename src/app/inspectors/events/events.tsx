/** The event log: the trace as a tree of sentences, filtered by kind and text. */

import { useCallback, useEffect, useMemo, useState } from "react";
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
  const step = useSession((s) => s.position.step);
  const hidden = useSession((s) => s.view.hiddenGroups);
  const filter = useSession((s) => s.view.eventFilter);
  const actions = useActions();
  const [closed, setClosed] = useState<{ run: number; steps: ReadonlySet<number> }>({ run: -1, steps: NOTHING });
  const closedSteps = closed.run === trace?.run ? closed.steps : NOTHING;
  const { matches, cut } = useEventSearch(trace, filter);
  const pages = useEventPages(trace);
  const rows = useMemo(
    () => (trace === null ? new Int32Array(0) : visibleSteps(trace, hidden, closedSteps, matches)),
    [trace, hidden, closedSteps, matches],
  );
  const [visible, setVisible] = useState<readonly [number, number]>([0, 40]);

  useEffect(() => {
    pages.want(rows.subarray(visible[0], visible[1]));
  }, [rows, visible, pages]);
  const onVisible = useCallback(
    (first: number, last: number) => setVisible((v) => (v[0] === first && v[1] === last ? v : [first, last])),
    [],
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
        <TextField
          label="Filter events"
          hideLabel
          type="search"
          placeholder="Filter events"
          value={filter}
          onChange={(eventFilter) => actions.view.set({ eventFilter })}
        />
        <Row wrap gap="hair" role="group" aria-label="Kinds shown">
          {KIND_GROUPS.map((group) => (
            <button
              key={group}
              type="button"
              className={styles.kind}
              aria-pressed={!hidden.includes(group)}
              title={`${hidden.includes(group) ? "Show" : "Hide"} ${GROUP_TITLES[group]}`}
              aria-label={`Show ${GROUP_TITLES[group]}`}
              onClick={() => actions.view.toggleGroup(group)}
            >
              <span className={styles.dot} style={{ background: `var(--kind-${group})` }} />
              {GROUP_TITLES[group]}
            </button>
          ))}
        </Row>
        <span className="muted num">
          {rows.length.toLocaleString("en")} of {trace.steps.toLocaleString("en")}
        </span>
        {cut ? <Badge tone="warn">text searched only in the first {SEARCH_LIMIT.toLocaleString("en")} only</Badge> : null}
      </Toolbar>
      {rows.length === 0 ? (
        <EmptyState title="No event matches the filters." />
      ) : (
        <VirtualList
          label="Events of this phase"
          role="tree"
          count={rows.length}
          rowHeight={22}
          active={rowOfStep(rows, step)}
          onActivate={(index) => actions.position.seek(rows[index] ?? 0)}
          onVisible={onVisible}
          level={(index) => (trace.depths[rows[index] ?? 0] ?? 0) + 1}
          expanded={(index) => (opensSpan(trace, rows[index] ?? 0) ? !closedSteps.has(rows[index] ?? 0) : undefined)}
          onKey={(event, index) => {
            const at = rows[index];
            if (at === undefined) return false;
            const open = !closedSteps.has(at);
            if (event.key === "ArrowLeft") {
              if (opensSpan(trace, at) && open) toggle(at);
              else actions.position.seek(trace.parents[at] ?? -1);
              return true;
            }
            if (event.key === "ArrowRight") {
              if (opensSpan(trace, at) && !open) toggle(at);
              else actions.position.move("into", 1);
              return true;
            }
            return false;
          }}
          row={(index, active) => {
            const at = rows[index] ?? 0;
            const event = pages.get(at);
            const span = opensSpan(trace, at);
            return (
              <div className={cx(styles.row, active && at === step && styles.active)}>
                <span
                  className={trace.changes[at] === 1 ? styles.changes : styles.same}
                  title={trace.changes[at] === 1 ? "changes the program" : undefined}
                />
                <span className={styles.step}>{at + 1}</span>
                <span style={{ width: Math.min(12, trace.depths[at] ?? 0) * 10, flex: "none" }} />
                {span ? (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
                  <span
                    className={styles.twist}
                    onClick={(e) => {
                      e.stopPropagation();
                      toggle(at);
                    }}
                  >
                    <Icon name={closedSteps.has(at) ? "chevronRight" : "chevronDown"} size={12} />
                  </span>
                ) : (
                  <span className={styles.twist} />
                )}
                <KindMark kind={kindAt(trace.kinds, at)} />
                <span className={cx(styles.sentence, event?.facts.verdict === "no" && "quiet")} title={event?.sentence}>
                  {event?.sentence ?? "…"}
                </span>
                {event === null ? null : <Verdict facts={event.facts} short />}
              </div>
            );
          }}
        />
      )}
    </>
  );
}
