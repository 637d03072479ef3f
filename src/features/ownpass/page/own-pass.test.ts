/** A user's pass in the session: run, stepped both ways, placed, skipped, edited and ended, on the engine itself and a sandbox without a browser. */

import { describe, expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession, type Session } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { openLinkData } from "../../../app/share/open-link.ts";
import { linkOf } from "../../../app/share/parts.ts";
import { eventually } from "../../../app/testing/eventually.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { until } from "../../../app/testing/until.ts";
import { EVENT_KINDS } from "../../../engine/trace/kinds.ts";
import { decodeLink, encodeLink } from "../../../links/link-codec.ts";
import { localEngine } from "../../../worker/local.ts";
import { FUTURES } from "../../futures/page/feature.ts";
import { Box } from "../box/box.ts";
import type { Ended } from "../engine/check/check.ts";
import type { PassRequest } from "../engine/check/requests.ts";
import { templateSource } from "../engine/check/testing/subject.ts";
import { selectAnalysis } from "./analysis.ts";
import { ownPass } from "./feature.ts";
import type { PassSandbox } from "./sandbox-port.ts";

const TEXT = `.kernel k(a: R0, out: RD1)
A:
    IADD R2, R0, 1
    IADD R3, R0, 2
    BRA B
B:
    STG [RD1], R3
    BRA C
C:
    EXIT
`;

/** Keeps what it was asked. */
class TestSandbox implements PassSandbox {
  readonly asked: PassRequest[] = [];
  /** Questions wait here until they are let go. */
  hold: Promise<void> | null = null;
  private readonly box = Box.open();
  private stopped: (() => void) | null = null;

  async ask(request: PassRequest): Promise<string | Ended> {
    this.asked.push(request);
    const { hold } = this;
    const stopped = new Promise<Ended>((resolve) => {
      this.stopped = () => resolve({ ended: "stopped", message: "stopped" });
    });
    return Promise.race([(hold ?? Promise.resolve()).then(async () => (await this.box).ask(request)), stopped]);
  }

  stop(): void {
    this.stopped?.();
  }

  runs(): readonly Extract<PassRequest, { ask: "run" }>[] {
    return this.asked.flatMap((one) => (one.ask === "run" ? [one] : []));
  }
}

async function start(source: string): Promise<{ session: Session; sandbox: TestSandbox }> {
  const sandbox = new TestSandbox();
  const session = createSession(localPort(localEngine), { features: [FUTURES, ownPass(async () => sandbox)] });
  session.actions.document.openText({ text: TEXT, title: "k", format: "ori" });
  await until(session, (s) => s.position.moment !== null);
  session.actions.ownpass.open({ source, title: "mine" });
  return { session, sandbox };
}

const settled = (s: SessionState): boolean => !s.run.stale && !s.run.running && !s.ownpass.running && s.position.state !== "tracing";
const own = (s: SessionState) => s.run.result?.phases.find((p) => p.id.startsWith("own-"));
const atOwn = (s: SessionState): boolean => settled(s) && s.position.trace?.id.startsWith("own-") === true && s.position.moment !== null;

describe("a pass of one's own in the page", { timeout: 120_000 }, () => {
  it("runs alone at a press, and is stepped to its end and back", async () => {
    const source = templateSource("jump-to-next");
    const { session, sandbox } = await start(source);
    const { actions, store, api } = session;
    // Opening it asked nothing.
    expect(sandbox.asked).toEqual([]);
    actions.ownpass.run();
    await until(session, atOwn);
    const { run, position, ownpass } = store.getState();
    expect(run.result?.phases.map((p) => [p.id, p.changed, p.rewrites])).toEqual([["own-jump-to-next", true, 2]]);
    expect(ownpass).toMatchObject({ on: true, problems: [], report: { changed: true, rewrites: 2 } });
    // Its pseudocode is the file.
    expect(position.trace?.pseudocode).toEqual(source.split("\n"));
    const steps = position.trace?.steps ?? 0;
    expect(steps).toBeGreaterThan(4);
    const forwards: string[] = [];
    for (let step = -1; step < steps; step++) forwards.push((await api.text({ run: 0, step })).text);
    const backwards: string[] = [];
    for (let step = steps - 1; step >= -1; step--) backwards.push((await api.text({ run: 0, step })).text);
    expect(backwards.reverse()).toEqual(forwards);
    expect(forwards[0]).toContain("BRA");
    expect(forwards.at(-1)).not.toContain("BRA");
    // The step knows its line of the file.
    actions.breakpoints.toggle({ kind: "line", line: source.split("\n").findIndex((line) => line.includes("ctx.rewrite")) + 1 });
    await until(session, (s) => s.breakpoints.ticks.length >= 2);
    actions.ownpass.stop();
    await until(session, (s) => settled(s) && own(s) === undefined);
    expect(store.getState().run.result?.phases.length).toBeGreaterThan(100);
  });

  it("opens at the first rewrite; a line is a step where it has a breakpoint, or where every line is asked for", async () => {
    const source = templateSource("jump-to-next");
    const { session } = await start(source);
    const { actions, store } = session;
    actions.ownpass.run();
    await until(session, atOwn);
    const { step, trace } = store.getState().position;
    expect(trace?.kinds[step]).toBe(EVENT_KINDS.indexOf("rewrite"));
    const few = trace?.steps ?? 0;
    // A line on which nothing is said.
    const line = source.split("\n").findIndex((text) => text.includes("const jump =")) + 1;
    actions.breakpoints.toggle({ kind: "line", line });
    await until(session, (s) => atOwn(s) && s.breakpoints.ticks.length === 3);
    expect(store.getState().position.trace?.steps).toBe(few + 3);
    actions.breakpoints.toggle({ kind: "line", line });
    await until(session, (s) => atOwn(s) && s.position.trace?.steps === few);
    actions.ownpass.setEveryLine(true);
    await until(session, (s) => atOwn(s) && (s.position.trace?.steps ?? 0) > few + 3);
  });

  it("shows its structures, says why, and takes fuel, other futures and comparisons like every phase", async () => {
    const source = `import { definePass } from "oriscope/pass";
export default definePass({ name: "looker", run(fn, ctx) {
  const table = ctx.table("sizes");
  const tree = ctx.tree("chain");
  const set = ctx.set("seen");
  let parent = null;
  for (const block of fn.blocks) {
    table.set(block, block.insts.length);
    set.add(block);
    tree.set(block, parent, "a block");
    parent = block;
    const jump = block.terminators.at(-1);
    if (jump?.target !== null && jump?.target === block.next && jump.isUnconditional) ctx.rewrite(block.label + " falls through", { inst: jump, block }, () => fn.remove(jump));
    else if (jump !== undefined) ctx.refuse("no jump", "'" + jump.text + "' stays", { inst: jump });
  }
} });`;
    const { session } = await start(source);
    const { actions, store, api } = session;
    actions.ownpass.run();
    await until(session, atOwn);
    expect(store.getState().ownpass.problems).toEqual([]);
    actions.position.seek("end");
    await until(session, (s) => atOwn(s) && s.position.moment?.step === (s.position.trace?.steps ?? 0) - 1);
    const { moment } = store.getState().position;
    const cells = [...(moment?.structures.values() ?? [])].map(({ cells: c }) => c.size);
    expect(cells).toEqual([3, 3, 3]);
    // Why: of the instruction that stays, the refusal in the pass's own words; of the block that lost its jump, the rewrite.
    const blocks = [...(moment?.blocks.values() ?? [])];
    const exit = blocks.flatMap((b) => b.insts).find((inst) => inst.text.includes("EXIT"));
    const why = await api.history(0, { kind: "inst", id: exit?.id ?? -1 });
    expect(why.items.map((item) => item.sentence).join()).toContain("'EXIT' stays");
    const [first] = blocks;
    const told = await api.history(0, { kind: "block", id: first?.id ?? -1 });
    expect(told.items.map((item) => item.sentence).join()).toContain("A falls through");
    // Fuel for one rewrite, as a future next to the complete run.
    const whole = store.getState().options.pipeline;
    actions.futures.fork([{ kind: "fuel", run: "own-looker+1", n: 1 }]);
    await until(session, (s) => atOwn(s) && own(s)?.rewrites === 1);
    const cut = store.getState().options.pipeline;
    const beside = await api.compareFutures("k", whole, cut);
    expect(typeof beside).toBe("object");
    const last = (store.getState().run.result?.phases.length ?? 0) - 1;
    const [before, after] = [await api.text({ run: -1, step: null }), await api.text({ run: last, step: null })];
    expect([before.text.split("BRA").length, after.text.split("BRA").length]).toEqual([3, 2]);
  });

  it("asks an analysis about the program that is shown, and again when that is another one", async () => {
    const { session, sandbox } = await start(templateSource("liveness"));
    const { actions, store } = session;
    const shown = () => selectAnalysis(store.getState());
    // As it came in: programs open at a phase before which blocks were merged.
    actions.position.goTo(0, "start");
    await until(session, (s) => s.position.moment?.run === 0 && s.position.moment.step === -1);
    actions.ownpass.run();
    await until(session, (s) => settled(s) && selectAnalysis(s) !== null);
    expect(store.getState().view.overlay).toBe("own");
    // The pipeline has no part of it.
    expect(store.getState().options.pipeline.own ?? null).toBeNull();
    expect(shown()?.blocks.map(({ label, theirs, ours, same }) => [label, theirs, ours, same])).toEqual([
      ["A", "{R0, RD1}", "{R0, RD1}", true],
      ["B", "{R3, RD1}", "{R3, RD1}", true],
      ["C", "{}", "{}", true],
    ]);
    const asked = sandbox.asked.length;
    actions.position.goTo((store.getState().run.result?.phases.length ?? 0) - 1, "end");
    await until(session, (s) => settled(s) && selectAnalysis(s)?.run === (s.run.result?.phases.length ?? 0) - 1);
    expect(sandbox.asked.length).toBeGreaterThan(asked);
    const wrong = templateSource("liveness").replace("live.add(reg);", "live.delete(reg);");
    expect(wrong).not.toBe(templateSource("liveness"));
    actions.ownpass.setSource(wrong);
    await until(session, (s) => settled(s) && selectAnalysis(s)?.source === wrong);
    expect(shown()?.blocks.some((b) => !b.same)).toBe(true);
    actions.ownpass.setSource(templateSource("liveness").replace("return liveIn;", "throw new Error('no');"));
    await until(session, (s) => s.ownpass.problems.length > 0 && !s.ownpass.running);
    expect(store.getState().ownpass.problems[0]?.message).toContain("no");
    actions.ownpass.stop();
    expect(shown()).toBeNull();
  });

  it("steps through an analysis that has a place, as through a pass that changes nothing", async () => {
    const { session } = await start(templateSource("liveness"));
    const { actions, store, api } = session;
    actions.ownpass.setPlace({ side: "before", run: "r0" });
    actions.ownpass.run();
    await until(session, (s) => atOwn(s) && selectAnalysis(s) !== null);
    const result = store.getState().run.result;
    expect(result?.phases[0]).toMatchObject({ id: "own-liveness", changed: false, rewrites: 0, reason: "says something of 3 blocks" });
    expect(result?.phases.length).toBeGreaterThan(1);
    const trace = await api.trace(0);
    const events = await api.events(0, 0, trace?.steps ?? 0);
    expect(events.map((e) => e.sentence)).toEqual(
      expect.arrayContaining(["0 registers are live at the head of C", "2 registers are live at the head of B"]),
    );
    expect(events.at(-1)?.sentence).toContain("says something of 3 blocks");
    expect(selectAnalysis(store.getState())?.blocks.every((b) => b.same)).toBe(true);
    // Without a position it is not a phase any more, and still shows its results.
    actions.ownpass.setPlace(null);
    await until(session, (s) => settled(s) && own(s) === undefined && selectAnalysis(s) !== null);
  });

  it("stands among the phases, asks its code again for a skip, and keeps the program for the phases after it", async () => {
    const { session, sandbox } = await start(templateSource("jump-to-next"));
    const { actions, store } = session;
    actions.ownpass.setPlace({ side: "before", run: "r0" });
    actions.ownpass.run();
    await until(session, (s) => settled(s) && own(s) !== undefined);
    const phases = store.getState().run.result?.phases ?? [];
    const at = phases.findIndex((p) => p.id === "own-jump-to-next");
    expect(at).toBe(0);
    expect(phases[at]?.address).toBe("own-jump-to-next+1");
    expect(phases.at(-1)?.run).toBe(phases.length - 1);
    const asked = phases[at]?.asked ?? 0;
    expect(asked).toBeGreaterThan(0);
    actions.futures.fork([{ kind: "skip", run: "own-jump-to-next+1", n: 1 }]);
    await until(session, (s) => settled(s) && own(s)?.refused === 1);
    expect(sandbox.runs().at(-1)?.skips).toEqual([1]);
    expect(store.getState().run.result?.interventions).toMatchObject([{ applied: true }]);
    expect(own(store.getState())?.rewrites).toBe(asked - 1);
    const before = sandbox.runs().length;
    actions.futures.open(0);
    await until(session, (s) => settled(s) && own(s)?.refused === 0);
    // What was answered once is not asked again.
    expect(sandbox.runs().length).toBe(before);
  });

  it("says what is wrong with the file and where, and goes on with it when it is right", async () => {
    const source = templateSource("jump-to-next");
    const { session, sandbox } = await start("export default definePass({");
    const { actions, store } = session;
    actions.ownpass.run();
    await until(session, (s) => s.ownpass.problems.length > 0 && !s.ownpass.running);
    expect(store.getState().ownpass.problems[0]?.line).toBeGreaterThan(0);
    actions.ownpass.setSource(source.replace("for (const block", "fn.remove(null as never);\n    for (const block"));
    await until(session, (s) => settled(s) && s.ownpass.report !== null && s.ownpass.problems.length > 0);
    expect(store.getState().ownpass.problems[0]).toMatchObject({ message: expect.stringContaining("is not an instruction") });
    const wrong = store.getState().run.result;
    expect(wrong?.phases[0]).toMatchObject({ changed: false, stopped: true, reason: expect.stringMatching(/^stopped by an error: /) });
    expect(wrong?.diagnostics.map((d) => d.code)).toContain("PIPE015");
    // The latest edit wins over one that is still running.
    let letGo = (): void => undefined;
    sandbox.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    actions.ownpass.setSource(`${source}\n// one`);
    await until(session, (s) => s.ownpass.running);
    sandbox.hold = null;
    actions.ownpass.setSource(`${source}\n// two`);
    await until(session, (s) => settled(s) && s.ownpass.ran?.endsWith("// two") === true && s.ownpass.report?.rewrites === 2);
    letGo();
    expect(store.getState().ownpass.problems).toEqual([]);
    expect(store.getState().options.pipeline.own?.source.endsWith("// two")).toBe(true);
  });

  it("keeps what it said: of an earlier text that comes back, and of a failure until Run is pressed again", async () => {
    const source = templateSource("jump-to-next");
    const { session, sandbox } = await start(source);
    const { actions, store } = session;
    actions.ownpass.run();
    await until(session, (s) => atOwn(s) && s.ownpass.report?.rewrites === 2);
    const none = source.replace("for (const block of", "for (const block of [] as typeof");
    expect(none).not.toBe(source);
    const told = new Set<number | undefined>();
    const stop = store.subscribe(({ ownpass }) => {
      if (ownpass.ran === none) told.add(ownpass.report?.rewrites);
    });
    actions.ownpass.setSource(none);
    await until(session, (s) => atOwn(s) && s.ownpass.report?.rewrites === 0);
    stop();
    // Never what the text before it did.
    expect([...told]).toEqual([undefined, 0]);
    actions.ownpass.setSource(source);
    await until(session, (s) => atOwn(s) && s.ownpass.ran === source && own(s)?.rewrites === 2);
    expect(store.getState().ownpass.report).toMatchObject({ changed: true, rewrites: 2 });
    const fails = source.replace("for (const block of", 'if (fn.name !== "") throw new Error("not yet");\n    for (const block of');
    actions.ownpass.setSource(fails);
    const failed = (s: SessionState) => settled(s) && s.ownpass.ran === fails && s.ownpass.problems.length > 0;
    await until(session, failed);
    const asked = sandbox.runs().length;
    actions.ownpass.run();
    await until(session, (s) => failed(s) && sandbox.runs().length > asked);
    expect(store.getState().ownpass.problems[0]?.message).toContain("not yet");
    expect(sandbox.runs().length).toBe(asked + 1);
  });

  it("runs again where Run is pressed while the pass is being run at a new place", async () => {
    const { session, sandbox } = await start(templateSource("jump-to-next"));
    const { actions, store } = session;
    actions.ownpass.run();
    await until(session, atOwn);
    let letGo = (): void => undefined;
    sandbox.hold = new Promise((resolve) => {
      letGo = resolve;
    });
    const before = sandbox.runs().length;
    actions.ownpass.setPlace({ side: "before", run: "ori-branch-opt" });
    await eventually(() => expect(sandbox.runs().length).toBeGreaterThan(before));
    actions.ownpass.run();
    await until(session, (s) => !s.run.running);
    letGo();
    sandbox.hold = null;
    await until(session, atOwn);
    expect(store.getState().run.result?.phases.length).toBeGreaterThan(100);
  });

  it("stops the pipeline with a program that the verifier refuses", async () => {
    const source = `import { definePass } from "oriscope/pass";
export default definePass({ name: "wrong", run(fn, ctx) {
  const last = fn.blocks.at(-1)!;
  ctx.rewrite("the end goes", { block: last }, () => fn.remove(last.terminators.at(-1)!));
} });`;
    const { session } = await start(source);
    const { actions, store } = session;
    actions.ownpass.setPlace({ side: "before", run: "ori-branch-opt" });
    actions.ownpass.run();
    await until(session, (s) => settled(s) && own(s) !== undefined);
    const phases = store.getState().run.result?.phases ?? [];
    const at = phases.findIndex((p) => p.id === "own-wrong");
    const { verifyErrors, changed } = phases[at] ?? { verifyErrors: [], changed: null };
    expect(changed).toBe(true);
    expect(verifyErrors.length).toBeGreaterThan(0);
    expect(store.getState().run.result?.diagnostics.map((d) => d.code)).toContain("PIPE015");
    expect(phases.slice(at + 1).some((p) => p.ran)).toBe(false);
    const rejected = [{ line: 0, message: expect.stringMatching(/^The verifier rejects the result: .* \(VER\d+\)\. .* unchanged\.$/) }];
    await until(session, (s) => settled(s) && s.ownpass.problems.length > 0);
    expect(store.getState().ownpass.problems).toMatchObject(rejected);
    // Also where Run is pressed again on the same source, and not of the source after it.
    actions.ownpass.run();
    await until(session, (s) => settled(s) && !s.ownpass.pressed);
    expect(store.getState().ownpass.problems).toMatchObject(rejected);
    actions.ownpass.setSource(templateSource("jump-to-next"));
    await until(session, (s) => settled(s) && own(s)?.id === "own-jump-to-next");
    expect(store.getState().ownpass.problems).toEqual([]);
  });
});

it("a link brings a pass of one's own along, which is shown and does not run by itself", async () => {
  const refuse = () => Promise.reject(new Error("nothing runs without a press"));
  const first = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(refuse)] });
  first.actions.document.openText({ text: TEXT, title: "mine", format: "ori" });
  first.actions.ownpass.open({ source: "export default 1;", title: "mine", place: { side: "after", run: "15" } });
  await until(first, (s) => s.position.moment !== null);
  const link = await decodeLink(await encodeLink(linkOf(first, first.store.getState())));
  if (!link.ok) throw new Error(link.message);
  expect(link.data.pass).toEqual({ title: "mine", source: "export default 1;", at: { side: "after", run: "15" } });

  const second = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(refuse)] });
  await openLinkData(second, link.data, { origin: "link" });
  await until(second, (s) => s.position.moment !== null);
  const { ownpass, options, notices } = second.store.getState();
  expect(ownpass).toMatchObject({ source: "export default 1;", place: { side: "after", run: "15" }, linked: true, on: false });
  expect(options.pipeline.own ?? null).toBe(null);
  expect(notices).toEqual([]);
  expect(linkOf(second, second.store.getState()).pass).toEqual(link.data.pass);
  // A link without one, as all older ones, leaves it alone.
  await openLinkData(second, { ...link.data, pass: null }, { origin: "link" });
  expect(second.store.getState().ownpass.source).toBe("export default 1;");
});
