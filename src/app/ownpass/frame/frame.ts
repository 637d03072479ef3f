/**
 * The script of the sandboxed frame: starts workers for a stranger's code and hands texts through. The frame has an origin of its own, no network and no storage
 * (scripts/vite/pass-frame.ts writes its policy), and this script holds nothing of the page but a port.
 */

import type { FromFrame, ToFrame } from "./messages.ts";

interface Guest {
  readonly worker: Worker;
  ready: boolean;
  /** The question that it has, or gets as soon as it is ready. */
  asked: { readonly id: number; readonly request: string; readonly most: number } | null;
}

function serve(port: MessagePort): void {
  const say = (message: FromFrame): void => port.postMessage(message);
  let script: Blob | null = null;
  let current: Guest | null = null;
  /** Started ahead, so that another pass need not wait for it. */
  let spare: Guest | null = null;

  const start = (program: Blob): Guest => {
    const address = URL.createObjectURL(program);
    const guest: Guest = { worker: new Worker(address), ready: false, asked: null };
    guest.worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (!guest.ready && data === "ready") {
        URL.revokeObjectURL(address);
        guest.ready = true;
        begin(guest);
      } else heard(guest, data);
    });
    guest.worker.addEventListener("error", (event) => {
      event.preventDefault();
      over(guest, "crash", "The pass ended its worker.");
    });
    return guest;
  };
  const begin = ({ worker, asked }: Guest): void => {
    if (asked === null) return;
    say({ kind: "begun", id: asked.id });
    worker.postMessage(asked.request);
  };
  const heard = (guest: Guest, data: unknown): void => {
    const { asked } = guest;
    // Nothing was asked: whoever talks all the same is not listened to again.
    if (asked === null || typeof data !== "string") {
      over(guest, "crash", "The pass sent an unexpected message.");
      return;
    }
    guest.asked = null;
    if (data.length <= asked.most) say({ kind: "answer", id: asked.id, text: data });
    else {
      guest.asked = asked;
      over(guest, "size", `The answer of the pass has more than ${asked.most} characters.`);
    }
  };
  const over = (guest: Guest, why: "size" | "crash", message: string): void => {
    guest.worker.terminate();
    if (guest.asked !== null) say({ kind: "ended", id: guest.asked.id, why, message });
    guest.asked = null;
    if (current === guest) current = null;
    if (spare === guest) spare = null;
  };

  port.addEventListener("message", ({ data }: MessageEvent<ToFrame>) => {
    switch (data.kind) {
      case "guest":
        script = new Blob([data.script], { type: "text/javascript" });
        spare = start(script);
        break;
      case "end":
        current?.worker.terminate();
        current = null;
        break;
      case "ask": {
        if (script === null) return;
        if (data.fresh || current === null) {
          current?.worker.terminate();
          current = spare ?? start(script);
          spare = null;
        }
        current.asked = data;
        if (current.ready) begin(current);
        spare ??= start(script);
        break;
      }
    }
  });
  port.start();
  say({ kind: "ready" });
}

// The first port is the page's: it is sent as soon as the frame is loaded, and nothing else knows of the frame.
addEventListener("message", ({ ports: [port] }) => port !== undefined && serve(port), { once: true });
