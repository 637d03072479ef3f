/** Opens the program that shows what a page is about. */

import { openExample } from "../examples/gallery.tsx";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";
import type { Entry } from "./entry.ts";

export function openShown(session: Session, { example }: Entry): void {
  import("../examples/by-phase.ts").then(
    ({ PHASE_EXAMPLES }) => {
      const found = PHASE_EXAMPLES.find(({ id }) => id === `fixture:${example}`);
      if (found === undefined) session.actions.notify("error", `There is no program ${example}.`);
      else void openExample(session, found);
    },
    (error: unknown) => session.actions.notify("error", `The program could not be loaded: ${messageOf(error)}`),
  );
}
