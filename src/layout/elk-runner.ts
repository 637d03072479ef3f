/** Runs ELK outside the page's thread, one job at a time. ELK cannot be stopped, only its worker can: a spare takes over. */
import type { ElkNode } from "elkjs/lib/elk-api.js";

/** One ELK, in a worker or not. */
export interface ElkHandle {
  layout(graph: ElkNode): Promise<ElkNode>;
  terminate(): void;
}

export type ElkOutcome =
  | { readonly status: "done"; readonly answer: ElkNode }
  | { readonly status: "timeout"; readonly afterMs: number }
  | { readonly status: "failed"; readonly message: string }
  | { readonly status: "aborted" };

export interface ElkRunner {
  /** Starts ELK and lays out two nodes, so that the first real call does not pay for the start-up. */
  warmUp(): Promise<void>;
  readonly warm: boolean;
  run(graph: ElkNode, timeoutMs: number, signal: AbortSignal): Promise<ElkOutcome>;
  dispose(): void;
}

export interface ElkRunnerOptions {
  /** Resolves once the ELK is loaded. */
  readonly spawn: () => Promise<ElkHandle>;
  /** How long the next job waits for one that nobody wants any more before its worker is ended. */
  readonly graceMs?: number;
}

interface Slot {
  readonly handle: Promise<ElkHandle>;
  busy: Promise<unknown> | null;
  /** A graph waits for it to be loaded: that warms it up as well, and is not kept waiting by two nodes. */
  wanted: boolean;
}

const twoNodes: ElkNode = {
  id: "root",
  layoutOptions: { "elk.algorithm": "layered" },
  children: [
    { id: "a", width: 10, height: 10 },
    { id: "b", width: 10, height: 10 },
  ],
  edges: [{ id: "e", sources: ["a"], targets: ["b"] }],
};

export function createElkRunner({ spawn, graceMs = 300 }: ElkRunnerOptions): ElkRunner {
  let active: Slot | null = null;
  let spare: Slot | null = null;
  let warm = false;
  let disposed = false;

  const start = (): Slot => {
    const slot: Slot = { handle: spawn(), busy: null, wanted: false };
    // A failed start shows when the slot is used; until then it is not an unhandled rejection.
    slot.busy = slot.handle
      .then((elk) => (slot.wanted ? undefined : elk.layout(structuredClone(twoNodes))))
      .then(
        () => {
          slot.busy = null;
          warm = true;
        },
        () => {
          slot.busy = null;
        },
      );
    return slot;
  };
  const end = (slot: Slot): void => {
    slot.handle.then(
      (elk) => elk.terminate(),
      () => undefined,
    );
  };
  /** Ends the active worker; the spare, already started, takes its place. */
  const replace = (): void => {
    if (active !== null) end(active);
    active = spare;
    spare = null;
  };
  const current = (): Slot => {
    active ??= spare ?? start();
    if (active === spare) spare = null;
    return active;
  };

  return {
    get warm() {
      return warm;
    },
    async warmUp() {
      if (!disposed) await current().busy;
    },
    async run(graph, timeoutMs, signal) {
      if (signal.aborted || disposed) return { status: "aborted" };
      let slot = current();
      if (slot.busy !== null && warm) {
        await Promise.race([slot.busy, delay(graceMs)]);
        if (signal.aborted || disposed) return { status: "aborted" };
        if (slot.busy !== null) replace();
        slot = current();
      }
      let elk: ElkHandle;
      slot.wanted = true;
      try {
        elk = await slot.handle;
        await slot.busy;
      } catch (error) {
        if (active === slot) active = null;
        return { status: "failed", message: messageOf(error) };
      }
      if (signal.aborted || disposed) return { status: "aborted" };
      const job = elk.layout(graph).then(
        (answer): ElkOutcome => ({ status: "done", answer }),
        (error: unknown): ElkOutcome => ({ status: "failed", message: messageOf(error) }),
      );
      const mine: Promise<unknown> = job.then(() => {
        if (slot.busy === mine) slot.busy = null;
      });
      slot.busy = mine;
      return await new Promise<ElkOutcome>((resolve) => {
        // A job that takes a while may have to be ended: have the next worker ready by then.
        const prepare = setTimeout(() => {
          if (!disposed) spare ??= start();
        }, timeoutMs / 4);
        const timer = setTimeout(() => {
          if (active === slot) replace();
          finish({ status: "timeout", afterMs: timeoutMs });
        }, timeoutMs);
        const onAbort = (): void => finish({ status: "aborted" });
        const finish = (outcome: ElkOutcome): void => {
          clearTimeout(prepare);
          clearTimeout(timer);
          signal.removeEventListener("abort", onAbort);
          resolve(outcome);
        };
        signal.addEventListener("abort", onAbort);
        job.then(finish);
      });
    },
    dispose() {
      disposed = true;
      replace();
      replace();
    },
  };
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
