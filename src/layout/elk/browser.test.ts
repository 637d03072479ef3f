import { expect, it } from "vitest";
import type { Locks } from "../alive.ts";
import { browserElk } from "./browser.ts";
import type { ElkNode } from "./elk.ts";

type Asked = { readonly id: number; readonly cmd: string; readonly graph?: ElkNode };

/** Workers that answer, report that they live, or end on request; and the locks that they hold. */
function workers() {
  const made: {
    readonly asked: Asked[];
    ended: boolean;
    /** Whether the error event was handled. */
    fail: () => boolean;
    live: (lock: string) => void;
    answer: (part: object) => void;
  }[] = [];
  const spawn = (): Worker => {
    const events = new EventTarget();
    const worker = {
      onmessage: (_: { data: object }): void => undefined,
      postMessage: (message: Asked) => mine.asked.push(message),
      addEventListener: events.addEventListener.bind(events),
      terminate: () => {
        mine.ended = true;
      },
    };
    const mine = {
      asked: [] as Asked[],
      ended: false,
      fail: () => !events.dispatchEvent(new Event("error", { cancelable: true })),
      live: (lock: string) => void events.dispatchEvent(new MessageEvent("message", { data: { alive: lock } })),
      answer: (part: object) => worker.onmessage({ data: { id: mine.asked.at(-1)?.id, ...part } }),
    };
    made.push(mine);
    return worker as unknown as Worker;
  };
  const held = new Map<string, () => void>();
  const locks: Locks = {
    request: (name, { signal }, granted) => {
      held.set(name, () => {
        if (!signal.aborted) granted();
      });
      return new Promise(() => {});
    },
  };
  return { made, spawn, locks, giveBack: (name: string) => held.get(name)?.() };
}

const graphs = ({ asked }: { readonly asked: readonly Asked[] }) => asked.flatMap(({ graph }) => (graph === undefined ? [] : [graph.id]));

it("draws again what was under way when ELK's worker ends, and refuses it with a sentence when the next ends too", async () => {
  const { made, spawn, locks } = workers();
  const elk = browserElk(spawn, locks);
  const [first, second] = [elk({ id: "a" }), elk({ id: "b" })];
  expect(made[0]!.fail(), "the layout's worker does not fail with it").toBe(true);
  expect(made[0]!.ended).toBe(true);
  expect(graphs(made[1]!)).toEqual(["a", "b"]);
  made[1]!.fail();
  await expect(first).rejects.toThrow("ELK, which lays it out, could not be loaded, or has ended.");
  await expect(second).rejects.toThrow("ELK");
  const third = elk({ id: "c" });
  made[2]!.answer({ data: { id: "c", x: 1 } });
  expect(await third).toEqual({ id: "c", x: 1 });
  expect(made).toHaveLength(3);
});

it("notices an end that no event tells of: the worker's lock is given back", async () => {
  const { made, spawn, locks, giveBack } = workers();
  const elk = browserElk(spawn, locks);
  const drawing = elk({ id: "a" });
  made[0]!.live("one");
  giveBack("one");
  expect(graphs(made[1]!)).toEqual(["a"]);
  // The end of an abandoned worker does not affect its successor.
  giveBack("one");
  expect(made).toHaveLength(2);
  made[1]!.live("two");
  giveBack("two");
  await expect(drawing).rejects.toThrow("has ended");
});

it("passes ELK's own sentence on, and keeps the worker", async () => {
  const { made, spawn, locks } = workers();
  const elk = browserElk(spawn, locks);
  const first = elk({ id: "a" });
  made[0]!.answer({ error: { type: "JsonImportException", message: "Referenced shape does not exist: nobody" } });
  await expect(first).rejects.toThrow("nobody");
  const second = elk({ id: "b" });
  made[0]!.answer({ data: { id: "b" } });
  expect(await second).toEqual({ id: "b" });
});
