/** The inside of an embedded frame: its theme, and its messages with the page around it, whose origin it was given. */

import type { EmbedOptions } from "../../embed/embed-fragment.ts";
import { type FromFrame, toFrame } from "../../embed/messages.ts";
import type { Session } from "../session/session.ts";

let started = false;

/** Once a page: a second link in the same frame changes nothing here. */
export function startEmbed(session: Session, { theme, origin }: EmbedOptions): void {
  const { actions, store } = session;
  if (started) return;
  started = true;
  if (theme !== null) actions.view.setTheme(theme);
  if (origin === null || window.parent === window) return;
  window.addEventListener("message", (event) => {
    if (event.origin !== origin || event.source !== window.parent) return;
    const message = toFrame(event.data);
    if (message?.type === "theme") actions.view.setTheme(message.theme);
    else if (message?.type === "step") actions.position.move("into", message.direction);
  });
  store.subscribe((state, before) => {
    const { moment } = state.position;
    if (moment === null || moment === before.position.moment) return;
    const phase = state.run.result?.phases[moment.run]?.id ?? "";
    const message: FromFrame = { oriscope: 1, type: "moment", phase, step: moment.step, sentence: moment.event?.sentence ?? "" };
    window.parent.postMessage(message, origin);
  });
}
