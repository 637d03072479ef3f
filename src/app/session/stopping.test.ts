import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EngineApi } from "../../worker/questions.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { localPort } from "./engine-port.ts";
import { selectPhase, selectSentence } from "./selectors.ts";
import { createSession } from "./session.ts";
import { RequestStopped } from "./watch-engine.ts";

const TEXT = ".kernel k(n: R0)\nA:\n    MOV R1, 0\nB:\n    ISETP.GE P0, R1, R0\n@P0 BRA C\n    BRA B\nC:\n    EXIT\n";
const never = (): never => new Promise(() => {}) as never;

/** Advances time until a condition is true. */
async function until(what: string, ready: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000; i++) {
    if (ready()) return;
    await vi.advanceTimersByTimeAsync(10);
  }
  throw new Error(`never: ${what}`);
}

/** A session whose first `sick` engines never answer a method, and the requests that each engine received. */
function withSick(method: "graph" | "trace" | "run" | "openFirst", sick = 1) {
  const asked: string[][] = [];
  const port = localPort(() => {
    const mine: string[] = [];
    asked.push(mine);
    const engine = createFakeEngine();
    const ill = asked.length <= sick;
    return new Proxy(engine, {
      get(target, name) {
        const call: unknown = Reflect.get(target, name);
        if (typeof call !== "function") return call;
        return (...args: unknown[]) => {
          mine.push(String(name));
          return ill && name === method ? never() : (Reflect.apply(call, target, args) as unknown);
        };
      },
    }) as EngineApi;
  });
  const session = createSession(port);
  const state = () => session.store.getState();
  session.actions.document.openText({ text: TEXT, title: "test" });
  return { session, state, asked, port };
}

// A question is shown after a second.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a question that takes long", () => {
  it("shows itself, is ended, and the phase stands without its graph until that is asked for again", async () => {
    const { session, state, asked } = withSick("graph");
    await until("the graph shows itself", () => state().engine.slow?.title === "Building the graph");
    session.restartEngine("Building the graph was stopped");
    await until("a moment", () => state().position.moment !== null && state().position.state === "loaded");
    expect(state().position).toMatchObject({ graph: null, stopped: "graph" });
    expect(asked[1]).not.toContain("graph");
    expect(state().engine.slow).toBeNull();
    session.actions.position.move("into", 1);
    await until("a step", () => state().position.moment?.step === 0);
    expect(state().notices).toEqual([]);
    session.actions.position.askAgain();
    await until("the graph", () => state().position.graph !== null);
    expect(state().position).toMatchObject({ stopped: null, step: 0 });
  });

  it("is ended while a phase is recorded: nothing else that needs the recording asks for it", async () => {
    const { session, state, asked } = withSick("trace");
    await until("the recording shows itself", () => state().engine.slow?.title === "Recording the phase");
    session.restartEngine("Recording the phase was stopped");
    await until("the stop", () => state().position.stopped === "recording");
    expect(selectPhase(state())?.id).toBe("analyze-control-flow");
    expect(selectSentence(state())).toContain("its recording was stopped");
    const { run } = state().position;
    await expect(session.api.events(run, 0, 10)).rejects.toThrow(RequestStopped);
    await expect(session.api.graph(run)).rejects.toThrow(RequestStopped);
    await expect(session.api.text({ run, step: 3 })).rejects.toThrow(RequestStopped);
    expect(asked[1]?.filter((name) => ["trace", "events", "graph", "view", "text"].includes(name))).toEqual([]);
    // Other phases can be opened.
    session.actions.position.movePhase(1, "ran");
    await until("the next phase", () => state().position.moment !== null);
    expect(state().position.stopped).toBeNull();
    session.actions.position.movePhase(-1, "ran");
    await until("back", () => state().position.stopped === "recording");
    session.actions.position.askAgain();
    await until("a moment", () => state().position.moment !== null);
    expect(state().position.run).toBe(run);
  });

  it("is asked again once the text or the options are others", async () => {
    const { session, state } = withSick("trace");
    await until("the recording shows itself", () => state().engine.slow !== null);
    session.restartEngine("stopped");
    await until("the stop", () => state().position.stopped === "recording");
    session.actions.run.setOptions({ level: 2 });
    await until("a moment", () => state().position.moment !== null);
    expect(state().position.stopped).toBeNull();
  });

  it("is not given to the fresh engine when it was the reading of the text", async () => {
    const { session, state, asked } = withSick("openFirst");
    await until("the reading shows itself", () => state().engine.slow?.title === "Reading the text");
    session.restartEngine("Reading the text was stopped");
    await until("a fresh engine", () => state().engine.status === "ready");
    expect(asked[1]).not.toContain("openFirst");
    session.askAgain();
    await until("a moment", () => state().position.moment !== null);
  });

  it("shows itself also when it is many short ones, and is ended with them", async () => {
    const engine = createFakeEngine();
    const { breakpointTicks } = engine;
    let looked = 0;
    const slowly: EngineApi = {
      ...engine,
      breakpointTicks: (run, breakpoints) =>
        new Promise((resolve) => {
          looked++;
          setTimeout(() => resolve(breakpointTicks(run, breakpoints)), 600);
        }) as never,
    };
    const session = createSession(localPort(() => slowly));
    const state = () => session.store.getState();
    session.actions.document.openText({ text: TEXT, title: "test" });
    await until("a moment", () => state().position.moment !== null);
    // Nothing is at such a line.
    session.actions.breakpoints.toggle({ kind: "line", line: 9_999 });
    await until("the count of the breakpoint", () => looked === 1 && state().engine.slow === null);
    const { run } = state().position;
    let stopped = false;
    session.store.subscribe(({ engine: { slow } }) => {
      if (stopped || slow?.title !== "Searching") return;
      stopped = true;
      session.restartEngine("Searching was stopped");
    });
    session.actions.position.move("breakpoint", 1);
    await until("the search shows itself", () => stopped);
    await until(
      "the moment again",
      () => state().position.moment !== null && state().position.state === "loaded" && state().engine.slow === null,
    );
    expect(state().position.run).toBe(run);
    expect(state().notices).toEqual([]);
  });

  it("that ends the engine twice is not asked a third time by itself", async () => {
    const { session, state, asked, port } = withSick("graph", 2);
    for (let n = 1; n <= 2; n++) {
      await until(`graph ${n}`, () => asked[n - 1]?.includes("graph") === true);
      port.restart("out of memory");
    }
    await until("a moment", () => state().position.stopped === "graph");
    expect(asked[2]).not.toContain("graph");
    session.askAgain();
    await until("the graph", () => state().position.graph !== null);
  });

  it("does not keep another program waiting: its engine ends without a word, and the other one is read by a fresh one", async () => {
    const { session, state, asked } = withSick("run");
    await until("the run shows itself", () => state().engine.slow?.title === "Running the pipeline");
    session.actions.document.openText({ text: TEXT.replace("k(", "other("), title: "other" });
    await until("the other program", () => state().position.moment !== null && state().run.result?.kernel === "other");
    expect(asked).toHaveLength(2);
    expect(state().engine).toMatchObject({ crash: null, slow: null, status: "ready" });
    expect(state().notices).toEqual([]);
  });

  it("is ended as well when the other program came before it showed itself, but not for an edit", async () => {
    const { session, state, asked } = withSick("run");
    await until("the run", () => asked[0]?.includes("run") === true);
    session.actions.document.setText(`${TEXT}\n`);
    await until("the run shows itself", () => state().engine.slow !== null);
    expect(asked).toHaveLength(1);
    const late = withSick("run");
    await until("the run", () => late.asked[0]?.includes("run") === true);
    late.session.actions.document.openText({ text: TEXT.replace("k(", "other("), title: "other" });
    await until("the other program", () => late.state().run.result?.kernel === "other");
    expect(late.asked).toHaveLength(2);
    expect(late.state().engine.crash).toBeNull();
  });
});
