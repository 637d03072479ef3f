/** The mounted graph, as commands and other panes reach it. It acts on the document, so it is outside the store. */

import type { Session } from "../session/session.ts";

/** Commands of the mounted graph. */
export interface GraphController {
  zoomIn(): void;
  zoomOut(): void;
  /** Shows the whole drawing. */
  fit(): void;
  /** The initial view of a program, in which the step's subject is visible. */
  frame(): void;
  /** Centres a block if it is out of sight; with `always`, in any case. */
  reveal(block: number, always: boolean): void;
  /** Centres a block on both sides of a comparison. */
  revealBoth(block: number): void;
  savePicture(format: "svg" | "png"): void;
  /** The drawing at this step as an SVG document, in the colours of the page. */
  picture(): string;
}

const mounted = new WeakMap<Session, GraphController>();

/** Null while no graph is drawn. */
export function graphOf(session: Session): GraphController | null {
  return mounted.get(session) ?? null;
}

/** Until the function that it returns is called, this is the session's graph. */
export function mountGraph(session: Session, controller: GraphController): () => void {
  mounted.set(session, controller);
  session.patch("graph", { drawn: true });
  return () => {
    mounted.delete(session);
    session.patch("graph", { drawn: false });
  };
}
