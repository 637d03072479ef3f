/** The phase's algorithm with the current line; a click sets a breakpoint, folding lines makes steps longer. */

import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { foldedLines, indentOf } from "../../session/actions/position.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { selectEvent, selectPhase, selectTrace } from "../../session/selectors.ts";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { plural } from "../../ui/plural.ts";
import type { Inspector } from "../inspector.ts";
import styles from "./pseudocode.module.css";

const NO_FOLDS: readonly number[] = [];
const NO_STACK: readonly never[] = [];

function Pseudocode() {
  const trace = useSession(selectTrace);
  const phase = useSession(selectPhase);
  const event = useSession(selectEvent);
  const stack = useSession((s) => s.position.moment?.stack ?? NO_STACK);
  const folds = useSession((s) => (trace === null ? NO_FOLDS : (s.view.folds[trace.id] ?? NO_FOLDS)));
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
  const hidden = useMemo(() => (trace === null ? new Set<number>() : foldedLines(trace.pseudocode, folds)), [trace, folds]);
  const line = event?.line ?? 0;

  useEffect(() => {
    if (line > 0) box.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: "nearest" });
  }, [line]);

  if (trace === null || trace.pseudocode.length === 0) {
    const title = phase === null ? "Nothing has run yet." : phase.ran ? "This phase has no pseudocode." : "This phase did not run.";
    return <EmptyState title={title}>Open a phase that ran: its algorithm is shown here, with the line of the current step.</EmptyState>;
  }
  const { pseudocode, id } = trace;
  const visible = pseudocode.map((_, i) => i + 1).filter((n) => !hidden.has(n));
  const opens = (n: number) => n < pseudocode.length && indentOf(pseudocode[n] ?? "") > indentOf(pseudocode[n - 1] ?? "");
  const enclosing = new Set(stack.map((s) => s.line));
  const toggleBreakpoint = (n: number) => actions.breakpoints.toggle({ kind: "line", line: n });

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
        if (opens(focused) && !folds.includes(focused)) actions.view.toggleFold(id, focused);
        break;
      case "ArrowRight":
        if (folds.includes(focused)) actions.view.toggleFold(id, focused);
        break;
      case "Enter":
      case " ":
        toggleBreakpoint(focused);
        break;
      default:
        return;
    }
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <div
      ref={box}
      className={styles.code}
      role="tree"
      aria-label={`Pseudocode of ${phase?.name ?? id}. Enter sets a breakpoint, left and right fold.`}
      onKeyDown={keyDown}
    >
      {visible.map((n) => {
        const text = pseudocode[n - 1] ?? "";
        const set = breakpoints.some((b) => b.enabled && b.breakpoint.kind === "line" && b.breakpoint.line === n);
        const folded = folds.includes(n);
        const count = hits[n] ?? 0;
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys
          <div
            key={n}
            data-line={n}
            role="treeitem"
            aria-level={Math.floor(indentOf(text) / 2) + 1}
            aria-expanded={opens(n) ? !folded : undefined}
            aria-current={n === line ? "step" : undefined}
            aria-selected={n === line}
            aria-label={`${n} ${text.trim()}${set ? ", breakpoint" : ""}${n === line ? ", current line" : ""}, ${plural(count, "step")}`}
            tabIndex={n === (hidden.has(focused) || focused > pseudocode.length ? visible[0] : focused) ? 0 : -1}
            className={cx(
              styles.line,
              n === line && styles.current,
              n !== line && enclosing.has(n) && styles.enclosing,
              set && styles.set,
              count === 0 && styles.never,
            )}
            title={count === 0 ? "Not reached in this trace" : `${plural(count, "step")} here. Click: breakpoint`}
            onClick={() => {
              setFocused(n);
              toggleBreakpoint(n);
            }}
          >
            <span className={styles.mark} aria-hidden="true">
              <span className={styles.dot} />
            </span>
            <span className={styles.number}>{n}</span>
            {opens(n) ? (
              <button
                type="button"
                tabIndex={-1}
                className={styles.fold}
                aria-label={folded ? "Unfold: steps inside count again" : "Fold: pass over the steps inside"}
                onClick={(e) => {
                  e.stopPropagation();
                  actions.view.toggleFold(id, n);
                }}
              >
                <Icon name={folded ? "chevronRight" : "chevronDown"} size={12} />
              </button>
            ) : (
              <span className={styles.fold} />
            )}
            <span className={styles.text} style={{ paddingLeft: `${indentOf(text)}ch` }}>
              {text.trim()}
              {folded ? <span className={styles.folded}> …</span> : null}
            </span>
            <span className={styles.hits}>{count === 0 ? "" : count}</span>
          </div>
        );
      })}
    </div>
  );
}

export const PSEUDOCODE: Inspector = {
  id: "pseudocode",
  title: "Pseudocode",
  dock: "top",
  relevant: (s) => (s.position.trace?.pseudocode.length ?? 0) > 0,
  component: Pseudocode,
};
