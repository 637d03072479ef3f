/** A child process that runs a pass's code: no files, no processes, no network that it has a word for, and an end to time and memory. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { guestScript } from "../../ownpass/guest-script.ts";
import { type AnswerTo, MOST_ANSWER, type PassRequest, readAnswer } from "../../ownpass/requests.ts";
import { groupMemory } from "../filter.ts";
import { inTheWordsOf, isLate } from "./late.ts";
import { processCost } from "./process-cost.ts";

export interface ChildLimits {
  /** For one question, of the processor: a busy machine makes no pass wrong. */
  readonly ms: number;
  /** Bytes of the process. */
  readonly memory: number;
}

/** Why there is no answer. */
export type Ended = { readonly ended: "time" | "memory" | "size" | "crash"; readonly message: string };

/** The child's own clock comes first; after this much longer it is ended from outside. */
const GRACE_MS = 700;
const START_MS = 30_000;
const LOOK_MS = 100;
const MEBIBYTE = 1024 * 1024;
/** Below this share of its time at the processor a process was kept from it. */
const BUSY = 0.7;
/** So many times as long it is given then. */
const PATIENT = 3;
/** So often a process that is kept from the processor is given its time once more. */
const MOST_WAITS = 10;

/**
 * The program of the child. Requests and answers are lines; the pass's code runs in a context that holds nothing but the language and gets nothing but texts.
 * It ends the context's work itself when the time is over.
 */
const CHILD = `
"use strict";
const vm = require("node:vm");
// A hundred small programs are over before optimizing their pass has paid: what runs long is still optimized. A version without this flag does without.
require("node:v8").setFlagsFromString("--interrupt-budget=1500000");
const { stdin, stdout } = process;
for (const name of Object.keys(process.env)) delete process.env[name];
// Promises that a pass left behind have nobody to tell.
process.on("unhandledRejection", () => undefined);
let context = null;
let rest = "";
stdin.setEncoding("utf8");
stdin.on("data", (chunk) => {
  rest += chunk;
  for (let at = rest.indexOf("\\n"); at >= 0; at = rest.indexOf("\\n")) {
    const line = rest.slice(0, at);
    rest = rest.slice(at + 1);
    const before = process.cpuUsage();
    const found = answer(JSON.parse(line));
    const { user, system } = process.cpuUsage(before);
    stdout.write(Math.round((user + system) / 1000) + " " + found + "\\n");
  }
});
function answer(message) {
  if (context === null) {
    context = vm.createContext(Object.create(null), { codeGeneration: { strings: true, wasm: false }, microtaskMode: "afterEvaluate" });
    vm.runInContext(message.guest, context);
    return "S";
  }
  try {
    vm.runInContext("var request = " + JSON.stringify(message.request).replace(/\\u2028|\\u2029/g, (c) => "\\\\u" + c.charCodeAt(0).toString(16)), context);
    const text = vm.runInContext("oriscopeGuest(request)", context, { timeout: message.ms });
    return typeof text !== "string" ? "Xthe answer is no text" : text.length > message.most ? "L" : "A" + text;
  } catch (error) {
    return error !== null && typeof error === "object" && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" ? "T" : "X" + String(error && error.message).slice(0, 500).replaceAll("\\n", " ");
  }
}
`;

/** The flag of Node's permission model; null: this version has none, and the process may use files and start others if it breaks out of its context. */
export function permissionFlag(): string | null {
  return ["--permission", "--experimental-permission"].find((flag) => process.allowedNodeEnvironmentFlags.has(flag)) ?? null;
}

/** Made once: every process is given the same. */
let guestLine: Buffer | null = null;

/** A process that may start no others is alone in its group. */
async function memoryOf(pid: number): Promise<number> {
  const alone = permissionFlag() === null ? null : processCost(pid);
  return alone?.memory ?? (await groupMemory(pid));
}

export class PassChild {
  private readonly limits: ChildLimits;
  private child: ChildProcessWithoutNullStreams | null = null;
  private ready: Promise<string | Ended> | null = null;
  private answered: ((answer: string | Ended) => void) | null = null;
  private chunks: string[] = [];
  private err = "";
  private ended: Ended | null = null;

  constructor(limits: ChildLimits) {
    this.limits = limits;
  }

  /** Never rejects. After `ended` the next question starts a new process. */
  async ask<Ask extends PassRequest["ask"]>(request: PassRequest & { readonly ask: Ask }): Promise<AnswerTo<Ask> | Ended> {
    const { ms } = this.limits;
    const { found, cpu } = await this.askWithin<Ask>(request, ms);
    // Clocks of the guest are clocks on the wall. What had hardly a turn at the processor is asked again.
    if (!isLate(found) || cpu === null || cpu >= ms * BUSY) return found;
    const again = await this.askWithin<Ask>(request, PATIENT * ms);
    if (!isLate(again.found)) return again.found;
    // The guest knows at which line it was; whoever ends it from outside does not.
    return "ended" in again.found && !("ended" in found) ? found : inTheWordsOf(ms, again.found);
  }

  private async askWithin<Ask extends PassRequest["ask"]>(
    request: PassRequest & { readonly ask: Ask },
    ms: number,
  ): Promise<{ readonly found: AnswerTo<Ask> | Ended; readonly cpu: number | null }> {
    this.ready ??= this.start();
    const started = await this.ready;
    if (typeof started !== "string") return { found: this.over(started), cpu: null };
    // The guest looks at the clock itself and can say at which line it was; the context's own limit is for what has no lines.
    const line = JSON.stringify({ request: JSON.stringify({ ...request, ms }), ms: ms + GRACE_MS / 2, most: MOST_ANSWER });
    const heard = await this.send(line, ms + GRACE_MS);
    if (typeof heard !== "string") return { found: this.over(heard), cpu: null };
    const blank = heard.indexOf(" ");
    const [cpu, answer] = [Number(heard.slice(0, blank)), heard.slice(blank + 1)];
    const over = (ended: Ended) => ({ found: this.over(ended), cpu });
    switch (answer[0]) {
      case "A": {
        const found = readAnswer(request.ask, answer.slice(1));
        return typeof found === "string" ? over({ ended: "crash", message: found }) : { found, cpu };
      }
      case "T":
        return over({ ended: "time", message: `The pass did not end within ${ms} ms.` });
      case "L":
        return over({ ended: "size", message: `The answer of the pass has more than ${MOST_ANSWER} characters.` });
      default:
        return over({ ended: "crash", message: `The pass could not be run: ${answer.slice(1)}` });
    }
  }

  end(): void {
    const { child } = this;
    this.child = null;
    this.ready = null;
    child?.kill("SIGKILL");
  }

  private over(ended: Ended): Ended {
    this.end();
    return ended;
  }

  private start(): Promise<string | Ended> {
    const flag = permissionFlag();
    const heap = Math.ceil(this.limits.memory / MEBIBYTE);
    // A process group of its own, and nothing of this process's environment.
    const child = spawn(
      process.execPath,
      [...(flag === null ? [] : [flag]), "--no-warnings", `--max-old-space-size=${heap}`, "-e", CHILD],
      {
        stdio: "pipe",
        env: {},
        detached: true,
      },
    );
    this.child = child;
    this.ended = null;
    this.chunks = [];
    this.err = "";
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (chunk: string) => this.heard(child, chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      if (this.err.length < 4000) this.err += chunk.toString("utf8");
    });
    child.stdin.on("error", () => undefined);
    child.on("error", (error) => this.settle(child, { ended: "crash", message: `The pass could not be run: ${error.message}` }));
    child.on("close", (code, signal) => this.settle(child, this.ended ?? this.died(code, signal)));
    guestLine ??= Buffer.from(`${JSON.stringify({ guest: guestScript() })}\n`);
    return this.send(guestLine, START_MS);
  }

  private died(code: number | null, signal: string | null): Ended {
    const outOfMemory = /heap out of memory|Allocation failed|Invalid array length/i.test(this.err) || signal === "SIGABRT" || code === 134;
    if (outOfMemory) return this.tooLarge();
    return { ended: "crash", message: `The process of the pass ended with ${signal ?? code}.` };
  }

  private tooLarge(): Ended {
    return { ended: "memory", message: `The pass took more than ${Math.round(this.limits.memory / MEBIBYTE)} MB of memory.` };
  }

  private send(line: string | Buffer, ms: number): Promise<string | Ended> {
    const { child } = this;
    if (child === null) return Promise.resolve({ ended: "crash", message: "The process of the pass has ended." });
    return new Promise((resolve) => {
      const { pid } = child;
      const cpu = (): number => (pid === undefined ? null : processCost(pid))?.cpu ?? Number.POSITIVE_INFINITY;
      const before = cpu();
      let waits = 0;
      const late = (): void => {
        if (cpu() - before < ms * BUSY && ++waits <= MOST_WAITS) timer = setTimeout(late, ms);
        else this.kill(child, { ended: "time", message: `The pass did not end within ${this.limits.ms} ms.` });
      };
      let timer = setTimeout(late, ms);
      const watch = setInterval(async () => {
        if (pid !== undefined && (await memoryOf(pid)) > this.limits.memory * 1.5) this.kill(child, this.tooLarge());
      }, LOOK_MS);
      this.answered = (answer) => {
        clearTimeout(timer);
        clearInterval(watch);
        this.answered = null;
        resolve(answer);
      };
      child.stdin.write(typeof line === "string" ? `${line}\n` : line);
    });
  }

  private heard(child: ChildProcessWithoutNullStreams, chunk: string): void {
    if (child !== this.child) return;
    this.chunks.push(chunk);
    if (!chunk.includes("\n")) return;
    const text = this.chunks.join("");
    this.chunks = [];
    this.answered?.(text.slice(0, text.indexOf("\n")));
  }

  private kill(child: ChildProcessWithoutNullStreams, why: Ended): void {
    this.ended ??= why;
    child.kill("SIGKILL");
  }

  private settle(child: ChildProcessWithoutNullStreams, why: Ended): void {
    if (child === this.child) this.answered?.(why);
  }
}
