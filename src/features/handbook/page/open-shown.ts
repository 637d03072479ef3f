/** Opens the program that shows what a page is about, at its place. */

import { endsOf, namedRuns } from "../../../app/session/comparison.ts";
import { openedBy, placeNamed } from "../../../app/session/places.ts";
import type { Session } from "../../../app/session/session.ts";
import { openLinkData } from "../../../app/share/open-link.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import type { Entry } from "./entry.ts";
import { linkOfEntry } from "./shown-link.ts";

export async function openShown(session: Session, entry: Entry): Promise<void> {
  const { actions, store } = session;
  try {
    const { textOfProgram } = await import("./programs.ts");
    const link = linkOfEntry(entry, textOfProgram);
    if (link === null) {
      actions.notify("error", `There is no example program for ${entry.title}.`);
      return;
    }
    const problem = await openLinkData(session, link, { origin: "example", quiet: true });
    if (problem !== null) {
      actions.notify("error", problem);
      return;
    }
    const { example, kind, id } = entry;
    if (example?.kind === "shown" && example.shown.step === undefined && link.phase !== null)
      actions.position.goToPhase(link.phase, "change");
    actions.view.set({ editorTab: "source", structure: kind === "structure" ? id.slice("structure:".length) : null });
    const runs = namedRuns(session, store.getState());
    const [original, shown] = [runs[0], runs.find(({ isShown }) => isShown)];
    const isFork = link.future !== 0 && original !== undefined && shown !== undefined;
    if (isFork) session.patch("comparison", { ...endsOf(original.name, shown.name), shows: "numbers" });
    const place = placeNamed(session.features, isFork ? "compare" : PLACE[kind]);
    if (place !== null) actions.view.set({ open: openedBy(place, store.getState().view.open) });
  } catch (error) {
    actions.notify("error", `The program could not be opened: ${messageOf(error)}`);
  }
}

/** Where such a thing is seen. */
const PLACE: Partial<Readonly<Record<Entry["kind"], string>>> = { structure: "structures", field: "record", condition: "rule" };
