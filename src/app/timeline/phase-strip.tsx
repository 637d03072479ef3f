/**
 * The strip of all positions: what ran, what changed and how much, what was gated off, what is not modelled. Modelled positions
 * are wide enough to press; the others, of which there is nothing to see, are places for the keys and the palette only.
 */

import { Tooltip } from "@base-ui/react/tooltip";
import { type KeyboardEvent, memo, type RefObject, Suspense, useDeferredValue, useEffect, useMemo, useRef } from "react";
import { useShallow } from "zustand/react/shallow";
import type { PhaseRow, PhaseRun } from "../../engine/api/types.ts";
import { changeAmount, PHASE_STATUSES, phaseNumber, phaseStatus, phaseSummary, STATUS_TITLES } from "../names/phase-status.ts";
import { plainName } from "../names/phases.ts";
import type { PhaseMark, PhaseMarks } from "../session/feature.ts";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { selectPhases, selectRun } from "../session/selectors.ts";
import type { BreakpointsSlice } from "../session/state.ts";
import { cx } from "../ui/cx.ts";
import { Row } from "../ui/layout.tsx";
import tip from "../ui/tooltip.module.css";
import styles from "./phase-strip.module.css";

const NONE: readonly PhaseRun[] = [];
const UNMARKED: readonly PhaseMark[] = [];
const handle = Tooltip.createHandle<readonly string[]>();

export function PhaseStrip() {
  // A hundred cells come after the graph, a few at a time.
  const phases = useDeferredValue(useSession(selectPhases), NONE);
  const rows = useSession((s) => s.engine.phases);
  const current = useSession(selectRun);
  const { position } = useActions();
  const strip = useRef<HTMLDivElement>(null);
  const { features } = useSessionObject();
  const marks = useSession(useShallow((s) => features.flatMap(({ phaseMarks }) => phaseMarks?.(s) ?? [])));
  const watched = useSession(({ breakpoints, run }) => (breakpoints.watched?.epoch === run.epoch ? breakpoints.watched : null));
  const rowById = useMemo(() => new Map(rows.map((r) => [r.id, r])), [rows]);
  const keyDown = useStripKeys(strip, phases, current);

  // biome-ignore lint/correctness/useExhaustiveDependencies: phases: a cell may come later than the place
  useEffect(() => {
    strip.current?.querySelector(`[data-run="${current}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current, phases]);

  return (
    <>
      <div
        ref={strip}
        role="listbox"
        aria-orientation="horizontal"
        aria-label="Phases"
        className={styles.strip}
        onKeyDown={keyDown}
        data-step-menu="phase"
      >
        {phases.map((phase, index) => (
          <Cell
            key={phase.run}
            phase={phase}
            row={rowById.get(phase.id)}
            marks={marksAt(marks, index)}
            watched={watchedIn(watched, phase.run)}
            current={index === current}
            focusable={index === Math.max(0, current)}
            onOpen={position.goTo}
          />
        ))}
      </div>
      <Suspense fallback={null}>
        {features.map(({ id, onStrip: OnStrip }) => (OnStrip === undefined ? null : <OnStrip key={id} strip={strip} />))}
      </Suspense>
      <StripTip />
    </>
  );
}

/** Arrows go to the next modelled phase, with Shift to the next one of all. */
function useStripKeys(strip: RefObject<HTMLElement | null>, phases: readonly PhaseRun[], current: number) {
  const { position } = useActions();
  return (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const modelled = (from: number, by: 1 | -1) => {
      for (let i = from + by; i >= 0 && i < phases.length; i += by) if (phases[i]?.modelled === true) return i;
      return from;
    };
    let to: number | null = null;
    switch (event.key) {
      case "ArrowRight":
        to = event.shiftKey ? current + 1 : modelled(current, 1);
        break;
      case "ArrowLeft":
        to = event.shiftKey ? current - 1 : modelled(current, -1);
        break;
      case "Home":
        to = 0;
        break;
      case "End":
        to = phases.length - 1;
        break;
    }
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    const run = Math.max(0, Math.min(phases.length - 1, to));
    position.goTo(run, "start");
    strip.current?.querySelector<HTMLElement>(`[data-run="${run}"]`)?.focus();
  };
}

/** What a phase is, under the pointer. */
function StripTip() {
  const { store } = useSessionObject();
  // The tooltip is over the sentence, which a step is about.
  useEffect(
    () =>
      store.subscribe(({ position: { run, step } }, { position: before }) => {
        if (run === before.run && step !== before.step && handle.isOpen) handle.close();
      }),
    [store],
  );
  return (
    <Tooltip.Root handle={handle}>
      {({ payload }) => (
        <Tooltip.Portal>
          <Tooltip.Positioner side="top" sideOffset={6} className={tip.positioner}>
            <Tooltip.Popup className={cx(tip.popup, "floating")}>
              {(payload ?? []).map((line, i) => (
                <div key={line} className={cx(i === 0 && "strong")}>
                  {line}
                </div>
              ))}
            </Tooltip.Popup>
          </Tooltip.Positioner>
        </Tooltip.Portal>
      )}
    </Tooltip.Root>
  );
}

/** What features mark a phase with. */
function marksAt(marks: readonly PhaseMarks[], index: number): readonly PhaseMark[] {
  const own = marks.flatMap((each) => each.get(index) ?? []);
  return own.length === 0 ? UNMARKED : own;
}

function watchedIn(watched: BreakpointsSlice["watched"], run: number): string | undefined {
  const times = watched?.times.get(run);
  return watched === null || times === undefined ? undefined : `${watched.text} becomes true ${times === 1 ? "once" : `${times} times`}`;
}

interface CellProps {
  readonly phase: PhaseRun;
  readonly row: PhaseRow | undefined;
  /** What features mark it with. */
  readonly marks: readonly PhaseMark[];
  /** The condition on the state that becomes true in it, and how often. */
  readonly watched: string | undefined;
  readonly current: boolean;
  readonly focusable: boolean;
  readonly onOpen: (run: number, step: "start") => void;
}

/** A run of the same program differs in how long each phase took, which no cell shows. */
function sameCell({ phase: before, marks: marked, ...a }: CellProps, { phase: after, marks, ...b }: CellProps): boolean {
  if (marked !== marks && JSON.stringify(marked) !== JSON.stringify(marks)) return false;
  const shown = (phase: PhaseRun): string => JSON.stringify({ ...phase, ms: 0 });
  const keys = Object.keys(b) as (keyof typeof b)[];
  return keys.every((key) => Object.is(a[key], b[key])) && (before === after || shown(before) === shown(after));
}

const Cell = memo(function Cell({ phase, row, marks, watched, current, focusable, onOpen }: CellProps) {
  const status = phaseStatus(phase);
  const summary = [...phaseSummary(phase, row), ...marks.map(({ says }) => says), ...(watched === undefined ? [] : [watched])];
  const problem = phase.verifyErrors.length > 0 || status === "stopped";
  return (
    <Tooltip.Trigger
      handle={handle}
      payload={summary}
      delay={120}
      render={
        <div
          role="option"
          data-run={phase.run}
          data-phase={phase.id}
          data-handbook={`phase:${phase.id}`}
          data-status={status}
          tabIndex={focusable ? 0 : -1}
          aria-selected={current}
          aria-label={summary.join(". ")}
          className={cx(
            styles.cell,
            styles[status],
            phase.modelled && styles.modelled,
            phase.group === "cicc" && styles.cicc,
            current && styles.current,
            problem && styles.problem,
            marks.some(({ shape }) => shape === "fork") && styles.fork,
            phase.dropped.length > 0 && styles.dropped,
          )}
          style={status === "changed" ? { maxWidth: `${(plainName(phase).length + 4) * 0.375}rem` } : undefined}
        />
      }
      onClick={phase.modelled ? () => onOpen(phase.run, "start") : undefined}
    >
      <span className={styles.bar}>
        <span className={styles.fill} style={status === "changed" ? { height: `${Math.round(changeAmount(phase) * 100)}%` } : undefined} />
      </span>
      {marks.map(({ shape }) =>
        shape === "fork" ? null : (
          <span key={shape} className={cx(styles.ownLight, styles[`light-${shape}`])} data-strip-light={shape} aria-hidden="true" />
        ),
      )}
      {watched === undefined ? null : <span className={styles.watched} data-watched aria-hidden="true" />}
      {phase.check === null || phase.check.notDecided !== undefined ? null : (
        <span className={cx(styles.light, phase.check.ok ? styles.equal : styles.differs)} data-check={phase.check.ok} aria-hidden="true" />
      )}
      <span className={cx(styles.number, "small num", status === "changed" && "ellipsis", (status === "changed" || current) && "strong")}>
        {phase.modelled || current ? phaseNumber(phase) : null}
        {status === "changed" ? <span className={styles.name}>{plainName(phase)}</span> : null}
      </span>
    </Tooltip.Trigger>
  );
}, sameCell);

export function StripLegend() {
  return (
    <Row wrap gap={[0, 3]} className={cx(styles.legend, "small muted nowrap")} aria-hidden="true">
      {PHASE_STATUSES.map((status) => (
        <Row as="span" gap={1} key={status}>
          <span className={cx(styles.key, styles[status])}>
            <span className={styles.fill} style={status === "changed" ? { height: "100%" } : undefined} />
          </span>
          {STATUS_TITLES[status]}
        </Row>
      ))}
    </Row>
  );
}
