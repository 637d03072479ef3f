/** Puts the tool where a lab points, under the veil of an open prediction. */

import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { Veil } from "../../../worker/veil.ts";
import type { DeskPlace, DeskTask } from "../engine/desk.ts";
import type { OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { workOf } from "./work.ts";

export interface LabPlaces {
  showPlace(place: DeskPlace): Promise<void>;
  showTask(id: string): Promise<void>;
  /** Where a link of the lab's text points. */
  showAddress(address: string): Promise<void>;
}

export function labPlaces({ session, desk, get, set, isGone }: OpenLab, tasks: LabTasks): LabPlaces {
  /** The first prediction about this program that is not answered: nothing from its step on is shown. */
  async function veilOf(place: DeskPlace): Promise<DeskTask | null> {
    const { lab, work } = get();
    for (const { id, kind } of lab?.tasks ?? []) {
      const { result, shown } = workOf(work, id);
      if (kind !== "predict" || result !== null || shown) continue;
      const task = await tasks.task(id);
      if ("broken" in task || task.veil === null || task.place?.text !== place.text) continue;
      if (JSON.stringify(task.place.options) === JSON.stringify(place.options)) return task;
    }
    return null;
  }

  /** `own`: the task that requests it. */
  async function show(place: DeskPlace, own: string | null): Promise<void> {
    const veiling = await veilOf(place);
    if (isGone()) return;
    showInTool(session, place, veiling);
    set({ covered: veiling === null || veiling.id === own ? null : veiling.id });
  }

  async function showTask(id: string): Promise<void> {
    try {
      const task = await tasks.task(id);
      if ("broken" in task || task.place === null) return;
      const { result, shown } = workOf(get().work, id);
      // After the answer the page is at the step of the question.
      const open = task.veil !== null && (result !== null || shown);
      await show(open ? { ...task.place, step: task.veil } : task.place, id);
    } catch (error) {
      tasks.failed(id, error);
    }
  }

  async function showFound(find: () => DeskPlace | Promise<DeskPlace>): Promise<void> {
    try {
      await show(await find(), null);
    } catch (error) {
      if (!isGone()) session.actions.notify("error", `This step could not be shown: ${messageOf(error)}`);
    }
  }

  const showAddress = (address: string): Promise<void> =>
    showFound(async () => {
      const place = await desk.ask("place", address, get().seed);
      if ("broken" in place) throw new Error(place.broken);
      return place;
    });

  return { showPlace: (place) => showFound(() => place), showTask, showAddress };
}

function showInTool({ actions, store, patch }: Session, place: DeskPlace, veiling: DeskTask | null): void {
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
