/** The lab that is being written in this tab: a record like that of a program, which no other tab writes. */

import { isBlank } from "../../session/actions/programs.ts";
import type { Session } from "../../session/session.ts";
import { browserStorage } from "../../ui/browser-storage.ts";
import type { Keeper } from "../../work/keeper.ts";
import type { PageEvents } from "../../work/page-events.ts";
import { firstLines, type Kept, latest, textOf } from "../../work/record.ts";
import type { Tab } from "../../work/tab.ts";
import type { Works } from "../../work/works.ts";
import { type Made, recordWriter } from "../../work/writer.ts";
import { draftIn, type LabDraft } from "../state.ts";

const PAUSE_MS = 400;
/** Characters up to which a draft is saved at every key. */
const SHORT = 20_000;
/** Where the build before this one kept the only draft. */
const OLD_KEY = "oriscope.lab.draft";
const UNDO = { label: "Undo", command: "lab.undo" } as const;

export const NO_DRAFT: LabDraft = { text: "", work: null, stored: true, former: null };

/** The draft, read when it is first wanted. */
export function draftOf({ store, patch }: Session): Promise<LabDraft> {
  const read = draftIn(store.getState().lab);
  if (read !== null) return Promise.resolve(read);
  return new Promise((resolve) => {
    const stop = store.subscribe(({ lab }) => {
      const draft = draftIn(lab);
      if (draft === null) return;
      stop();
      resolve(draft);
    });
    patch("lab", { draft: "wanted" });
  });
}

const current = ({ store }: Session): LabDraft => draftIn(store.getState().lab) ?? NO_DRAFT;

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

/** Reads the draft when it is wanted, and saves it as it changes. */
export function keepDraft(session: Session, works: Works, tab: Tab, page: PageEvents): Keeper {
  const { store, actions, patch } = session;
  const patchDraft = (part: Partial<LabDraft>): void => patch("lab", { draft: { ...current(session), ...part } });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const writer = recordWriter({
    works,
    tab,
    page,
    // Another tab writes it: this one continues as a separate draft.
    apart(made) {
      const { id, title } = made.kept.summary;
      const copy = writer.saveCopy(made, title);
      if (current(session).work === id) patchDraft({ work: copy.id });
    },
    saved({ summary }, stored) {
      if (current(session).work === summary.id && current(session).stored !== stored) patchDraft({ stored });
    },
    failed: (error) => actions.notify("error", `The lab could not be saved: ${String(error)}`),
  });

  /** Its text is not that of its record; an empty one has none. */
  const isUnsaved = ({ text, work }: LabDraft): boolean => !isBlank(text) && writer.known(work)?.texts[0] !== text;
  /** The next version of its record. */
  function make({ text, work }: LabDraft): Made {
    const known = writer.known(work);
    const entry = known?.mine === true ? known : writer.begin({ own: true, version: known?.version ?? null });
    const summary = writer.next(entry, { kind: "lab", title: titleOf(text), lines: firstLines(text) }, [text]);
    if (current(session).text === text && current(session).work !== entry.id) patchDraft({ work: entry.id });
    return { kept: { summary, data: { source: text } }, entry };
  }
  function save(draft: LabDraft): void {
    clearTimeout(timer);
    if (isUnsaved(draft)) writer.save(make(draft));
  }
  const flush = (): void => save(current(session));

  async function show({ summary, data }: Kept): Promise<boolean> {
    const text = textOf(data);
    if (text === null) return false;
    const entry = writer.adopt(summary, [text]);
    const before = current(session);
    const former = before.text === "" ? null : { ...before, former: null };
    patch("lab", { draft: { text, work: summary.id, stored: true, former } });
    await writer.take(entry);
    return true;
  }
  async function load(): Promise<void> {
    const old = browserStorage("localStorage").get(OLD_KEY) ?? "";
    if (old !== "") {
      setDraft(session, old);
      flush();
      browserStorage("localStorage").remove(OLD_KEY);
      return;
    }
    const kept = await lastDraft(works, tab);
    if (kept === null || !(await show(kept))) patch("lab", { draft: NO_DRAFT });
  }
  function changed(draft: LabDraft, before: LabDraft | null): void {
    // Another draft in its place: what it had become is kept first.
    if (before !== null && draft.former !== before.former) save(before);
    if (!isUnsaved(draft)) return;
    if (draft.work === null || draft.text.length <= SHORT) save(draft);
    else {
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE_MS);
      page.askBeforeLeaving(works.unstored());
    }
  }

  const stop = store.subscribe(({ lab }, { lab: earlier }) => {
    if (lab.draft === "wanted" && earlier.draft !== "wanted")
      load().catch((error: unknown) => {
        actions.notify("error", `The lab could not be read: ${String(error)}`);
        patch("lab", { draft: NO_DRAFT });
      });
    const [draft, before] = [draftIn(lab), draftIn(earlier)];
    if (draft !== null && (draft.text !== before?.text || draft.former !== before.former)) changed(draft, before);
  });
  works.hold(() => isUnsaved(current(session)));
  works.onLost(() => {
    if (!isBlank(current(session).text)) writer.save(make(current(session)));
  });
  const stopEvents = page.listen({
    hidden: flush,
    leave() {
      if (isUnsaved(current(session))) works.saveNow(make(current(session)).kept);
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

const titleOf = (text: string): string => /^title:[ \t]*(\S.*)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? "A lab";

/** The draft that this tab had, or the latest. */
async function lastDraft(works: Works, tab: Tab): Promise<Kept | null> {
  const labs = (await works.list()).filter((s) => s.kind === "lab");
  const found = labs.find((s) => s.id === tab.work()) ?? latest(labs, "lab");
  return found === null ? null : works.read(found.id);
}
