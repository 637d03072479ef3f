/** The worker of the page's sandboxed frame: a box for the code of passes. Bundled as a text by scripts/generate/scripts.ts. */

import { messageOf } from "../../../base/errors.ts";
import type { Ended } from "../engine/check/check.ts";
import type { PassRequest } from "../engine/check/requests.ts";
import { Box } from "./box.ts";

const opened = Box.open();
opened.then(
  () => postMessage({ ready: true }),
  () => undefined,
);

async function answer(request: PassRequest): Promise<string | Ended> {
  try {
    return (await opened).ask(request);
  } catch (error) {
    return { ended: "crash", message: `The pass could not be run: ${messageOf(error)}` };
  }
}

// Only the frame, which forwards the page's requests, can send anything.
addEventListener("message", async ({ data }: MessageEvent<PassRequest>) => postMessage(await answer(data)));
