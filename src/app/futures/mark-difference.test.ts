import { beforeEach, expect, it } from "vitest";
import { localEngine } from "../../worker/local.ts";
import { graphView } from "../graph/graph-view.ts";
import { localPort } from "../session/engine-port.ts";
import { selectPhase } from "../session/selectors.ts";
import { createSession, type Session } from "../session/session.ts";
import { compareInGraph } from "./mark-difference.ts";
import { ROOT } from "./tree.ts";

const TEXT = `.kernel k(n: R0, m: R1, out: RD2)
BB0:
    IADD R4, R0, R1
    IADD R5, R0, R1
    STG [RD2], R4
    STG [RD2+0x4], R5
    EXIT
`;

async function until(what: string, ready: () => boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (ready()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`never: ${what}`);
}

const settled = ({ store }: Session, future: number): boolean => {
  const { run, position, options } = store.getState();
  if (options.futures.open !== future || run.running || run.stale || position.state !== "loaded") return false;
  return position.moment !== null && position.moment.run === position.run && position.moment.step === position.step;
};

/** Two futures: the original, and one that leaves out value numbering. The session is at that phase of the second. */
async function leftOut(): Promise<{ readonly session: Session; readonly without: number }> {
  const session = createSession(localPort(localEngine));
  const { actions, store } = session;
  actions.document.openText({ text: TEXT, title: "test" });
  await until("a moment", () => settled(session, ROOT));
  actions.position.goToPhase("gvn-cse", "end");
  await until("value numbering", () => settled(session, ROOT) && selectPhase(store.getState())?.id === "gvn-cse");
  actions.futures.fork([{ kind: "leave-out", run: "49" }]);
  const without = store.getState().options.futures.open;
  await until("the other future", () => settled(session, without));
  actions.position.goToPhase("gvn-cse", "end");
  await until("value numbering", () => settled(session, without) && selectPhase(store.getState())?.id === "gvn-cse");
  expect(selectPhase(store.getState())?.ran).toBe(false);
  expect(store.getState().position.trace).toBeNull();
  return { session, without };
}

beforeEach(() => graphView.setState({ mode: "all", base: null, baseTitle: "" }));

it("a phase that is left out in the left future has its input as its end: the difference is marked", async () => {
  const { session, without } = await leftOut();
  compareInGraph(session, without, ROOT);
  await until("the mark", () => graphView.getState().mode === "diff");
  await until("the right future", () => settled(session, ROOT));
  const { base } = graphView.getState();
  const texts = (blocks: typeof base) => [...(blocks?.blocks.values() ?? [])].flatMap((b) => b.insts.map((i) => i.text));
  expect(texts(base)).toContain("IADD R5, R0, R1");
  expect(selectPhase(session.store.getState())?.id).toBe("gvn-cse");
});

it("and so it is when it is left out in the right one; another future or program ends the wish", async () => {
  const { session, without } = await leftOut();
  compareInGraph(session, ROOT, without);
  await until("the mark", () => graphView.getState().mode === "diff");
  await until("the right future", () => settled(session, without));
  expect(selectPhase(session.store.getState())?.ran).toBe(false);

  graphView.setState({ mode: "all", base: null });
  session.actions.futures.open(ROOT);
  await until("as it is", () => settled(session, ROOT));
  compareInGraph(session, without, ROOT);
  session.actions.document.openText({ text: TEXT.replace("k(", "other("), title: "other" });
  await until("the other program", () => settled(session, ROOT) && session.store.getState().run.result?.kernel === "other");
  expect(graphView.getState()).toMatchObject({ mode: "all", base: null });
});
