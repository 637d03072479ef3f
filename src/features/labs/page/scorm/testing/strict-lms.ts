/** A course system for tests that keeps to every rule and forgives nothing: wrong order, length, type or word is an error, and is remembered. */

import type { Edition, RawApi } from "../find-api.ts";

export interface Profile {
  readonly edition: Edition;
  /** What the system has stored from earlier visits. */
  readonly stored?: Readonly<Record<string, string>>;
  /** Elements that are optional in 1.2 are not there. */
  readonly bare?: boolean;
  /** `Commit` says true and drops what a beacon cannot carry. */
  readonly beacon?: boolean;
  /**
   * As Blackboard is reported: a state that is too long is taken and the whole commit is lost with it; an end while the page is seen voids the
   * attempt; nothing changes after `completed`.
   */
  readonly blackboard?: { readonly seen: () => boolean };
  /** As Canvas is reported: a new attempt begins without the state. */
  readonly forgets?: boolean;
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const WORDS: Readonly<Record<string, RegExp>> = {
  "cmi.core.lesson_status": /^(?:passed|completed|failed|incomplete|browsed)$/,
  "cmi.core.exit": /^(?:time-out|suspend|logout|)$/,
  "cmi.core.session_time": /^\d{2,4}:\d{2}:\d{2}(?:\.\d{1,2})?$/,
  "cmi.completion_status": /^(?:completed|incomplete|not attempted|unknown)$/,
  "cmi.success_status": /^(?:passed|failed|unknown)$/,
  "cmi.exit": /^(?:time-out|suspend|logout|normal|)$/,
  "cmi.session_time": /^PT(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d{1,2})?S)?$/,
};
const READ_ONLY = /(?:student_id|student_name|learner_id|learner_name|lesson_mode|\.mode|\.entry|_count|_children|total_time)$/;
const INTERACTION: Readonly<Record<Edition, Readonly<Record<string, RegExp>>>> = {
  "1.2": {
    id: /^[\w-]{1,255}$/,
    type: /^(?:true-false|choice|fill-in|matching|performance|sequencing|likert|numeric)$/,
    time: /^\d{2}:\d{2}:\d{2}$/,
    weighting: NUMBER,
    student_response: /^[\s\S]{0,255}$/,
    result: /^(?:correct|wrong|unanticipated|neutral|-?\d+(?:\.\d+)?)$/,
  },
  "2004": {
    id: /^[\w-]{1,4000}$/,
    type: /^(?:true-false|choice|fill-in|long-fill-in|matching|performance|sequencing|likert|numeric|other)$/,
    timestamp: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/,
    weighting: NUMBER,
    learner_response: /^[\s\S]{0,4000}$/,
    result: /^(?:correct|incorrect|unanticipated|neutral|-?\d+(?:\.\d+)?)$/,
    description: /^[\s\S]{0,250}$/,
  },
};
const BEACON = 64 * 1024;

export class StrictLms {
  readonly api: RawApi;
  /** What is kept: only what was committed. */
  readonly kept: Map<string, string>;
  readonly errors: string[] = [];
  readonly calls: string[] = [];
  /** Commits that were answered with true and are gone; whether the attempt is void; what came after `completed`. */
  lost = 0;
  voided = false;
  locked = 0;
  private readonly profile: Profile;
  private readonly pending = new Map<string, string>();
  private state: "before" | "running" | "after" = "before";
  private error = "0";
  private interactions: number;

  constructor(profile: Profile) {
    this.profile = profile;
    this.kept = new Map(Object.entries(profile.stored ?? {}));
    if (profile.forgets === true) this.kept.delete("cmi.suspend_data");
    this.interactions = Number(this.kept.get("cmi.interactions._count") ?? 0);
    const methods = {
      Initialize: (arg: string) => this.begin(arg),
      GetValue: (name: string) => this.get(name),
      SetValue: (name: string, value: string) => this.set(name, value),
      Commit: (arg: string) => this.commit(arg),
      [profile.edition === "1.2" ? "Finish" : "Terminate"]: (arg: string) => this.end(arg),
      GetLastError: () => this.error,
      GetErrorString: (code: string) => `error ${code}`,
      GetDiagnostic: () => "",
    };
    const prefix = profile.edition === "1.2" ? "LMS" : "";
    this.api = Object.fromEntries(Object.entries(methods).map(([name, method]) => [prefix + name, method]));
  }

  private fail(code: string, what: string): "false" {
    this.error = code;
    this.errors.push(`${code} ${what}`);
    return "false";
  }

  private fine(call: string): "true" {
    this.error = "0";
    this.calls.push(call);
    return "true";
  }

  private begin(arg: string): string {
    if (arg !== "" || this.state !== "before") return this.fail("101", "initialize");
    this.state = "running";
    return this.fine("initialize");
  }

  private get(name: string): string {
    if (this.state !== "running") {
      this.fail("301", `get ${name}`);
      return "";
    }
    if (this.profile.bare === true && name.startsWith("cmi.interactions")) {
      // Missing and optional: a request is allowed, and answered with that.
      this.error = "401";
      return "";
    }
    this.error = "0";
    if (name === "cmi.interactions._count") return String(this.interactions);
    return this.pending.get(name) ?? this.kept.get(name) ?? "";
  }

  private set(name: string, value: string): string {
    if (this.state !== "running") return this.fail("301", `set ${name}`);
    if (typeof value !== "string") return this.fail("405", `${name} is no text`);
    if (READ_ONLY.test(name)) return this.fail("403", name);
    const problem = name.startsWith("cmi.interactions.") ? this.interactionProblem(name, value) : this.problem(name, value);
    if (problem === "missing") {
      this.error = "401";
      return "false";
    }
    if (problem !== null) return this.fail("405", `${name}: ${problem}`);
    this.pending.set(name, value);
    return this.fine(`set ${name}`);
  }

  private problem(name: string, value: string): string | null {
    const { edition } = this.profile;
    if (name === "cmi.suspend_data" && this.profile.blackboard !== undefined) return null;
    if (name === "cmi.suspend_data") return value.length <= (edition === "1.2" ? 4096 : 64_000) ? null : `${value.length} characters`;
    if (/score\.(?:raw|min|max)$/.test(name)) return NUMBER.test(value) && Number(value) >= 0 && Number(value) <= 100 ? null : value;
    if (name === "cmi.score.scaled") return NUMBER.test(value) && Math.abs(Number(value)) <= 1 ? null : value;
    if (name === "cmi.progress_measure") return NUMBER.test(value) && Number(value) >= 0 && Number(value) <= 1 ? null : value;
    const words = WORDS[name];
    const own = edition === "1.2" ? name.startsWith("cmi.core.") : !name.startsWith("cmi.core.");
    return words === undefined || !own ? "there is no such element" : words.test(value) ? null : value;
  }

  private interactionProblem(name: string, value: string): string | null {
    if (this.profile.bare === true) return "missing";
    const [, index = "", field = ""] = /^cmi\.interactions\.(\d+)\.(\w+)$/.exec(name) ?? [];
    const n = Number(index);
    if (field === "id" && n === this.interactions) this.interactions++;
    if (index === "" || n !== this.interactions - 1) return "the index is not the next one";
    const rule = INTERACTION[this.profile.edition][field];
    return rule === undefined ? "there is no such element" : rule.test(value) ? null : value;
  }

  private commit(arg: string): string {
    if (arg !== "" || this.state !== "running") return this.fail("301", "commit");
    const size = [...this.pending].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    const { blackboard, edition } = this.profile;
    const long = (this.pending.get("cmi.suspend_data") ?? "").length > (edition === "1.2" ? 4096 : 64_000);
    const status = edition === "1.2" ? "cmi.core.lesson_status" : "cmi.completion_status";
    if (blackboard !== undefined && this.kept.get(status) === "completed" && this.pending.size > 0) this.locked++;
    else if (blackboard !== undefined && long) this.lost++;
    else if (this.profile.beacon !== true || size <= BEACON) for (const [name, value] of this.pending) this.kept.set(name, value);
    this.pending.clear();
    return this.fine("commit");
  }

  private end(arg: string): string {
    if (arg !== "" || this.state !== "running") return this.fail("301", "finish");
    if (this.profile.blackboard?.seen() === true) this.voided = true;
    this.commit("");
    this.calls.pop();
    this.state = "after";
    return this.fine("finish");
  }
}
