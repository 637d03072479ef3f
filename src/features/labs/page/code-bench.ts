/**
 * Runs the passes and analyses that students hand in: the code in the sandbox of passes, judging in a separate thread, so that the other tasks can be done meanwhile. It
 * begins with a press and never by itself; nothing of it is loaded before.
 */

import { proxy } from "comlink";
import { messageOf } from "../../../app/ui/failure.ts";
import type { Ended } from "../../ownpass/engine/check/check.ts";
import type { PassRequest } from "../../ownpass/engine/check/requests.ts";
import type { PassSandbox } from "../../ownpass/page/sandbox-port.ts";
import type { DeskJudged } from "../engine/desk.ts";
import { type DeskClient, startDesk } from "./desk-client.ts";

export interface CodeTask {
  readonly id: string;
  readonly seed: number;
  readonly variant: number;
  readonly answer: unknown;
  readonly hints: number;
}

export interface CodeBench {
  /** null: it was stopped. */
  judge(task: CodeTask, progress: (done: number, of: number) => void): Promise<DeskJudged | null>;
  /** Ends what runs or waits to. */
  stop(): void;
  dispose(): void;
}

const STOPPED: Ended = { ended: "stopped", message: "The code was stopped." };

/** `lab`: its text. */
export function startCodeBench(lab: string): CodeBench {
  let desk: Promise<DeskClient> | null = null;
  let started: DeskClient | null = null;
  let sandbox: Promise<PassSandbox> | null = null;
  let stops = 0;
  /** Those who wait for an answer. */
  const waiting = new Set<() => void>();

  const opened = async (): Promise<DeskClient> => {
    // Each program has its own limit.
    started = startDesk(null);
    await started.open(lab);
    return started;
  };
  const close = (): void => {
    started?.dispose();
    desk = null;
  };
  const askFor =
    (begun: number) =>
    async (request: PassRequest): Promise<string | Ended> => {
      if (stops !== begun) return STOPPED;
      sandbox ??= import("../../ownpass/page/sandbox.ts").then(({ openSandbox }) => openSandbox());
      try {
        return await (await sandbox).ask(request);
      } catch (error) {
        // The next press tries again.
        sandbox = null;
        return { ended: "crash", message: messageOf(error) };
      }
    };
  const run = async (begun: number, { id, seed, variant, answer, hints }: CodeTask, progress: (done: number, of: number) => void) => {
    desk ??= opened();
    const judging = await desk;
    return judging.ask("runCode", id, seed, variant, answer, hints, proxy(askFor(begun)), proxy(progress));
  };
  const stop = (): void => {
    stops++;
    for (const halt of waiting) halt();
    close();
    sandbox?.then(
      (running) => running.stop(),
      () => undefined,
    );
  };

  return {
    async judge(task, progress) {
      const begun = stops;
      let halt = (): void => undefined;
      const halted = new Promise<null>((resolve) => {
        halt = () => resolve(null);
      });
      waiting.add(halt);
      try {
        return await Promise.race([run(begun, task, progress), halted]);
      } catch (error) {
        if (stops !== begun) return null;
        close();
        throw error;
      } finally {
        waiting.delete(halt);
      }
    },
    stop,
    dispose: stop,
  };
}
