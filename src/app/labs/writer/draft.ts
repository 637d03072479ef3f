/** The lab that is being written in this tab: a record like that of a program, which no other tab writes. */

import type { Session } from "../../session/session.ts";
import type { Keeper } from "../../work/keeper.ts";
import type { PageEvents } from "../../work/page-events.ts";
import { firstLines, type Kept, latest } from "../../work/record.ts";
import type { Tab } from "../../work/tab.ts";
import type { Works } from "../../work/works.ts";
import { recordWriter } from "../../work/writer.ts";
import type { LabDraft } from "../state.ts";

const PAUSE_MS = 400;
/** Characters up to which a draft is saved at every key. */
const SHORT = 20_000;
/** Where the build before this one kept the only draft. */
const OLD_KEY = "oriscope.lab.draft";
const UNDO = { label: "Undo", command: "lab.undo" } as const;

export const NO_DRAFT: LabDraft = { text: "", work: null, stored: true, former: null };

/** The draft, read when it is first wanted. */
export function draftOf({ store, patch }: Session): Promise<LabDraft> {
  const { draft } = store.getState().lab;
  if (draft !== null && draft !== "wanted") return Promise.resolve(draft);
  return new Promise((resolve) => {
    const stop = store.subscribe(({ lab }) => {
      if (lab.draft === null || lab.draft === "wanted") return;
      stop();
      resolve(lab.draft);
    });
    patch("lab", { draft: "wanted" });
  });
}

const current = ({ store }: Session): LabDraft => {
  const { draft } = store.getState().lab;
  return draft === null || draft === "wanted" ? NO_DRAFT : draft;
};

/** The text as it was typed. */
export function setDraft(session: Session, text: string): void {
  session.patch("lab", { draft: { ...current(session), text } });
}

/** An empty draft; the one before is under Recent, and Undo brings it back. */
export function startAgain(session: Session): void {
  const former = current(session);
  session.patch("lab", { draft: { ...NO_DRAFT, former } });
  session.actions.notify("info", "The lab was put aside. It is under File, Recent.", UNDO);
}

/** Brings back the draft that was put aside; what was begun instead is put aside. */
export function undoDraft(session: Session): void {
  const { former, ...rest } = current(session);
  if (former !== null) session.patch("lab", { draft: { ...former, former: { ...rest, former: null } } });
}

const sourceOf = (data: unknown): string | null =>
  typeof data === "object" && data !== null && "source" in data && typeof data.source === "string" ? data.source : null;

const titleOf = (text: string): string => /^title:[ \t]*(\S.*)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? "A lab";

/** Reads the draft when it is wanted, and saves it as it changes. */
export function keepDraft(session: Session, works: Works, tab: Tab, page: PageEvents): Keeper {
  const { store, actions, patch } = session;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unsaved: LabDraft | null = null;
  works.hold(() => unsaved !== null);
  const writer = recordWriter({
    works,
    tab,
    page,
    // Another tab writes it: this one continues as a separate draft.
    apart(kept, entry) {
      const { id } = writer.saveCopy(kept, entry, kept.summary.title);
      if (current(session).work === kept.summary.id) patch("lab", { draft: { ...current(session), work: id } });
    },
    saved({ summary }, stored) {
      if (current(session).work === summary.id && current(session).stored !== stored)
        patch("lab", { draft: { ...current(session), stored } });
    },
    failed: (error) => actions.notify("error", `The lab could not be saved: ${String(error)}`),
  });

  /** The draft's record; an empty one is not kept. */
  const make = (draft: LabDraft): (() => void) | null => {
    const { text } = draft;
    if (!/\S/.test(text)) return null;
    const known = writer.known(draft.work);
    const entry = known?.mine === true ? known : writer.begin({ own: true, version: known?.version ?? null });
    const { id } = entry;
    const summary = writer.next(entry, { kind: "lab", title: titleOf(text), lines: firstLines(text) }, [text]);
    if (current(session).text === text && current(session).work !== id) patch("lab", { draft: { ...current(session), work: id } });
    const kept = { summary, data: { source: text } };
    return leaving ? () => works.saveNow(kept) : () => writer.save(kept, entry);
  };
  let leaving = false;
  const flush = (): void => {
    clearTimeout(timer);
    const draft = unsaved;
    unsaved = null;
    if (draft !== null) make(draft)?.();
  };

  const show = async ({ summary, data }: Kept): Promise<boolean> => {
    const text = sourceOf(data);
    if (text === null) return false;
    const entry = writer.adopt(summary, [text]);
    const { draft } = store.getState().lab;
    const former = draft === null || draft === "wanted" || draft.text === "" ? null : { ...draft, former: null };
    patch("lab", { draft: { text, work: summary.id, stored: true, former } });
    entry.mine = await tab.take(summary.id);
    return true;
  };
  const load = async (): Promise<void> => {
    const old = readOld();
    if (old !== null) {
      setDraft(session, old);
      flush();
      removeOld();
      return;
    }
    const summaries = (await works.list()).filter((s) => s.kind === "lab");
    const id = summaries.find((s) => s.id === tab.work())?.id ?? latest(summaries, "lab")?.id;
    const kept = id === undefined ? null : await works.read(id);
    if (kept === null || !(await show(kept))) patch("lab", { draft: NO_DRAFT });
  };

  const stop = store.subscribe(({ lab: { draft } }, { lab: { draft: before } }) => {
    if (draft === before || draft === null) return;
    if (draft === "wanted") {
      load().catch((error: unknown) => {
        actions.notify("error", `The lab could not be read: ${String(error)}`);
        patch("lab", { draft: NO_DRAFT });
      });
      return;
    }
    const other = before !== null && before !== "wanted" && (before.text !== draft.text || before.former !== draft.former);
    if (!other && before !== "wanted") return;
    // Another draft in its place: what it had become is kept first.
    if (before !== null && before !== "wanted" && before.former !== draft.former) flush();
    if (writer.known(draft.work)?.texts[0] === draft.text) return;
    unsaved = draft;
    clearTimeout(timer);
    if (draft.work === null || draft.text.length <= SHORT) flush();
    else {
      timer = setTimeout(flush, PAUSE_MS);
      page.askBeforeLeaving(works.unstored());
    }
  });
  works.onLost(() => {
    const { draft } = store.getState().lab;
    if (draft === null || draft === "wanted") return;
    unsaved = draft;
    flush();
  });
  const stopEvents = page.listen({
    hidden: flush,
    leave() {
      leaving = true;
      flush();
      leaving = false;
    },
  });
  return {
    async reopen(kept) {
      flush();
      // What is open stays: Undo would bring an earlier text of the same draft, which nothing else keeps.
      if (current(session).work === kept.summary.id) return true;
      return show((await works.read(kept.summary.id)) ?? kept);
    },
    flush,
    stop() {
      stop();
      stopEvents();
      clearTimeout(timer);
    },
  };
}

/** The draft of the build before this one. */
function readOld(): string | null {
  try {
    return localStorage.getItem(OLD_KEY) || null;
  } catch {
    return null;
  }
}

function removeOld(): void {
  try {
    localStorage.removeItem(OLD_KEY);
  } catch {
    // There is none where nothing may be stored.
  }
}
