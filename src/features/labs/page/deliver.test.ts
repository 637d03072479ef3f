import { afterEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { DeskLab } from "../engine/desk.ts";
import { deliver } from "./deliver.ts";
import type { LabState } from "./lab-model.ts";
import type { LabSession } from "./lab-session.ts";
import { newWork, withTask } from "./work.ts";

const LAB = { id: "cfg-1", version: 1, max: 4, pass: null, tasks: [{ id: "a", kind: "choice", points: 4 }] } as unknown as DeskLab;
const RIGHT = { id: "a", kind: "choice", status: "right", points: 4, max: 4, reason: "", theory: null } as const;

afterEach(() => vi.unstubAllGlobals());

it("the course's copy of the work is not replaced while it cannot be loaded; the student can try again", async () => {
  const values = new Map([["cmi.suspend_data", "the course's copy"]]);
  const api = {
    Initialize: () => "true",
    GetValue: (name: string) => values.get(name) ?? "",
    SetValue: (name: string, value: string) => (values.set(name, value).has(name) ? "true" : "false"),
    Commit: () => "true",
    GetLastError: () => "0",
  };
  vi.stubGlobal("window", { API_1484_11: api, location: { search: "" }, addEventListener: () => undefined });
  vi.stubGlobal("document", { addEventListener: () => undefined });
  vi.stubGlobal("oriscopeLab", { text: "", classKey: "", id: "p", scorm: "2004" });
  const store = createStore<LabState>()(
    () => ({ status: "ready", lab: LAB, work: newWork(LAB, "", 0), course: null }) as unknown as LabState,
  );
  const adopted: string[] = [];
  const labs = {
    get: store.getState,
    subscribe: store.subscribe,
    setCourse: (course: LabState["course"]) => store.setState({ course }),
    handIn: () => "{}",
    adopt: (_: unknown, state: string) =>
      adopted.push(state) === 1 ? Promise.reject(new Error("the lab’s worker ended")) : Promise.resolve(null),
  } as unknown as LabSession;
  const answer = (at: number) =>
    store.setState(({ work }) => ({ work: withTask(work, "a", { answer: [at], result: { ...RIGHT } }, null, at) }));

  deliver(labs);
  await vi.waitFor(() => expect(store.getState().course?.line).toContain("could not be loaded: the lab’s worker ended. Nothing is sent"));
  answer(1);
  expect(values.get("cmi.suspend_data")).toBe("the course's copy");
  store.getState().course?.submit?.();
  await vi.waitFor(() => expect(adopted).toEqual(["the course's copy", "the course's copy"]));
  await Promise.resolve();
  expect(store.getState().course).toBeNull();
  answer(2);
  expect(values.get("cmi.suspend_data")).toMatch(/^o1\./);
});
