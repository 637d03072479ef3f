/** A lab inside a course system: what is sent to it, in which order, and when. A state machine; nothing is sent after the end. */

import type { Edition, RawApi } from "./find-api.ts";

/** What the lab reports. */
export interface Progress {
  readonly points: number;
  readonly max: number;
  /** Share of the tasks that are answered. */
  readonly answered: number;
  /** Every task is answered, or the student declared the work finished. */
  readonly complete: boolean;
  /** Share of the points from which the lab is passed; null: the lab does not say. */
  readonly pass: number | null;
  readonly state: string | null;
  /** One judged answer. */
  readonly interaction: Interaction | null;
}

export interface Interaction {
  readonly task: string;
  readonly kind: string;
  readonly answer: string;
  readonly right: boolean;
  readonly weight: number;
}

export interface Learner {
  readonly id: string;
  readonly name: string;
}

interface Names {
  readonly init: string;
  readonly get: string;
  readonly set: string;
  readonly commit: string;
  readonly finish: string;
  readonly error: string;
  readonly text: string;
}

const CALLS: Readonly<Record<Edition, Names>> = {
  "1.2": {
    init: "LMSInitialize",
    get: "LMSGetValue",
    set: "LMSSetValue",
    commit: "LMSCommit",
    finish: "LMSFinish",
    error: "LMSGetLastError",
    text: "LMSGetErrorString",
  },
  "2004": {
    init: "Initialize",
    get: "GetValue",
    set: "SetValue",
    commit: "Commit",
    finish: "Terminate",
    error: "GetLastError",
    text: "GetErrorString",
  },
};

/** Characters of the state: what the edition grants, and for 2004 no more than a beacon carries. */
export const STATE_LIMIT: Readonly<Record<Edition, number>> = { "1.2": 4096, "2004": 48_000 };
const MOST_ANSWER = 255;
const COMMIT_MS = 1000;

export interface CourseOptions {
  readonly api: RawApi;
  readonly edition: Edition;
  readonly now: () => number;
  /** Calls back later; returns what stops it. */
  readonly later: (work: () => void, ms: number) => () => void;
  /** A line for the student. */
  readonly say: (line: string) => void;
}

export class Course {
  private readonly options: CourseOptions;
  private phase: "idle" | "active" | "reading" | "finished" = "idle";
  private readonly started: number;
  private committed = Number.NEGATIVE_INFINITY;
  private stopTimer: (() => void) | null = null;
  private interactions = 0;
  private best = 0;
  private done = false;

  constructor(options: CourseOptions) {
    this.options = options;
    this.started = options.now();
  }

  /** Begins; the learner and the state that the system keeps. null: it does not answer. */
  start(): { readonly learner: Learner; readonly state: string } | null {
    if (this.phase !== "idle" || !this.call("init", "")) return null;
    this.phase = "active";
    const v12 = this.options.edition === "1.2";
    const mode = this.get(v12 ? "cmi.core.lesson_mode" : "cmi.mode");
    const learner = {
      id: this.get(v12 ? "cmi.core.student_id" : "cmi.learner_id"),
      name: this.get(v12 ? "cmi.core.student_name" : "cmi.learner_name"),
    };
    const state = this.get("cmi.suspend_data");
    if (mode === "browse" || mode === "review") {
      this.phase = "reading";
      this.options.say("The course opened this lab read-only: nothing is sent.");
      return { learner, state };
    }
    const status = this.get(v12 ? "cmi.core.lesson_status" : "cmi.completion_status");
    this.done = ["completed", "passed", "failed"].includes(status);
    const raw = Number(this.get(v12 ? "cmi.core.score.raw" : "cmi.score.raw"));
    this.best = Number.isFinite(raw) ? raw : 0;
    this.interactions = Number(this.get("cmi.interactions._count")) || 0;
    if (["", "not attempted", "unknown"].includes(status)) {
      this.set(v12 ? "cmi.core.lesson_status" : "cmi.completion_status", "incomplete");
      this.commit();
    }
    return { learner, state };
  }

  report(progress: Progress): void {
    if (this.phase !== "active") return;
    const v12 = this.options.edition === "1.2";
    const percent = progress.max === 0 ? 0 : Math.round((progress.points / progress.max) * 10_000) / 100;
    // What a system has once shown to a student is not taken back.
    this.best = Math.max(this.best, Math.min(100, Math.max(0, percent)));
    const score = v12 ? "cmi.core.score" : "cmi.score";
    if (!v12) this.set("cmi.score.scaled", String(this.best / 100));
    this.set(`${score}.raw`, String(this.best));
    this.set(`${score}.min`, "0");
    this.set(`${score}.max`, "100");
    if (!v12) this.set("cmi.progress_measure", String(Math.round(progress.answered * 100) / 100));
    if (progress.interaction !== null) this.interact(progress.interaction);
    if (progress.state !== null) this.set("cmi.suspend_data", progress.state);
    if (progress.complete && !this.done) this.complete(progress.pass);
    this.commitSoon();
  }

  /** The page is hidden: it may never be shown again. */
  hidden(): void {
    if (this.phase !== "active") return;
    this.time();
    this.commit();
  }

  /** The page is left; `persisted`: it may come back as it is. */
  leave(persisted: boolean): void {
    if (this.phase !== "active" && this.phase !== "reading") return;
    if (persisted) {
      if (this.phase === "active") this.commit();
      return;
    }
    if (this.phase === "active") {
      this.set(this.options.edition === "1.2" ? "cmi.core.exit" : "cmi.exit", "suspend");
      this.time();
      this.commit();
    }
    this.stopTimer?.();
    this.phase = "finished";
    this.call("finish", "");
  }

  private complete(pass: number | null): void {
    this.done = true;
    const passed = pass === null ? null : this.best >= pass * 100;
    if (this.options.edition === "1.2") {
      this.set("cmi.core.lesson_status", passed === null ? "completed" : passed ? "passed" : "failed");
      return;
    }
    this.set("cmi.completion_status", "completed");
    if (passed !== null) this.set("cmi.success_status", passed ? "passed" : "failed");
  }

  /** Optional in 1.2: a system without it reports that once, and is not asked again. */
  private interact({ task, kind, answer, right, weight }: Interaction): void {
    if (this.interactions < 0) return;
    const v12 = this.options.edition === "1.2";
    const at = `cmi.interactions.${this.interactions}`;
    const id = task.replace(/[^\w-]/g, "_").slice(0, MOST_ANSWER);
    if (!this.set(`${at}.id`, id, true)) {
      this.interactions = -1;
      return;
    }
    this.interactions++;
    this.set(`${at}.type`, v12 ? "fill-in" : "other", true);
    const when = new Date(this.options.now()).toISOString();
    if (v12) this.set(`${at}.time`, when.slice(11, 19), true);
    // Without a zone: systems refuse the letter of UTC.
    else this.set(`${at}.timestamp`, when.slice(0, 19), true);
    this.set(`${at}.weighting`, String(Math.min(100, weight)), true);
    this.set(`${at}.${v12 ? "student" : "learner"}_response`, answer.slice(0, v12 ? MOST_ANSWER : 4000), true);
    this.set(`${at}.result`, right ? "correct" : v12 ? "wrong" : "incorrect", true);
    if (!v12) this.set(`${at}.description`, kind.slice(0, 250), true);
  }

  private time(): void {
    const ms = Math.max(0, this.options.now() - this.started);
    const seconds = ms / 1000;
    const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const pad = (n: number, width: number): string => String(n).padStart(width, "0");
    if (this.options.edition === "1.2")
      this.set("cmi.core.session_time", `${pad(Math.min(9999, h), 4)}:${pad(m, 2)}:${s.toFixed(2).padStart(5, "0")}`);
    else this.set("cmi.session_time", `PT${h}H${m}M${Math.floor(s)}S`);
  }

  /** At most once a second. */
  private commitSoon(): void {
    const wait = this.committed + COMMIT_MS - this.options.now();
    if (wait <= 0) this.commit();
    else this.stopTimer ??= this.options.later(() => this.commit(), wait);
  }

  private commit(): void {
    this.stopTimer?.();
    this.stopTimer = null;
    if (this.phase !== "active") return;
    this.committed = this.options.now();
    if (!this.call("commit", "")) return;
    const [hours, minutes] = [new Date(this.committed).getHours(), new Date(this.committed).getMinutes()];
    this.options.say(`Sent to the course at ${String(hours).padStart(2, "0")}:${String(minutes).padStart(2, "0")}.`);
  }

  private get(element: string): string {
    const value = this.invoke("get", element);
    return typeof value === "string" ? value : value === undefined || value === null ? "" : String(value);
  }

  private set(element: string, value: string, optional = false): boolean {
    return this.call("set", element, value, optional);
  }

  /** True when the system accepts it; a refusal is reported, unless what was set is optional. */
  private call(method: keyof Names, ...[first, second, optional]: readonly [string, string?, boolean?]): boolean {
    const answer = second === undefined ? this.invoke(method, first) : this.invoke(method, first, second);
    if (String(answer) === "true") return true;
    const code = String(this.invoke("error") ?? "");
    // Already begun by the frame around us.
    if (method === "init" && (code === "101" || code === "103") && this.options.edition === "2004") return true;
    if (optional !== true) {
      const text = String(this.invoke("text", code) ?? "");
      this.options.say(
        `The course did not accept it (${method === "set" ? `${first}, ` : ""}error ${code}${text === "" ? "" : `: ${text}`}). Download the hand-in.`,
      );
    }
    return false;
  }

  private invoke(method: keyof Names, ...args: readonly string[]): unknown {
    const { api, edition } = this.options;
    const found = api[CALLS[edition][method]];
    if (typeof found !== "function") return undefined;
    try {
      return Reflect.apply(found, api, args) as unknown;
    } catch {
      // The frame that it lived in is gone: the same as no answer.
      return undefined;
    }
  }
}
