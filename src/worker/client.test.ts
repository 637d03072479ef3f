import { expose } from "comlink";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import type { OpenResult, RunResult, StateDelta } from "../engine/api/types.ts";
import type { Locks } from "../layout/alive.ts";
import {
  type ConnectOptions,
  type CrashReport,
  connectEngine,
  type EngineClient,
  EngineRestarted,
  EngineUnavailable,
  type WorkerLike,
} from "./client.ts";
import { localEngine } from "./local.ts";
import { packDelta } from "./packed-view.ts";
import type { EngineApi } from "./questions.ts";
import { edited, type GivenText, type TextEdit } from "./text-edit.ts";

const PROGRAM = ".kernel k(n: R0)\nBB0:\n    EXIT\n";
/** A worker made of a message channel: the engine on its other end really is reached by messages. */
class FakeWorker {
  readonly channel = new MessageChannel();
  readonly events = new EventTarget();
  readonly calls: string[] = [];
  ended = false;

  constructor(wrapEngine: (engine: EngineApi) => EngineApi) {
    const counted = new Proxy(
      { openEdited: () => null, ...wrapEngine(localEngine()) },
      {
        get: (engine, name) => {
          const method: unknown = Reflect.get(engine, name);
          if (typeof method !== "function") return method;
          return (...args: unknown[]) => {
            this.calls.push(`${String(name)}${typeof args[0] === "number" ? ` ${args[0]}` : ""}`);
            return Reflect.apply(method, engine, args) as unknown;
          };
        },
      },
    );
    expose(counted, this.channel.port2 as never);
  }

  get endpoint(): WorkerLike {
    const { port1 } = this.channel;
    return {
      postMessage: (message, transferred) => port1.postMessage(message, transferred as never),
      addEventListener: (type, listener) => (type === "message" ? port1 : this.events).addEventListener(type, listener as never),
      removeEventListener: (type, listener) => (type === "message" ? port1 : this.events).removeEventListener(type, listener as never),
      start: () => port1.start(),
      terminate: () => {
        this.ended = true;
        port1.close();
        this.channel.port2.close();
      },
    };
  }

  say(message: unknown): void {
    this.channel.port2.postMessage(message);
  }

  crash(message: string): void {
    this.events.dispatchEvent(Object.assign(new Event("error"), { message }));
  }
}

let clients: EngineClient[] = [];
afterEach(() => {
  for (const client of clients) client.dispose();
  clients = [];
  vi.useRealTimers();
});

function connect(
  wrapEngine: (engine: EngineApi, index: number) => EngineApi = (engine) => engine,
  options: ConnectOptions = { retryMs: [1, 1, 1] },
): {
  client: EngineClient;
  workers: FakeWorker[];
} {
  const workers: FakeWorker[] = [];
  const client = connectEngine(() => {
    const index = workers.length;
    const worker = new FakeWorker((engine) => wrapEngine(engine, index));
    workers.push(worker);
    return { worker: worker.endpoint, hello: null };
  }, options);
  clients.push(client);
  return { client, workers };
}

/** The state of the program at a step, from a second engine. */
function localView(...args: Parameters<EngineApi["view"]>): StateDelta {
  const local = localEngine();
  local.open(1, PROGRAM, null);
  local.run(1, "k", DEFAULT_PIPELINE);
  return local.view(...args);
}

const restarted = (client: EngineClient): Promise<CrashReport> =>
  new Promise((resolve) => client.onRestart((_reason, report) => resolve(report)));

describe("the client", () => {
  it("answers as the engine does", async () => {
    const { client } = connect();
    const local = localEngine();
    expect(await client.api.open(1, PROGRAM, null)).toEqual(local.open(1, PROGRAM, null));
    expect(await client.api.run(1, "k", DEFAULT_PIPELINE)).toEqual(local.run(1, "k", DEFAULT_PIPELINE));
    expect(await client.api.text({ run: -1, step: null })).toEqual(local.text({ run: -1, step: null }));
  });

  it("unpacks a state that was sent packed, and takes one as it is from an engine that knows nothing of that", async () => {
    for (const packs of [true, false]) {
      const { client } = connect((engine) =>
        packs ? Object.assign(engine, { view: (...args: Parameters<EngineApi["view"]>) => packDelta(localView(...args)) }) : engine,
      );
      await client.api.open(1, PROGRAM, null);
      await client.api.run(1, "k", DEFAULT_PIPELINE);
      const { blocks } = await client.api.view(0, -1, null);
      expect(blocks.map(({ insts }) => insts.map(({ text, tokens }) => [text, tokens.map((token) => token.text)]))).toEqual([
        [["EXIT", ["EXIT"]]],
      ]);
    }
  });

  it("sends only the newest of overlapping requests", async () => {
    const { client, workers } = connect();
    const answers = await Promise.all([1, 2, 3, 4].map((revision) => client.api.open(revision, PROGRAM, null)));
    expect(answers.map((a: OpenResult) => a.revision)).toEqual([1, 4, 4, 4]);
    expect(workers[0]!.calls).toEqual(["open 1", "open 4"]);
  });

  it("tells a text by what changed in it, and tells all of it to an engine that does not have the text before", async () => {
    const told: string[] = [];
    const { client, workers } = connect((engine) => {
      let given: GivenText | null = null;
      const whole = engine.openFirst;
      const openFirst: EngineApi["openFirst"] = (revision, text, format, kernel) => {
        given = { revision, text };
        told.push(text);
        return whole(revision, text, format, kernel);
      };
      return Object.assign(engine, {
        openFirst,
        openEdited(revision: number, edit: TextEdit, format: null, kernel: string | null) {
          // It lost the text of revision 2.
          const text = edited(given?.revision === 2 ? null : given, edit);
          return text === null ? null : openFirst(revision, text, format, kernel);
        },
      });
    });
    const texts = [1, 2, 3, 4].map((n) => PROGRAM.replace("EXIT", `${"MOV R1, 5\n    ".repeat(n)}EXIT`));
    for (const [i, text] of texts.entries())
      expect((await client.api.openFirst(i + 1, text, null, null)).kernels[0]?.instructions).toBe(i + 2);
    expect(told).toEqual(texts);
    expect(workers[0]!.calls).toEqual(["openFirst 1", "openEdited 2", "openEdited 3", "openFirst 3", "openEdited 4"]);
    const later = restarted(client);
    workers[0]!.crash("gone");
    await later;
    expect(workers[1]!.calls).toEqual(["openFirst 4"]);
    expect(told.at(-1)).toBe(texts[3]);
  });

  it("restores the work after a crash in the middle of a run", async () => {
    const { client, workers } = connect((engine, index) =>
      // The first worker never answers a run.
      index > 0 ? engine : Object.assign(engine, { run: () => new Promise<RunResult>(() => {}) }),
    );
    await client.api.open(5, PROGRAM, null);
    const lost = client.api.run(5, "k", DEFAULT_PIPELINE);
    const waiting = client.api.run(6, "k", DEFAULT_PIPELINE);
    const later = restarted(client);
    workers[0]!.crash("out of memory");
    await expect(lost).rejects.toThrow(EngineRestarted);
    await expect(waiting).rejects.toThrow("out of memory");
    const report = await later;
    expect(report).toEqual({
      reason: "out of memory",
      during: ["run"],
      open: [5, PROGRAM, null],
      run: [6, "k", DEFAULT_PIPELINE],
      restored: true,
      runDropped: false,
    });
    expect(workers[0]!.ended).toBe(true);
    expect(workers[1]!.calls).toEqual(["open 5", "run 6"]);
    expect((await client.api.text({ run: -1, step: null })).text).toContain("EXIT");
  });

  it("leaves out the run when asked to, and takes the next one", async () => {
    const { client, workers } = connect((engine, index) =>
      index > 0 ? engine : Object.assign(engine, { run: () => new Promise<RunResult>(() => {}) }),
    );
    await client.api.open(5, PROGRAM, null);
    const lost = client.api.run(5, "k", DEFAULT_PIPELINE);
    const later = restarted(client);
    client.restart("took too long", { replay: "text" });
    await expect(lost).rejects.toThrow("took too long");
    expect(await later).toMatchObject({ run: null, restored: true, runDropped: true });
    expect(workers[1]!.calls).toEqual(["open 5"]);
    expect((await client.api.run(6, "k", DEFAULT_PIPELINE)).revision).toBe(6);
  });

  it("gives a text that ends every worker to no third one", async () => {
    let workers: FakeWorker[] = [];
    const made = connect((engine, index) =>
      Object.assign(engine, {
        run: () => {
          queueMicrotask(() => workers[index]?.crash("again"));
          return new Promise<RunResult>(() => {});
        },
      }),
    );
    workers = made.workers;
    await made.client.api.open(1, PROGRAM, null);
    const later = restarted(made.client);
    await expect(made.client.api.run(1, "k", DEFAULT_PIPELINE)).rejects.toThrow(EngineRestarted);
    expect(await later).toMatchObject({ reason: "again", restored: false });
    expect(workers.length).toBe(3);
    expect(await made.client.api.version()).toMatch(/\d/);
    expect(workers[2]!.calls).toEqual(["version"]);
  });

  it("gives up an engine that cannot be loaded after a few tries, and tries again when it is asked to", async () => {
    vi.useFakeTimers();
    // The first four never answer; an engine that answers has been loaded, however soon it ends.
    const silent = () => new Promise<never>(() => {});
    const { client, workers } = connect((engine, index) => (index < 4 ? Object.assign(engine, { open: silent, version: silent }) : engine));
    const told: string[] = [];
    client.onRestart(() => told.push("restarted"));
    const given = new Promise<string>((resolve) => client.onUnavailable(resolve));
    const first = client.api.open(1, PROGRAM, null);
    first.catch(() => undefined);
    workers[0]!.crash("404");
    for (let n = 2; n <= 4; n++) {
      await vi.runAllTimersAsync();
      workers[n - 1]!.crash("404");
    }
    expect(await given).toBe("404");
    await expect(first).rejects.toThrow(EngineRestarted);
    await expect(client.api.version()).rejects.toThrow(EngineUnavailable);
    await vi.runAllTimersAsync();
    expect([workers.length, told]).toEqual([4, []]);
    const later = restarted(client);
    client.restart("asked to");
    // What was requested meanwhile is not lost.
    expect(await later).toMatchObject({ restored: true, open: [1, PROGRAM, null] });
    expect(workers[4]!.calls).toEqual(["open 1"]);
  });

  it("does not blame the work for an engine that was never loaded", async () => {
    const { client, workers } = connect();
    await client.api.open(1, PROGRAM, null);
    await client.api.run(1, "k", DEFAULT_PIPELINE);
    workers[0]!.crash("out of memory");
    workers[1]!.crash("not loaded");
    expect(await restarted(client)).toMatchObject({ reason: "not loaded", restored: true });
    expect(workers[2]!.calls).toEqual(["open 1", "run 1"]);
  });

  it("notices an engine that ends without a word", async () => {
    const waiting = new Map<string, () => void>();
    const locks: Locks = {
      request: (name, { signal }, held) =>
        new Promise((_, reject) => {
          waiting.set(name, held);
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
    };
    const { client, workers } = connect(undefined, { locks });
    await client.api.open(1, PROGRAM, null);
    workers[0]!.say({ hello: "engine", lock: "first" });
    await vi.waitUntil(() => waiting.has("first"), 50_000);
    const later = restarted(client);
    waiting.get("first")?.();
    expect(await later).toMatchObject({ reason: "the engine's worker ended without a message", restored: true });
    expect(workers[0]!.ended).toBe(true);
    expect((await client.api.text({ run: -1, step: null })).text).toContain("EXIT");
  });

  it("gives the fresh engine nothing where reading the text itself was ended", async () => {
    const { client, workers } = connect((engine, index) =>
      index > 0 ? engine : Object.assign(engine, { open: () => new Promise<OpenResult>(() => {}) }),
    );
    const lost = client.api.open(5, PROGRAM, null);
    const later = restarted(client);
    client.restart("took too long", { replay: "nothing" });
    await expect(lost).rejects.toThrow("took too long");
    expect(await later).toMatchObject({ open: null, run: null, runDropped: true });
    expect(workers[1]!.calls).toEqual(["version"]);
  });

  it("hands on what a call throws, and lives on", async () => {
    const { client } = connect((engine) =>
      Object.assign(engine, {
        knobs: () => {
          throw new Error("internal: broken");
        },
      }),
    );
    await expect(client.api.knobs()).rejects.toThrow("internal: broken");
    expect((await client.api.opcodes()).length).toBeGreaterThan(10);
  });

  it("refuses calls once closed", async () => {
    const { client } = connect();
    client.dispose();
    await expect(client.api.version()).rejects.toThrow("closed");
  });
});
