/** Draws large graphs off the page's thread. */

import type { DrawAnswer, DrawCall } from "./messages.ts";
import { drawGraph } from "./plan.ts";

self.addEventListener("message", (event: MessageEvent<DrawCall>) => {
  const { id, input, request } = event.data;
  self.postMessage(answer(id, input, request));
});

function answer(id: number, input: DrawCall["input"], request: DrawCall["request"]): DrawAnswer {
  try {
    return { id, layout: drawGraph(input, request), message: null };
  } catch (error) {
    return { id, layout: null, message: error instanceof Error ? error.message : String(error) };
  }
}
