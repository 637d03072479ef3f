import { describe, expect, it, vi } from "vitest";
import { localEngine } from "../../worker/local.ts";
import type { EngineApi } from "../../worker/questions.ts";
import { createFakeEngine } from "../testing/fake-engine.ts";
import { until } from "../testing/until.ts";
import { type EnginePort, localPort } from "./engine-port.ts";
import { selectPhase, selectSentence } from "./selectors.ts";
import { createSession } from "./session.ts";

const TEXT = `.kernel k(n: R0)
A:
    MOV R1, 0
B:
    IADD R1, R1, 1
    ISETP.GE P0, R1, R0
@P0 BRA C
    BRA B
C:
    EXIT
`;

/** What follows from what happened has happened then. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function opened(text = TEXT, wrap: (port: EnginePort) => EnginePort = (p) => p, make: () => EngineApi = createFakeEngine) {
  const port = wrap(localPort(make));
  const session = createSession(port);
  const state = () => session.store.getState();
  session.actions.document.openText({ text, title: "test" });
  await until(session, (s) => s.position.moment !== null);
  return { session, state, port };
}

describe("session", () => {
  it("opens, runs and stands at the first phase that changed something", async () => {
    const { state } = await opened();
    expect(selectPhase(state())?.id).toBe("analyze-control-flow");
    expect(state().position.step).toBe(-1);
    expect(selectSentence(state())).toBe("Input of Control-flow analysis.");
  });

  it("opens a phase that changes nothing at a decision", async () => {
    const { session, state } = await opened(TEXT, undefined, localEngine);
    session.actions.position.goToPhase("analyze-control-flow", "change");
    session.actions.document.openText({ text: TEXT.replace("R1, 1", "R1, 2"), title: "test" });
    session.actions.position.goToPhase("analyze-control-flow", "change");
    await until(session, (s) => s.position.moment?.event?.kind === "match");
    expect(selectSentence(state())).toBe("B may be a latch, since it has a back edge");
  });

  it("steps forwards and backwards to the same state", async () => {
    const { session, state } = await opened();
    const seen: (readonly unknown[])[] = [];
    const snapshot = () => {
      const { moment } = state().position;
      return [
        moment?.step,
        moment?.event?.sentence,
        [...(moment?.blocks.values() ?? [])],
        [...(moment?.structures.get("edges")?.cells ?? [])].sort(),
      ];
    };
    for (let step = 0; step < 8; step++) {
      session.actions.position.move("into", 1);
      await until(session, (s) => s.position.moment?.step === step);
      seen.push(snapshot());
    }
    for (let step = 6; step >= 0; step--) {
      session.actions.position.move("into", -1);
      await until(session, (s) => s.position.moment?.step === step);
      expect(snapshot()).toEqual(seen[step]);
    }
  });

  it("never has more than one view under way and ends at the latest request", async () => {
    let open = 0;
    let most = 0;
    let asked = 0;
    const { session } = await opened(TEXT, (port) => ({
      ...port,
      api: {
        ...Object.fromEntries(
          (["openFirst", "run", "trace", "graph", "version", "knobs", "opcodes", "phases", "breakpointTicks"] as const).map((n) => [
            n,
            port.api[n],
          ]),
        ),
        view: async (...args: Parameters<EnginePort["api"]["view"]>) => {
          open++;
          asked++;
          most = Math.max(most, open);
          await new Promise((resolve) => setTimeout(resolve, 10));
          open--;
          return await port.api.view(...args);
        },
      } as unknown as EnginePort["api"],
    }));
    asked = 0;
    for (let i = 0; i < 9; i++) session.actions.position.move("into", 1);
    await until(session, (s) => s.position.moment?.step === 8);
    expect(most).toBeLessThanOrEqual(1);
    expect(asked).toBeLessThan(9);
  });

  it("keeps the last good result through a syntax error, marked stale", async () => {
    const { session, state } = await opened();
    session.actions.document.setText(`${TEXT}\n%%%`);
    await until(session, (s) => s.document.open?.ok === false);
    expect(state().run.stale).toBe(true);
    expect(state().position.moment?.blocks.size).toBeGreaterThan(0);
    expect(state().document.good?.ok).toBe(true);
  });

  it("keeps phase and step through an edit", async () => {
    const { session, state } = await opened();
    session.actions.position.goToPhase("ori-branch-opt", 5);
    await until(session, (s) => s.position.moment?.step === 5);
    session.actions.document.setText(TEXT.replace("MOV R1, 0", "MOV R1, 7"));
    await until(session, ({ position: { moment } }) =>
      [...(moment?.blocks.values() ?? [])].some((b) => b.insts.some((i) => i.text === "MOV R1, 7")),
    );
    expect(state().position).toMatchObject({ state: "loaded", step: 5, trace: { id: "ori-branch-opt" }, moment: { step: 5 } });
  });

  it("keeps a step that is asked for while the last of a phase comes", async () => {
    let waiting: (() => void) | null = null;
    const make = (): EngineApi => {
      const engine = createFakeEngine();
      const graph = async (run: number) => {
        if (run > 0 && waiting === null)
          await new Promise<void>((resolve) => {
            waiting = resolve;
          });
        return engine.graph(run);
      };
      return { ...engine, graph: graph as unknown as EngineApi["graph"] };
    };
    const session = createSession(localPort(make));
    const { position } = session.store.getState();
    session.actions.document.openText({ text: TEXT, title: "test", destination: { id: "ori-branch-opt", occurrence: 0, step: "end" } });
    await vi.waitUntil(() => waiting !== null, 50_000);
    await turn();
    session.actions.position.seek("start");
    (waiting as (() => void) | null)?.();
    await until(session, (s) => s.position.state === "loaded");
    expect([position.step, session.store.getState().position.step]).toEqual([-1, -1]);
  });

  it("says that a phase has no steps when the key is pressed before that is known", async () => {
    const { session, state } = await opened();
    const run = (state().run.result?.phases ?? []).findIndex((phase) => !phase.ran);
    session.actions.position.goTo(run, "start");
    expect([state().position.state, state().position.trace]).toEqual(["tracing", expect.anything()]);
    session.actions.position.move("into", 1);
    await until(session, (s) => s.notices.length > 0);
    expect(state().notices[0]?.text).toContain("there is nothing to step through");
    expect(state().position.run).toBe(run);
  });

  it("forgets a step that waits for a phase when another place is chosen", async () => {
    const { session, state } = await opened();
    const [first, second] = (state().run.result?.phases ?? []).flatMap((phase, run) =>
      phase.ran && run !== state().position.run ? [run] : [],
    );
    session.actions.position.goTo(first ?? 0, "start");
    session.actions.position.move("into", 1);
    session.actions.position.goTo(second ?? 0, "start");
    await until(session, (s) => s.position.state === "loaded" && s.position.moment?.step === -1);
    await turn();
    expect([state().position.run, state().position.step]).toEqual([second, -1]);
  });

  it("keeps a step that is asked for before there is a place to step from", async () => {
    const session = createSession(localPort(createFakeEngine));
    const { position, document } = session.actions;
    position.move("into", 1);
    document.openText({ text: TEXT, title: "test" });
    await until(session, (s) => s.position.moment?.step === 0);
    position.goToPhase("ori-branch-opt", 2);
    position.move("into", 1);
    await until(session, (s) => s.position.moment?.step === 3);
    // A step of one program is not a step of the next.
    position.goToPhase("analyze-control-flow", 4);
    position.move("into", 1);
    document.openText({ text: TEXT.replace("MOV R1, 0", "MOV R1, 3"), title: "another" });
    await until(session, (s) => s.position.moment?.step === -1 && s.position.state === "loaded" && !s.run.stale);
    await turn();
    expect(session.store.getState().position.step).toBe(-1);
  });

  it("walks on into the next phase that ran, and back", async () => {
    const { session, state } = await opened();
    session.actions.position.seek("end");
    session.actions.position.move("into", 1);
    await until(session, (s) => s.position.trace?.id === "ori-branch-opt");
    expect(state().position.step).toBe(-1);
    session.actions.position.move("into", -1);
    await until(session, (s) => s.position.trace?.id === "analyze-control-flow");
    expect(state().position.step).toBe((state().position.trace?.steps ?? 0) - 1);
    // From the input of a phase whose lines are folded, too.
    session.actions.view.fold("ori-branch-opt", 1, true);
    session.actions.position.goToPhase("ori-branch-opt", "start");
    await until(session, (s) => s.position.trace?.id === "ori-branch-opt");
    session.actions.position.move("into", -1);
    await until(session, (s) => s.position.trace?.id === "analyze-control-flow");
  });

  it("says so where there is nothing to go to", async () => {
    const { session, state } = await opened();
    const said = () => state().notices.at(-1)?.text;
    session.actions.position.movePhase(-1, "changed");
    expect(said()).toBe("No phase before this one changes the program.");
    const last = state().run.result?.phases.findLastIndex((p) => p.ran) ?? -1;
    session.actions.position.goTo(last, "end");
    await until(session, (s) => s.position.moment?.run === last);
    session.actions.position.movePhase(1, "ran");
    expect(said()).toBe("No phase after this one runs.");
    session.actions.position.move("into", 1);
    expect(said()).toBe("This is the last step: no later phase runs.");
  });

  it("stops at breakpoints, beyond the phase too", async () => {
    const { session, state } = await opened();
    session.actions.breakpoints.toggle({ kind: "event", event: "inst-delete" });
    session.actions.position.move("breakpoint", 1);
    await until(session, (s) => s.position.moment?.event?.kind === "inst-delete");
    expect(state().position.trace?.id).toBe("ori-branch-opt");
  });

  it("records more of a phase whose trace was cut, and stays at the step", async () => {
    const make = () => localEngine({ limits: { events: 6, entries: 1_000, elements: 1_000 } });
    const { session, state } = await opened(TEXT, (p) => p, make);
    const trace = () => state().position.trace;
    expect(trace()).toMatchObject({ steps: 6, cut: true });
    session.actions.position.seek("end");
    await until(session, (s) => s.position.moment?.step === 5);
    session.actions.position.recordMore();
    await until(session, (s) => s.position.state === "loaded" && (trace()?.steps ?? 0) > 6);
    expect(trace()?.limit).toBe(24);
    expect(state().position).toMatchObject({ step: 5, moment: { step: 5 } });
    session.actions.position.move("into", 1);
    await until(session, (s) => s.position.moment?.step === 6);
  });

  it("comes back to the same place after a crash", async () => {
    const { session, state, port } = await opened();
    session.actions.position.goToPhase("ori-branch-opt", 4);
    await until(session, (s) => s.position.moment?.step === 4);
    const { epoch } = state().run;
    port.restart("killed");
    await until(session, (s) => s.run.epoch > epoch && s.position.moment?.step === 4 && s.position.state === "loaded");
    expect(state().engine.crash).toBe("killed");
    expect(state().position.trace?.id).toBe("ori-branch-opt");
    expect(state().document.text).toBe(TEXT);
  });

  it("does not start a run again that a person ended", async () => {
    const { session, state } = await opened();
    const { epoch } = state().run;
    session.actions.run.setOptions({ level: 2 });
    await until(session, (s) => s.run.running);
    session.restartEngine("ended");
    await until(session, (s) => s.engine.status === "ready");
    expect(state().run).toMatchObject({ epoch, running: false, stale: true });
    session.actions.run.request();
    await until(session, (s) => s.run.epoch > epoch);
  });

  it("begins another program at its start, whole, and an undone replacement as it was", async () => {
    const { session, state } = await opened();
    const { document, position, breakpoints } = session.actions;
    document.keepAs({ work: "w1", title: "mine" });
    session.actions.run.setOptions({ level: 2 });
    breakpoints.toggle({ kind: "subject", subject: { kind: "block", id: 1 } });
    breakpoints.toggle({ kind: "line", line: 4 });
    position.goToPhase("ori-branch-opt", 4);
    await until(session, (s) => s.position.moment?.step === 4 && !s.run.stale);
    const example = `// an example\n${TEXT.replace(".kernel k", ".kernel e")}`;
    document.openText({ text: example, title: "example", origin: "example", pipeline: { phases: ["gvn-cse"] } });
    await until(session, (s) => !s.run.stale && s.position.moment?.name === "e");
    expect(state().options.pipeline.phases).toEqual(["gvn-cse"]);
    expect(state().position.step).toBe(-1);
    expect(state().breakpoints.list.map((b) => b.breakpoint.kind)).toEqual(["line"]);
    document.setText(TEXT);
    await until(session, (s) => !s.run.stale && s.position.moment?.name === "k");
    expect(state().document).toMatchObject({ title: "mine", work: "w1", origin: "own", example: null });
    expect(state().options.pipeline).toMatchObject({ phases: null, level: 2 });
    expect(state().breakpoints.list).toHaveLength(2);
    document.setText(example);
    expect(state().document).toMatchObject({ title: "example", work: null, origin: "example" });
    expect(state().options.pipeline.phases).toEqual(["gvn-cse"]);
  });

  it("takes a text that follows a cleared one for another program, and the same text for the same", async () => {
    const { session, state } = await opened();
    const { document } = session.actions;
    document.keepAs({ work: "w1", title: "mine" });
    session.actions.run.setOptions({ phases: ["gvn-cse"] });
    document.setText("");
    expect(state().document).toMatchObject({ work: "w1", title: "mine" });
    document.setText(TEXT);
    expect(state().document).toMatchObject({ work: "w1", title: "mine" });
    expect(state().options.pipeline.phases).toEqual(["gvn-cse"]);
    document.setText("\n");
    document.setText(".kernel");
    expect(state().document).toMatchObject({ work: null, title: "untitled", origin: "own", edited: true });
    expect(state().options.pipeline.phases).toBeNull();
    document.setText(TEXT);
    expect(state().document).toMatchObject({ work: "w1", title: "mine" });
  });
});
