/** A student's work on the open lab: where it is kept, and what other tabs write of it. */

import { messageOf } from "../../../app/ui/failure.ts";
import type { DeskLab } from "../engine/desk.ts";
import type { LabState, OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { linkedShelf, type Shelf, shelfOf } from "./shelf.ts";
import type { LabSource } from "./state.ts";
import { forgetStudent, rememberStudent } from "./student.ts";
import { chance, inPlaceOf, type LabWork, merged, newWork, type Replaced, type TaskWork, withTask, workOf } from "./work.ts";

export class StudentWork {
  private readonly open: OpenLab;
  private readonly tasks: LabTasks;
  private readonly source: LabSource;
  private readonly scope: string;
  private shelf: Shelf | null = null;
  private stopHearing = (): void => undefined;

  constructor(open: OpenLab, tasks: LabTasks, source: LabSource, scope: string) {
    this.open = open;
    this.tasks = tasks;
    this.source = source;
    this.scope = scope;
  }

  save(work: LabWork): void {
    const whole = this.shelf === null ? work : this.shelf.write(work);
    this.open.set({ work: whole ?? work, kept: whole !== null });
  }

  /** `event`: its entry in the log; null: none. */
  change(task: string, part: Partial<TaskWork>, event: string | null): void {
    this.save(withTask(this.open.get().work, task, part, event, Date.now()));
  }

  /** The programs and the kept work of a student. */
  async enter(lab: DeskLab, name: string, number: string): Promise<void> {
    const { get, set } = this.open;
    const { linked, classKey } = this.source;
    const next = linked === true ? linkedShelf(lab, number) : shelfOf(this.scope, lab, number);
    const there = next.read();
    const own = lab.seed === "attempt" ? there?.seed : undefined;
    const seed = own ?? (await this.drawSeed(number));
    const empty = { ...newWork(lab, classKey, Date.now()), name, number };
    const kept = there === null ? empty : { ...there, name: name === "" ? there.name : name };
    if (!(await this.put(lab, { ...kept, seed, digest: lab.digest }, null))) return;
    this.stopHearing();
    this.shelf = next;
    this.stopHearing = next.onOther((other) => void this.heard(lab, other));
    set({ earlier: next.earlier() });
    // Two tabs that are opened one after the other are to have the same programs.
    if (lab.seed === "attempt" && own === undefined) this.save(get().work);
    if (there?.digest !== undefined && there.digest !== lab.digest) await this.judgeAgain(lab);
  }

  /** The same for who works on the open lab, who may only have another name. */
  async setStudent(name: string, number: string): Promise<void> {
    const { lab, work } = this.open.get();
    if (lab === null) return;
    rememberStudent(name, number);
    if (number === work.number) this.save({ ...work, name, counter: work.counter + 1 });
    else await this.enter(lab, name, number).catch(this.failed);
  }

  /** Shows work with its own programs; false: the lab was closed meanwhile. */
  async put(lab: DeskLab, work: LabWork, undo: LabState["undo"]): Promise<boolean> {
    const { desk, get, set, isGone } = this.open;
    const seed = work.seed ?? get().seed;
    const parts = await desk.ask("parts", seed);
    if (isGone()) return false;
    this.tasks.forget();
    const fresh = { tasks: new Map(), explains: new Map(), problems: new Map(), covered: null, undo, entered: get().entered + 1 };
    set({ status: "ready", lab, seed, parts, work, ...fresh });
    return true;
  }

  /** Shows and saves other work, with what can be restored from then on; false: the lab was closed meanwhile. */
  async replace(lab: DeskLab, next: Replaced["work"], replaced: readonly Replaced[]): Promise<boolean> {
    const work = inPlaceOf(this.open.get().work, next, replaced, Date.now());
    if (!(await this.put(lab, work, null))) return false;
    this.open.set({ kept: this.shelf === null || this.shelf.replace(work) !== null });
    return true;
  }

  /** The seed of a student's programs: another one for each attempt, where the lab draws them so. */
  drawSeed(number: string): Promise<number> {
    return this.open.desk.ask("seedOf", number, this.source.classKey, chance());
  }

  /** Another tab has written. */
  private async heard(lab: DeskLab, other: LabWork): Promise<void> {
    const { get, set } = this.open;
    const both = merged(get().work, other);
    if (both.seed === get().work.seed || both.seed === undefined) set({ work: both });
    else await this.put(lab, both, null).catch(this.failed);
  }

  /** The lab's text is another than when the answers were given. */
  private async judgeAgain(lab: DeskLab): Promise<void> {
    const { session, get } = this.open;
    if (lab.tasks.every(({ id }) => workOf(get().work, id).answer === null)) return;
    session.actions.notify("info", "The lab has changed since you worked on it: your answers are being graded again.");
    await this.judgeAll(lab);
  }

  /** Grades every answer again, until other work replaces them. */
  async judgeAll(lab: DeskLab): Promise<void> {
    const { entered } = this.open.get();
    for (const { id } of lab.tasks) {
      if (this.open.get().entered !== entered) return;
      const { answer } = workOf(this.open.get().work, id);
      const result = answer === null ? null : await this.tasks.judge(id, answer, false);
      if (result !== null) this.change(id, { result }, null);
    }
  }

  /** Takes all of the work, and who worked, off this computer. */
  forget(): void {
    const { lab } = this.open.get();
    this.shelf?.removeAll();
    forgetStudent();
    if (lab !== null) this.enter(lab, "", "").catch(this.failed);
  }

  dispose(): void {
    this.stopHearing();
  }

  private readonly failed = (error: unknown): void => this.open.session.actions.notify("error", messageOf(error));
}
