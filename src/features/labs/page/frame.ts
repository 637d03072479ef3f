/** A lab in a frame of another page: that page receives the lab's progress, and may provide a hand-in after the student pressed a button for it. */

import { messageOf } from "../../../app/ui/failure.ts";
import type { LabState } from "./lab-model.ts";
import type { LabSession } from "./lab-session.ts";
import { totalOf } from "./work.ts";

/** What is used of a lab and of the window. */
export type FramedLab = Pick<LabSession, "get" | "subscribe" | "handIn" | "openHandIn" | "setCourse">;
export interface FrameWindow {
  readonly location: { readonly search: string };
  readonly parent: { postMessage(message: object, origin: string): void };
  addEventListener(type: "message", hear: (event: MessageEvent<unknown>) => void): void;
  removeEventListener(type: "message", hear: (event: MessageEvent<unknown>) => void): void;
}

const FRAME_HEIGHT = 900;

/**
 * The origin that a page around the frame names in the address, if it does: messages are sent only to it, and accepted only from it. Any page can name itself
 * there, so name, number and answers leave this page only when the student sends them, and nothing is opened over them without a click.
 */
export function toFrame(labs: FramedLab, window: FrameWindow): () => void {
  const origin = new URLSearchParams(window.location.search).get("lab-host");
  if (origin === null || window.parent === (window as unknown) || !/^https?:\/\/[^/]+$/.test(origin)) return () => undefined;
  const post = (event: string, detail: object): void => window.parent.postMessage({ type: "oriscope.lab", event, ...detail }, origin);
  let sends = false;
  const offer = (): void =>
    labs.setCourse(
      sends
        ? { line: `${origin} has your name, number and answers, and gets each change.`, submit: null }
        : { line: `${origin} shows this lab. It has neither your name nor your answers.`, submit: send, label: `Send to ${origin}` },
    );
  const send = (): void => {
    sends = true;
    offer();
    tell(labs.get());
  };
  const tell = ({ lab, work, status }: LabState): void => {
    if (!sends || lab === null || status !== "ready") return;
    const { points, answered } = totalOf(lab, work);
    post("progress", {
      lab: lab.id,
      version: lab.version,
      points,
      max: lab.max,
      answered,
      tasks: lab.tasks.length,
      handIn: labs.handIn(true),
    });
  };
  const hear = ({ origin: from, source, data }: MessageEvent<unknown>): void => {
    if (from !== origin || source !== window.parent || typeof data !== "object" || data === null) return;
    const { type, handIn } = data as Readonly<Record<string, unknown>>;
    if (type !== "oriscope.lab.open" || typeof handIn !== "string") return;
    const open = (): void => {
      offer();
      labs.openHandIn(handIn).then(
        (problem) => post(problem === null ? "opened" : "refused", { message: problem }),
        (error) => post("refused", { message: messageOf(error) }),
      );
    };
    labs.setCourse({ line: `${origin} brings saved work. It would replace yours.`, submit: open, label: "Open it" });
  };
  window.addEventListener("message", hear);
  const stop = labs.subscribe((state, before) => {
    if (state.work.tasks !== before.work.tasks || state.status !== before.status) tell(state);
  });
  // Some course systems size the frame by this.
  window.parent.postMessage({ subject: "lti.frameResize", height: FRAME_HEIGHT }, origin);
  offer();
  return () => {
    stop();
    window.removeEventListener("message", hear);
  };
}
