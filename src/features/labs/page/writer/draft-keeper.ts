/** Reads the lab that is being written when it is wanted, and saves it as it changes: a record like that of a program, which no other tab writes. */

import { isBlank } from "../../../../app/session/actions/programs.ts";
import type { Session } from "../../../../app/session/session.ts";
import type { SessionState } from "../../../../app/session/state.ts";
import { browserStorage } from "../../../../app/ui/browser-storage.ts";
import type { Keeper } from "../../../../app/work/keeper.ts";
import type { PageEvents } from "../../../../app/work/page-events.ts";
import { firstLines, type Kept, latest, textOf } from "../../../../app/work/record.ts";
import type { Tab } from "../../../../app/work/tab.ts";
import type { Works } from "../../../../app/work/works.ts";
import { type Made, type RecordWriter, recordWriter } from "../../../../app/work/writer.ts";
import { draftIn, type LabDraft } from "../state.ts";
import { currentDraft, NO_DRAFT, setDraft } from "./draft.ts";

const PAUSE_MS = 400;
/** Characters up to which a draft is saved at every key. */
const SHORT = 20_000;
/** Where the build before this one kept the only draft. */
const OLD_KEY = "oriscope.lab.draft";

export class DraftKeeper implements Keeper {
  private readonly session: Session;
  private readonly works: Works;
  private readonly tab: Tab;
  private readonly page: PageEvents;
  private readonly writer: RecordWriter;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly stops: readonly (() => void)[];

  constructor(session: Session, works: Works, tab: Tab, page: PageEvents) {
    this.session = session;
    this.works = works;
    this.tab = tab;
    this.page = page;
    this.writer = recordWriter({
      works,
      tab,
      page,
      apart: (made) => this.apart(made),
      saved: (kept, stored) => this.saved(kept, stored),
      failed: (error) => this.sayFailed("saved", error),
    });
    works.watchTyping(() => this.isUnsaved(this.draft));
    works.onLost(() => this.lost());
    this.stops = [
      session.store.subscribe((state, before) => this.watch(state, before)),
      page.listen({ hidden: () => this.flush(), leave: () => this.leave() }),
    ];
  }

  async reopen(kept: Kept): Promise<boolean> {
    this.flush();
    // What is open stays: Undo would bring an earlier text of the same draft, which nothing else keeps.
    if (this.draft.work === kept.summary.id) return true;
    return this.show((await this.works.read(kept.summary.id)) ?? kept);
  }

  flush(): void {
    this.save(this.draft);
  }

  stop(): void {
    for (const end of this.stops) end();
    clearTimeout(this.timer);
  }

  private get draft(): LabDraft {
    return currentDraft(this.session);
  }

  private patch(part: Partial<LabDraft>): void {
    this.session.patch("lab", { draft: { ...this.draft, ...part } });
  }

  private sayFailed(what: "read" | "saved", error: unknown): void {
    this.session.actions.notify("error", `The lab could not be ${what}: ${String(error)}`);
  }

  private watch({ lab }: SessionState, { lab: earlier }: SessionState): void {
    if (lab.draft === "wanted" && earlier.draft !== "wanted")
      this.load().catch((error: unknown) => {
        this.sayFailed("read", error);
        this.session.patch("lab", { draft: NO_DRAFT });
      });
    const [now, before] = [draftIn(lab), draftIn(earlier)];
    if (now !== null && (now.text !== before?.text || now.former !== before.former)) this.changed(now, before);
  }

  private async load(): Promise<void> {
    const old = browserStorage("localStorage").get(OLD_KEY) ?? "";
    if (old !== "") {
      setDraft(this.session, old);
      this.flush();
      browserStorage("localStorage").remove(OLD_KEY);
      return;
    }
    const kept = await lastDraft(this.works, this.tab);
    if (kept === null || !(await this.show(kept))) this.session.patch("lab", { draft: NO_DRAFT });
  }

  private async show({ summary, data }: Kept): Promise<boolean> {
    const text = textOf(data);
    if (text === null) return false;
    const entry = this.writer.adopt(summary, [text]);
    const before = this.draft;
    const former = before.text === "" ? null : { ...before, former: null };
    this.session.patch("lab", { draft: { text, work: summary.id, stored: true, former } });
    await this.writer.claim(entry);
    return true;
  }

  private changed(now: LabDraft, before: LabDraft | null): void {
    // Another draft in its place: what it had become is kept first.
    if (before !== null && now.former !== before.former) this.save(before);
    if (!this.isUnsaved(now)) return;
    if (now.work === null || now.text.length <= SHORT) this.save(now);
    else {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), PAUSE_MS);
      this.page.askBeforeLeaving(this.works.unstored());
    }
  }

  private save(draft: LabDraft): void {
    clearTimeout(this.timer);
    if (this.isUnsaved(draft)) this.writer.save(this.make(draft));
  }

  /** Its text is not that of its record; an empty one has none. */
  private isUnsaved({ text, work }: LabDraft): boolean {
    return !isBlank(text) && this.writer.known(work)?.texts[0] !== text;
  }

  /** The next version of its record. */
  private make({ text, work }: LabDraft): Made {
    const { writer, draft } = this;
    const known = writer.known(work);
    const entry = known?.mine === true ? known : writer.begin({ own: true, version: known?.version ?? null });
    const summary = writer.next(entry, { kind: "lab", title: titleOf(text), lines: firstLines(text) }, [text]);
    if (draft.text === text && draft.work !== entry.id) this.patch({ work: entry.id });
    return { kept: { summary, data: { source: text } }, entry };
  }

  private saved({ summary }: Kept, stored: boolean): void {
    if (this.draft.work === summary.id && this.draft.stored !== stored) this.patch({ stored });
  }

  /** Another tab writes it: this one continues as a separate draft. */
  private apart(made: Made): void {
    const { id, title } = made.kept.summary;
    const copy = this.writer.saveCopy(made, title);
    if (this.draft.work === id) this.patch({ work: copy.id });
  }

  private lost(): void {
    if (!isBlank(this.draft.text)) this.writer.save(this.make(this.draft));
  }

  private leave(): void {
    if (this.isUnsaved(this.draft)) this.works.saveNow(this.make(this.draft).kept);
  }
}

const titleOf = (text: string): string => /^title:[ \t]*(\S.*)$/m.exec(text.slice(0, 2_000))?.[1]?.trim() ?? "A lab";

/** The draft that this tab had, or the latest. */
async function lastDraft(works: Works, tab: Tab): Promise<Kept | null> {
  const labs = (await works.list()).filter((s) => s.kind === "lab");
  const found = labs.find((s) => s.id === tab.work()) ?? latest(labs, "lab");
  return found === null ? null : works.read(found.id);
}
