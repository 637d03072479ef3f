import { afterEach, expect, it, vi } from "vitest";
import type { DeskLab } from "../engine/desk.ts";
import type { OpenLab } from "./lab-model.ts";
import type { LabTasks } from "./lab-tasks.ts";
import { StudentWork } from "./student-work.ts";

afterEach(() => vi.unstubAllGlobals());

it.each(["forget", "setStudent"] as const)("%s reports that the lab's thread has ended", async (action) => {
  const lab = { id: "cfg-1", version: 1, digest: "aaaa", tasks: [] } as unknown as DeskLab;
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  const messages = new Promise((resolve) => {
    const open = {
      session: { actions: { notify: (...message: readonly unknown[]) => resolve(message) } },
      desk: { ask: () => Promise.reject(new Error("The thread has ended.")) },
      get: () => ({ lab, work: { number: "1" } }),
    } as unknown as OpenLab;
    const work = new StudentWork(open, {} as LabTasks, { text: "", title: "", classKey: "", course: null }, "");
    void work[action]("Ada", "42");
  });
  expect(await messages).toEqual(["error", "The thread has ended."]);
});
