/** From the session's graph to a drawing: model, layout off the page's thread, and a picture that stays where it was. */

import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { UnionGraph } from "../../engine/api/types.ts";
import type { GraphLayout } from "../../layout/types.ts";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { selectGraph } from "../session/selectors.ts";
import { messageOf } from "../ui/failure.ts";
import { selectedBlock } from "./commands.ts";
import type { Comparison } from "./face/faces.ts";
import { type GraphMode, graphView } from "./graph-view.ts";
import { layoutService, warmUpLayout } from "./layouts.ts";
import { anchored, type Drawing, drawingOf } from "./model/drawing.ts";
import { type GraphModel, graphModel } from "./model/graph-model.ts";
import { sideBySide } from "./model/sides.ts";
import { useStates } from "./use-states.ts";

export interface DrawnState {
  readonly drawing: Drawing;
  /** Names the program: another one is looked at from its entry. */
  readonly program: string;
  /** The first of its program: it is looked at from its start. */
  readonly fresh: boolean;
  readonly mode: GraphMode;
  readonly columns: boolean;
  readonly compare: Comparison | null;
}

/** A drawing shows that it is on its way after this long. */
const SLOW_MS = 1_000;

export interface DrawingState {
  readonly drawn: DrawnState | null;
  /** Names the program that is open, whose drawing may still be on its way; empty: none is. */
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
 * place on the screen when a drawing replaces another.
 */
export function useDrawing(isSelected: () => boolean, anchorOf: (before: Drawing) => string | null): DrawingState {
  const union = useSession(selectGraph);
  const program = useProgram(union);
  const mode = useStore(graphView, (v) => v.mode);
  const { graphs, compare } = useStates(union);
  const models = useModels(graphs);
  const opened = useStore(graphView, (v) => v.opened);
  const columns = useStore(graphView, (v) => v.columns);
  const [drawn, setDrawn] = useState<DrawnState | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [wait, setWait] = useState<DrawingState["wait"]>(null);
  const end = useRef<() => void>(() => undefined);
  const last = useRef<DrawnState | null>(null);
  const asked = useRef({ isSelected, anchorOf });
  asked.current = { isSelected, anchorOf };

  const begin = useCallback((): void => {
    if (models === null) return;
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
      const same = before !== null && before.program === program;
      // Another view of the program has no place in common with this one, but for the block that is selected.
      const keep =
        same &&
        !beside &&
        ((before.mode === mode && before.columns === columns) || (before.mode !== "sides" && asked.current.isSelected()));
      const drawings = models.flatMap((model, i) => {
        const layout = layouts[i];
        if (layout === undefined) return [];
        return [drawingOf(model, keep ? anchored(model, layout, before.drawing, asked.current.anchorOf(before.drawing)) : layout)];
      });
      const [left, right] = drawings;
      if (left === undefined) return;
      const fresh = !keep && !(beside && same && before.mode === "sides");
      last.current = { drawing: right === undefined ? left : sideBySide(left, right), program, fresh, mode, columns, compare };
      setDrawn(last.current);
      setError(null);
      warmUpLayout();
    };
    const draw = async (): Promise<void> => {
      const layouts: GraphLayout[] = [];
      for (const model of models) {
        const outcome = await layoutService().layout(model.input, { opened, signal: stop.signal });
        if (outcome.status !== "done") return;
        layouts.push(columns ? (await import("../../layout/in-columns.ts")).inColumns(outcome.layout) : outcome.layout);
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
  }, [models, mode, columns, compare, opened, program]);

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
  const near = useStore(graphView, (v) => v.near);
  const lines = useStore(graphView, (v) => v.lines);
  const collapsedLoops = useStore(graphView, (v) => v.collapsedLoops);
  const opened = useStore(graphView, (v) => v.opened);
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
