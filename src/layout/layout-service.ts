/** The layout the page asks for: latest request wins, a fast picture first where ELK takes long, nothing slow on the page's thread. */
import type { ElkRunner } from "./elk-runner.ts";
import { fromElk } from "./from-elk.ts";
import { linearLayout } from "./linear.ts";
import { type CardMetrics, defaultCardMetrics } from "./measure.ts";
import { defaultLayoutLimits, type LayoutLimits, type LayoutPlan, type PlanRequest, planLayout, withCause } from "./plan.ts";
import { structureKey } from "./stabilise.ts";
import { toElk } from "./to-elk.ts";
import { defaultSpacing, type Engine, type GraphInput, type GraphLayout, type Spacing } from "./types.ts";

export type LayoutOutcome =
  | { readonly status: "done"; readonly layout: GraphLayout }
  /** A newer request came, or the signal fired, before this one was done. */
  | { readonly status: "superseded" }
  | { readonly status: "aborted" };

export interface LayoutRequest {
  readonly signal?: AbortSignal;
  /** Which engine makes the final picture; the service's own default if absent. */
  readonly engine?: Engine;
  /** Regions opened by hand, where a large graph is drawn as regions. */
  readonly opened?: ReadonlySet<string>;
  /** Called at most once, before the outcome, with a picture to show meanwhile. */
  readonly onFirst?: (layout: GraphLayout) => void;
}

export interface LayoutService {
  layout(input: GraphInput, request?: LayoutRequest): Promise<LayoutOutcome>;
  /** Call while the page loads, when there is nothing better to do. Starts ELK only if it is the default engine. */
  warmUp(): Promise<void>;
  dispose(): void;
}

/** Plans and draws with the linear engine somewhere else than on the calling thread. */
export interface PlanRunner {
  plan(input: GraphInput, request: PlanRequest): Promise<LayoutPlan>;
  dispose(): void;
}

export interface LayoutServiceOptions {
  /** Null: there is no ELK here; everything is drawn by the linear engine. */
  readonly elk: ElkRunner | null;
  /** Null: plan in place, whatever the size (tests, Node). */
  readonly planner: PlanRunner | null;
  /** The default, if a request names none: `elk`. */
  readonly engine?: Engine;
  readonly limits?: LayoutLimits;
  readonly metrics?: CardMetrics;
  readonly spacing?: Spacing;
  /** How long ELK may take before the linear engine's picture is shown meanwhile. */
  readonly patienceMs?: number;
  /** Blocks past which planning moves off the calling thread. */
  readonly plannerAbove?: number;
  readonly timeoutMs?: number;
  /** Layouts kept. */
  readonly cacheSize?: number;
  readonly now?: () => number;
}

const NONE_OPEN: ReadonlySet<string> = new Set();

export function createLayoutService(options: LayoutServiceOptions): LayoutService {
  const { elk, planner } = options;
  const limits = options.limits ?? defaultLayoutLimits;
  const metrics = options.metrics ?? defaultCardMetrics;
  const spacing = options.spacing ?? defaultSpacing;
  const patienceMs = options.patienceMs ?? 500;
  const plannerAbove = options.plannerAbove ?? 200;
  const timeoutMs = options.timeoutMs ?? 8_000;
  const now = options.now ?? (() => performance.now());
  const defaultEngine = options.engine ?? "elk";
  const cache = new Map<string, GraphLayout>();
  const cacheSize = options.cacheSize ?? 64;
  let running: AbortController | null = null;

  const remember = (key: string, layout: GraphLayout): void => {
    cache.delete(key);
    cache.set(key, layout);
    for (const oldest of cache.keys()) {
      if (cache.size <= cacheSize) break;
      cache.delete(oldest);
    }
  };

  const plan = async (input: GraphInput, request: PlanRequest): Promise<LayoutPlan> => {
    if (planner === null || input.nodes.length <= plannerAbove) return planLayout(input, request);
    return await planner.plan(input, request);
  };

  const draw = async (
    input: GraphInput,
    engine: Engine,
    mine: AbortController,
    { onFirst, opened = NONE_OPEN }: LayoutRequest,
  ): Promise<GraphLayout | null> => {
    const began = now();
    const planned = await plan(input, { engine: elk === null ? "linear" : engine, limits, metrics, spacing, opened });
    if (mine.signal.aborted) return null;
    let linear = planned.linear === null ? null : { ...planned.linear, ms: now() - began };
    if (planned.engine === "linear" || elk === null) return linear;
    const meanwhile = setTimeout(() => {
      if (linear !== null || onFirst === undefined || mine.signal.aborted) return;
      linear = { ...linearLayout(planned.graph, spacing), simplified: planned.simplified };
      onFirst(linear);
    }, patienceMs);
    const asked = now();
    const outcome = await elk.run(toElk(planned.graph, spacing), timeoutMs, mine.signal);
    clearTimeout(meanwhile);
    if (mine.signal.aborted || outcome.status === "aborted") return null;
    if (outcome.status === "done") {
      const layout = fromElk(planned.graph, outcome.answer, spacing);
      return { ...layout, simplified: planned.simplified, ms: now() - asked };
    }
    const cause =
      outcome.status === "timeout"
        ? ({ kind: "timeout", afterMs: outcome.afterMs } as const)
        : ({ kind: "failed", message: outcome.message } as const);
    const instead = linear ?? (await plan(planned.graph, { engine: "linear", limits, metrics, spacing, opened })).linear;
    if (mine.signal.aborted || instead === null) return null;
    return { ...instead, simplified: withCause(planned.simplified, cause, planned.graph) };
  };

  return {
    async layout(input, request = {}) {
      if (isAborted(request)) return { status: "aborted" };
      running?.abort();
      const mine = new AbortController();
      running = mine;
      const engine = request.engine ?? defaultEngine;
      const opened = input.nodes.length > limits.collapseAbove ? [...(request.opened ?? NONE_OPEN)].sort().join(" ") : "";
      const key = `${engine}.${structureKey(input)}.${opened}`;
      const known = cache.get(key);
      if (known !== undefined) {
        remember(key, known);
        return { status: "done", layout: known };
      }
      const onAbort = (): void => mine.abort();
      request.signal?.addEventListener("abort", onAbort);
      try {
        const layout = await draw(input, engine, mine, request);
        if (layout === null) return { status: isAborted(request) ? "aborted" : "superseded" };
        remember(key, layout);
        return { status: "done", layout };
      } finally {
        request.signal?.removeEventListener("abort", onAbort);
        if (running === mine) running = null;
      }
    },
    async warmUp() {
      if (defaultEngine === "elk") await elk?.warmUp();
    },
    dispose() {
      running?.abort();
      elk?.dispose();
      planner?.dispose();
      cache.clear();
    },
  };
}

function isAborted(request: LayoutRequest): boolean {
  return request.signal?.aborted ?? false;
}
