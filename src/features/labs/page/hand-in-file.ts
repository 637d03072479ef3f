/** What a student takes out of a lab: the file to hand in, and a report to read or print. */

import { download, safeName } from "../../../app/share/download.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { LabState, OpenLab } from "./lab-model.ts";
import { earlierHandIn, handInOf, type LabWork, workOf } from "./work.ts";

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const studentOf = ({ name, number }: LabWork): string => safeName(number || name || "student");

/** Empty: no lab is open. */
export const handInText = ({ lab, work, seed }: LabState, log: boolean): string =>
  lab === null ? "" : json(handInOf(lab, work, { seed, log }));

export function downloadHandIn(state: LabState, log: boolean): void {
  const { lab, work } = state;
  if (lab !== null) download(`${safeName(lab.id)}.${studentOf(work)}.json`, handInText(state, log), "application/json");
}

export function downloadEarlier({ lab }: LabState, work: LabWork): void {
  if (lab === null) return;
  download(`${safeName(lab.id)}.version-${work.version}.${studentOf(work)}.json`, json(earlierHandIn(lab, work)), "application/json");
}

export async function downloadReport({ session, desk, get }: OpenLab): Promise<void> {
  const state = get();
  const { lab, work } = state;
  if (lab === null) return;
  try {
    const results = lab.tasks.flatMap(({ id }) => workOf(work, id).result ?? []);
    const page = await desk.ask("report", handInText(state, false), results);
    download(`${safeName(lab.id)}.${studentOf(work)}.html`, page, "text/html");
  } catch (error) {
    session.actions.notify("error", `The report could not be made: ${messageOf(error)}`);
  }
}
