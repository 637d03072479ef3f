/** Opening and leaving a lab: what the page knows of labs before one is open. */

import type { Session } from "../../../app/session/session.ts";
import { browserStorage } from "../../../app/ui/browser-storage.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import { decodeLab, encodeLab } from "../link/lab-link.ts";
import { packedLab } from "./packed.ts";
import type { LabSource } from "./state.ts";

/** In sessionStorage: the lab that this tab has open, so that a reload opens it again. */
const OPEN_KEY = "oriscope.lab.open";
const MOST_TEXT = 512 * 1024;
/** From this length on an address is likely to be cut on its way. */
const LONG_LINK = 8000;

/** A text that begins as a lab does: front matter with an id, and a task. */
export const looksLikeLab = (text: string): boolean =>
  /^\uFEFF?---[^\S\n]*\n/.test(text) && /^id:/m.test(text) && /^(?:```|~~~)[^\S\n]*task\b/m.test(text);

/** Nothing is hidden or marked for a question any longer. */
export function uncover({ patch }: Session): void {
  patch("engine", { veil: null });
  patch("graph", { marks: null });
}

/** Shows the lab next to the tool; it is read when its pane is loaded. */
export function openLab(session: Session, source: LabSource): void {
  if (source.text.length > MOST_TEXT) {
    session.actions.notify("error", `${source.title} is too long for a lab.`);
    return;
  }
  session.patch("lab", { source, front: true });
  uncover(session);
  session.actions.view.set({ dialog: null, welcome: false, large: null });
  remember(source);
}

export function closeLab(session: Session): void {
  const veiled = session.store.getState().engine.veil !== null;
  session.patch("lab", { source: null });
  uncover(session);
  remember(null);
  if (veiled) session.actions.run.request();
}

/** A lab contained in a link. */
export async function openLabLink(session: Session, fragment: string): Promise<void> {
  const link = await decodeLab(fragment);
  if (link.ok) openLab(session, { text: link.text, title: "linked lab", classKey: link.classKey, course: null, linked: true });
  else session.actions.notify("error", `The lab could not be opened: ${link.message}`);
}

/** The address of this page that contains the lab; null: the lab is too long for one. */
export async function labAddress({ text, classKey }: LabSource): Promise<string | null> {
  const fragment = await encodeLab(text, classKey);
  const url = new URL(window.location.href);
  url.search = "";
  url.hash = fragment;
  return fragment.length > LONG_LINK ? null : url.toString();
}

/** What the address or this tab's last visit says is open: `?lab=PATH` on the same host, or the lab before a reload. */
export async function resumeLab(session: Session): Promise<void> {
  const packed = packedLab();
  const path = new URLSearchParams(window.location.search).get("lab");
  if (packed !== null) openLab(session, { text: packed.text, title: "lab", classKey: packed.classKey, course: null });
  else if (path !== null) await openLabAt(session, path);
  else {
    const source = remembered();
    if (source !== null) openLab(session, source);
  }
}

async function openLabAt(session: Session, path: string): Promise<void> {
  const { actions } = session;
  try {
    const url = new URL(path, window.location.href);
    if (url.origin !== window.location.origin) throw new Error("labs can only be opened from the page's own host");
    const answer = await fetch(url, { redirect: "error" });
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    const classKey = new URLSearchParams(window.location.search).get("class") ?? "";
    openLab(session, { text: await answer.text(), title: path, classKey, course: null });
  } catch (error) {
    actions.notify("error", `The lab ${path} could not be opened: ${messageOf(error)}.`);
  }
}

/** Without room, or a storage in this frame, the lab is opened by hand after a reload; the answers are stored elsewhere. */
function remember(source: LabSource | null): void {
  const storage = browserStorage("sessionStorage");
  if (source === null) storage.remove(OPEN_KEY);
  else storage.set(OPEN_KEY, JSON.stringify(source));
}

function remembered(): LabSource | null {
  const { text, title, classKey, course, linked } = browserStorage("sessionStorage").fields(OPEN_KEY);
  if (typeof text !== "string" || typeof title !== "string" || typeof classKey !== "string") return null;
  return { text, title, classKey, course: typeof course === "string" ? course : null, linked: linked === true };
}
