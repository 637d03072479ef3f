import { expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession } from "../../../app/session/session.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { FUTURES } from "../../futures/page/feature.ts";
import { ownPass } from "../../ownpass/page/feature.ts";
import { LABS } from "./feature.ts";
import { labState, UNREAD } from "./lab-model.ts";

it("a lab that was closed keeps its state, and what arrives late changes only that", () => {
  const session = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(), LABS] });
  const first = labState(session);
  const heard: number[] = [];
  const stop = first.subscribe(({ section }) => heard.push(section));
  first.set({ section: 2 });
  session.patch("lab", { front: true });
  stop();
  first.close();
  const second = labState(session);
  expect([first.isGone(), second.isGone(), second.get()]).toEqual([true, false, UNREAD]);
  second.set({ section: 1 });
  first.set({ whole: true });
  expect(first.get()).toMatchObject({ section: 2, whole: true });
  expect(session.store.getState().openLab).toMatchObject({ section: 1, whole: false });
  expect(heard).toEqual([2]);
});
