import { expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { selectSentence } from "../../../app/session/selectors.ts";
import { createSession } from "../../../app/session/session.ts";
import { until } from "../../../app/testing/until.ts";
import { localEngine } from "../../../worker/local.ts";
import { FUTURES } from "./feature.ts";

const TEXT =
  ".kernel k(a: R0, b: R1, out: RD1)\nA:\n    IADD R2, R0, R1\n    IADD R3, R0, R1\n    IADD R4, R2, R3\n    STG [RD1], R4\n    EXIT\n";

it("finds the refused rewrite of a future that is requested before the step is shown", async () => {
  const session = createSession(localPort(localEngine), { features: [FUTURES] });
  const position = () => session.store.getState().position;
  session.actions.document.openText({ text: TEXT, title: "test" });
  await until(session, (s) => s.position.moment !== null);
  session.actions.position.goToPhase("gvn-cse", 0);
  await until(session, (s) => s.position.moment?.step === 0);
  // Its last step: nothing of the kind follows after it is refused.
  const change = (position().trace?.rewrites?.to[0] ?? 0) - 1;
  session.actions.position.seek(change);
  expect(position().moment?.step).not.toBe(change);
  session.actions.futures.fork([{ kind: "skip", run: "49", n: 1 }]);
  await until(session, (s) => selectSentence(s).includes("rewrite 1 is skipped"));
  session.dispose();
});
