/** Who receives the progress of a lab: the course system that its package runs in, or the page around the frame; nothing, where it is opened alone. */

import { messageOf } from "../../../app/ui/failure.ts";
import type { DeskTaskInfo } from "../engine/desk.ts";
import { encodeState } from "../link/lab-state.ts";
import { toFrame } from "./frame.ts";
import type { LabState } from "./lab-model.ts";
import type { LabSession } from "./lab-session.ts";
import { packedLab } from "./packed.ts";
import { Course, type Interaction, STATE_LIMIT } from "./scorm/course.ts";
import { findApi, type WindowLike } from "./scorm/find-api.ts";
import { totalOf, workOf } from "./work.ts";

/** How long a system may take to offer itself. */
const WAIT_MS = 10_000;
const LOOK_MS = 250;

/** Returns what ends it. */
export function deliver(labs: LabSession): () => void {
  const packed = packedLab();
  const stops = [packed?.scorm === undefined || packed.scorm === "none" ? null : toCourse(labs, packed.scorm), toFrame(labs, window)];
  return () => {
    for (const stop of stops) stop?.();
  };
}

function whenReady(labs: LabSession, work: () => void): () => void {
  let done = false;
  const look = ({ status }: LabState): void => {
    if (done || status !== "ready") return;
    done = true;
    work();
  };
  const stop = labs.subscribe(look);
  look(labs.get());
  return stop;
}

function toCourse(labs: LabSession, edition: "1.2" | "2004"): () => void {
  let course: Course | null = null;
  let stopWatching = (): void => undefined;
  let gone = false;
  const say = (line: string): void => labs.setCourse({ line, submit: () => send(true) });
  let submitted = false;
  let sent = "";

  /** `interaction`: the answer that was judged last. */
  function send(all: boolean, interaction: Interaction | null = null): void {
    const progress = progressOf(labs, STATE_LIMIT[edition]);
    if (progress === null || course === null) return;
    submitted ||= all;
    course.report({ ...progress, complete: submitted || progress.answered === 1, interaction });
    if (progress.state === null) say("This course system stores your points but not all of your work: download the hand-in.");
  }

  const begin = async (): Promise<void> => {
    const api = findApi(window as unknown as WindowLike, edition);
    if (gone) return;
    if (api === null) {
      if (performance.now() - since < WAIT_MS) setTimeout(() => void begin(), LOOK_MS);
      else labs.setCourse({ line: "Not in a learning system: your work is kept in this browser.", submit: null });
      return;
    }
    course = new Course({
      api,
      edition,
      now: () => Date.now(),
      later: (work, ms) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
      say,
    });
    const there = course.start();
    if (there === null) return;
    await takeOver(there);
  };

  /** The course's copy of the work comes first: what is sent replaces it. */
  async function takeOver(there: NonNullable<ReturnType<Course["start"]>>): Promise<void> {
    let problem: string | null;
    try {
      problem = await labs.adopt(there.learner, there.state);
    } catch (error) {
      const line = `The course’s copy of your work could not be loaded: ${messageOf(error)}. Nothing is sent to the course until it is.`;
      const submit = (): void => {
        labs.setCourse(null);
        void takeOver(there);
      };
      labs.setCourse({ line, submit, label: "Try again" });
      return;
    }
    if (problem !== null) say(`The course’s copy of your work was not loaded (${problem}); you continue with this browser’s copy.`);
    if (gone) return;
    stopWatching = labs.subscribe((state, before) => {
      // Drafts are sent with the next answer, or when the page is left.
      const task = state.work === before.work ? undefined : judgedSince(state, before);
      if (task === undefined) return;
      const key = JSON.stringify(state.work.tasks);
      if (key === sent) return;
      sent = key;
      send(false, interactionOf(task, state));
    });
  }
  const since = performance.now();
  const stopWaiting = whenReady(labs, () => void begin());
  const hide = (): void => {
    if (document.visibilityState === "hidden") course?.hidden();
  };
  const leave = ({ persisted }: PageTransitionEvent): void => course?.leave(persisted);
  document.addEventListener("visibilitychange", hide);
  window.addEventListener("pagehide", leave);
  return () => {
    gone = true;
    stopWaiting();
    stopWatching();
    document.removeEventListener("visibilitychange", hide);
    window.removeEventListener("pagehide", leave);
  };
}

/** What the course is sent of the work; `answered` is a share. Null: no lab is open. */
function progressOf(labs: LabSession, limit: number) {
  const { lab, work } = labs.get();
  if (lab === null) return null;
  const { points, answered } = totalOf(lab, work);
  const state = encodeState({ ...(JSON.parse(labs.handIn(true)) as object), counter: work.counter }, limit);
  const share = lab.tasks.length === 0 ? 1 : answered / lab.tasks.length;
  return { points, max: lab.max, answered: share, pass: lab.pass, state: state?.text ?? null };
}

const judgedSince = ({ lab, work }: LabState, before: LabState): DeskTaskInfo | undefined =>
  lab?.tasks.find(({ id }) => workOf(work, id).result !== workOf(before.work, id).result);

/** The answer to a task, once it is judged. */
function interactionOf({ id, kind, points }: DeskTaskInfo, { work }: LabState): Interaction | null {
  const { answer, result } = workOf(work, id);
  return result === null ? null : { task: id, kind, answer: JSON.stringify(answer), right: result.status === "right", weight: points };
}
