import type { ElkNode } from "elkjs/lib/elk-api.js";
import { expect, it, vi } from "vitest";
import { browserElk } from "./browser.ts";

// The bundler makes a worker of it, which this process has not.
vi.mock("elkjs/lib/elk-worker.min.js?worker", () => ({ default: class {} }));

type Asked = { readonly id: number; readonly cmd: string; readonly graph?: ElkNode };

/** Workers that answer, or end, when told to. */
function workers() {
  const made: { readonly asked: Asked[]; ended: boolean; fail: () => void; answer: (with_: object) => void }[] = [];
  const spawn = (): Worker => {
    let failed: () => void = () => undefined;
    const worker = {
      onmessage: (_: { data: object }): void => undefined,
      postMessage: (message: Asked) => mine.asked.push(message),
      addEventListener: (type: string, listener: () => void) => {
        if (type === "error") failed = listener;
      },
      terminate: () => {
        mine.ended = true;
      },
    };
    const mine = {
      asked: [] as Asked[],
      ended: false,
      fail: () => failed(),
      answer: (part: object) => worker.onmessage({ data: { id: mine.asked.at(-1)?.id, ...part } }),
    };
    made.push(mine);
    return worker as unknown as Worker;
  };
  return { made, spawn };
}

it("rejects what was under way when ELK's worker ends, and starts another for the next graph", async () => {
  const { made, spawn } = workers();
  const elk = browserElk(spawn);
  const [first, second] = [elk({ id: "a" }), elk({ id: "b" })];
  made[0]!.fail();
  await expect(first).rejects.toThrow("ELK, which lays it out, could not be loaded, or has ended.");
  await expect(second).rejects.toThrow("ELK");
  expect(made[0]!.ended).toBe(true);
  const third = elk({ id: "c" });
  made[1]!.answer({ data: { id: "c", x: 1 } });
  expect(await third).toEqual({ id: "c", x: 1 });
  expect(made).toHaveLength(2);
});

it("passes ELK's own sentence on, and keeps the worker", async () => {
  const { made, spawn } = workers();
  const elk = browserElk(spawn);
  const first = elk({ id: "a" });
  made[0]!.answer({ error: { type: "JsonImportException", message: "Referenced shape does not exist: nobody" } });
  await expect(first).rejects.toThrow("nobody");
  const second = elk({ id: "b" });
  made[0]!.answer({ data: { id: "b" } });
  expect(await second).toEqual({ id: "b" });
});
