import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import type { PhaseRun, TraceInfo, UnionGraph } from "../../../engine/api/types.ts";
import type { MomentState } from "../moment.ts";
import { type Ground, NOWHERE, nextPlace, type PositionEvent, type PositionSlice } from "./place.ts";

const phase = (id: string, changed = true, ran = true): PhaseRun => ({ id, ran, changed, group: "ptxas" }) as PhaseRun;
const PHASES = [phase("a", false), phase("b"), phase("c", false, false), phase("b"), phase("d")];
const ground = (part: Partial<Ground> = {}): Ground => ({ phases: PHASES, epoch: 1, of: null, since: 0, late: false, ...part });
const trace = (run: number, steps = 10, cut = false): TraceInfo => ({ run, steps, cut }) as TraceInfo;
const graph = {} as UnionGraph;
const moment = (run: number, step: number): MomentState => ({ run, step }) as MomentState;
const loaded = (run: number, step: number, part: Partial<Extract<PositionEvent, { kind: "loaded" }>> = {}): PositionEvent => ({
  kind: "loaded",
  step,
  trace: trace(run),
  graph,
  moment: moment(run, step),
  ground: ground(),
  ...part,
});
const placed = (...events: PositionEvent[]): PositionSlice => events.reduce(nextPlace, NOWHERE);
const settle = (part: Partial<Ground> = {}): PositionEvent => ({ kind: "settle", ground: ground(part) });
const go = (run: number, target: "start" | "end" | number = "start"): PositionEvent => ({ kind: "go", run, target, ground: ground() });
const lost: PositionEvent = { kind: "lost", phases: PHASES };

describe("the place in a result", () => {
  it("is the first phase that changes the program, at its start", () => {
    expect(placed(settle())).toMatchObject({ state: "tracing", run: 1, landing: "start" });
    const dull = [phase("x", false, false), phase("y", false)];
    expect(placed(settle({ phases: dull }))).toMatchObject({ run: 1 });
  });

  it("is what was requested, by name and occurrence, once", () => {
    const request: PositionEvent = { kind: "request", destination: { id: "b", occurrence: 1, step: 4 } };
    const there = placed(request, settle());
    expect(there).toMatchObject({ run: 3, landing: 4, destination: null });
    expect(placed(request, settle(), loaded(3, 4), go(1, 2), loaded(1, 2), settle())).toMatchObject({ run: 1, landing: 2 });
  });

  it("is what was asked for last, where another result comes before its steps", () => {
    const request: PositionEvent = { kind: "request", destination: { id: "b", occurrence: 1, step: 4 } };
    const again = settle({ phases: [phase("x"), ...PHASES], epoch: 2 });
    expect(placed(settle(), loaded(1, 6), request, settle(), again)).toMatchObject({ state: "tracing", run: 4, landing: 4 });
    expect(placed(settle(), loaded(1, 6), go(4, "end"), again)).toMatchObject({ state: "tracing", run: 5, landing: "end" });
    // It is not a place in a different program, and what could not be loaded is not requested again.
    expect(placed(settle(), go(4, "end"), settle({ since: 3 }))).toMatchObject({ run: 1, landing: "start" });
    expect(placed(settle(), loaded(1, 6), go(4, "end"), { kind: "failed", stopped: true }, again)).toMatchObject({ run: 2 });
  });

  it("is found again in the next result by the phase's name, at the same step", () => {
    const before = placed(settle(), go(4, 6), loaded(4, 6));
    const phases = [phase("d"), ...PHASES.slice(0, 4)];
    expect(nextPlace(before, settle({ phases, epoch: 2 }))).toMatchObject({ state: "tracing", run: 0, landing: 6 });
  });

  it("is no place in another program, nor is its destination lost to a late result", () => {
    const before = placed(settle(), loaded(1, 6));
    expect(nextPlace(before, settle({ since: 3 }))).toMatchObject({ run: 1, landing: "start" });
    const requested = nextPlace(before, { kind: "request", destination: { id: "d", occurrence: 0, step: 2 } });
    const late = nextPlace(requested, settle({ since: 3, late: true }));
    expect(late).toMatchObject({ run: 1, landing: "start" });
    expect(nextPlace(late, settle({ since: 3 }))).toMatchObject({ run: 4, landing: 2 });
  });
});

describe("a move", () => {
  it("inside the loaded phase asks for nothing but the state, and is cut to its steps", () => {
    const place = placed(settle(), loaded(1, -1));
    expect(nextPlace(place, go(1, 99))).toMatchObject({ state: "loaded", step: 9 });
    expect(nextPlace(place, go(1, "start"))).toBe(place);
    expect(nextPlace(place, go(5))).toBe(place);
  });

  it("to another phase keeps what is shown until its steps come, and back to the one still held needs none", () => {
    const away = placed(settle(), loaded(1, 3), go(4, 5));
    expect(away).toMatchObject({ state: "tracing", run: 4, step: 5, trace: { run: 1 } });
    expect(nextPlace(away, go(1, 7))).toMatchObject({ state: "loaded", run: 1, step: 7 });
  });

  it("says that a graph was stopped also after going away and back", () => {
    const place = placed(settle(), loaded(1, 3, { graph: null }));
    expect(place.stopped).toBe("graph");
    expect([go(4), go(1)].reduce(nextPlace, place).stopped).toBe("graph");
  });
});

describe("an answer that does not come", () => {
  it("leaves nothing that a later move could take for loaded", () => {
    const stopped = placed(settle(), loaded(1, 3), go(4), { kind: "failed", stopped: true });
    expect(stopped).toMatchObject({ state: "failed", stopped: "recording", trace: null, held: null });
    expect(nextPlace(stopped, go(1))).toMatchObject({ state: "tracing", run: 1, stopped: null });
  });

  it("for one step leaves the phase open", () => {
    const place = placed(settle(), loaded(1, 3));
    expect(nextPlace(place, { kind: "failed", stopped: false })).toBe(place);
  });

  it("can be asked for again, at the same step", () => {
    const place = placed(settle(), loaded(1, 3, { graph: null }));
    expect(nextPlace(place, { kind: "again" })).toMatchObject({ state: "tracing", run: 1, landing: 3, stopped: null });
    const whole = placed(settle(), loaded(1, 3));
    expect(nextPlace(whole, { kind: "again" })).toBe(whole);
  });

  it("because the engine is gone: one stands where one was on the way to", () => {
    const gone = placed(settle(), loaded(1, 3), go(4, "end"), lost);
    expect(gone).toMatchObject({ state: "idle", destination: { id: "d", occurrence: 0, step: "end" } });
    expect(nextPlace(gone, settle({ epoch: 2 }))).toMatchObject({ run: 4, landing: "end" });
    expect(placed(settle(), loaded(1, 3), lost).destination).toBeNull();
  });
});

describe("a longer recording", () => {
  const cut = placed(settle(), loaded(1, 9, { trace: trace(1, 10, true) }));

  it("is asked for with four times the limits, each time, at the step", () => {
    const more = nextPlace(cut, { kind: "more" });
    expect(more).toMatchObject({ state: "tracing", landing: 9, more: { run: 1, epoch: 1, times: 4 } });
    const again = [loaded(1, 9, { trace: trace(1, 40, true) }), { kind: "more" } as const].reduce(nextPlace, more);
    expect(again.more?.times).toBe(16);
  });

  it("is for traces that were cut, and does not hold for another result", () => {
    const whole = placed(settle(), loaded(1, 9));
    expect(nextPlace(whole, { kind: "more" })).toBe(whole);
    const next = [
      { kind: "more" } as const,
      settle({ epoch: 2 }),
      loaded(1, 9, { trace: trace(1, 10, true), ground: ground({ epoch: 2 }) }),
      { kind: "more" } as const,
    ];
    expect(next.reduce(nextPlace, cut).more).toEqual({ run: 1, epoch: 2, times: 4 });
  });
});

it("holds what it says is loaded, whatever happens in whatever order", () => {
  const events: readonly ((place: PositionSlice, n: number) => PositionEvent)[] = [
    (_, n) => settle({ epoch: n }),
    (_, n) => go(n % 6, n % 12),
    (place, n) => loaded(place.run, n % 10, { graph: n % 3 === 0 ? null : graph, trace: trace(place.run, 10, n % 2 === 0) }),
    (_, n) => ({ kind: "failed", stopped: n % 2 === 0 }),
    () => ({ kind: "again" }),
    () => ({ kind: "more" }),
    () => lost,
    (_, n) => ({ kind: "request", destination: { id: n % 2 === 0 ? null : "d", occurrence: 0, step: n } }),
  ];
  const { below } = createPrng(20_261_123);
  let place = NOWHERE;
  for (let i = 0; i < 20_000; i++) {
    const make = events[below(events.length)];
    const event = make?.(place, below(1_000));
    // The steps of a phase arrive only while they are being loaded.
    if (event === undefined || (event.kind === "loaded" && place.state !== "tracing")) continue;
    place = nextPlace(place, event);
    if (place.state !== "loaded") continue;
    expect(place.held?.run).toBe(place.run);
    expect(place.trace?.run).toBe(place.run);
    expect(place.stopped).toBe(place.graph === null ? "graph" : null);
  }
});
