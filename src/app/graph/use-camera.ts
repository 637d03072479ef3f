/** Moving the view: to a block, to everything, by a zoom step; without animation if motion is unwanted or steps follow fast. */

import { useReactFlow, useStoreApi } from "@xyflow/react";
import { useMemo } from "react";
import type { Box } from "../../layout/types.ts";
import type { Drawing } from "./model/drawing.ts";
import { CARD } from "./model/metrics.ts";
import {
  bringTo,
  centreOn,
  firstView,
  firstViewAt,
  fitAll,
  inSight,
  isFitted,
  partlyInSight,
  type Size,
  type Viewport,
  zoomBy,
} from "./viewport.ts";

const MOVE_MS = 160;
/** A step that follows sooner is shown without animation: under a held key a movement would never end, and each of its frames draws the whole graph. */
const FAST_MS = 300;
/** The least zoom at which a card shows its instructions. */
const READABLE = 0.6;

export interface Camera {
  view(): Viewport;
  pane(): Size;
  /** To the first view of a program. */
  start(drawing: Drawing): void;
  /** To a part of a drawing that is too large to be read as a whole; false: it is not. */
  startAt(drawing: Drawing, part: Box): boolean;
  fit(drawing: Drawing): void;
  /** As `fit`, without animation. */
  refit(drawing: Drawing): void;
  /** Whether the view is the whole drawing, as it was fitted into a pane of this size. */
  isFitted(drawing: Drawing, pane: Size): boolean;
  /** To a part of a drawing as if it were the whole of it: everything if it can be read so, else its first card. */
  look(bounds: Box, first: Box | null, blocks: number): void;
  zoom(factor: number): void;
  pan(dx: number, dy: number): void;
  /** As `pan`, without animation. */
  shift(dx: number, dy: number): void;
  /** As `nudge`, unless it is already visible: for a step's subject. */
  keep(box: Box, drawing: Drawing): void;
  /** Brings a box into view: with the smallest move as long as that keeps something visible, else to the middle. */
  nudge(box: Box, drawing: Drawing): void;
  /** Brings a box to the middle. */
  centre(box: Box, drawing: Drawing): void;
  /** As `centre`, and near enough for it to be read. */
  read(box: Box, drawing: Drawing): void;
  sees(box: Box): boolean;
  partlySees(box: Box): boolean;
  /** No card is visible, not even a part of one. */
  isBlank(drawing: Drawing): boolean;
}

export function useCamera(): Camera {
  const flow = useReactFlow();
  const store = useStoreApi();
  return useMemo(() => {
    /** When the view was last moved, or a step that did not move it was last shown. */
    let last = 0;
    const pane = (): Size => ({ width: store.getState().width, height: store.getState().height });
    const view = (): Viewport => flow.getViewport();
    const go = (to: Viewport): void => {
      const now = performance.now();
      const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches || now - last < FAST_MS;
      last = now;
      void flow.setViewport(to, { duration: still ? 0 : MOVE_MS });
    };
    return {
      view,
      pane,
      start(drawing) {
        void flow.setViewport(firstViewOf(drawing, pane()));
      },
      startAt(drawing, part) {
        const to = firstViewAt(drawing.layout.bounds, part, pane(), drawing.model.union.blocks.length);
        if (to !== null) void flow.setViewport(to);
        return to !== null;
      },
      fit: (drawing) => go(fitAll(drawing.layout.bounds, pane(), largest())),
      refit(drawing) {
        void flow.setViewport(fitAll(drawing.layout.bounds, pane(), largest()));
      },
      isFitted: (drawing, pane) => isFitted(drawing.layout.bounds, view(), pane, largest()),
      look: (bounds, first, blocks) => go(firstView(bounds, first, pane(), blocks, largest())),
      zoom: (factor) => go(zoomBy(factor, flow.getViewport(), pane())),
      pan(dx, dy) {
        const view = flow.getViewport();
        go({ ...view, x: view.x + dx, y: view.y + dy });
      },
      shift(dx, dy) {
        const view = flow.getViewport();
        void flow.setViewport({ ...view, x: view.x + dx, y: view.y + dy });
      },
      keep(box, { layout }) {
        if (inSight(box, view(), pane())) last = performance.now();
        else go(bringTo(box, view(), pane(), layout.bounds));
      },
      nudge: (box, { layout }) => go(bringTo(box, view(), pane(), layout.bounds)),
      centre: (box, { layout }) => go(centreOn(box, view(), pane(), layout.bounds)),
      read(box, { layout }) {
        const now = view();
        go(centreOn(box, now.zoom < READABLE ? { ...now, zoom: READABLE } : now, pane(), layout.bounds));
      },
      partlySees: (box) => partlyInSight(box, view(), pane()),
      sees: (box) => inSight(box, view(), pane()),
      isBlank: ({ nodes }) => ![...nodes.values()].some((card) => partlyInSight(card, view(), pane())),
    };
  }, [flow, store]);
}

export function firstViewOf(drawing: Drawing, pane: Size): Viewport {
  const { layout, model, nodes } = drawing;
  const graph = layout.simplified?.graph ?? model.input;
  return firstView(layout.bounds, nodes.get(graph.entry) ?? null, pane, model.union.blocks.length, largest());
}

/** A small graph is drawn in its own size; for an audience as large as there is room. */
function largest(): number {
  return document.documentElement.dataset.preset === "present" ? 1.75 : 1;
}

/** The row of an instruction on a block's card: what must be visible when the step is about it. */
export function rowBox(card: Box, row: number): Box {
  const top = card.y + CARD.headerHeight + 5 + Math.min(row, CARD.maxLines - 1) * CARD.lineHeight;
  return row < 0
    ? card
    : { x: card.x, y: Math.min(top, card.y + card.height - CARD.lineHeight), width: card.width, height: CARD.lineHeight };
}
