/** The phase's algorithm with the current line; a click sets a breakpoint, folding lines makes steps longer. */

import { type KeyboardEvent, memo, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TraceInfo } from "../../../engine/api/types.ts";
import { isOwnPhase, plainName } from "../../names/phases.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { type FoldChoices, foldedLines, foldsOf, indentOf, opensAt, readLine, unusedLines } from "../../session/position/folds.ts";
import { selectEvent, selectPhase, selectRecorded, selectTrace } from "../../session/selectors.ts";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Panel, Row } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import styles from "./pseudocode.module.css";

const NO_STACK: readonly never[] = [];
const NO_LINES: ReadonlySet<number> = new Set();
const NO_CHOICES: FoldChoices = {};

export function Pseudocode() {
  const trace = useSession(selectTrace);
  const phase = useSession(selectPhase);
  if (trace !== null && trace.pseudocode.length > 0) return <Algorithm trace={trace} name={phase === null ? trace.id : plainName(phase)} />;
  const title = phase === null ? "Nothing has run yet." : phase.ran ? "This phase has no pseudocode." : "This phase did not run.";
  return <EmptyState title={title}>Open a phase that ran to see its algorithm here, with the line of the current step.</EmptyState>;
}

function Algorithm({ trace, name }: { readonly trace: TraceInfo; readonly name: string }) {
  const { pseudocode } = trace;
  const current = useSession((s) => selectEvent(s)?.line ?? 0);
  const stack = useSession((s) => s.position.moment?.stack ?? NO_STACK);
  const breakpoints = useSession((s) => s.breakpoints.list);
  const { breakpoints: actions } = useActions();
  const { lines, steps, unused, folds, fold, visible } = useLines(trace);
  const { box, focused, choose, moves } = useFocusedLine(visible);
  const enclosing = new Set(stack.map((s) => s.line));
  const set = new Set(breakpoints.flatMap(({ enabled, breakpoint: b }) => (enabled && b.kind === "line" ? [b.line] : [])));

  useEffect(() => {
    if (current > 0) box.current?.querySelector(`[data-line="${current}"]`)?.scrollIntoView({ block: "nearest" });
  }, [current, box]);

  const press = useCallback(
    (n: number) => {
      choose(n);
      actions.toggle({ kind: "line", line: n });
    },
    [choose, actions],
  );
  const isFolded = folds.includes(focused);
  const keys: Readonly<Record<string, () => void>> = {
    ...moves,
    ArrowLeft: () => opensAt(pseudocode, focused) && !isFolded && fold(focused),
    ArrowRight: () => isFolded && fold(focused),
    Enter: () => press(focused),
    " ": () => press(focused),
  };
  const keyDown = (e: KeyboardEvent): void => {
    const action = e.altKey || e.ctrlKey || e.metaKey ? undefined : keys[e.key];
    if (action === undefined) return;
    action();
    e.preventDefault();
    e.stopPropagation();
  };

  return (
    <Panel pad={[1, 0]} className="mono">
      <div
        ref={box}
        role="tree"
        aria-label={`Algorithm of ${name}. Enter toggles a breakpoint, Left and Right fold and unfold.`}
        onKeyDown={keyDown}
      >
        {visible.map((n) => (
          <Line
            key={n}
            n={n}
            text={lines[n - 1]?.text ?? ""}
            opens={opensAt(pseudocode, n)}
            folded={folds.includes(n)}
            set={set.has(n)}
            count={steps[n] ?? 0}
            unused={unused.has(n)}
            place={n === current ? "current" : enclosing.has(n) ? "enclosing" : "other"}
            focusable={n === focused}
            onPress={press}
            onFold={fold}
          />
        ))}
      </div>
      <InBinary rows={lines.flatMap(({ binary }, i) => (binary === null ? [] : [{ n: i + 1, binary }]))} />
    </Panel>
  );
}

/** The lines as they are shown, the steps at each, and which are visible. */
function useLines(trace: TraceInfo) {
  const { pseudocode } = trace;
  // Of a person's own pass it is the source, whose comments stay where they are, and whose steps are where it reports.
  const isSource = useSession(selectRecorded) || isOwnPhase(trace);
  const lines = useMemo(() => pseudocode.map((text) => (isSource ? { text, binary: null } : readLine(text))), [pseudocode, isSource]);
  const steps = useMemo(() => stepsByLine(trace), [trace]);
  const unused = useMemo(() => (isSource || trace.cut ? NO_LINES : unusedLines(pseudocode, steps)), [pseudocode, steps, isSource, trace]);
  const { folds, fold } = useFolds(trace, unused);
  const visible = useMemo(() => {
    const hidden = foldedLines(pseudocode, folds);
    return pseudocode.map((_, i) => i + 1).filter((n) => !hidden.has(n));
  }, [pseudocode, folds]);
  return { lines, steps, unused, folds, fold, visible };
}

/** The line that has the focus in the tree, and the keys that move it. */
function useFocusedLine(visible: readonly number[]) {
  const box = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(1);
  const focused = visible.includes(chosen) ? chosen : (visible[0] ?? 1);
  const go = (n: number | undefined): void => {
    if (n === undefined) return;
    choose(n);
    box.current?.querySelector<HTMLElement>(`[data-line="${n}"]`)?.focus();
  };
  const moves = {
    ArrowDown: () => go(visible[visible.indexOf(focused) + 1]),
    ArrowUp: () => go(visible[visible.indexOf(focused) - 1]),
    Home: () => go(visible[0]),
    End: () => go(visible.at(-1)),
  };
  return { box, focused, choose, moves };
}

/** Line, from 1, to the steps of the trace at it. */
function stepsByLine({ pseudocode, lines }: TraceInfo): Uint32Array {
  const steps = new Uint32Array(pseudocode.length + 1);
  for (const line of lines) if (line < steps.length) steps[line] = (steps[line] ?? 0) + 1;
  return steps;
}

/** What this run does not use is folded, unless a person unfolds it: other modes, targets and policies. */
function useFolds({ id, pseudocode }: TraceInfo, unused: ReadonlySet<number>) {
  const { view } = useActions();
  const choices = useSession((s) => s.view.folds[id] ?? NO_CHOICES);
  const folds = useMemo(
    () =>
      foldsOf(
        choices,
        [...unused].filter((n) => opensAt(pseudocode, n)),
      ),
    [choices, unused, pseudocode],
  );
  const fold = useCallback((n: number) => view.fold(id, n, !folds.includes(n)), [view, id, folds]);
  return { folds, fold };
}

function InBinary({ rows }: { readonly rows: readonly { readonly n: number; readonly binary: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <details className={cx(styles.binary, "quiet")}>
      <summary style={{ fontFamily: "var(--font-ui)" }}>In the binary</summary>
      <DataTable
        label="What the reference calls lines: addresses, offsets, opcodes, marks"
        untitled
        rows={rows}
        rowKey={({ n }) => n}
        columns={[
          { title: "Line", head: true, align: "end", cell: ({ n }) => n },
          { title: "In the binary", mono: true, cell: ({ binary }) => binary },
        ]}
      />
    </details>
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
        "hovers",
        current && styles.current,
        place === "enclosing" && styles.enclosing,
        set && styles.set,
        unused && "muted",
      )}
      title={unused ? "Not reached in this run" : `${plural(count, "step")} here. Click to toggle a breakpoint`}
      onClick={() => onPress(n)}
    >
      <Row as="span" justify="center" rigid className={styles.mark} aria-hidden="true">
        <span className={styles.dot} />
      </Row>
      <span className="line-number" style={{ width: 22 }}>
        {n}
      </span>
      {opens ? (
        <button
          type="button"
          tabIndex={-1}
          className={cx(styles.fold, "rigid")}
          aria-label={folded ? "Unfold: stop at the steps inside again" : "Fold: step over what is inside"}
          onClick={(e) => {
            e.stopPropagation();
            onFold(n);
          }}
        >
          <Icon name={folded ? "chevronRight" : "chevronDown"} size={12} />
        </button>
      ) : (
        <span className={cx(styles.fold, "rigid")} />
      )}
      <span className={cx(styles.text, "breaks")} style={{ paddingLeft: `${indentOf(text)}ch` }}>
        {text.trim()}
        {folded ? <span className="muted"> …</span> : null}
      </span>
      <span className={cx(styles.hits, "rigid small muted num")}>{count === 0 ? "" : count}</span>
    </div>
  );
});
