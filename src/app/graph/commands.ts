/** Commands of the graph. They know its wishes and its controller, not its view, so that menus do not load it. */

import type { Folding } from "../../layout/choose-columns.ts";
import { always, type Command } from "../commands/command.ts";
import { openCompare, SHOWN } from "../compare/compare-view.ts";
import { headersAround } from "../session/loop-nest.ts";
import type { SessionState } from "../session/state.ts";
import { type GraphController, type GraphMode, type GraphView, graphView, setLoopCollapsed, setSearch } from "./graph-view.ts";

const shown = (s: SessionState): boolean => s.view.centre === "graph" && s.position.graph !== null;

function act(id: string, title: string, keys: readonly string[], run: (controller: GraphController) => void): Command {
  return {
    id: `graph.${id}`,
    title,
    menu: null,
    keys,
    enabled: (s) => shown(s) && graphView.getState().controller !== null,
    run: () => {
      const { controller } = graphView.getState();
      if (controller !== null) run(controller);
    },
  };
}

function toggle(id: string, title: string, of: "lines" | "minimap" | "follow" | "meanings"): Command {
  return {
    id: `graph.${id}`,
    title,
    menu: null,
    keys: [],
    enabled: always,
    checked: () => graphView.getState()[of],
    run: () => graphView.setState((view): Partial<GraphView> => ({ [of]: !view[of] })),
  };
}

function columns(folding: Folding, title: string): Command {
  return {
    id: `graph.columns-${folding}`,
    title,
    menu: null,
    keys: [],
    enabled: always,
    checked: () => graphView.getState().folding === folding,
    run: () => graphView.setState({ folding }),
  };
}

function near(steps: number, title: string): Command {
  return {
    id: `graph.near-${steps}`,
    title,
    menu: null,
    keys: steps === 0 ? ["Shift+N"] : steps === 2 ? ["N"] : [],
    enabled: (s) => shown(s) && (steps === 0 ? graphView.getState().near !== 0 : selectedBlock(s) !== null),
    checked: () => graphView.getState().near === steps,
    run: () => graphView.setState({ near: steps }),
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
    checked: () => graphView.getState().mode === which,
    run: () => graphView.setState({ mode: which }),
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
  act("zoom-in", "Zoom in", ["=", "+", "Shift++"], (c) => c.zoomIn()),
  act("zoom-out", "Zoom out", ["-"], (c) => c.zoomOut()),
  act("fit", "Show the whole graph", ["0"], (c) => c.fit()),
  {
    id: "graph.reveal",
    title: "Centre the selection",
    menu: null,
    keys: ["G"],
    enabled: (s) => shown(s) && selectedBlock(s) !== null,
    run: (session) => {
      const block = selectedBlock(session.store.getState());
      if (block !== null) graphView.getState().controller?.reveal(block, true);
    },
  },
  {
    id: "graph.search",
    title: "Find in the graph",
    menu: null,
    keys: ["/"],
    enabled: shown,
    run: () => setSearch({ open: true }),
  },
  toggle("follow", "Follow the current step", "follow"),
  columns("automatic", "Columns: where they make the text larger"),
  columns("never", "Columns: never"),
  columns("always", "Columns: always"),
  toggle("minimap", "Minimap", "minimap"),
  toggle("meanings", "What the lines mean", "meanings"),
  {
    id: "graph.collapse-loop",
    title: "Collapse the loop around the selection",
    menu: null,
    keys: ["L"],
    enabled: (s) => shown(s) && loopsAround(s, selectedBlock(s)).some((h) => !graphView.getState().collapsedLoops.has(h)),
    run: (session) => {
      const s = session.store.getState();
      const header = loopsAround(s, selectedBlock(s)).find((h) => !graphView.getState().collapsedLoops.has(h));
      if (header !== undefined) setLoopCollapsed(header, true);
    },
  },
  {
    id: "graph.open-loop",
    title: "Expand the loop around the selection",
    menu: null,
    keys: ["Shift+L"],
    enabled: (s) => shown(s) && loopsAround(s, selectedBlock(s)).some((h) => graphView.getState().collapsedLoops.has(h)),
    run: (session) => {
      const s = session.store.getState();
      const header = loopsAround(s, selectedBlock(s)).findLast((h) => graphView.getState().collapsedLoops.has(h));
      if (header !== undefined) setLoopCollapsed(header, false);
    },
  },
  {
    id: "graph.collapse-loops",
    title: "Collapse all loops",
    menu: null,
    keys: [],
    enabled: hasLoops,
    run: (session) =>
      graphView.setState({ collapsedLoops: new Set((session.store.getState().position.graph?.loops ?? []).map((l) => l.header)) }),
  },
  {
    id: "graph.open-all",
    title: "Expand everything",
    menu: null,
    keys: [],
    enabled: () => graphView.getState().collapsedLoops.size > 0 || graphView.getState().lines,
    run: () => graphView.setState({ collapsedLoops: new Set(), lines: false }),
  },
  toggle("lines", "Collapse straight lines", "lines"),
  near(0, "Show all blocks"),
  near(1, "Only neighbours of the selection: 1 step"),
  near(2, "Only neighbours of the selection: 2 steps"),
  near(4, "Only neighbours of the selection: 4 steps"),
  act("svg", "Save the graph as SVG", [], (c) => c.savePicture("svg")),
  act("png", "Save the graph as PNG", [], (c) => c.savePicture("png")),
];
