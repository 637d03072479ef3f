/** Puts what a link (or kept work) holds into the session: text and options at once, place and selection when the result is there. */

import type { LinkData } from "../../links/link-data.ts";
import { exampleNamed } from "../session/example.ts";
import type { Session, SessionActions } from "../session/session.ts";
import type { Origin } from "../session/state.ts";
import { NO_MORE, type RecordOnly } from "../session/work-part.ts";
import { messageOf } from "../ui/failure.ts";
import { fromLinkBreakpoints, fromLinkSubject } from "./link-state.ts";
import { openedBy } from "./parts.ts";

export interface OpenAs {
  readonly origin: Origin;
  /** Id of the kept work that this is. */
  readonly work?: string | null;
  /** It is a kept work, with what its record holds beyond a link. */
  readonly whole?: RecordOnly | null;
  /** Do not report its version and digest. */
  readonly quiet?: boolean;
}

/** The program of a link; or why there is none. */
export async function textOfLink(session: Session, data: LinkData): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (data.source !== null) return { text: data.source };
  if (data.example === null) return { problem: "The link contains no program." };
  const example = exampleNamed(session, data.example);
  if (example === null) return { problem: `The link names the example '${data.example}', which this version does not have.` };
  try {
    return { text: await example.load() };
  } catch (error) {
    return { problem: `The example '${data.example}' could not be loaded: ${messageOf(error)}` };
  }
}

/** Opens it; null when that went well, else why nothing was changed. */
export async function openLinkData(session: Session, data: LinkData, as: OpenAs): Promise<string | null> {
  const { actions, store } = session;
  const program = await textOfLink(session, data);
  if ("problem" in program) return program.problem;
  const { origin, work = null, whole = null, quiet = whole !== null } = as;
  const opened = openedBy(
    session,
    { ...data, ...(whole ?? NO_MORE) },
    store.getState(),
    whole !== null ? "record" : origin === "link" ? "link" : "file",
  );
  actions.document.openText({ ...opened, text: program.text, origin, work });
  arrive(session, data, quiet);
  return null;
}

/** Reports which fields of the user's own work could not be read and have their default values. */
export function sayReset(actions: SessionActions, reset: readonly string[]): void {
  if (reset.length === 0) return;
  actions.notify("warning", `The text is restored. Settings that could not be read are back to their defaults: ${reset.join(", ")}.`);
}

/** Waits for the first moment of the new result. */
function arrive(session: Session, data: LinkData, quiet: boolean): void {
  const { store, actions } = session;
  const { revision } = store.getState().document;
  const stop = store.subscribe((state) => {
    if (state.document.revision !== revision) {
      stop();
      return;
    }
    const { moment } = state.position;
    const { result, stale } = state.run;
    if (
      result === null ||
      stale ||
      result.revision !== revision ||
      moment === null ||
      moment.run !== state.position.run ||
      state.position.state !== "loaded"
    )
      return;
    stop();
    if (data.selection !== null) {
      const subject = fromLinkSubject(data.selection, moment);
      if (subject !== null) actions.selection.select(subject);
    }
    actions.breakpoints.replaceAll(fromLinkBreakpoints(data.breakpoints, moment));
    if (quiet) return;
    if (data.kernel !== null && data.kernel !== result.kernel)
      actions.notify(
        "warning",
        `The link names the kernel ${data.kernel}, which its program does not have: ${result.kernel} is open instead.`,
      );
    for (const feature of session.features) feature.linkOpened?.(session, data, result.digest);
  });
}
