/** Lays out a control-flow graph with ELK, which receives what it cannot know as hints (`hints/`). */
import { withBounds } from "./bounds.ts";
import { onEachOther } from "./crossings.ts";
import type { Elk } from "./elk/elk.ts";
import { elkGraph } from "./elk/graph.ts";
import { type Drawn, readDrawing } from "./elk/read.ts";
import { hintsFor, STEPS, type Step } from "./hints/hints.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type Spacing } from "./types.ts";

export interface ElkLayoutOptions {
  readonly spacing?: Spacing;
  /** Leaving out steps shows what each contributes. */
  readonly steps?: readonly Step[];
}

/**
 * Draws every forward edge downwards and every back edge up the right side of its loop, and keeps loops together (what follows a loop is
 * below it). The first successor leaves to the left of the second, except in branches that cross fewer lines when turned; tables keep their
 * order. Accepts irreducible graphs, unreachable blocks and self loops. The same input gives the same picture.
 */
export async function elkLayout(
  input: GraphInput,
  elk: Elk,
  { spacing = defaultSpacing, steps = STEPS }: ElkLayoutOptions = {},
): Promise<GraphLayout> {
  const hints = hintsFor(input, spacing, steps);
  const draw = async (compact: boolean): Promise<Drawn> => {
    const graph = elkGraph(hints, spacing, compact);
    return readDrawing(hints, graph, await elk(graph.root));
  };
  let drawn = await draw(true);
  // In one of some hundred graphs with random edges, ELK's compaction lets lines overlap.
  if (onEachOther(hints.graph, drawn.edges).length > 0) drawn = await draw(false);
  return withBounds({ ...drawn, simplified: null, ms: 0 }, spacing.margin);
}
