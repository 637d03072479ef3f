import { expect, it, vi } from "vitest";
import type { OpenLab } from "./lab-model.ts";
import type { StudentWork } from "./student-work.ts";
import { importHandIn } from "./take-over.ts";

vi.mock("../../../app/share/download.ts", () => ({
  chooseFile: () => Promise.resolve({ name: "mine.json", text: () => Promise.reject(new Error("The file was moved.")) }),
}));

it("a hand-in's file that cannot be read is reported", async () => {
  const messages: unknown[] = [];
  const open = { session: { actions: { notify: (...message: readonly unknown[]) => messages.push(...message) } } } as unknown as OpenLab;
  await importHandIn(open, {} as StudentWork);
  expect(messages).toEqual(["error", "mine.json could not be opened: The file was moved."]);
});
