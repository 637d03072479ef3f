/**
 * The sandbox of passes in the page: a hidden frame that contains a sandbox with its own origin and policy, whose worker has the box (`src/features/ownpass/box`) that
 * the code runs in. The box itself ends what takes too long; Stop ends the worker.
 */

import { messageOf } from "../../../app/ui/failure.ts";
import type { Ended } from "../engine/check/check.ts";
import { guestWorkerScript } from "../engine/check/guest-worker-script.ts";
import type { PassRequest } from "../engine/check/requests.ts";
import type { FromFrame, ToFrame } from "./frame/messages.ts";
import type { PassSandbox } from "./sandbox-port.ts";

/** For the frame's own file. */
const LOAD_MS = 30_000;
/** Beside the page; scripts/vite/pass-frame.ts writes it. */
const FRAME = "pass-frame.html";

const STOPPED: Ended = { ended: "stopped", message: "The pass was stopped." };

export function openSandbox(): PassSandbox {
  return new FrameSandbox();
}

interface Asked {
  readonly id: number;
  readonly settle: (answer: string | Ended) => void;
}

class FrameSandbox implements PassSandbox {
  private frame: Promise<MessagePort> | null = null;
  private asked: Asked | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private nextId = 1;
  /** Counts the stops: what waited through one is not requested any more. */
  private stops = 0;

  ask(request: PassRequest): Promise<string | Ended> {
    const { stops } = this;
    const answer = this.queue.then(() => (stops === this.stops ? this.askNow(request, stops) : STOPPED));
    this.queue = answer;
    return answer;
  }

  stop(): void {
    this.stops++;
    const { asked } = this;
    if (asked === null) return;
    this.frame?.then(
      (port) => send(port, { kind: "end" }),
      () => undefined,
    );
    this.settle(asked, STOPPED);
  }

  private async askNow(request: PassRequest, stops: number): Promise<string | Ended> {
    this.frame ??= this.open();
    let port: MessagePort;
    try {
      port = await this.frame;
    } catch (error) {
      this.frame = null;
      return { ended: "crash", message: messageOf(error) };
    }
    if (stops !== this.stops) return STOPPED;
    return new Promise((settle) => {
      const id = this.nextId++;
      this.asked = { id, settle };
      send(port, { kind: "ask", id, request });
    });
  }

  private settle(asked: Asked, answer: string | Ended): void {
    if (this.asked === asked) this.asked = null;
    asked.settle(answer);
  }

  private heard(message: FromFrame): void {
    const { asked } = this;
    if (asked !== null && message.kind === "answer" && message.id === asked.id) this.settle(asked, message.answer);
  }

  private open(): Promise<MessagePort> {
    return new Promise((resolve, reject) => {
      const element = document.createElement("iframe");
      element.title = "Sandbox for passes";
      element.hidden = true;
      element.src = FRAME;
      const { port1: port, port2 } = new MessageChannel();
      const timer = setTimeout(() => {
        element.remove();
        reject(new Error("The sandbox for the pass could not be loaded. Is the page offline?"));
      }, LOAD_MS);
      port.addEventListener("message", ({ data }: MessageEvent<FromFrame>) => {
        if (data.kind !== "ready") {
          this.heard(data);
          return;
        }
        clearTimeout(timer);
        send(port, { kind: "worker", script: guestWorkerScript() });
        resolve(port);
      });
      port.start();
      // It hands the port on to the sandbox inside it.
      element.addEventListener("load", () => element.contentWindow?.postMessage(null, location.origin, [port2]), { once: true });
      document.body.append(element);
    });
  }
}

const send = (port: MessagePort, message: ToFrame): void => port.postMessage(message);
