import { Scorm12API, Scorm2004API } from "scorm-again";
import { describe, expect, it } from "vitest";
import { decodeState, encodeState } from "../../link/lab-state.ts";
import { Course, type Progress, STATE_LIMIT } from "./course.ts";
import { type Edition, findApi, type RawApi, type WindowLike } from "./find-api.ts";
import { StrictLms } from "./testing/strict-lms.ts";

const PROGRESS: Progress = {
  points: 3,
  max: 8,
  answered: 0.5,
  complete: false,
  pass: null,
  state: "o1.abc",
  interaction: { task: "task 1", kind: "choice", answer: '{"choose":[1]}', right: true, weight: 2 },
};

function courseOn(api: RawApi, edition: Edition) {
  const clock = { now: Date.UTC(2026, 2, 4, 10, 32), timers: [] as (() => void)[], said: [] as string[] };
  const course = new Course({
    api,
    edition,
    now: () => clock.now,
    later: (work) => {
      clock.timers.push(work);
      return () => clock.timers.splice(clock.timers.indexOf(work), 1);
    },
    say: (line) => clock.said.push(line),
  });
  return { course, clock };
}

describe.each(["1.2", "2004"] as const)("a lab in a course system, SCORM %s", (edition) => {
  it("keeps the order of calls and every limit; score, state and status arrive", () => {
    const lms = new StrictLms({ edition, stored: { [edition === "1.2" ? "cmi.core.student_id" : "cmi.learner_id"]: "4711" } });
    const { course, clock } = courseOn(lms.api, edition);
    expect(course.start()).toMatchObject({ learner: { id: "4711" }, state: "" });
    clock.now += 5000;
    course.report(PROGRESS);
    clock.now += 5000;
    course.report({ ...PROGRESS, points: 8, answered: 1, complete: true, state: "o1.def" });
    course.hidden();
    clock.now += 3_600_000;
    course.leave(false);
    // Nothing is said after the end.
    course.report(PROGRESS);
    course.hidden();
    course.leave(false);
    expect(lms.errors).toEqual([]);
    expect(lms.calls.filter((call) => call === "initialize" || call === "finish")).toEqual(["initialize", "finish"]);
    expect(lms.calls.at(-1)).toBe("finish");
    const kept = Object.fromEntries(lms.kept);
    const v12 = edition === "1.2";
    expect(kept[v12 ? "cmi.core.score.raw" : "cmi.score.raw"]).toBe("100");
    expect(kept[v12 ? "cmi.core.lesson_status" : "cmi.completion_status"]).toBe("completed");
    expect(kept[v12 ? "cmi.core.exit" : "cmi.exit"]).toBe("suspend");
    expect(kept[v12 ? "cmi.core.session_time" : "cmi.session_time"]).toBe(v12 ? "0001:00:10.00" : "PT1H0M10S");
    expect(kept["cmi.suspend_data"]).toBe("o1.def");
    expect(kept["cmi.interactions.1.id"]).toBe("task_1");
  });

  it("commits at most once a second", () => {
    const lms = new StrictLms({ edition });
    const { course, clock } = courseOn(lms.api, edition);
    course.start();
    clock.now += 2000;
    const before = lms.calls.filter((call) => call === "commit").length;
    for (let i = 0; i < 5; i++) course.report({ ...PROGRESS, interaction: null });
    expect(lms.calls.filter((call) => call === "commit").length - before).toBe(1);
    expect(clock.timers).toHaveLength(1);
    clock.now += 1000;
    for (const work of [...clock.timers]) work();
    expect(lms.calls.filter((call) => call === "commit").length - before).toBe(2);
  });

  it("lowers neither a score nor a status, and passes or fails only where the lab says so", () => {
    const v12 = edition === "1.2";
    const [raw, status] = v12 ? ["cmi.core.score.raw", "cmi.core.lesson_status"] : ["cmi.score.raw", "cmi.completion_status"];
    const lms = new StrictLms({ edition, stored: { [raw]: "75", [status]: "completed" } });
    const { course } = courseOn(lms.api, edition);
    course.start();
    course.report({ ...PROGRESS, points: 1 });
    expect([lms.kept.get(raw), lms.kept.get(status)]).toEqual(["75", "completed"]);
    const passing = new StrictLms({ edition });
    const { course: other } = courseOn(passing.api, edition);
    other.start();
    other.report({ ...PROGRESS, points: 6, complete: true, pass: 0.7 });
    other.leave(false);
    expect(passing.kept.get(v12 ? status : "cmi.success_status")).toBe("passed");
    expect([...lms.errors, ...passing.errors]).toEqual([]);
  });

  it("goes on where optional elements are missing, where a page comes back, and where a course is only read", () => {
    const bare = new StrictLms({ edition, bare: true });
    const { course, clock } = courseOn(bare.api, edition);
    course.start();
    course.report(PROGRESS);
    course.leave(true);
    clock.now += 2000;
    course.report(PROGRESS);
    expect(bare.errors).toEqual([]);
    expect(bare.kept.get("cmi.suspend_data")).toBe("o1.abc");
    const reading = new StrictLms({ edition, stored: { [edition === "1.2" ? "cmi.core.lesson_mode" : "cmi.mode"]: "review" } });
    const { course: read } = courseOn(reading.api, edition);
    read.start();
    read.report(PROGRESS);
    read.leave(false);
    expect(reading.calls).toEqual(["initialize", "finish"]);
  });

  it("keeps its points in a system that loses what is too long, voids what ends too soon and locks what is completed", () => {
    const v12 = edition === "1.2";
    let seen = true;
    const lms = new StrictLms({ edition, blackboard: { seen: () => seen } });
    const { course, clock } = courseOn(lms.api, edition);
    course.start();
    clock.now += 2000;
    course.report({ ...PROGRESS, state: "x".repeat(STATE_LIMIT[edition]) });
    expect(lms.kept.get(v12 ? "cmi.core.lesson_status" : "cmi.completion_status")).toBe("incomplete");
    // Another tab is looked at, and this one again.
    course.hidden();
    course.leave(true);
    clock.now += 2000;
    course.report({ ...PROGRESS, points: 8, answered: 1, complete: true });
    seen = false;
    course.leave(false);
    expect({ lost: lms.lost, voided: lms.voided, errors: lms.errors }).toEqual({ lost: 0, voided: false, errors: [] });
    expect(lms.kept.get(v12 ? "cmi.core.score.raw" : "cmi.score.raw")).toBe("100");
    // The imitation behaves as described.
    const strict = new StrictLms({ edition, blackboard: { seen: () => true } });
    const { course: careless } = courseOn(strict.api, edition);
    careless.start();
    careless.report({ ...PROGRESS, state: "x".repeat(64_001) });
    careless.leave(false);
    expect([strict.lost > 0, strict.voided, strict.kept.has(v12 ? "cmi.core.score.raw" : "cmi.score.raw")]).toEqual([true, true, false]);
  });

  it("begins anew in a system that forgets the state with each attempt, and lowers no score", () => {
    const first = new StrictLms({ edition, forgets: true });
    const { course } = courseOn(first.api, edition);
    course.start();
    course.report({ ...PROGRESS, points: 6 });
    course.leave(false);
    expect(first.kept.get("cmi.suspend_data")).toBe("o1.abc");
    const second = new StrictLms({ edition, forgets: true, stored: Object.fromEntries(first.kept) });
    const { course: again } = courseOn(second.api, edition);
    expect(again.start()).toMatchObject({ state: "" });
    again.report({ ...PROGRESS, points: 1 });
    again.leave(false);
    expect(second.errors).toEqual([]);
    expect(second.kept.get(edition === "1.2" ? "cmi.core.score.raw" : "cmi.score.raw")).toBe("75");
    // A time with a zone is refused, as such systems do.
    const strict = new StrictLms({ edition: "2004" });
    const set = (name: string, value: string): unknown => Reflect.apply(strict.api.SetValue as () => unknown, strict.api, [name, value]);
    Reflect.apply(strict.api.Initialize as () => unknown, strict.api, [""]);
    set("cmi.interactions.0.id", "a");
    expect(set("cmi.interactions.0.timestamp", "2026-03-04T10:32:00Z")).toBe("false");
  });

  it("works with a forgiving system as well", () => {
    const lenient = edition === "1.2" ? new Scorm12API({ logLevel: 5 }) : new Scorm2004API({ logLevel: 5 });
    const { course, clock } = courseOn(lenient as unknown as RawApi, edition);
    expect(course.start()).not.toBeNull();
    course.report({ ...PROGRESS, complete: true });
    const get = (name: string): string =>
      edition === "1.2" ? (lenient as Scorm12API).LMSGetValue(name) : (lenient as Scorm2004API).GetValue(name);
    expect(get("cmi.suspend_data")).toBe("o1.abc");
    expect(Number(get(edition === "1.2" ? "cmi.core.score.raw" : "cmi.score.raw"))).toBe(37.5);
    expect(clock.said.filter((line) => line.includes("did not accept"))).toEqual([]);
  });
});

describe("finding the system", () => {
  const window = (part: Partial<WindowLike> & Readonly<Record<string, unknown>> = {}): WindowLike => {
    const made: Record<string, unknown> = { opener: null, top: null, ...part };
    made.parent ??= made;
    return made as unknown as WindowLike;
  };
  const api = { LMSInitialize: () => "true" };

  it("climbs past windows of other sites, and knows its edition where a system offers both", () => {
    const top = window({ API: api, API_1484_11: { Initialize: () => "true" } });
    const closed = new Proxy({ parent: top, opener: null } as unknown as WindowLike, {
      get(target, name) {
        if (name === "API" || name === "API_1484_11") throw new Error("another site");
        return Reflect.get(target, name) as unknown;
      },
    });
    expect(findApi(window({ parent: closed }), "1.2")).toBe(api);
    expect(findApi(window({ parent: closed }), "2004")).toHaveProperty("Initialize");
    expect(findApi(window({ opener: window({ parent: top }) }), "1.2")).toBe(api);
    expect(findApi(window(), "1.2")).toBeNull();
  });

  it("ends where windows are parents of each other", () => {
    const [a, b] = [{ opener: null, top: null } as Record<string, unknown>, { opener: null, top: null } as Record<string, unknown>];
    a.parent = b;
    b.parent = a;
    expect(findApi(a as unknown as WindowLike, "1.2")).toBeNull();
  });
});

describe("the state that a system keeps", () => {
  const handIn = {
    format: "oriscope-hand-in",
    version: 1,
    lab: { id: "cfg-1", version: 1 },
    answers: Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`task-${i}`, { numbers: { BB0: i, BB1: 2, BB2: 3 } }])),
    log: Array.from({ length: 120 }, (_, i) => ({ task: `task-${i % 10}`, at: i * 7919, event: `answer ${i}: wrong` })),
  };

  it("holds a normal hand-in of ten tasks within the limit of 1.2", () => {
    const state = encodeState(handIn, STATE_LIMIT["1.2"]);
    expect(state?.holds).toBe("all");
    expect(decodeState(state?.text ?? "")).toEqual({ ok: true, text: JSON.stringify(handIn) });
  });

  it("gives up the log first, and cuts nothing", () => {
    const noise = Array.from({ length: 3000 }, (_, i) => ((i * 2654435761) >>> 0).toString(36)).join("");
    const long = { ...handIn, log: [{ task: "a", at: 1, event: noise }] };
    expect(encodeState(long, 4096)?.holds).toBe("without log");
    expect(encodeState({ ...handIn, answers: { a: { ori: noise } } }, 4096)).toBeNull();
  });

  it("that is damaged, of a later version or a bomb is refused", () => {
    const { text = "" } = encodeState({ a: "x".repeat(5 * 1024 * 1024) }, 1_000_000) ?? {};
    expect(decodeState(text)).toEqual({ ok: false, message: "it contains more than a hand-in" });
    for (const bad of ["", "o1.", "o2.AAAA", "o1.!!!!", text.slice(0, 30)]) expect(decodeState(bad).ok, bad).toBe(false);
  });
});
