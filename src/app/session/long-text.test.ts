import { expect, test, vi } from "vitest";
import { manyKernels } from "../../engine/import/ptx/testing/many-kernels.ts";
import { localEngine } from "../../worker/local.ts";
import type { EngineApi } from "../../worker/questions.ts";
import { until } from "../testing/until.ts";
import { localPort } from "./engine-port.ts";
import type { MomentState } from "./moment.ts";
import { selectAhead, selectKernel, selectReading, selectStale } from "./selectors.ts";
import { createSession } from "./session.ts";
import type { SessionState } from "./state.ts";

const TEXT = manyKernels(7, 36);
const BROKEN = TEXT.replace("add.s32 %r5, %r4, 3;", "add.s32 %r5, ;");
/** One phase says enough. */
const PIPELINE = { phases: ["general-optimize-early"] };

/** A session and its requests to the engine, in order; `before` runs before a request to continue reading is answered. */
function watched(before: (asked: readonly string[]) => void = () => undefined) {
  const asked: string[] = [];
  // By this clock each function takes long enough to let other requests in.
  let clock = 0;
  const engine = localEngine({ now: () => (clock += 100) });
  const noted = new Proxy(engine, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: readonly unknown[]): unknown => {
        if (name === "openFirst" || name === "openMore" || name === "run" || name === "graph") asked.push(`${name} ${String(args[0])}`);
        if (name === "openMore") before(asked);
        return Reflect.apply(method, target, args);
      };
    },
  }) as EngineApi;
  const session = createSession(localPort(() => noted));
  const state = (): SessionState => session.store.getState();
  return { session, state, asked };
}

const wrongLines = ({ document }: SessionState): readonly number[] => [
  ...new Set(document.open?.diagnostics.filter((d) => d.severity === "error").map((d) => d.line)),
];

test("the kernel that is shown runs while the others are read, and all are listed from the beginning", async () => {
  const progress = new Set<string>();
  const { session, state, asked } = watched();
  session.store.subscribe((s) => {
    const reading = selectReading(s);
    if (reading !== null) progress.add(reading);
    if (s.document.open !== null) expect(s.document.open.kernels.map((k) => k.name)).toHaveLength(8);
  });
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await until(session, (s) => s.document.open?.left === 0);
  await until(session, (s) => s.position.graph !== null);
  const graph = asked.findIndex((name) => name.startsWith("graph"));
  expect(asked.indexOf("run 1")).toBeLessThan(graph);
  expect(graph).toBeLessThan(asked.indexOf("openMore 1"));
  expect([...progress].slice(0, 2)).toEqual(["2 of 8", "3 of 8"]);
  expect(state().document.good).toMatchObject({ ok: true, left: 0 });
  expect(asked.filter((name) => name.startsWith("run"))).toHaveLength(1);
});

test("the text typed last is read, also when nothing of the one before it was shown yet", async () => {
  const { session, asked } = watched();
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await vi.waitUntil(() => asked.length > 0, 50_000);
  session.actions.document.setText(TEXT.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, 5;"));
  await until(session, (s) => s.document.open?.revision === 2 && s.document.open?.left === 0);
  await until(session, (s) => s.run.result?.revision === 2 && !s.run.stale);
});

test("once all is read the other kernels are asked for, until all have run, or the options are others", async () => {
  const asked: string[] = [];
  let ask: (ahead: { done: number; of: number } | null) => void = () => undefined;
  const engine = localEngine();
  const port = localPort(() => engine);
  const { api } = port;
  const ahead = (revision: number, { level }: { readonly level: number }): Promise<{ done: number; of: number } | null> => {
    asked.push(`${revision} -O${level}`);
    return new Promise((resolve) => {
      ask = resolve;
    });
  };
  const session = createSession({
    ...port,
    api: new Proxy(api, { get: (target, name) => (name === "ahead" ? ahead : Reflect.get(target, name)) }),
  });
  const state = (): SessionState => session.store.getState();
  const isAsked = (times: number) => vi.waitUntil(() => asked.length === times, 50_000);
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await isAsked(1);
  ask({ done: 1, of: 6 });
  await isAsked(2);
  expect(selectAhead(state())).toBe("1 of 6");
  session.actions.run.setOptions({ level: 1 });
  ask(null);
  await isAsked(3);
  expect(selectAhead(state())).toBeNull();
  ask({ done: 6, of: 6 });
  // A question more would follow in the same turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect([selectAhead(state()), ...asked]).toEqual([null, "1 -O3", "1 -O3", "1 -O1"]);
});

test("a failure of what runs in advance is said, and the kernel on screen stays", async () => {
  const port = localPort(() => localEngine());
  const { api } = port;
  const fails = (): Promise<null> => Promise.reject(new Error("no helper"));
  const session = createSession({
    ...port,
    api: new Proxy(api, { get: (target, name) => (name === "ahead" ? fails : Reflect.get(target, name)) }),
  });
  const state = (): SessionState => session.store.getState();
  const said = "could not be run in advance; each runs when you choose it: no helper";
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await until(session, (s) => JSON.stringify(s).includes(said));
  expect([selectAhead(state()), state().run.result !== null]).toEqual([null, true]);
});

test("typing while the rest is read shows the new text, and no more of the old one is read", async () => {
  let typed = false;
  const { session, asked } = watched(() => {
    if (!typed) session.actions.document.setText(TEXT.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, 5;"));
    typed = true;
  });
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await until(session, (s) => s.document.open?.revision === 2 && s.document.open?.left === 0);
  await until(session, (s) => s.run.result?.revision === 2);
  expect(asked.filter((name) => name === "openMore 1")).toHaveLength(1);
  expect(asked.filter((name) => name.startsWith("openFirst"))).toEqual(["openFirst 1", "openFirst 2"]);
});

test("an error in another kernel leaves the one that is shown as it is; one in it leaves the last result on screen", async () => {
  const { session, state } = watched();
  session.actions.document.openText({ text: BROKEN, title: "test", pipeline: PIPELINE });
  await until(session, (s) => s.document.open?.left === 0);
  await until(session, (s) => s.run.result !== null && !s.run.stale);
  expect([selectKernel(state())?.name, selectStale(state())]).toEqual(["k0", false]);
  expect(wrongLines(state())).toHaveLength(1);
  expect(
    state()
      .document.good?.kernels.filter((k) => k.state === "wrong")
      .map((k) => k.name),
  ).toEqual(["k3"]);
  session.actions.run.setKernel("k4");
  await until(session, (s) => s.run.result?.kernel === "k4");
  session.actions.document.setText(BROKEN.replace("add.s32 %r5, %r4, 4;", "add.s32 %r5, ;"));
  await until(session, (s) => s.document.open?.revision === 2 && s.document.open?.left === 0);
  expect([selectKernel(state())?.name, selectStale(state())]).toEqual(["k4", true]);
  expect(wrongLines(state())).toHaveLength(2);
});

test("opening a text asks the engine immediately; unchanged blocks keep their objects after an edit, so they do not re-render", async () => {
  const { session, state, asked } = watched();
  session.actions.document.openText({ text: TEXT, title: "test", pipeline: PIPELINE });
  await Promise.resolve();
  expect(asked).toEqual(["openFirst 1"]);
  const shown = (revision: number) => (s: SessionState) =>
    s.document.open?.left === 0 && s.run.result?.revision === revision && s.position.state === "loaded";
  await until(session, shown(1));
  const { graph, moment } = state().position;
  session.actions.document.setText(TEXT.replace("sm_80\n", "sm_80 // mine\n"));
  await until(session, shown(2));
  expect(state().position.graph).toBe(graph);
  expect(blocksOtherThan(moment, state())).toEqual([]);
  session.actions.document.setText(TEXT.replace("xor.b32 %r7, %r6, %r5;", "and.b32 %r7, %r6, %r5;"));
  await until(session, shown(3));
  expect(state().position.graph).toBe(graph);
  expect(blocksOtherThan(moment, state())).toHaveLength(1);
});

const blocksOtherThan = (before: MomentState | null, { position }: SessionState): readonly unknown[] =>
  [...(position.moment?.blocks ?? [])].filter(([id, block]) => block !== before?.blocks.get(id));
