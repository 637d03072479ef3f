/** Puts the tool where a lab points, under the veil of an open prediction. */

import type { DeskPlace, DeskTask } from "../../labs/desk.ts";
import type { Veil } from "../../worker/veil.ts";
import type { Session } from "../session/session.ts";

export function showInTool({ actions, store, patch }: Session, place: DeskPlace, veiling: DeskTask | null): void {
  const { text, title, format, kernel, options, phase, occurrence, step } = place;
  const at = veiling?.place;
  const veil: Veil | null =
    at?.phase == null || veiling?.veil == null ? null : { phase: at.phase, occurrence: at.occurrence, step: veiling.veil };
  const { view } = store.getState();
  patch("engine", { veil });
  // Drawn pictures of later steps are not kept over the veil.
  const { open } = view;
  actions.view.set({ centre: "graph", pane: "graph", open: open.experiment === "compare" ? { ...open, experiment: null } : open });
  actions.document.openText({ text, title, format, kernel, origin: "example", pipeline: options });
  if (phase !== null) actions.position.goToPhase(phase, step === null ? "end" : step < 0 ? "start" : step, occurrence);
}
