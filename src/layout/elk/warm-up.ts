/**
 * Until the browser has compiled ELK, its first drawing takes eight times as long as later ones, and the next few twice as long. So a
 * program is drawn a few times while no drawing is awaited; it is small because a drawing under way cannot be stopped.
 */
import { elkLayout } from "../elk-layout.ts";
import type { EdgeKind, GraphEdge, GraphInput } from "../types.ts";
import type { Elk } from "./elk.ts";

const DRAWINGS = 8;
/** Pause between two drawings, for the browser's other work. */
const PAUSE_MS = 30;

/** Returns a function that starts or resumes the warm-up; `isIdle`: no drawing is awaited. */
export function warmUp(elk: Elk, isIdle: () => boolean): () => void {
  let left = DRAWINGS;
  let running = false;
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const run = async (): Promise<void> => {
    while (left > 0) {
      if (isIdle()) {
        left--;
        await elkLayout(program(), elk);
      }
      await pause();
    }
  };
  return () => {
    if (running) return;
    running = true;
    // The next requested drawing reports an error of ELK.
    run().catch(() => undefined);
  };
}

/** A loop in a loop with branches, a jump out of it and a common exit: all kinds of lines. */
function program(): GraphInput {
  const edges: GraphEdge[] = [];
  const add = (from: string, ...ways: readonly (readonly [to: string, kind: EdgeKind])[]): void => {
    for (const [port, [to, kind]] of ways.entries()) edges.push({ id: `${from}>${to}`, from, to, kind, port });
  };
  add("a", ["end", "taken"], ["outer", "fall"]);
  add("outer", ["after", "taken"], ["test", "fall"]);
  add("test", ["else", "taken"], ["then", "fall"]);
  add("then", ["join", "jump"]);
  add("else", ["end", "taken"], ["join", "fall"]);
  add("join", ["inner", "fall"]);
  add("inner", ["next", "taken"], ["body", "fall"]);
  add("body", ["body", "taken"], ["last", "fall"]);
  add("last", ["inner", "jump"]);
  add("next", ["outer", "jump"], ["out", "fall"]);
  add("out", ["end", "jump"]);
  add("after", ["end", "fall"]);
  const ids = new Set(edges.flatMap(({ from, to }) => [from, to]));
  return {
    entry: "a",
    nodes: Array.from(ids, (id, i) => ({ id, kind: "block", width: 160 + 20 * (i % 4), height: 60 + 17 * (i % 5) })),
    edges,
  };
}
