import { expect, it } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession } from "../../../app/session/session.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { FUTURES } from "../../futures/page/feature.ts";
import { ownPass } from "../../ownpass/page/feature.ts";
import type { DeskLab, DeskPlace } from "../engine/desk.ts";
import type { DeskClient } from "./desk-client.ts";
import { LABS } from "./feature.ts";
import { labState } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { labPlaces } from "./show-place.ts";

const ENDED = () => Promise.reject(new Error("the lab’s worker ended"));

it.each(["showPlace", "showAddress"] as const)("%s reports that the lab's thread has ended, and shows nothing", async (action) => {
  const session = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(), LABS] });
  const open = { session, desk: { ask: ENDED } as unknown as DeskClient, ...labState(session) };
  // Whether a prediction hides the place cannot be known.
  open.set({ lab: { tasks: [{ id: "t", kind: "predict" }] } as unknown as DeskLab });
  const places = labPlaces(open, { task: ENDED } as unknown as LabTasks);
  const { revision } = session.store.getState().document;
  await (action === "showPlace" ? places.showPlace({ text: ".kernel k()" } as DeskPlace) : places.showAddress("v1.x"));
  expect(session.store.getState().notices.map(({ text }) => text)).toEqual(["This step could not be shown: the lab’s worker ended"]);
  expect(session.store.getState().document.revision).toBe(revision);
  open.close();
  await places.showAddress("v1.x");
  expect(session.store.getState().notices).toHaveLength(1);
});
