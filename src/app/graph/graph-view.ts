/** How the person wants the graph drawn: what is collapsed, what is searched. One for the page, kept where it is a matter of taste. */

import { createStore } from "zustand/vanilla";
import type { Folding } from "../../layout/choose-columns.ts";
import type { MomentState } from "../session/moment.ts";

/** What the mounted graph can be told to do. */
export interface GraphController {
  zoomIn(): void;
  zoomOut(): void;
  /** Shows the whole drawing. */
  fit(): void;
  /** As a program is first looked at, with what the step is about in sight. */
  frame(): void;
  /** Brings a block to the middle if it is not in sight, or whatever happens. */
  reveal(block: number, always: boolean): void;
  /** Brings a block to the middle as both sides of a comparison have it. */
  revealBoth(block: number): void;
  savePicture(format: "svg" | "png"): void;
  /** The drawing at this step as an SVG document, in the colours of the page. */
  picture(): string;
}

export interface GraphSearch {
  readonly open: boolean;
  readonly query: string;
  /** Which of the matches one stands at. */
  readonly index: number;
}

/** Everything of the phase, what exists at this step, the phase's two ends, or the two sides of a comparison. */
export type GraphMode = "all" | "now" | "sides" | "pair";

/** Two programs, the blocks of one label under one number. */
export interface ComparedPair {
  readonly base: MomentState;
  readonly head: MomentState;
  /** Two pictures; else one of both. */
  readonly beside: boolean;
  readonly titles: readonly [left: string, right: string];
  /** What was chosen: another choice is looked at from its first difference. */
  readonly choice: string;
}

export interface GraphView {
  readonly mode: GraphMode;
  /** The two sides of the comparison; null: they are on their way, or nothing is compared. */
  readonly pair: ComparedPair | null;
  /** Only what is so many edges around the selected block; 0: everything. */
  readonly near: number;
  /** Straight lines are one card each. */
  readonly lines: boolean;
  /** Headers of the loops that are one card each. */
  readonly collapsedLoops: ReadonlySet<number>;
  /** Regions opened by hand. */
  readonly opened: ReadonlySet<string>;
  /** Whether tall drawings are cut into columns, so that they fit the pane. */
  readonly folding: Folding;
  readonly minimap: boolean;
  /** What the kinds of lines mean is shown under the drawing. */
  readonly meanings: boolean;
  /** The view moves when what happens is out of sight. */
  readonly follow: boolean;
  readonly search: GraphSearch;
  /** Null while no graph is shown. */
  readonly controller: GraphController | null;
}

const KEY = "oriscope.graph";

const FOLDINGS: readonly Folding[] = ["automatic", "never", "always"];

function kept(): Pick<GraphView, "folding" | "minimap" | "follow"> {
  const defaults = { folding: "automatic", minimap: true, follow: true } as const;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof value !== "object" || value === null) return defaults;
    const { folding, minimap, follow } = value as Record<string, unknown>;
    return { folding: FOLDINGS.find((f) => f === folding) ?? "automatic", minimap: minimap !== false, follow: follow !== false };
  } catch {
    // No storage here, or not ours: the defaults do.
    return defaults;
  }
}

/** How any program is drawn at first; always the same objects, so that a program of which nothing has to be forgotten is not drawn again. */
const NOTHING_SPECIAL: Pick<GraphView, "collapsedLoops" | "opened" | "near" | "mode" | "pair" | "search"> = {
  collapsedLoops: new Set(),
  opened: new Set(),
  near: 0,
  mode: "all",
  pair: null,
  search: { open: false, query: "", index: 0 },
};

export const graphView = createStore<GraphView>()(() => ({
  ...kept(),
  lines: false,
  meanings: false,
  ...NOTHING_SPECIAL,
  controller: null,
}));

graphView.subscribe((state, before) => {
  const { folding, minimap, follow } = state;
  if (folding === before.folding && minimap === before.minimap && follow === before.follow) return;
  try {
    localStorage.setItem(KEY, JSON.stringify({ folding, minimap, follow }));
  } catch {
    // Not allowed to keep anything: then not.
  }
});

/** Forgets what belonged to another program. */
export function forgetProgram(): void {
  graphView.setState(NOTHING_SPECIAL);
}

/** Opens a region, whatever made it one. */
export function openRegion(id: string): void {
  const { opened, collapsedLoops } = graphView.getState();
  const header = Number(/^loop:b(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  if (collapsedLoops.has(header)) setLoopCollapsed(header, false);
  else graphView.setState({ opened: new Set([...opened, id]) });
}

/** Closes what was opened by hand. */
export function closeRegions(): void {
  graphView.setState({ opened: new Set() });
}

export function setLoopCollapsed(header: number, collapsed: boolean): void {
  const { collapsedLoops, opened } = graphView.getState();
  const headers = new Set(collapsedLoops);
  if (collapsed) headers.add(header);
  else headers.delete(header);
  graphView.setState({ collapsedLoops: headers, opened: new Set([...opened].filter((id) => id !== `loop:b${header}`)) });
}

export function setSearch(part: Partial<GraphSearch>): void {
  graphView.setState({ search: { ...graphView.getState().search, ...part } });
}
