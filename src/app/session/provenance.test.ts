import { expect, it } from "vitest";
import { localEngine } from "../../worker/local.ts";
import { until } from "../testing/until.ts";
import { localPort } from "./engine-port.ts";
import { provenanceOf, selectEarlier, selectEarlierRun, selectNotRun, selectOwnMoment, WithProvenance } from "./provenance.ts";
import { createSession } from "./session.ts";
import { INITIAL_STATE, type SessionState } from "./state.ts";

it("a result is read with the text, the kernel, the options and the run that it belongs to, and with nothing else", () => {
  const provenance = provenanceOf(INITIAL_STATE);
  const result = new WithProvenance(provenance, "ok");
  expect(result.in(provenanceOf({ ...INITIAL_STATE }))).toBe("ok");
  const { document, options } = INITIAL_STATE;
  expect(result.in(provenanceOf({ ...INITIAL_STATE, document: { ...document, revision: document.revision + 1 } }))).toBeNull();
  expect(result.in(provenanceOf({ ...INITIAL_STATE, options: { ...options, pipeline: { ...options.pipeline } } }))).toBeNull();
  expect(result.in(provenanceOf({ ...INITIAL_STATE, options: { ...options, kernel: "other" } }))).toBeNull();
  expect(result.in({ ...provenance, run: {} as never })).toBeNull();
});

it("a run of the program before is told from one of an earlier text of this program", () => {
  const state = (revision: number) => ({
    ...INITIAL_STATE,
    document: { ...INITIAL_STATE.document, revision: 9, since: 7 },
    run: { ...INITIAL_STATE.run, result: { revision } as never },
  });
  expect(selectEarlier(state(6))).toBe(true);
  expect(selectEarlier(state(8))).toBe(false);
  expect(selectEarlier(INITIAL_STATE)).toBe(false);
});

const kernelOf = (name: string, value: number): string =>
  `.kernel ${name}(n: R0)\nA:\n    MOV R1, ${value}\n    IADD R2, R1, R0\n    EXIT\n`;
const TWO = kernelOf("tiny", 1) + kernelOf("big", 2);

/** A session in which every run and every recording waits until it is let go. */
async function held() {
  const port = localPort(() => localEngine());
  let waiting: { readonly name: "run" | "trace"; readonly go: () => void }[] = [];
  const api = new Proxy(port.api, {
    get(target, name) {
      const ask = Reflect.get(target, name);
      if (name !== "run" && name !== "trace") return ask;
      return async (...args: unknown[]) => {
        await new Promise<void>((go) => waiting.push({ name, go }));
        return (ask as (...all: unknown[]) => unknown)(...args);
      };
    },
  });
  const session = createSession({ ...port, api });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const letGo = async (name: "run" | "trace"): Promise<void> => {
    while (!waiting.some((one) => one.name === name)) await turn();
    const going = waiting.filter((one) => one.name === name);
    waiting = waiting.filter((one) => one.name !== name);
    for (const { go } of going) go();
  };
  const { openText, setText } = session.actions.document;
  openText({ text: TWO, title: "two" });
  await letGo("run");
  await letGo("trace");
  await until(session, (s) => s.position.state === "loaded");
  const state = (): SessionState => session.store.getState();
  return { session, state, letGo, openText, setText };
}

const seen = (s: SessionState) => [selectEarlierRun(s), selectEarlier(s), selectOwnMoment(s)?.name ?? null];

it("the steps of the program before are earlier until those of this one have arrived, also after it has run", async () => {
  const { session, state, letGo, openText } = await held();
  expect(seen(state())).toEqual([false, false, "tiny"]);
  const { epoch } = state().run;
  openText({ text: kernelOf("other", 5), title: "other" });
  expect(seen(state())).toEqual([true, true, null]);
  await letGo("run");
  await until(session, (s) => s.run.epoch > epoch);
  expect([state().position.moment?.name, ...seen(state())]).toEqual(["tiny", false, true, null]);
  await letGo("trace");
  await until(session, (s) => s.position.state === "loaded");
  expect(seen(state())).toEqual([false, false, "other"]);
});

it("so are those of another kernel", async () => {
  const { session, state, letGo } = await held();
  const { epoch } = state().run;
  session.actions.run.setKernel("big");
  expect(seen(state())).toEqual([true, true, null]);
  await letGo("run");
  await until(session, (s) => s.run.epoch > epoch);
  expect(seen(state())).toEqual([false, true, null]);
  await letGo("trace");
  await until(session, (s) => s.position.state === "loaded");
  expect(seen(state())).toEqual([false, false, "big"]);
});

it("what an edit has made stale stays, also if the kernel has a new name; so do the steps of the phase before", async () => {
  const { session, state, letGo, setText } = await held();
  for (const text of [TWO.replace("R1, 1", "R1, 7"), TWO.replace("tiny", "small")]) {
    setText(text);
    await until(session, (s) => s.document.good?.revision === s.document.revision && s.run.running);
    expect([state().run.stale, ...seen(state()).slice(0, 2)]).toEqual([true, false, false]);
    await letGo("run");
    await until(session, (s) => !s.run.stale);
    expect(state().position.state).toBe("tracing");
    expect(seen(state()).slice(0, 2)).toEqual([false, false]);
    await letGo("trace");
    await until(session, (s) => s.position.state === "loaded");
  }
  session.actions.position.movePhase(1, "ran");
  expect([state().position.state, ...seen(state()).slice(0, 2)]).toEqual(["tracing", false, false]);
});

it("a program that cannot be run says why: it has errors, or there is none", async () => {
  const { session, state, openText } = await held();
  const answered = () => until(session, ({ document: { open, revision } }) => open?.revision === revision);
  expect(selectNotRun(state())).toBeNull();
  openText({ text: kernelOf("other", 5).replace("MOV", "MOVE"), title: "wrong" });
  expect(selectNotRun(state())).toBeNull();
  await answered();
  expect(selectNotRun(state())).toBe("wrong");
  openText({ text: "// no kernel\n", title: "comments" });
  await answered();
  expect(selectNotRun(state())).toBe("empty");
});
