import { expect, it } from "vitest";
import { localEngine } from "../../worker/local.ts";
import { NO_COMPARISON } from "../session/comparison.ts";
import { localPort } from "../session/engine-port.ts";
import { createSession } from "../session/session.ts";
import { until } from "../testing/until.ts";
import { saidOf } from "./compared.tsx";
import { sideEngine } from "./side-engine.ts";
import { pairOf } from "./sides.ts";

const TEXT = `.kernel k(a: R0, out: RD2)
A:
    IADD R1, R0, 1
    BRA B
B:
    STG [RD2], R1
    EXIT
`;

it("the figures are those of the places, also of two in one run", async () => {
  const session = createSession(localPort(localEngine));
  session.actions.document.openText({ text: TEXT, title: "k", format: "ori" });
  await until(session, (s) => s.position.moment !== null);
  const { api, store } = session;
  const choices = { ...NO_COMPARISON, runs: [] };
  const { left, right } = await pairOf(choices, store.getState(), api, [sideEngine(), sideEngine()]);
  const compared = await api.compareFutures("k", left.pipeline, right.pipeline, undefined, undefined, [left.at, right.at]);
  if (typeof compared === "string") throw new Error(compared);
  expect([compared.a.size.blocks, compared.b.size.blocks]).toEqual([left.moment.blocks.size, right.moment.blocks.size]);
  expect(compared.b.size.blocks).toBeLessThan(compared.a.size.blocks);
  expect(saidOf(compared, left, right)).toBe(
    "Both sides are the same run: its program at the two places is compared. 'This run, after all phases' executes 8 fewer warp instructions than 'This run, as written'.",
  );
  // Steps are places as well.
  const steps = await api.compareFutures("k", left.pipeline, right.pipeline, undefined, undefined, [
    left.at,
    { run: right.at.run, step: -1 },
  ]);
  expect(steps).toMatchObject({ a: { meaning: { colour: "green" } }, b: { meaning: { colour: "green" } } });
});
