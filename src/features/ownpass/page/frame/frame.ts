/**
 * The script of the sandboxed frame: keeps a worker with the box that a stranger's code runs in, and passes texts through. The frame has its own origin, no network
 * and no storage (scripts/vite/pass-frame.ts writes its policy), and this script holds nothing of the page but a port.
 */

import type { Ended } from "../../engine/check/check.ts";
import type { FromFrame, ToFrame } from "./messages.ts";

function serve(port: MessagePort): void {
  const say = (message: FromFrame): void => port.postMessage(message);
  let script: Blob | null = null;
  let worker: Worker | null = null;
  let asked: number | null = null;

  const answered = (answer: string | Ended): void => {
    if (asked !== null) say({ kind: "answer", id: asked, answer });
    asked = null;
  };
  const start = (program: Blob): Worker => {
    const address = URL.createObjectURL(program);
    const made = new Worker(address);
    made.addEventListener("message", ({ data }: MessageEvent<string | Ended | { readonly ready: true }>) => {
      if (made !== worker) return;
      if (typeof data === "object" && "ready" in data) URL.revokeObjectURL(address);
      else answered(data);
    });
    made.addEventListener("error", (event) => {
      event.preventDefault();
      if (made !== worker) return;
      worker = null;
      answered({ ended: "crash", message: "The engine that runs passes ended." });
    });
    return made;
  };

  port.addEventListener("message", ({ data }: MessageEvent<ToFrame>) => {
    switch (data.kind) {
      case "worker":
        script = new Blob([data.script], { type: "text/javascript" });
        worker = start(script);
        break;
      case "end":
        worker?.terminate();
        // The next question finds one that is ready.
        worker = script === null ? null : start(script);
        asked = null;
        break;
      case "ask":
        if (script === null) return;
        worker ??= start(script);
        asked = data.id;
        worker.postMessage(data.request);
        break;
    }
  });
  port.start();
  say({ kind: "ready" });
}

// The first port is the page's: it is sent as soon as the frame is loaded, and nothing else knows of the frame.
addEventListener("message", ({ ports: [port] }) => port !== undefined && serve(port), { once: true });
