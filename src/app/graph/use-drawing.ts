/** From the session's graph to a drawing: model, layout off the page's thread, and a picture that stays where it was. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { UnionGraph } from "../../engine/api/types.ts";
import type { Window } from "../../layout/choose-columns.ts";
import { columnsFor, inColumns } from "../../layout/in-columns.ts";
import type { GraphLayout } from "../../layout/types.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { selectGraph } from "../session/selectors.ts";
import { messageOf } from "../ui/failure.ts";
import { selectedBlock } from "./commands.ts";
import type { Comparison } from "./face/faces.ts";
import type { ComparedPair, GraphMode } from "./graph-view.ts";
import { layoutService, warmUpLayout } from "./layouts.ts";
import { anchored, type Drawing, drawingOf } from "./model/drawing.ts";
import { type GraphModel, graphModel } from "./model/graph-model.ts";
import { ENDS, GAP, HEAD, sideBySide } from "./model/sides.ts";
import { useStates } from "./use-states.ts";

export interface DrawnState {
  readonly drawing: Drawing;
  /** Names the program: a different one is shown from its entry. */
  readonly program: string;
  /** The first of its program: it is looked at from its start. */
  readonly fresh: boolean;
  readonly mode: GraphMode;
  /** 1: in one piece. */
  readonly columns: number;
  readonly compare: Comparison | null;
  /** Of a comparison: what was chosen. */
  readonly choice: string;
}

/** A drawing shows that it is on its way after this long. */
const SLOW_MS = 1_000;

export interface DrawingState {
  readonly drawn: DrawnState | null;
  /** Names the open program, whose drawing may not be finished; empty: none is open. */
  readonly program: string;
  /** A drawing is on its way. */
  readonly busy: boolean;
  readonly error: string | null;
  /** When the drawing that is on its way was begun (by `performance.now()`), once it takes long; "stopped": a person ended it. */
  readonly wait: number | "stopped" | null;
  stop(): void;
  drawAgain(): void;
}

/**
 * The drawing of the open phase, and whether another is on its way. `roomFor` is the room that a graph of so many blocks has, and null
 * while it is not known.
 */
export function useDrawing(anchors: Anchors, roomFor: ((blocks: number) => Window) | null): DrawingState {
  const { store } = useSessionObject();
  const union = useSession(selectGraph);
  const program = useProgram(union);
  const mode = useSession((s) => s.graph.mode);
  const { graphs, compare } = useStates(union);
  const models = useModels(graphs);
  const opened = useSession((s) => s.graph.opened);
  const folded = useColumns(program, union, roomFor);
  const [drawn, setDrawn] = useState<DrawnState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [wait, setWait] = useState<DrawingState["wait"]>(null);
  const end = useRef<() => void>(() => undefined);
  const last = useRef<DrawnState | null>(null);
  const shown = useRef<{ readonly models: readonly GraphModel[]; readonly columns: string; readonly compare: Comparison | null } | null>(
    null,
  );
  const asked = useRef(anchors);
  asked.current = anchors;

  const begin = useCallback((): void => {
    if (models === null || folded === null) return;
    setError(null);
    setBusy(true);
    const stop = new AbortController();
    const since = performance.now();
    const slow = setTimeout(() => setWait(since), SLOW_MS);
    end.current = () => {
      clearTimeout(slow);
      stop.abort();
    };
    const show = (layouts: readonly GraphLayout[]): void => {
      const columns = layouts.map((layout, i) => folded(layout, models[i]?.union.blocks.length ?? 0, i, models.length));
      const key = { models, columns: columns.join(), compare };
      const { current } = shown;
      // The pane has another size, but the drawing is the same.
      if (current !== null && current.models === models && current.columns === key.columns && current.compare === compare) return;
      shown.current = key;
      const { pair } = store.getState().graph;
      const next = drawnAfter(last.current, { models, layouts, columns, program, mode, compare, pair }, asked.current);
      if (next === null) return;
      last.current = next;
      setDrawn(next);
      setError(null);
      warmUpLayout();
    };
    layoutsOf(models, opened, stop.signal)
      .then((layouts) => {
        if (layouts !== null && !stop.signal.aborted) show(layouts);
      })
      .catch((reason: unknown) => setError(messageOf(reason)))
      .finally(() => {
        clearTimeout(slow);
        if (stop.signal.aborted) return;
        setWait(null);
        setBusy(false);
      });
  }, [models, mode, folded, compare, opened, program, store]);

  useEffect(() => {
    begin();
    return () => {
      end.current();
      setWait(null);
    };
  }, [begin]);

  return {
    drawn,
    program,
    busy,
    error,
    wait,
    stop() {
      end.current();
      setBusy(false);
      setWait("stopped");
    },
    drawAgain() {
      setWait(null);
      begin();
    },
  };
}

/** Asked when a drawing replaces another: whether a block is selected, and the label of the block that must keep its place on the screen. */
interface Anchors {
  readonly isSelected: () => boolean;
  readonly anchorOf: (before: Drawing) => string | null;
}

/** A layout for each model, one after the other; null: one was given up. */
async function layoutsOf(
  models: readonly GraphModel[],
  opened: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly GraphLayout[] | null> {
  const layouts: GraphLayout[] = [];
  for (const model of models) {
    const outcome = await layoutService().layout(model.input, { opened, signal });
    if (outcome.status !== "done") return null;
    layouts.push(outcome.layout);
  }
  return layouts;
}

interface LaidOut extends Pick<DrawnState, "program" | "mode" | "compare"> {
  readonly models: readonly GraphModel[];
  readonly layouts: readonly GraphLayout[];
  readonly columns: readonly number[];
  readonly pair: ComparedPair | null;
}

/** The drawing that takes the place of the one before, and whether it is looked at from its start. */
function drawnAfter(before: DrawnState | null, laidOut: LaidOut, { isSelected, anchorOf }: Anchors): DrawnState | null {
  const { models, layouts, columns, program, mode, compare, pair } = laidOut;
  const choice = mode === "pair" ? (pair?.choice ?? "") : "";
  const same = before !== null && before.program === program;
  // Another view of the program has no place in common with this one, but for the block that is selected.
  const keep =
    same &&
    mode !== "pair" &&
    models.length === 1 &&
    ((before.mode === mode && before.columns === columns[0]) || (!isBeside(before.mode) && isSelected()));
  const [left, right] = models.flatMap((model, i) => {
    const whole = layouts[i];
    if (whole === undefined) return [];
    const layout = inColumns(whole, columns[i]);
    return [drawingOf(model, keep ? anchored(model, layout, before.drawing, anchorOf(before.drawing)) : layout)];
  });
  if (left === undefined) return null;
  const goesOn = same && before.mode === mode && (mode === "pair" ? before.choice === choice : models.length > 1);
  const drawing = right === undefined ? left : sideBySide(left, right, mode === "pair" ? pair?.titles : ENDS);
  return { drawing, program, fresh: !keep && !goesOn, mode, columns: columns[0] ?? 1, compare, choice };
}

/** Two graphs are there to be compared. */
export const isBeside = (mode: GraphMode): boolean => mode === "sides" || mode === "pair";

type Folds = (layout: GraphLayout, blocks: number, side: number, sides: number) => number;

/** In how many columns a drawing is shown: decided once for a phase, a view and a size of the pane, so that no step turns one into the other. */
function useColumns(program: string, union: UnionGraph | null, roomFor: ((blocks: number) => Window) | null): Folds | null {
  const folding = useSession((s) => s.graph.folding);
  const mode = useSession((s) => s.graph.mode);
  const near = useSession((s) => s.graph.near);
  const lines = useSession((s) => s.graph.lines);
  const collapsedLoops = useSession((s) => s.graph.collapsedLoops);
  const opened = useSession((s) => s.graph.opened);
  const before = useRef<{ readonly view: string; readonly columns: Map<number, number> } | null>(null);
  const run = union?.run ?? -1;
  return useMemo(() => {
    if (roomFor === null) return null;
    // A change of these is the user's choice: what is drawn is decided again.
    const decided = Object.assign(new Map<number, number>(), { run, near, lines, collapsedLoops, opened });
    const view = `${program} ${mode} ${folding}`;
    const last = before.current?.view === view ? before.current.columns : null;
    return (layout, blocks, side, sides) => {
      const known = decided.get(side);
      if (known !== undefined) return known;
      const whole = roomFor(blocks);
      // Two graphs have half of it each.
      const room: Window = sides === 1 ? whole : { ...whole, width: Math.max(1, (whole.width - GAP) / 2), height: whole.height - HEAD };
      const columns = columnsFor(layout, room, folding, last?.get(side) ?? null);
      decided.set(side, columns);
      before.current = { view, columns: decided };
      return columns;
    };
  }, [program, run, mode, folding, roomFor, near, lines, collapsedLoops, opened]);
}

const programs = new WeakMap<UnionGraph, string>();

/** Names the program a graph is of: read when the graph arrives, because title and kernel change before it does. */
function useProgram(union: UnionGraph | null): string {
  const { store } = useSessionObject();
  if (union === null) return "";
  let program = programs.get(union);
  if (program === undefined) {
    const { document, run } = store.getState();
    program = `${document.title}\n${run.result?.kernel ?? ""}`;
    programs.set(union, program);
  }
  return program;
}

function useModels(graphs: readonly UnionGraph[] | null): readonly GraphModel[] | null {
  const near = useSession((s) => s.graph.near);
  const lines = useSession((s) => s.graph.lines);
  const collapsedLoops = useSession((s) => s.graph.collapsedLoops);
  const opened = useSession((s) => s.graph.opened);
  // The neighbourhood follows the selection; without one it stays where it was.
  const selected = useSession((s) => (near > 0 ? selectedBlock(s) : null));
  const centre = useRef<number | null>(null);
  if (near === 0) centre.current = null;
  else if (selected !== null) centre.current = selected;
  const around = centre.current;
  return useMemo(
    () =>
      graphs === null
        ? null
        : graphs.map((graph) =>
            graphModel(graph, { collapsedLoops, lines, opened, around: around === null ? null : { block: around, steps: near } }),
          ),
    [graphs, collapsedLoops, lines, opened, around, near],
  );
}
