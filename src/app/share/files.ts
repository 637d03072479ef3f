/** Files and links in and out. */

import { FORMATS } from "../../base/formats.ts";
import { embedFragment } from "../../embed/embed-fragment.ts";
import type { Moment } from "../../engine/api/types.ts";
import { encodeLink, LONG_LINK } from "../../links/link-codec.ts";
import { LINK_VERSION } from "../../links/link-data.ts";
import { MAX_TEXT } from "../session/actions/document.ts";
import { selectPhase } from "../session/selectors.ts";
import type { Session } from "../session/session.ts";
import { messageOf } from "../ui/failure.ts";
import { plural } from "../ui/plural.ts";
import { copyText } from "./clipboard.ts";
import { readCase } from "./decode.ts";
import { chooseFile, download, safeName } from "./download.ts";
import { openLinkData } from "./open-link.ts";
import { linkOf } from "./parts.ts";

/** Besides the languages' own endings. */
const ACCEPTED = ["asm", "txt", "md", "json", "jsonl", "html", "htm"];

/** JSON that is a program or a recording: Bril's own form, and ion.json of either version. */
const NO_CASE = /^\uFEFF?\s*\{\s*(?:"version"\s*:\s*\d+\s*,\s*)?"functions"\s*:/;

/** Opens a text file or a saved case. Never rejects. */
export async function openFile(session: Session, file: File): Promise<void> {
  const { actions } = session;
  if (file.size > MAX_TEXT * 2) {
    actions.notify("error", `${file.name} has ${plural(file.size, "byte")}: too large to open.`);
    return;
  }
  try {
    const text = await file.text();
    if (/\.json$/i.test(file.name) && !NO_CASE.test(text)) await openCase(session, text, file.name);
    else if (!session.features.some((feature) => feature.openText?.(session, text, file.name) === true)) {
      const format = FORMATS.find((id) => file.name.toLowerCase().endsWith(`.${id}`)) ?? null;
      actions.document.openText({ text, title: file.name, format });
      actions.view.set({ editorTab: "source" });
    }
  } catch (error) {
    actions.notify("error", `${file.name} could not be read: ${messageOf(error)}`);
  }
}

async function openCase(session: Session, text: string, name: string): Promise<void> {
  const { actions } = session;
  const read = await readCase(text, name);
  if (read.ok) {
    const problem = await openLinkData(session, read.data, { origin: "own" });
    if (problem !== null) actions.notify("error", `${name}: ${problem}`);
    return;
  }
  actions.notify("error", read.message);
  if (read.source !== null) actions.document.openText({ text: read.source, title: name });
}

export async function pickFile(session: Session): Promise<void> {
  const file = await chooseFile([...FORMATS, ...ACCEPTED].map((ending) => `.${ending}`).join());
  if (file !== null) await openFile(session, file);
}

export function downloadSource(session: Session): void {
  const { text, title, format, open } = session.store.getState().document;
  const extension = format ?? open?.format ?? "ori";
  download(`${safeName(title).replace(new RegExp(`\\.(?:${FORMATS.join("|")})$`, "i"), "")}.${extension}`, text);
}

/** Text, options, place and breakpoints as one file that opens by drag and drop. */
export function downloadCase(session: Session): void {
  const state = session.store.getState();
  download(
    `${safeName(state.document.title)}.oriscope.json`,
    JSON.stringify({ oriscope: LINK_VERSION, ...linkOf(session, state) }, null, 1),
    "application/json",
  );
}

const EXTENSIONS = { ori: "ori", dot: "dot", json: "json", mermaid: "mmd" } as const;

export const downloadExport = (session: Session, format: keyof typeof EXTENSIONS): Promise<void> =>
  downloadStep(session, EXTENSIONS[format], async (moment) =>
    format === "ori" ? (await session.api.text(moment)).text : await session.api.exportAs(moment, format),
  );

/** The program at this step as a file. `write` gives null where there is none, which it reports. */
export async function downloadStep(session: Session, extension: string, write: (moment: Moment) => Promise<string | null>): Promise<void> {
  const state = session.store.getState();
  const { run, step } = state.position;
  const phase = selectPhase(state);
  const name = `${safeName(state.document.title)}-${phase?.id ?? "input"}-${step + 1}`;
  try {
    const text = await write({ run, step });
    if (text !== null) download(`${name}.${extension}`, text);
  } catch (error) {
    session.actions.notify("error", `The export failed: ${messageOf(error)}`);
  }
}

/** The address of this moment; null when it is too long for a link. */
export async function addressOf(session: Session, kind: "page" | "embed"): Promise<string | null> {
  const fragment = await encodeLink(linkOf(session, session.store.getState()));
  const url = new URL(window.location.href);
  url.hash = kind === "embed" ? embedFragment(fragment) : fragment;
  return fragment.length > LONG_LINK ? null : url.toString();
}

export async function copyLink(session: Session, kind: "page" | "embed"): Promise<void> {
  const { actions } = session;
  try {
    const address = await addressOf(session, kind);
    if (address === null) {
      actions.notify("warning", "The program is too long for a link. Save it as a file, which can be opened by drag and drop.", {
        label: "Download",
        command: "file.save-case",
      });
      return;
    }
    if (kind === "page") window.history.replaceState(window.history.state, "", address);
    const copied = `The link to this step was copied to the clipboard (${plural(address.length, "character")}).`;
    await copyText(session, address, copied, kind === "page" ? "; copy the link from the address bar." : ".");
  } catch (error) {
    actions.notify("error", `The link could not be copied: ${messageOf(error)}`);
  }
}
