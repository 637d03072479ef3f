/**
 * The sandbox of passes in the page: a hidden frame with a sandbox of an origin of its own inside, with a policy of its own, whose workers run the code. A question has so much time;
 * whatever exceeds it is removed with its frame, and the next question finds another.
 */

import type { Ended } from "../../ownpass/check.ts";
import { guestWorkerScript } from "../../ownpass/guest-worker-script.ts";
import type { PassRequest } from "../../ownpass/requests.ts";
import type { FromFrame, ToFrame } from "./frame/messages.ts";
import type { PassSandbox } from "./sandbox-port.ts";

/** The guest's own clock comes first and can say at which line it was; after this much longer it is ended from outside. */
const GRACE_MS = 600;
const START_MS = 30_000;
/** Characters of an answer. */
const MOST_ANSWER = 24_000_000;
/** Beside the page; scripts/vite/pass-frame.ts writes it. */
const FRAME = "pass-frame.html";

const STOPPED: Ended = { ended: "stopped", message: "The pass was stopped." };

export function openSandbox(): PassSandbox {
  return new FrameSandbox();
}

interface Frame {
  readonly element: HTMLIFrameElement;
  readonly port: MessagePort;
  /** Of the code that its worker ran last. */
  code: string | null;
}

interface Asked {
  readonly id: number;
  readonly ms: number;
  readonly settle: (answer: string | Ended) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
}

class FrameSandbox implements PassSandbox {
  private frame: Promise<Frame> | null = null;
  private asked: Asked | null = null;
  private queue: Promise<unknown> = Promise.resolve();
  private nextId = 1;
  /** Counts the stops: what waited through one is not asked any more. */
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
    // Only its worker: the frame is quick to ask again.
    this.frame?.then(
      (frame) => {
        frame.code = null;
        send(frame, { kind: "end" });
      },
      () => undefined,
    );
    this.settle(asked, STOPPED);
  }

  private async askNow(request: PassRequest, stops: number): Promise<string | Ended> {
    this.frame ??= this.open();
    let frame: Frame;
    try {
      frame = await this.frame;
    } catch (error) {
      this.frame = null;
      return { ended: "crash", message: error instanceof Error ? error.message : String(error) };
    }
    if (stops !== this.stops) return STOPPED;
    return new Promise((settle) => {
      const asked: Asked = { id: this.nextId++, ms: request.ms, settle, timer: undefined };
      this.asked = asked;
      this.allow(asked, START_MS, "The sandbox for the pass did not start.");
      send(frame, { kind: "ask", id: asked.id, request: JSON.stringify(request), fresh: request.code !== frame.code, most: MOST_ANSWER });
      frame.code = request.code;
    });
  }

  private allow(asked: Asked, ms: number, message: string): void {
    clearTimeout(asked.timer);
    asked.timer = setTimeout(() => {
      this.close();
      this.settle(asked, { ended: "time", message });
    }, ms);
  }

  private settle(asked: Asked, answer: string | Ended): void {
    clearTimeout(asked.timer);
    if (this.asked === asked) this.asked = null;
    asked.settle(answer);
  }

  private close(): void {
    this.frame?.then(
      (frame) => {
        // Its workers end with it; told apart, they end at once.
        send(frame, { kind: "end" });
        frame.port.close();
        frame.element.remove();
      },
      () => undefined,
    );
    this.frame = null;
  }

  private heard(frame: Frame, message: FromFrame): void {
    const { asked } = this;
    if (asked === null || message.kind === "ready" || message.id !== asked.id) return;
    switch (message.kind) {
      case "begun":
        this.allow(asked, asked.ms + GRACE_MS, `The pass did not end within ${asked.ms} ms.`);
        break;
      case "answer":
        this.settle(asked, message.text);
        break;
      case "ended":
        frame.code = null;
        this.settle(asked, { ended: message.why, message: message.message });
        break;
    }
  }

  private open(): Promise<Frame> {
    return new Promise((resolve, reject) => {
      const element = document.createElement("iframe");
      element.title = "Sandbox for passes";
      element.hidden = true;
      element.src = FRAME;
      const { port1: port, port2 } = new MessageChannel();
      const frame: Frame = { element, port, code: null };
      const timer = setTimeout(() => {
        element.remove();
        reject(new Error("The sandbox for the pass could not be loaded. Is the page offline?"));
      }, START_MS);
      port.addEventListener("message", ({ data }: MessageEvent<FromFrame>) => {
        if (data.kind !== "ready") {
          this.heard(frame, data);
          return;
        }
        clearTimeout(timer);
        send(frame, { kind: "guest", script: guestWorkerScript() });
        resolve(frame);
      });
      port.start();
      // It hands the port on to the sandbox inside it.
      element.addEventListener("load", () => element.contentWindow?.postMessage(null, location.origin, [port2]), { once: true });
      document.body.append(element);
    });
  }
}

const send = ({ port }: Frame, message: ToFrame): void => port.postMessage(message);
