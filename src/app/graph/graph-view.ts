/** The user's settings of the graph: its slice of the session. Matters of taste are saved in the browser. */

import type { Folding } from "../../layout/choose-columns.ts";
import type { MomentState } from "../session/moment.ts";
import type { Session } from "../session/session.ts";
import { browserStorage } from "../ui/browser-storage.ts";

declare module "../session/state.ts" {
  interface SessionState {
    readonly graph: GraphView;
  }
}

export interface GraphSearch {
  readonly open: boolean;
  readonly query: string;
  /** The index of the current match. */
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
  /** What was chosen: a new choice is shown from its first difference. */
  readonly choice: string;
}

export interface GraphView {
  readonly mode: GraphMode;
  /** The two sides of the comparison; null: they are being loaded, or nothing is compared. */
  readonly pair: ComparedPair | null;
  /** Only what is within this many edges of the selected block; 0: everything. */
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
  /** What the user has marked, by the label of the block: drawn on its card. */
  readonly marks: ReadonlyMap<string, string> | null;
  /** A drawing is on screen, and `graphOf` has its controller. */
  readonly drawn: boolean;
}

const KEY = "oriscope.graph";

const FOLDINGS: readonly Folding[] = ["automatic", "never", "always"];

/** How any program is drawn at first; always the same objects, so that a program of which nothing has to be forgotten is not drawn again. */
const NOTHING_SPECIAL: Pick<GraphView, "collapsedLoops" | "opened" | "near" | "mode" | "pair" | "search"> = {
  collapsedLoops: new Set(),
  opened: new Set(),
  near: 0,
  mode: "all",
  pair: null,
  search: { open: false, query: "", index: 0 },
};

export const GRAPH_VIEW: GraphView = {
  folding: "automatic",
  minimap: true,
  follow: true,
  lines: false,
  meanings: false,
  ...NOTHING_SPECIAL,
  marks: null,
  drawn: false,
};

/** Takes the user's taste from the browser's storage, and saves it there. */
export function keepGraphView({ store, patch }: Session): void {
  const storage = browserStorage("localStorage");
  const { folding, minimap, follow } = storage.fields(KEY);
  patch("graph", {
    folding: FOLDINGS.find((f) => f === folding) ?? GRAPH_VIEW.folding,
    minimap: minimap !== false,
    follow: follow !== false,
  });
  store.subscribe(({ graph }, { graph: before }) => {
    const { folding, minimap, follow } = graph;
    if (folding === before.folding && minimap === before.minimap && follow === before.follow) return;
    storage.set(KEY, JSON.stringify({ folding, minimap, follow }));
  });
}

/** Discards what belonged to a different program. */
export function forgetProgram({ patch }: Session): void {
  patch("graph", NOTHING_SPECIAL);
}

/** Opens a region of any kind. */
export function openRegion(session: Session, id: string): void {
  const { opened, collapsedLoops } = session.store.getState().graph;
  const header = Number(/^loop:b(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  if (collapsedLoops.has(header)) setLoopCollapsed(session, header, false);
  else session.patch("graph", { opened: new Set([...opened, id]) });
}

/** Closes what was opened by hand. */
export function closeRegions({ patch }: Session): void {
  patch("graph", { opened: new Set() });
}

export function setLoopCollapsed({ store, patch }: Session, header: number, collapsed: boolean): void {
  const { collapsedLoops, opened } = store.getState().graph;
  const headers = new Set(collapsedLoops);
  if (collapsed) headers.add(header);
  else headers.delete(header);
  patch("graph", { collapsedLoops: headers, opened: new Set([...opened].filter((id) => id !== `loop:b${header}`)) });
}

export function setSearch({ store, patch }: Session, part: Partial<GraphSearch>): void {
  patch("graph", { search: { ...store.getState().graph.search, ...part } });
}
