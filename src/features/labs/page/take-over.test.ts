import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { localPort } from "../../../app/session/engine-port.ts";
import { createSession } from "../../../app/session/session.ts";
import { createFakeEngine } from "../../../app/testing/fake-engine.ts";
import { FUTURES } from "../../futures/page/feature.ts";
import { ownPass } from "../../ownpass/page/feature.ts";
import { Desk } from "../engine/desk.ts";
import { HEAD, task } from "../engine/testing/small-lab.ts";
import type { CodeBench } from "./code-bench.ts";
import type { DeskClient } from "./desk-client.ts";
import { LABS } from "./feature.ts";
import { labState, type OpenLab } from "./lab-model.ts";
import { labTasks } from "./lab-tasks.ts";
import { StudentWork } from "./student-work.ts";
import { adopt, importHandIn, reset, restore, undo } from "./take-over.ts";
import { totalOf, workOf } from "./work.ts";

const file = vi.hoisted(() => ({ text: (): Promise<string> => Promise.reject(new Error("The file was moved.")) }));
vi.mock("../../../app/share/download.ts", () => ({ chooseFile: () => Promise.resolve({ name: "mine.json", text: () => file.text() }) }));

const LAB =
  HEAD +
  task("a", "kind: number\nask: One?\nvalue: 1") +
  task("b", "kind: number\nask: Two?\nvalue: 2") +
  task("c", "kind: text\nask: Why?");
const handIn = (answers: object, more: object = {}): string =>
  JSON.stringify({ format: "oriscope-hand-in", version: 1, lab: { id: "small", version: 1 }, answers, ...more });

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
  vi.stubGlobal("window", { addEventListener: () => undefined, removeEventListener: () => undefined });
});
afterEach(() => vi.unstubAllGlobals());

/** A lab as a page has it open; the next one is as after a reload. */
async function openLab(number = "") {
  const session = createSession(localPort(createFakeEngine), { features: [FUTURES, ownPass(), LABS] });
  const engine = new Desk();
  const { lab } = engine.open(LAB);
  if (lab === null) throw new Error("the lab has errors");
  let grading = Promise.resolve();
  const ask = async (method: keyof Desk, ...args: unknown[]): Promise<unknown> => {
    if (method === "judge") await grading;
    return (engine[method] as (...args: unknown[]) => unknown)(...args);
  };
  const open: OpenLab = { session, desk: { ask } as unknown as DeskClient, ...labState(session) };
  const student = new StudentWork(open, labTasks(open, {} as CodeBench), { text: LAB, title: "", classKey: "", course: null }, "");
  await student.enter(lab, "", number);
  return {
    open,
    student,
    work: () => open.get().work,
    points: () => totalOf(lab, open.get().work).points,
    restorable: () => (open.get().work.replaced ?? []).map(({ what }) => what),
    answer(id: string, value: number) {
      student.change(id, { draft: { number: value }, answer: { number: value } }, "answer");
      return student.judgeAll(lab);
    },
    /** Grading takes until the promise is settled. */
    slow: (until: Promise<void>) => {
      grading = until;
    },
    draft: (id: string, draft: unknown) => student.change(id, { draft }, null),
    async import(text: string): Promise<string> {
      file.text = () => Promise.resolve(text);
      await importHandIn(open, student);
      return session.store
        .getState()
        .notices.map((notice) => notice.text)
        .join(" ");
    },
  };
}

it("a hand-in's file that cannot be read is reported", async () => {
  const messages: unknown[] = [];
  const open = { session: { actions: { notify: (...message: readonly unknown[]) => messages.push(...message) } } } as unknown as OpenLab;
  await importHandIn(open, {} as StudentWork);
  expect(messages).toEqual(["error", "mine.json could not be opened: The file was moved."]);
});

it("the work before a hand-in can be restored, also after another hand-in and a reload", async () => {
  const lab = await openLab();
  await lab.answer("b", 2);
  lab.draft("c", { text: "because" });
  const own = lab.work();
  const said = await lab.import(handIn({ a: { number: 1 } }));
  expect(said).toContain("mine.json is open: 1 task with work. What it replaced is kept");
  expect([lab.points(), workOf(lab.work(), "b").answer, workOf(lab.work(), "c").draft]).toEqual([2, null, null]);
  await lab.import(handIn({ a: { number: 7 } }));
  expect(lab.points()).toBe(0);

  const again = await openLab();
  expect(again.restorable()).toEqual(["the work before the hand-in", "the work before the hand-in"]);
  await restore(again.open, again.student);
  expect([again.points(), workOf(again.work(), "a").answer]).toEqual([2, { number: 1 }]);
  await restore(again.open, again.student);
  for (const { work, points } of [again, await openLab()]) {
    expect([points(), workOf(work(), "a").answer, workOf(work(), "b").answer]).toEqual([2, null, { number: 2 }]);
    expect(workOf(work(), "c").draft).toEqual({ text: "because" });
    expect(work().log).toEqual(own.log);
  }
  // Nothing is lost by restoring, either.
  await restore(again.open, again.student);
  expect(workOf(again.work(), "a").answer).toEqual({ number: 7 });
  expect(again.work().replaced?.flatMap(({ student, work }) => [Object.keys(student), "replaced" in work])).toEqual([
    ...[["name", "number"], false],
    ...[["name", "number"], false],
  ]);
});

it("work that is restored while the hand-in is graded keeps its own results", async () => {
  const lab = await openLab();
  await lab.answer("a", 1);
  await lab.answer("b", 2);
  const results = ["a", "b"].map((id) => workOf(lab.work(), id).result);
  let end = (): void => undefined;
  lab.slow(new Promise((resolve) => (end = resolve)));
  const opening = lab.import(handIn({ a: { number: 7 }, b: { number: 7 } }));
  await vi.waitFor(() => expect(lab.open.get().judging.size).toBe(1));
  await restore(lab.open, lab.student);
  end();
  await opening;
  expect(["a", "b"].map((id) => workOf(lab.work(), id).result)).toEqual(results);
});

it("a hand-in of another student replaces neither student's work for good", async () => {
  const ada = await openLab("42");
  await ada.answer("a", 1);
  const lab = await openLab("7");
  lab.draft("c", { text: "mine" });
  await lab.import(handIn({ b: { number: 2 } }, { student: { name: "Ada", number: "42" } }));
  expect([lab.work().name, lab.work().number, lab.points(), workOf(lab.work(), "a").answer]).toEqual(["Ada", "42", 2, null]);
  await restore(lab.open, lab.student);
  expect([lab.work().name, lab.work().number, workOf(lab.work(), "c").draft]).toEqual(["", "7", { text: "mine" }]);
  expect(workOf((await openLab("42")).work(), "a").answer).toEqual({ number: 1 });
});

it("work that the browser cannot store leaves what is stored", async () => {
  const lab = await openLab();
  await lab.answer("a", 1);
  const set = vi.spyOn(localStorage, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  await lab.import(handIn({ b: { number: 2 } }));
  expect(lab.open.get().kept).toBe(false);
  set.mockRestore();
  expect(workOf((await openLab()).work(), "a").answer).toEqual({ number: 1 });
});

it("answers of a hand-in that cannot be read are named, and do not count", async () => {
  const lab = await openLab();
  await lab.answer("a", 1);
  const before = lab.work();
  const said = await lab.import(handIn({ b: { number: 2 }, c: { text: 7 }, nope: 1 }));
  expect(said).toContain("do not count: c (the answer is damaged or incomplete), nope (this lab has no such task).");
  expect([lab.points(), workOf(lab.work(), "c").draft, workOf(lab.work(), "c").answer]).toEqual([2, { text: 7 }, null]);
  await restore(lab.open, lab.student);
  expect(workOf(lab.work(), "a").answer).toEqual(workOf(before, "a").answer);

  const now = lab.work();
  const refused = await lab.import(handIn({ c: { text: 7 }, nope: 1 }));
  expect(refused).toContain("mine.json could not be opened: none of its answers can be read: c (the answer is damaged");
  expect(lab.work()).toBe(now);
});

it.each([
  ["[]", "it is not a hand-in of a lab"],
  ['{"a":1}', "it is not a hand-in of a lab"],
  [handIn({}, { version: 9 }), "it was written by a later version of Oriscope: reload this page, then open it again"],
  [handIn({}, { hints: { a: "x" } }), "it is damaged: “hints.a” is missing or has the wrong form"],
])("what is wrong with a file is in plain words: %s", async (text, why) => {
  const lab = await openLab();
  expect(await lab.import(text)).toBe(`mine.json could not be opened: ${why}`);
});

it("undo brings back what a reset removed, and nothing else", async () => {
  const lab = await openLab();
  await lab.answer("a", 1);
  lab.draft("b", { number: 9 });
  await reset(lab.open, lab.student, "a");
  await lab.answer("b", 2);
  await undo(lab.open, lab.student);
  expect([workOf(lab.work(), "a").answer, workOf(lab.work(), "b").answer]).toEqual([{ number: 1 }, { number: 2 }]);
  await reset(lab.open, lab.student, null);
  lab.draft("c", { text: "new" });
  await undo(lab.open, lab.student);
  expect([lab.points(), workOf(lab.work(), "c").draft]).toEqual([4, null]);
});

it("a course's copy without what was typed here leaves it to be restored", async () => {
  const lab = await openLab("42");
  lab.draft("c", { text: "typed" });
  const { encodeState } = await import("../link/lab-state.ts");
  const state = encodeState(
    JSON.parse(handIn({ a: { number: 1 } }, { student: { name: "Ada", number: "42" }, counter: 99 })) as Record<string, unknown>,
    4096,
  );
  expect(await adopt(lab.open, lab.student, { id: "42", name: "Ada" }, state?.text ?? "")).toBeNull();
  expect(lab.points()).toBe(2);
  expect(lab.restorable()).toEqual(["the work before the course’s copy"]);
  await restore(lab.open, lab.student);
  expect(workOf(lab.work(), "c").draft).toEqual({ text: "typed" });
});
