/** Draws graphs off the page's thread. ELK runs in its own worker, which this worker starts and which ends with it. */

import { messageOf } from "../base/errors.ts";
import { holdLock } from "./alive.ts";
import { browserElk } from "./elk/browser.ts";
import { warmUp } from "./elk/warm-up.ts";
import type { DrawAnswer, DrawCall, WarmCall } from "./messages.ts";
import { drawGraph } from "./plan.ts";

const elk = browserElk();
const alive = holdLock("layout");
let isSaid = false;
let drawing = 0;
const warm = warmUp(elk, () => drawing === 0);
// ELK's script is loaded immediately, not with the first graph.
elk({ id: "nothing" }).catch(() => undefined);

self.addEventListener("message", async ({ data }: MessageEvent<DrawCall | WarmCall>) => {
  if ("warm" in data) {
    warm();
    return;
  }
  drawing++;
  // Sent with the first answer: the page may have started this worker before it listened to it.
  if (!isSaid) {
    isSaid = true;
    const lock = await alive;
    if (lock !== null) self.postMessage(lock);
  }
  self.postMessage(await answer(data));
  drawing--;
});

async function answer({ id, input, request }: DrawCall): Promise<DrawAnswer> {
  try {
    return { id, layout: await drawGraph(input, request, elk), message: null };
  } catch (error) {
    return { id, layout: null, message: messageOf(error) };
  }
}
