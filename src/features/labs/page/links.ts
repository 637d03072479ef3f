/** What a lab's own links do: show a place, open a phase, look something up in the reference. */

import { selectPhases } from "../../../app/session/selectors.ts";
import type { Session } from "../../../app/session/session.ts";
import type { LabSession } from "./lab-session.ts";

export function followLink(session: Session, labs: LabSession, href: string): void {
  const colon = href.indexOf(":");
  const [scheme, rest] = [href.slice(0, colon), decodeURIComponent(href.slice(colon + 1))];
  if (scheme === "moment") void labs.showAddress(rest);
  else if (scheme === "phase") {
    const phase = selectPhases(session.store.getState()).find((p) => String(p.phase) === rest || p.id === rest || p.name === rest);
    if (phase === undefined) session.actions.notify("info", `Phase ${rest} does not run here.`);
    else session.actions.position.goToPhase(phase.id, "start");
  } else if (scheme === "knob") {
    session.actions.view.open("knobs");
  } else {
    const row = session.store.getState().engine.opcodes.find((o) => o.name === rest.toUpperCase());
    session.actions.notify("info", row === undefined ? `There is no opcode ${rest}.` : `${row.name}: ${row.doc}`);
  }
}
