/** The open phase's steps as a strip to drag along: density by kind, nested spans, breakpoints. */

import { memo, type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { EVENT_KINDS } from "../../engine/trace/kinds.ts";
import { GROUP_TITLES, KIND_GROUPS, KIND_INFO } from "../session/event-kinds.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { selectEvent, selectStep, selectTrace } from "../session/selectors.ts";
import { cx } from "../ui/cx.ts";
import { Row } from "../ui/layout.tsx";
import { computeLanes, stepAt } from "./lanes.ts";
import { LINE_HEIGHT, type Palette, paintLanes, paintLine, readPalette, SCRUBBER_HEIGHT, TICK_HEIGHT } from "./paint.ts";
import styles from "./scrubber.module.css";

/** `lanes`: one for each group of kinds; else all on one line. */
export function Scrubber({ lanes: apart }: { readonly lanes: boolean }) {
  const steps = useSession(selectTrace)?.steps ?? 0;
  const step = useSession(selectStep);
  const event = useSession(selectEvent);
  const { position } = useActions();
  const drag = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const box = currentTarget.getBoundingClientRect();
    position.seek(stepAt((clientX - box.left) / box.width, steps));
  };
  const page = Math.max(1, Math.round(steps / 20));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowRight: () => position.move("into", 1),
    ArrowUp: () => position.move("into", 1),
    ArrowLeft: () => position.move("into", -1),
    ArrowDown: () => position.move("into", -1),
    PageUp: () => position.seek(step + page),
    PageDown: () => position.seek(step - page),
    Home: () => position.seek("start"),
    End: () => position.seek("end"),
  };
  return (
    <Row align="stretch" gap={2} pad={[0, 2]} className={cx(!apart && styles.line)}>
      {apart ? <GroupLegend /> : null}
      <div
        className={styles.track}
        style={{ height: apart ? SCRUBBER_HEIGHT : LINE_HEIGHT }}
        role="slider"
        data-step-menu="step"
        tabIndex={0}
        aria-label="Step of this phase"
        aria-valuemin={-1}
        aria-valuemax={Math.max(0, steps - 1)}
        aria-valuenow={step}
        aria-valuetext={step < 0 ? "input of the phase" : `step ${step + 1} of ${steps}: ${event?.sentence ?? ""}`}
        onKeyDown={(e) => {
          const act = keys[e.key];
          if (act === undefined || e.altKey || e.ctrlKey || e.metaKey) return;
          act();
          e.preventDefault();
          e.stopPropagation();
        }}
        onPointerDown={(e) => {
          e.currentTarget.setPointerCapture(e.pointerId);
          drag(e);
        }}
        onPointerMove={(e) => {
          if (e.currentTarget.hasPointerCapture(e.pointerId)) drag(e);
        }}
      >
        <Picture lanes={apart} />
        {steps === 0 ? <p className={styles.none}>This phase has no steps.</p> : null}
        <div className={styles.cursor} style={{ left: `${steps === 0 || step < 0 ? 0 : ((step + 0.5) / steps) * 100}%` }} />
      </div>
    </Row>
  );
}

/** The steps, drawn as large as what they are in. */
const Picture = memo(function Picture({ lanes: apart }: { readonly lanes: boolean }) {
  const trace = useSession(selectTrace);
  const ticks = useSession((s) => s.breakpoints.ticks);
  const theme = useSession((s) => s.theme.resolved);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)));
    if (canvas.current?.parentElement) observer.observe(canvas.current.parentElement);
    return () => observer.disconnect();
  }, []);
  const lanes = useMemo(() => (trace === null || width === 0 ? null : computeLanes(trace, Math.ceil(width / 2))), [trace, width]);
  /** Reading it makes the browser compute styles: once for each theme. */
  const palette = useRef<{ readonly theme: string; readonly read: Palette } | null>(null);
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d");
    if (element === null || !context || lanes === null || trace === null) return;
    const ratio = window.devicePixelRatio || 1;
    element.width = Math.max(1, Math.round(width * ratio));
    element.height = Math.round((apart ? SCRUBBER_HEIGHT : LINE_HEIGHT) * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (palette.current?.theme !== theme) palette.current = { theme, read: readPalette(element) };
    const painting = { width, steps: trace.steps, lanes, ticks, palette: palette.current.read };
    if (apart) paintLanes(context, painting);
    else paintLine(context, painting);
  }, [lanes, trace, ticks, width, apart, theme]);
  return <canvas ref={canvas} hidden={lanes === null} />;
});

/** Names the lanes and counts their events. */
const GroupLegend = memo(function GroupLegend() {
  const trace = useSession(selectTrace);
  const counts = useMemo(() => {
    const perKind = new Uint32Array(EVENT_KINDS.length);
    for (const kind of trace?.kinds ?? []) perKind[kind] = (perKind[kind] ?? 0) + 1;
    return new Map(KIND_GROUPS.map((g) => [g, EVENT_KINDS.reduce((n, k, i) => n + (KIND_INFO[k].group === g ? (perKind[i] ?? 0) : 0), 0)]));
  }, [trace]);
  return (
    <ul className={cx(styles.legend, "rigid small quiet")} style={{ paddingTop: TICK_HEIGHT }} aria-label="Events of this phase by group">
      {KIND_GROUPS.map((group) => (
        <li key={group} className={styles.group}>
          <span className={styles.swatch} style={{ background: `var(--kind-${group})` }} />
          <span className="grow">{GROUP_TITLES[group]}</span>
          <span className="muted num">{counts.get(group) ?? 0}</span>
        </li>
      ))}
    </ul>
  );
});
