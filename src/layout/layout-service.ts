/** The layouts that the page requests: the latest request wins, drawings are cached, and all of them are computed off the page's thread. */
import { type CardMetrics, defaultCardMetrics } from "./measure.ts";
import { defaultLayoutLimits, type LayoutLimits, type LayoutRequest } from "./plan.ts";
import { structureKey } from "./stabilise.ts";
import { defaultSpacing, type GraphInput, type GraphLayout, type Spacing } from "./types.ts";

export type LayoutOutcome =
  | { readonly status: "done"; readonly layout: GraphLayout }
  /** A newer request came before this one was done; `aborted`: the signal fired. */
  | { readonly status: "superseded" }
  | { readonly status: "aborted" };

export interface DrawingOptions {
  readonly signal?: AbortSignal;
  /** Regions opened by hand, where a large graph is drawn as regions. */
  readonly opened?: ReadonlySet<string>;
}

export interface LayoutService {
  layout(input: GraphInput, options?: DrawingOptions): Promise<LayoutOutcome>;
  dispose(): void;
}

/** Draws off the calling thread. */
export interface LayoutRunner {
  /** Rejects once the signal fires. */
  draw(input: GraphInput, request: LayoutRequest, signal?: AbortSignal): Promise<GraphLayout>;
  /** No drawing is awaited: the runner may prepare for the next ones. */
  warmUp(): void;
  dispose(): void;
}

export interface LayoutServiceOptions {
  readonly runner: Pick<LayoutRunner, "draw" | "dispose">;
  readonly limits?: LayoutLimits;
  readonly metrics?: CardMetrics;
  readonly spacing?: Spacing;
  /** Known drawings, by `layoutKey`. */
  readonly known?: ReadonlyMap<string, GraphLayout>;
  /** Number of cached layouts. */
  readonly cacheSize?: number;
  readonly now?: () => number;
}

const NONE_OPEN: ReadonlySet<string> = new Set();

/** Requests with the same key get the same drawing. */
export function layoutKey(input: GraphInput, opened: ReadonlySet<string> = NONE_OPEN): string {
  return `${structureKey(input)}.${[...opened].sort().join(" ")}`;
}

export function createLayoutService(options: LayoutServiceOptions): LayoutService {
  const { runner } = options;
  const limits = options.limits ?? defaultLayoutLimits;
  const metrics = options.metrics ?? defaultCardMetrics;
  const spacing = options.spacing ?? defaultSpacing;
  const now = options.now ?? (() => performance.now());
  const cache = new Map<string, GraphLayout>(options.known);
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

  return {
    async layout(input, { signal, opened = NONE_OPEN } = {}) {
      if (signal?.aborted === true) return { status: "aborted" };
      const mine = ++latest;
      const key = layoutKey(input, opened);
      const before = cache.get(key);
      if (before !== undefined) return { status: "done", layout: remember(key, before) };
      const began = now();
      let drawn: GraphLayout;
      try {
        drawn = await runner.draw(input, { limits, metrics, spacing, opened }, signal);
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
      runner.dispose();
      cache.clear();
    },
  };
}

/** Checked again: the signal may have fired while the drawing was made. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted ?? false;
}
