import { expect, it } from "vitest";
import { createSession } from "../../src/app/session/session.ts";
import { DEFAULT_EXAMPLE, openDefault } from "../../src/features/examples/page/default-example.ts";
import { connectEngine } from "../../src/worker/client.ts";
import { type Answered, FirstAnswers } from "../../src/worker/first-answers.ts";
import { recordFirstAnswers } from "./record-first-answers.ts";

/** A page with an engine that never answers, and the requests to it. */
function silent(known: readonly Answered[]) {
  const heard: unknown[] = [];
  const worker = {
    postMessage: (message: { readonly path?: unknown }) => heard.push(...[message.path].flat()),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    terminate: () => undefined,
  };
  const client = connectEngine(() => ({ worker, hello: null }), { known: new FirstAnswers(known) });
  return { session: createSession(client), client, heard };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

it("shows the first step without the engine, which hears of it all the same, and goes on where it was asked more", async () => {
  const { answers: known } = await recordFirstAnswers();
  const { session, client, heard } = silent(known);
  openDefault(session);
  await turn();
  const { position } = session.store.getState();
  expect(position.trace?.id).toBe(DEFAULT_EXAMPLE.phase);
  expect(position.moment?.step).toBe(position.step);
  expect(position.moment?.event?.kind).toBe("rewrite");
  expect(heard).toEqual(expect.arrayContaining(known.map(({ method }) => method)));
  session.actions.position.seek(position.step + 1);
  await turn();
  expect(session.store.getState().position.moment?.step).toBe(position.step);
  expect(heard.at(-1)).toBe("view");
  client.dispose();
});

it("answers nothing of another text, of other options, or out of turn", async () => {
  const { answers: known } = await recordFirstAnswers();
  const { session, client } = silent(known);
  session.actions.document.openText({ text: `${DEFAULT_EXAMPLE.text}\n`, title: "mine" });
  await turn();
  expect(session.store.getState().document.open).toBeNull();
  openDefault(session);
  await turn();
  expect(session.store.getState().run.result).toBeNull();
  client.dispose();

  const run = known.find(({ method }) => method === "run");
  const of = ({ method, args }: Answered, answers: FirstAnswers) => answers.take(method, JSON.parse(args));
  const early = new FirstAnswers(known);
  expect(known.filter(({ method }) => method !== "openFirst").map((one) => of(one, early))).toEqual(known.slice(1).map(() => null));
  const other = new FirstAnswers(known);
  const [opened] = known;
  if (opened === undefined || run === undefined) throw new Error("nothing was recorded");
  expect(of(opened, other)).not.toBeNull();
  expect(other.take("run", [1, "sum_positive", { level: 1 }])).toBeNull();
  expect(of(run, other)).toBeNull();
});

it("is the same each time: the picture drawn from it is the one that the engine gives", async () => {
  expect(await recordFirstAnswers()).toEqual(await recordFirstAnswers());
});
