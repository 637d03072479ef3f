/** The layout the page asks for: latest request wins, drawings are remembered, and large graphs are drawn off the page's thread. */
import { type CardMetrics, defaultCardMetrics } from "./measure.ts";
import { defaultLayoutLimits, drawGraph, type LayoutLimits, type LayoutRequest } from "./plan.ts";
import { structureKey } from "./stabilise.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type Spacing } from "./types.ts";

export type LayoutOutcome =
  | { readonly status: "done"; readonly layout: GraphLayout }
  /** A newer request came, or the signal fired, before this one was done. */
  | { readonly status: "superseded" }
  | { readonly status: "aborted" };

export interface LayoutWish {
  readonly signal?: AbortSignal;
  /** Regions opened by hand, where a large graph is drawn as regions. */
  readonly opened?: ReadonlySet<string>;
}

export interface LayoutService {
  layout(input: GraphInput, wish?: LayoutWish): Promise<LayoutOutcome>;
  /** The drawing, if it is remembered or small enough to be made at once; else null. */
  now(input: GraphInput, opened?: ReadonlySet<string>): GraphLayout | null;
  dispose(): void;
}

/** Draws somewhere else than on the calling thread. */
export interface LayoutRunner {
  /** Rejects once the signal fires. */
  draw(input: GraphInput, request: LayoutRequest, signal?: AbortSignal): Promise<GraphLayout>;
  dispose(): void;
}

export interface LayoutServiceOptions {
  /** Null: draw in place, whatever the size (tests, Node). */
  readonly runner: LayoutRunner | null;
  readonly limits?: LayoutLimits;
  readonly metrics?: CardMetrics;
  readonly spacing?: Spacing;
  /** Cards past which drawing moves off the calling thread. */
  readonly runnerAbove?: number;
  /** Ends the current task before a graph of more cards is drawn in place: what led to the drawing has taken its time already. */
  readonly pause?: { readonly above: number; readonly end: () => Promise<void> };
  /** Layouts kept. */
  readonly cacheSize?: number;
  readonly now?: () => number;
}

const NONE_OPEN: ReadonlySet<string> = new Set();

export function createLayoutService(options: LayoutServiceOptions): LayoutService {
  const { runner } = options;
  const limits = options.limits ?? defaultLayoutLimits;
  const metrics = options.metrics ?? defaultCardMetrics;
  const spacing = options.spacing ?? defaultSpacing;
  const runnerAbove = options.runnerAbove ?? 200;
  const now = options.now ?? (() => performance.now());
  const cache = new Map<string, GraphLayout>();
  const cacheSize = options.cacheSize ?? 128;
  let latest = 0;

  const remember = (key: string, layout: GraphLayout): GraphLayout => {
    cache.delete(key);
    cache.set(key, layout);
    for (const oldest of cache.keys()) {
      if (cache.size <= cacheSize) break;
      cache.delete(oldest);
    }
    return layout;
  };
  const keyOf = (input: GraphInput, opened: ReadonlySet<string>): string => {
    const regions = input.nodes.length > limits.collapseAbove ? [...opened].sort().join(" ") : "";
    return `${structureKey(input)}.${regions}`;
  };
  const known = (key: string): GraphLayout | null => {
    const layout = cache.get(key);
    return layout === undefined ? null : remember(key, layout);
  };
  const requestFor = (opened: ReadonlySet<string>): LayoutRequest => ({ limits, metrics, spacing, opened });
  const inPlace = (input: GraphInput, opened: ReadonlySet<string>, key: string): GraphLayout => {
    const began = now();
    const layout = drawGraph(input, requestFor(opened));
    return remember(key, { ...layout, ms: now() - began });
  };

  return {
    now(input, opened = NONE_OPEN) {
      const key = keyOf(input, opened);
      if (runner !== null && input.nodes.length > runnerAbove) return known(key);
      return known(key) ?? inPlace(input, opened, key);
    },
    async layout(input, { signal, opened = NONE_OPEN } = {}) {
      if (signal?.aborted === true) return { status: "aborted" };
      const mine = ++latest;
      const key = keyOf(input, opened);
      const before = known(key);
      if (before !== null) return { status: "done", layout: before };
      if (runner === null || input.nodes.length <= runnerAbove) {
        if (options.pause !== undefined && input.nodes.length > options.pause.above) {
          await options.pause.end();
          if (isAborted(signal)) return { status: "aborted" };
          if (mine !== latest) return { status: "superseded" };
        }
        return { status: "done", layout: known(key) ?? inPlace(input, opened, key) };
      }
      const began = now();
      let drawn: GraphLayout;
      try {
        drawn = await runner.draw(input, requestFor(opened), signal);
      } catch (error) {
        if (isAborted(signal)) return { status: "aborted" };
        throw error;
      }
      const layout = remember(key, { ...drawn, ms: now() - began });
      if (isAborted(signal)) return { status: "aborted" };
      return mine === latest ? { status: "done", layout } : { status: "superseded" };
    },
    dispose() {
      latest++;
      runner?.dispose();
      cache.clear();
    },
  };
}

/** Asked anew: the signal may have fired while the drawing was made. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}
