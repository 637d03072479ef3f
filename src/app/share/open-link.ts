/** Puts what a link (or kept work) holds into the session: text and options at once, place and selection when the result is there. */

import { LINK_VERSION, type LinkData } from "../../share/link-data.ts";
import { engineOfLink } from "../engines/kept-engines.ts";
import { EXAMPLES } from "../examples/catalogue.ts";
import { troublesOf } from "../futures/use-futures.ts";
import type { Session, SessionActions } from "../session/session.ts";
import type { Origin } from "../session/state.ts";
import { NO_MORE, type RecordOnly } from "../session/work-part.ts";
import { messageOf } from "../ui/failure.ts";
import { openedBy } from "../work/parts.ts";
import { fromLinkBreakpoints, fromLinkSubject } from "./link-state.ts";

export interface OpenAs {
  readonly origin: Origin;
  /** Id of the kept work that this is. */
  readonly work?: string | null;
  /** It is a kept work, with what its record holds beyond a link. */
  readonly whole?: RecordOnly | null;
  /** Nobody needs to hear of its version and digest. */
  readonly quiet?: boolean;
}

/** The program of a link; or why there is none. */
export async function textOfLink(data: LinkData): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (data.source !== null) return { text: data.source };
  if (data.example === null) return { problem: "The link contains no program." };
  const example = EXAMPLES.find((e) => e.id === data.example);
  if (example === undefined) return { problem: `The link names the example '${data.example}', which this version does not have.` };
  try {
    return { text: await example.load() };
  } catch (error) {
    return { problem: `The example '${data.example}' could not be loaded: ${messageOf(error)}` };
  }
}

/** Opens it; null when that went well, else why nothing was changed. */
export async function openLinkData(session: Session, data: LinkData, as: OpenAs): Promise<string | null> {
  const { actions, store } = session;
  const program = await textOfLink(data);
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

/** Says which fields of one's own work could not be read and have their usual values. */
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
    sayIdle(session);
    void sayEngine(session, data, result.digest);
  });
}

/** Says what the link would have done otherwise and this version does not: the rest of it is open. */
function sayIdle({ actions, store }: Session): void {
  const idle = troublesOf(store.getState());
  if (idle.length === 0) return;
  const show = store.getState().view.embed ? null : ({ label: "Show", command: "future.show-tree" } as const);
  actions.notify("warning", `Part of the link has no effect: ${idle.join("; ")}`, show);
}

/** Says when a link was made with another engine, what became of its result, and offers that engine where it lies beside the page. */
async function sayEngine({ actions, store }: Session, data: LinkData, digest: string): Promise<void> {
  const { since } = store.getState().document;
  const { version, build, chosen } = store.getState().engine;
  const other = data.engine !== "" && data.engine !== version;
  const differs = data.digest !== null && data.digest !== digest;
  if (!other && !differs && (data.build === "" || data.build === build)) return;
  const kept = chosen === null ? await engineOfLink(data, { engine: version, build }) : null;
  // Another program meanwhile.
  if (store.getState().document.since !== since) return;
  actions.view.setLinkedEngine(kept);
  const offer = kept === null || store.getState().view.embed ? null : ({ label: "Compare", command: "engine.compare" } as const);
  if (differs) {
    const made = other
      ? `was made by engine ${data.engine}; this is ${version}`
      : kept !== null
        ? `was made by another build of engine ${version}`
        : `is of schema version ${LINK_VERSION}`;
    actions.notify("warning", `The result differs from the one the link was made from (it ${made}). Step numbers may not match.`, offer);
  } else if (other) {
    actions.notify("info", `The link was made by engine ${data.engine}; this is ${version}. The result is the same.`, offer);
  }
}
