import { expose } from "comlink";
import { describe, expect, it } from "vitest";
import { startThread } from "./threads.ts";

class FakeWorker extends EventTarget {
  readonly channel = new MessageChannel();
  ended = false;

  constructor(api: object) {
    super();
    this.channel.port1.start();
    this.channel.port1.addEventListener("message", ({ data }) => this.dispatchEvent(new MessageEvent("message", { data })));
    expose(api, this.channel.port2 as never);
  }
  postMessage(message: unknown): void {
    if (!this.ended) this.channel.port1.postMessage(message);
  }
  terminate(): void {
    this.ended = true;
    this.channel.port1.close();
    this.channel.port2.close();
  }
  crash(message: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { message }));
  }
}

interface Api {
  double(n: number): number;
  never(): Promise<never>;
  fail(): never;
}

const API: Api = {
  double: (n) => 2 * n,
  never: () => new Promise(() => {}),
  fail: () => {
    throw new Error("it is broken");
  },
};

function started() {
  const workers: FakeWorker[] = [];
  const thread = startThread<Api>(
    () => {
      const worker = new FakeWorker(API);
      workers.push(worker);
      return worker as unknown as Worker;
    },
    (message) => new Error(`the worker ended: ${message}`),
  );
  return { thread, workers };
}

describe("a thread", () => {
  it("starts with the first question, and answers the others too", async () => {
    const { thread, workers } = started();
    expect([workers.length, thread.isRunning]).toEqual([0, false]);
    expect(await Promise.all([1, 2].map((n) => thread.ask((api) => api.double(n))))).toEqual([2, 4]);
    expect([workers.length, thread.isRunning]).toEqual([1, true]);
    thread.end();
  });

  it("refuses all who wait when it ends by itself, and the next question starts another", async () => {
    const { thread, workers } = started();
    const waiting = [thread.ask((api) => api.never()), thread.ask((api) => api.never())];
    workers[0]!.crash("out of memory");
    for (const one of waiting) await expect(one).rejects.toThrow("the worker ended: out of memory");
    expect([workers[0]!.ended, thread.isRunning]).toEqual([true, false]);
    expect(await thread.ask((api) => api.double(3))).toBe(6);
    expect(workers).toHaveLength(2);
    thread.end();
  });

  it("is ended by a question that fails or takes longer than it may", async () => {
    const { thread, workers } = started();
    await expect(thread.ask((api) => api.fail())).rejects.toThrow("it is broken");
    await expect(thread.ask((api) => api.never(), { ms: 1, late: () => new Error("too long") })).rejects.toThrow("too long");
    expect(workers.map(({ ended }) => ended)).toEqual([true, true]);
  });

  it("refuses those who wait with the reason for which it is ended", async () => {
    const { thread } = started();
    const waiting = thread.ask((api) => api.never());
    thread.end(new Error("it was stopped"));
    await expect(waiting).rejects.toThrow("it was stopped");
  });
});
