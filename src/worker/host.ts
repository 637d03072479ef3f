/** The worker: exposes one engine over the wire. The only place that does. */

import { expose, transfer } from "comlink";
import { formatOf } from "../engine/api/read/read-with.ts";
import type { SourceFormat, StateDelta, TraceInfo } from "../engine/api/types.ts";
import { PARTS, type Parts } from "../features/parts.ts";
import { holdLock } from "../layout/alive.ts";
import { Engine, openerOf, type Part } from "./engine.ts";
import { EnginePool, type PoolEngine } from "./engine-pool.ts";
import { columnsOf, packDelta } from "./packed-view.ts";
import type { Row } from "./question.ts";
import { type EngineApi, everyQuestion } from "./questions.ts";
import type { EngineHello } from "./spawn.ts";
import { edited, type GivenText, type TextEdit } from "./text-edit.ts";
import { startThread } from "./threads.ts";

const parts: Parts = {};

/** The pending answer: later requests are answered after it, in their order. */
let coming: Promise<unknown> | null = null;

/** Resolves once a part is there (null: none is needed). If it could not be loaded, the engine reports that. */
function having<T>(part: Part | null, answer: () => T): T | Promise<T> {
  const isThere = (): boolean => part === null || parts[part] !== undefined;
  if (coming === null && isThere()) return answer();
  const loaded: Promise<unknown> = (coming ?? Promise.resolve())
    .then(async () => {
      if (part !== null && !isThere()) Object.assign(parts, { [part]: await PARTS[part]() });
    })
    // The next question that needs it tries again.
    .catch(() => undefined);
  coming = loaded;
  return loaded.then(() => {
    if (coming === loaded) coming = null;
    return answer();
  });
}

const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

/** What reads a text in addition to the engine itself. */
function readerOf(text: string, format: SourceFormat | null): Part | null {
  const opener = openerOf(text, format);
  if (opener !== null) return opener.part;
  const known = formatOf(text, format);
  return isPart(known) ? known : null;
}

/** An additional engine of this script. */
function startEngine(): PoolEngine {
  const thread = startThread<Pick<PoolEngine, "runFor">>(
    () => new Worker(self.location.href, { type: "module" }),
    (message) => new Error(message),
  );
  return {
    runFor: (module, kernel, options) => thread.ask((remote) => remote.runFor(module, kernel, options)),
    end: () => thread.end(new Error("it was stopped")),
  };
}

const engine = new Engine({ now: () => performance.now() }, parts, new EnginePool(startEngine, navigator.hardwareConcurrency));

/** The last text given, whether it was read yet or not: the next one may arrive as an edit of it. */
let given: GivenText | null = null;
type TextArgs = [revision: number, text: string, format: SourceFormat | null, ...rest: unknown[]];

/** What is sent, and which of its buffers are transferred. */
function packed(travels: Row["travels"], answer: unknown): [sent: unknown, moves: readonly ArrayBufferLike[]] {
  if (answer === null) return [null, []];
  if (travels === "columns") {
    const { kinds, depths, parents, lines, changes } = answer as TraceInfo;
    return [answer, [kinds, depths, parents, lines, changes].map(({ buffer }) => buffer)];
  }
  const delta = packDelta(answer as StateDelta);
  return [delta, columnsOf(delta)];
}

function answer({ part, sets, travels, run }: Row, args: readonly unknown[]): unknown {
  const [revision, text, format] = args as TextArgs;
  if (sets === "text") given = { revision, text };
  return having(part === "reader" ? readerOf(text, format) : (part ?? null), () => {
    const found = run(engine, ...args);
    if (travels === undefined) return found;
    const [sent, moves] = packed(travels, found);
    return moves.length === 0 ? sent : transfer(sent as object, [...moves] as ArrayBuffer[]);
  });
}

/** A question under its second name comes with an edit of the last text; null: that is not the text that was edited. */
const byEdits: Record<string, (revision: number, edit: TextEdit, ...rest: readonly unknown[]) => unknown> = {};
const api = everyQuestion<EngineApi>((_, row) => {
  if (row.byEdit !== undefined)
    byEdits[row.byEdit] = (revision, edit, ...rest) => {
      const text = edited(given, edit);
      return text === null ? null : answer(row, [revision, text, ...rest]);
    };
  return (...args) => answer(row, args);
});
const runFor: PoolEngine["runFor"] = async (module, kernel, options) => engine.session.runFor(module, kernel, options);
expose({ ...api, ...byEdits, runFor });
holdLock("engine").then((lock) => {
  const hello: EngineHello = { hello: "engine", lock: lock?.alive ?? null };
  postMessage(hello);
});
