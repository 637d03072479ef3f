/** Puts what a link (or saved work) holds into the session: text and options at once, place and selection when the result is there. */

import { LINK_VERSION, type LinkData } from "../../share/link-data.ts";
import { EXAMPLES } from "../examples/catalogue.ts";
import type { Session } from "../session/session.ts";
import { fromLinkBreakpoints, fromLinkSubject, viewOfLink } from "./link-state.ts";

/** `quiet`: own saved work, whose version and digest nobody needs to hear of. */
export async function openLinkData(session: Session, data: LinkData, quiet: boolean): Promise<void> {
  const { actions, store } = session;
  let text = data.source;
  if (text === null && data.example !== null) text = (await EXAMPLES.find((e) => e.id === data.example)?.load()) ?? null;
  if (text === null) {
    actions.notify(
      "warning",
      data.example === null
        ? "The link holds no program."
        : `The link names the example '${data.example}', which this version does not have.`,
    );
    text = "";
  }
  actions.view.set(viewOfLink(data, store.getState().view));
  actions.document.openText({ text, title: data.title || "linked program", format: data.format, example: data.example });
  const { kernel, target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel } = data;
  if (kernel !== null) actions.run.setKernel(kernel);
  actions.run.setOptions({ target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel });
  if (data.phase !== null) actions.position.goToPhase(data.phase, data.step ?? "end", data.occurrence);
  arrive(session, data, quiet);
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
      state.position.tracing
    )
      return;
    stop();
    if (data.selection !== null) {
      const subject = fromLinkSubject(data.selection, moment);
      if (subject !== null) actions.selection.select(subject);
    }
    if (data.breakpoints.length > 0) actions.breakpoints.replaceAll(fromLinkBreakpoints(data.breakpoints, moment));
    if (quiet) return;
    if (data.kernel !== null && data.kernel !== result.kernel)
      actions.notify(
        "warning",
        `The link names the kernel ${data.kernel}, which its program does not have: ${result.kernel} is open instead.`,
      );
    const other = data.engine !== "" && data.engine !== state.engine.version;
    const differs = data.digest !== null && data.digest !== result.digest;
    if (differs) {
      const made = other ? `was made by engine ${data.engine}, this is ${state.engine.version}` : `is of schema version ${LINK_VERSION}`;
      actions.notify("warning", `The result differs from the one that the link was made of (it ${made}). Step numbers may not fit.`);
    } else if (other) {
      actions.notify("info", `The link was made by engine ${data.engine}; this is ${state.engine.version}. The result is the same.`);
    }
  });
}
