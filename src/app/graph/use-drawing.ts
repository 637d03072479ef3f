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
import type { GraphMode } from "./graph-view.ts";
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
 * The drawing of the open phase, and whether another is on its way. `anchorOf` names the block (by label) that must keep its
 * place on the screen when a drawing replaces another; `roomFor` is the room that a graph of so many blocks has, and null while it is not known.
 */
export function useDrawing(
  isSelected: () => boolean,
  anchorOf: (before: Drawing) => string | null,
  roomFor: ((blocks: number) => Window) | null,
): DrawingState {
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
  const asked = useRef({ isSelected, anchorOf });
  asked.current = { isSelected, anchorOf };

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
      if (stop.signal.aborted) return;
      const before = last.current;
      const beside = models.length > 1;
      const columns = layouts.map((layout, i) => folded(layout, models[i]?.union.blocks.length ?? 0, i, models.length));
      const key = { models, columns: columns.join(), compare };
      // The pane has another size, but the drawing is the same.
      if (
        shown.current !== null &&
        shown.current.models === models &&
        shown.current.columns === key.columns &&
        shown.current.compare === compare
      )
        return;
      shown.current = key;
      const same = before !== null && before.program === program;
      // Another view of the program has no place in common with this one, but for the block that is selected.
      const choice = mode === "pair" ? (store.getState().graph.pair?.choice ?? "") : "";
      const keep =
        same &&
        mode !== "pair" &&
        !beside &&
        ((before.mode === mode && before.columns === columns[0]) || (!isBeside(before.mode) && asked.current.isSelected()));
      const drawings = models.flatMap((model, i) => {
        const whole = layouts[i];
        if (whole === undefined) return [];
        const layout = inColumns(whole, columns[i]);
        return [drawingOf(model, keep ? anchored(model, layout, before.drawing, asked.current.anchorOf(before.drawing)) : layout)];
      });
      const [left, right] = drawings;
      if (left === undefined) return;
      const goesOn = same && before.mode === mode && (mode === "pair" ? before.choice === choice : beside);
      const fresh = !keep && !goesOn;
      last.current = {
        drawing: right === undefined ? left : sideBySide(left, right, mode === "pair" ? store.getState().graph.pair?.titles : ENDS),
        program,
        fresh,
        mode,
        columns: columns[0] ?? 1,
        compare,
        choice,
      };
      setDrawn(last.current);
      setError(null);
      warmUpLayout();
    };
    const draw = async (): Promise<void> => {
      const layouts: GraphLayout[] = [];
      for (const model of models) {
        const outcome = await layoutService().layout(model.input, { opened, signal: stop.signal });
        if (outcome.status !== "done") return;
        layouts.push(outcome.layout);
      }
      show(layouts);
    };
    draw()
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
