/** The lab that is being written in this tab: a record like that of a program, which no other tab writes. */

import { isBlank } from "../../session/actions/programs.ts";
import type { Session } from "../../session/session.ts";
import type { SessionState } from "../../session/state.ts";
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
  const draft = (): LabDraft => current(session);
  const patchDraft = (part: Partial<LabDraft>): void => patch("lab", { draft: { ...draft(), ...part } });
  const sayFailed = (what: "read" | "saved", error: unknown): void =>
    actions.notify("error", `The lab could not be ${what}: ${String(error)}`);
  const writer = recordWriter({ works, tab, page, apart, saved, failed: (error) => sayFailed("saved", error) });
  let timer: ReturnType<typeof setTimeout> | undefined;

  works.hold(() => isUnsaved(draft()));
  works.onLost(lost);
  const stops = [store.subscribe(watch), page.listen({ hidden: flush, leave })];
  return { reopen, flush, stop };

  function watch({ lab }: SessionState, { lab: earlier }: SessionState): void {
    if (lab.draft === "wanted" && earlier.draft !== "wanted")
      load().catch((error: unknown) => {
        sayFailed("read", error);
        patch("lab", { draft: NO_DRAFT });
      });
    const [now, before] = [draftIn(lab), draftIn(earlier)];
    if (now !== null && (now.text !== before?.text || now.former !== before.former)) changed(now, before);
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

  async function reopen(kept: Kept): Promise<boolean> {
    flush();
    // What is open stays: Undo would bring an earlier text of the same draft, which nothing else keeps.
    if (draft().work === kept.summary.id) return true;
    return show((await works.read(kept.summary.id)) ?? kept);
  }

  async function show({ summary, data }: Kept): Promise<boolean> {
    const text = textOf(data);
    if (text === null) return false;
    const entry = writer.adopt(summary, [text]);
    const before = draft();
    const former = before.text === "" ? null : { ...before, former: null };
    patch("lab", { draft: { text, work: summary.id, stored: true, former } });
    await writer.take(entry);
    return true;
  }

  function changed(now: LabDraft, before: LabDraft | null): void {
    // Another draft in its place: what it had become is kept first.
    if (before !== null && now.former !== before.former) save(before);
    if (!isUnsaved(now)) return;
    if (now.work === null || now.text.length <= SHORT) save(now);
    else {
      clearTimeout(timer);
      timer = setTimeout(flush, PAUSE_MS);
      page.askBeforeLeaving(works.unstored());
    }
  }

  function flush(): void {
    save(draft());
  }

  function save(one: LabDraft): void {
    clearTimeout(timer);
    if (isUnsaved(one)) writer.save(make(one));
  }

  /** Its text is not that of its record; an empty one has none. */
  function isUnsaved({ text, work }: LabDraft): boolean {
    return !isBlank(text) && writer.known(work)?.texts[0] !== text;
  }

  /** The next version of its record. */
  function make({ text, work }: LabDraft): Made {
    const known = writer.known(work);
    const entry = known?.mine === true ? known : writer.begin({ own: true, version: known?.version ?? null });
    const summary = writer.next(entry, { kind: "lab", title: titleOf(text), lines: firstLines(text) }, [text]);
    if (draft().text === text && draft().work !== entry.id) patchDraft({ work: entry.id });
    return { kept: { summary, data: { source: text } }, entry };
  }

  function saved({ summary }: Kept, stored: boolean): void {
    if (draft().work === summary.id && draft().stored !== stored) patchDraft({ stored });
  }

  /** Another tab writes it: this one continues as a separate draft. */
  function apart(made: Made): void {
    const { id, title } = made.kept.summary;
    const copy = writer.saveCopy(made, title);
    if (draft().work === id) patchDraft({ work: copy.id });
  }

  function lost(): void {
    if (!isBlank(draft().text)) writer.save(make(draft()));
  }

  function leave(): void {
    if (isUnsaved(draft())) works.saveNow(make(draft()).kept);
  }

  function stop(): void {
    for (const end of stops) end();
    clearTimeout(timer);
  }
}

const titleOf = (text: string): string => /^title:[ \t]*(\S.*)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? "A lab";

/** The draft that this tab had, or the latest. */
async function lastDraft(works: Works, tab: Tab): Promise<Kept | null> {
  const labs = (await works.list()).filter((s) => s.kind === "lab");
  const found = labs.find((s) => s.id === tab.work()) ?? latest(labs, "lab");
  return found === null ? null : works.read(found.id);
}
