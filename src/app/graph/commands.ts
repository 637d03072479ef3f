/** Commands of the graph. They know its settings and its controller, not its view, so that menus do not load it. */

import type { Folding } from "../../layout/choose-columns.ts";
import { always, type Command } from "../session/command.ts";
import { openCompare, SHOWN } from "../session/comparison.ts";
import { headersAround } from "../session/loop-nest.ts";
import { selectEarlier } from "../session/provenance.ts";
import type { SessionState } from "../session/state.ts";
import { type GraphController, graphOf } from "./controller.ts";
import { type GraphMode, setLoopCollapsed, setSearch } from "./graph-view.ts";

const shown = (s: SessionState): boolean => !selectEarlier(s) && s.view.centre === "graph" && s.position.graph !== null;

function act(id: string, title: string, keys: readonly string[], run: (controller: GraphController) => void, found = ""): Command {
  return {
    id: `graph.${id}`,
    title,
    found,
    menu: null,
    keys,
    enabled: (s) => shown(s) && s.graph.drawn,
    run: (session) => {
      const controller = graphOf(session);
      if (controller !== null) run(controller);
    },
  };
}

function toggle(id: string, title: string, of: "lines" | "minimap" | "follow" | "meanings", found = ""): Command {
  return {
    id: `graph.${id}`,
    title,
    found,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.graph[of],
    run: ({ store, patch }) => patch("graph", { [of]: !store.getState().graph[of] }),
  };
}

function columns(folding: Folding, title: string, found: string): Command {
  return {
    id: `graph.columns-${folding}`,
    title,
    found,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.graph.folding === folding,
    run: ({ patch }) => patch("graph", { folding }),
  };
}

function near(steps: number, title: string): Command {
  return {
    id: `graph.near-${steps}`,
    title,
    menu: null,
    keys: steps === 0 ? ["Shift+N"] : steps === 2 ? ["N"] : [],
    enabled: (s) => shown(s) && (steps === 0 ? s.graph.near !== 0 : selectedBlock(s) !== null),
    checked: (s) => s.graph.near === steps,
    run: ({ patch }) => patch("graph", { near: steps }),
  };
}

/** The selected block, or the block the selection is in. */
export function selectedBlock(s: SessionState): number | null {
  const { selected } = s.selection;
  switch (selected?.kind) {
    case "block":
      return selected.id;
    case "edge":
      return selected.from;
    case "inst":
      for (const block of s.position.moment?.blocks.values() ?? []) if (block.insts.some((i) => i.id === selected.id)) return block.id;
      return null;
    default:
      return null;
  }
}

/** Headers of the loops around a block, innermost first. */
export function loopsAround(s: SessionState, block: number | null): readonly number[] {
  return block === null ? [] : headersAround(s.position.graph?.loops ?? [], block);
}

function mode(which: GraphMode, title: string): Command {
  return {
    id: `graph.view-${which}`,
    title,
    menu: null,
    keys: [],
    enabled: shown,
    checked: (s) => s.graph.mode === which,
    run: ({ patch }) => patch("graph", { mode: which }),
  };
}

const hasLoops = (s: SessionState): boolean => shown(s) && (s.position.graph?.loops.length ?? 0) > 0;

export const GRAPH_COMMANDS: readonly Command[] = [
  mode("all", "View: everything of this phase"),
  mode("now", "View: only what exists at this step"),
  mode("sides", "View: before and after this phase, side by side"),
  {
    id: "graph.compare",
    title: "Compare from this step: go to any other step or phase",
    menu: null,
    keys: [],
    enabled: (s) => shown(s) && s.position.moment !== null,
    run: (session) =>
      openCompare(session, {
        left: { run: SHOWN, at: session.actions.position.named() },
        right: { run: SHOWN, at: "current" },
        shows: "one",
      }),
  },
  act("zoom-in", "Zoom in", ["=", "+", "Shift++"], (c) => c.zoomIn(), "bigger, larger, enlarge"),
  act("zoom-out", "Zoom out", ["-"], (c) => c.zoomOut(), "smaller"),
  act("fit", "Show the whole graph", ["0"], (c) => c.fit(), "fit, overview, reset the view"),
  {
    id: "graph.reveal",
    title: "Centre the selection",
    menu: null,
    keys: ["G"],
    enabled: (s) => shown(s) && selectedBlock(s) !== null,
    run: (session) => {
      const block = selectedBlock(session.store.getState());
      if (block !== null) graphOf(session)?.reveal(block, true);
    },
  },
  {
    id: "graph.search",
    title: "Find in the graph",
    found: "search, find, find a block",
    menu: null,
    keys: ["/"],
    enabled: shown,
    run: (session) => setSearch(session, { open: true }),
  },
  toggle("follow", "Follow the current step", "follow"),
  columns("automatic", "Columns: where they make the text larger", "fold, newspaper"),
  columns("never", "Columns: never", "unfold"),
  columns("always", "Columns: always", "fold"),
  toggle("minimap", "Minimap", "minimap", "map, overview, list of blocks"),
  toggle("meanings", "What the lines mean", "meanings"),
  {
    id: "graph.collapse-loop",
    title: "Collapse the loop around the selection",
    menu: null,
    keys: ["L"],
    enabled: (s) => shown(s) && loopsAround(s, selectedBlock(s)).some((h) => !s.graph.collapsedLoops.has(h)),
    run: (session) => {
      const s = session.store.getState();
      const header = loopsAround(s, selectedBlock(s)).find((h) => !s.graph.collapsedLoops.has(h));
      if (header !== undefined) setLoopCollapsed(session, header, true);
    },
  },
  {
    id: "graph.open-loop",
    title: "Expand the loop around the selection",
    menu: null,
    keys: ["Shift+L"],
    enabled: (s) => shown(s) && loopsAround(s, selectedBlock(s)).some((h) => s.graph.collapsedLoops.has(h)),
    run: (session) => {
      const s = session.store.getState();
      const header = loopsAround(s, selectedBlock(s)).findLast((h) => s.graph.collapsedLoops.has(h));
      if (header !== undefined) setLoopCollapsed(session, header, false);
    },
  },
  {
    id: "graph.collapse-loops",
    title: "Collapse all loops",
    menu: null,
    keys: [],
    enabled: hasLoops,
    run: (session) =>
      session.patch("graph", { collapsedLoops: new Set((session.store.getState().position.graph?.loops ?? []).map((l) => l.header)) }),
  },
  {
    id: "graph.open-all",
    title: "Expand everything",
    menu: null,
    keys: [],
    enabled: (s) => s.graph.collapsedLoops.size > 0 || s.graph.lines,
    run: ({ patch }) => patch("graph", { collapsedLoops: new Set(), lines: false }),
  },
  toggle("lines", "Collapse straight lines", "lines"),
  near(0, "Show all blocks"),
  near(1, "Only neighbours of the selection: 1 step"),
  near(2, "Only neighbours of the selection: 2 steps"),
  near(4, "Only neighbours of the selection: 4 steps"),
  act("svg", "Save the graph as SVG", [], (c) => c.savePicture("svg"), "picture, image, vector graphics"),
  act("png", "Save the graph as PNG", [], (c) => c.savePicture("png"), "picture, image, screenshot"),
];
