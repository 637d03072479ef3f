/** The page of the handbook that is open is in the address (`?handbook=phase:49`), next to a link's `#…`, so that it can be shared. */

import type { Session } from "../../../app/session/session.ts";
import { HANDBOOK_DIALOG, openHandbook } from "./open-handbook.ts";

const PARAMETER = "handbook";

/** Opens the page that the address names, and keeps the address at the open page. */
export function followHandbook(session: Session): void {
  const asked = new URLSearchParams(window.location.search).get(PARAMETER);
  // A plus typed as it is (`field:+152`) is read as a blank in a query. No id has one.
  if (asked !== null) openHandbook(session, asked.replaceAll(" ", "+"));
  session.store.subscribe(({ view, handbook }, before) => {
    if (view.dialog === before.view.dialog && handbook === before.handbook) return;
    const open = view.dialog === HANDBOOK_DIALOG ? handbook.page : null;
    const url = new URL(window.location.href);
    if (url.searchParams.get(PARAMETER) === open) return;
    if (open === null) url.searchParams.delete(PARAMETER);
    else url.searchParams.set(PARAMETER, open);
    // Both are allowed in a query as they are, and read better.
    url.search = url.search.replaceAll("%3A", ":").replaceAll("%2B", "+");
    window.history.replaceState(window.history.state, "", url);
  });
}
