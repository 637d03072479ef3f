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
  /** The first of its program: it is shown from its start. */
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

/** The progress of the requested drawing. `done`: it is there, or none is requested; `stopped`: the user ended it. */
export type Progress =
  | { readonly state: "done" | "stopped" }
  /** `slowSince`: when it was begun (by `performance.now()`), once it takes long. */
  | { readonly state: "drawing"; readonly slowSince: number | null }
  | { readonly state: "failed"; readonly error: string };

const DONE: Progress = { state: "done" };
const DRAWING: Progress = { state: "drawing", slowSince: null };

export interface DrawingState {
  readonly drawn: DrawnState | null;
  /** Names the open program, whose drawing may not be finished; empty: none is open. */
  readonly program: string;
  readonly progress: Progress;
  stop(): void;
  drawAgain(): void;
}

/**
 * The drawing of the open phase, and whether a new one is being computed. `roomFor` is the space for a graph of this many blocks, and null
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
  const [progress, setProgress] = useState<Progress>(DONE);
  const giveUp = useRef<() => void>(() => undefined);
  /** What is drawn, and of what. */
  const last = useRef<{ readonly drawn: DrawnState; readonly models: readonly GraphModel[]; readonly columns: string } | null>(null);
  const asked = useRef(anchors);
  asked.current = anchors;

  const begin = useCallback((): void => {
    if (models === null || folded === null) return;
    const show = (layouts: readonly GraphLayout[]): void => {
      const columns = layouts.map((layout, i) => folded(layout, models[i]?.union.blocks.length ?? 0, i, models.length));
      const before = last.current;
      // The pane's size changed, but the drawing is the same.
      if (before?.models === models && before.columns === columns.join() && before.drawn.compare === compare) return;
      const { pair } = store.getState().graph;
      const next = drawnAfter(before?.drawn ?? null, { models, layouts, columns, program, mode, compare, pair }, asked.current);
      if (next === null) return;
      last.current = { drawn: next, models, columns: columns.join() };
      setDrawn(next);
      warmUpLayout();
    };
    setProgress(DRAWING);
    giveUp.current = layOut(models, opened, {
      slow: (slowSince) => setProgress({ state: "drawing", slowSince }),
      done(layouts) {
        setProgress(DONE);
        if (layouts !== null) show(layouts);
      },
      failed: (reason) => setProgress({ state: "failed", error: messageOf(reason) }),
    });
  }, [models, mode, folded, compare, opened, program, store]);

  useEffect(() => {
    begin();
    return () => {
      giveUp.current();
      setProgress((now) => (now.state === "drawing" ? DRAWING : now.state === "stopped" ? DONE : now));
    };
  }, [begin]);

  return {
    drawn,
    program,
    progress,
    stop() {
      giveUp.current();
      setProgress({ state: "stopped" });
    },
    drawAgain: begin,
  };
}

/** Called when a drawing replaces another: whether a block is selected, and the label of the block that must keep its position on the screen. */
interface Anchors {
  readonly isSelected: () => boolean;
  readonly anchorOf: (before: Drawing) => string | null;
}

interface LayoutEvents {
  slow(since: number): void;
  /** null: the service has given one up. */
  done(layouts: readonly GraphLayout[] | null): void;
  failed(reason: unknown): void;
}

/** A layout for each model, one after the other. Returns a function that cancels them; then nothing more is called. */
function layOut(models: readonly GraphModel[], opened: ReadonlySet<string>, { slow, done, failed }: LayoutEvents): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const since = performance.now();
  const timer = setTimeout(() => slow(since), SLOW_MS);
  const work = async (): Promise<void> => {
    const layouts: GraphLayout[] = [];
    for (const model of models) {
      const outcome = await layoutService().layout(model.input, { opened, signal });
      if (signal.aborted) return;
      if (outcome.status !== "done") return done(null);
      layouts.push(outcome.layout);
    }
    done(layouts);
  };
  work()
    .catch((reason: unknown) => signal.aborted || failed(reason))
    .finally(() => clearTimeout(timer));
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

interface LaidOut extends Pick<DrawnState, "program" | "mode" | "compare"> {
  readonly models: readonly GraphModel[];
  readonly layouts: readonly GraphLayout[];
  readonly columns: readonly number[];
  readonly pair: ComparedPair | null;
}

/** The drawing that replaces the previous one, and whether it is shown from its start. */
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

/** The program that a graph is of. */
interface Program {
  readonly name: string;
  /** Changes when another document is opened. */
  readonly since: number;
  readonly blocks: number;
}

const programs = new WeakMap<UnionGraph, Program>();

/** Names the program a graph is of: read when the graph arrives, because title and kernel change before it does. */
function useProgram(union: UnionGraph | null): string {
  const { store } = useSessionObject();
  const before = useRef<Program | null>(null);
  if (union === null) return "";
  let program = programs.get(union);
  if (program === undefined) {
    const { document, run } = store.getState();
    const name = `${document.title}\n${run.result?.kernel ?? ""}`;
    const read = { name, since: document.since, blocks: union.blocks.length };
    program = before.current === null ? read : { ...read, name: nameAfter(before.current, read) };
    programs.set(union, program);
  }
  before.current = program;
  return program.name;
}

/** The same file opened again keeps its view, unless its graph became more than twice as large or less than half. */
function nameAfter(before: Program, { name, since, blocks }: Program): string {
  const same = before.name === name || before.name.startsWith(`${name}\n`);
  if (!same) return name;
  const alike = Math.max(before.blocks, blocks) <= 2 * Math.min(before.blocks, blocks);
  return before.since === since || alike ? before.name : `${name}\n${since}`;
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
