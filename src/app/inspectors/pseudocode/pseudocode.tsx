/** The phase's algorithm with the current line; a click sets a breakpoint, folding lines makes steps longer. */

import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { plainName } from "../../names/phases.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { foldedLines, indentOf, opensAt, readLine, unusedLines } from "../../session/position/folds.ts";
import { selectEvent, selectPhase, selectTrace } from "../../session/selectors.ts";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import styles from "./pseudocode.module.css";

const NO_STACK: readonly never[] = [];

export function Pseudocode() {
  const trace = useSession(selectTrace);
  const phase = useSession(selectPhase);
  const event = useSession(selectEvent);
  const stack = useSession((s) => s.position.moment?.stack ?? NO_STACK);
  const chosen = useSession((s) => (trace === null ? undefined : s.view.folds[trace.id]));
  const breakpoints = useSession((s) => s.breakpoints.list);
  const actions = useActions();
  const [focused, setFocused] = useState(1);
  const box = useRef<HTMLDivElement>(null);

  const hits = useMemo(() => {
    const counts = new Uint32Array((trace?.pseudocode.length ?? 0) + 1);
    for (let step = 0; step < (trace?.steps ?? 0); step++) {
      const line = trace?.lines[step] ?? 0;
      if (line < counts.length) counts[line] = (counts[line] ?? 0) + 1;
    }
    return counts;
  }, [trace]);
  const unused = useMemo(() => unusedLines(trace?.pseudocode ?? [], hits), [trace, hits]);
  // Until one is chosen, what this run does not use is folded: other modes, targets and policies.
  const folds = useMemo(() => chosen ?? [...unused].filter((n) => opensAt(trace?.pseudocode ?? [], n)), [trace, chosen, unused]);
  const hidden = useMemo(() => foldedLines(trace?.pseudocode ?? [], folds), [trace, folds]);
  const line = event?.line ?? 0;

  const id = trace?.id ?? "";
  const press = useCallback(
    (n: number) => {
      setFocused(n);
      actions.breakpoints.toggle({ kind: "line", line: n });
    },
    [actions],
  );
  const fold = useCallback(
    (n: number) => actions.view.setFolds(id, folds.includes(n) ? folds.filter((each) => each !== n) : [...folds, n]),
    [actions, id, folds],
  );

  useEffect(() => {
    if (line > 0) box.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: "nearest" });
  }, [line]);

  if (trace === null || trace.pseudocode.length === 0) {
    const title = phase === null ? "Nothing has run yet." : phase.ran ? "This phase has no pseudocode." : "This phase did not run.";
    return <EmptyState title={title}>Open a phase that ran to see its algorithm here, with the line of the current step.</EmptyState>;
  }
  const { pseudocode } = trace;
  const lines = pseudocode.map(readLine);
  const inBinary = lines.flatMap(({ binary }, i) => (binary === null ? [] : [{ n: i + 1, binary }]));
  const visible = pseudocode.map((_, i) => i + 1).filter((n) => !hidden.has(n));
  const opens = (n: number) => opensAt(pseudocode, n);
  const enclosing = new Set(stack.map((s) => s.line));
  const set = new Set(breakpoints.flatMap(({ enabled, breakpoint: b }) => (enabled && b.kind === "line" ? [b.line] : [])));
  const focusable = hidden.has(focused) || focused > pseudocode.length ? visible[0] : focused;

  const keyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.ctrlKey || e.metaKey) return;
    const at = visible.indexOf(focused);
    const go = (n: number | undefined) => {
      if (n === undefined) return;
      setFocused(n);
      box.current?.querySelector<HTMLElement>(`[data-line="${n}"]`)?.focus();
    };
    switch (e.key) {
      case "ArrowDown":
        go(visible[at + 1]);
        break;
      case "ArrowUp":
        go(visible[at - 1]);
        break;
      case "Home":
        go(visible[0]);
        break;
      case "End":
        go(visible.at(-1));
        break;
      case "ArrowLeft":
        if (opens(focused) && !folds.includes(focused)) fold(focused);
        break;
      case "ArrowRight":
        if (folds.includes(focused)) fold(focused);
        break;
      case "Enter":
      case " ":
        actions.breakpoints.toggle({ kind: "line", line: focused });
        break;
      default:
        return;
    }
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <div className={styles.code}>
      <div
        ref={box}
        role="tree"
        aria-label={`Algorithm of ${phase === null ? id : plainName(phase)}. Enter toggles a breakpoint, Left and Right fold and unfold.`}
        onKeyDown={keyDown}
      >
        {visible.map((n) => (
          <Line
            key={n}
            n={n}
            text={lines[n - 1]?.text ?? ""}
            opens={opens(n)}
            folded={folds.includes(n)}
            set={set.has(n)}
            count={hits[n] ?? 0}
            unused={unused.has(n)}
            place={n === line ? "current" : enclosing.has(n) ? "enclosing" : "other"}
            focusable={n === focusable}
            onPress={press}
            onFold={fold}
          />
        ))}
      </div>
      {inBinary.length === 0 ? null : (
        <details className={styles.binary}>
          <summary>In the binary</summary>
          <DataTable
            label="Addresses, offsets and opcodes of lines"
            untitled
            rows={inBinary}
            rowKey={({ n }) => n}
            columns={[
              { title: "Line", head: true, align: "end", cell: ({ n }) => n },
              { title: "In the binary", mono: true, cell: ({ binary }) => binary },
            ]}
          />
        </details>
      )}
    </div>
  );
}

interface LineProps {
  /** Number of the line, from 1. */
  readonly n: number;
  readonly text: string;
  /** Deeper lines follow: it can be folded. */
  readonly opens: boolean;
  readonly folded: boolean;
  /** Has a breakpoint. */
  readonly set: boolean;
  /** Steps of the trace at this line. */
  readonly count: number;
  /** Neither it nor a line below it. */
  readonly unused: boolean;
  readonly place: "current" | "enclosing" | "other";
  readonly focusable: boolean;
  readonly onPress: (n: number) => void;
  readonly onFold: (n: number) => void;
}

/** A step renders the lines it leaves and enters, not all of them. */
const Line = memo(function Line({ n, text, opens, folded, set, count, unused, place, focusable, onPress, onFold }: LineProps) {
  const current = place === "current";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
    <div
      data-line={n}
      role="treeitem"
      aria-level={Math.floor(indentOf(text) / 2) + 1}
      aria-expanded={opens ? !folded : undefined}
      aria-current={current ? "step" : undefined}
      aria-selected={current}
      aria-label={`${n} ${text.trim()}${set ? ", breakpoint" : ""}${current ? ", current line" : ""}, ${plural(count, "step")}`}
      tabIndex={focusable ? 0 : -1}
      className={cx(
        styles.line,
        current && styles.current,
        place === "enclosing" && styles.enclosing,
        set && styles.set,
        unused && styles.never,
      )}
      title={unused ? "Not reached in this run" : `${plural(count, "step")} here. Click to toggle a breakpoint`}
      onClick={() => onPress(n)}
    >
      <Row as="span" justify="center" rigid className={styles.mark} aria-hidden="true">
        <span className={styles.dot} />
      </Row>
      <span className={styles.number}>{n}</span>
      {opens ? (
        <button
          type="button"
          tabIndex={-1}
          className={styles.fold}
          aria-label={folded ? "Unfold: stop at the steps inside again" : "Fold: step over what is inside"}
          onClick={(e) => {
            e.stopPropagation();
            onFold(n);
          }}
        >
          <Icon name={folded ? "chevronRight" : "chevronDown"} size={12} />
        </button>
      ) : (
        <span className={styles.fold} />
      )}
      <span className={styles.text} style={{ paddingLeft: `${indentOf(text)}ch` }}>
        {text.trim()}
        {folded ? <span className="muted"> …</span> : null}
      </span>
      <span className={styles.hits}>{count === 0 ? "" : count}</span>
    </div>
  );
});
