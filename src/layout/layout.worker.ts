/** Plans layouts and draws with the linear engine, off the page's thread. */
import { planLayout } from "./plan.ts";
import type { PlanAnswer, PlanCall } from "./plan-messages.ts";

self.addEventListener("message", (event: MessageEvent<PlanCall>) => {
  const { id, input, request } = event.data;
  self.postMessage(answer(id, input, request));
});

function answer(id: number, input: PlanCall["input"], request: PlanCall["request"]): PlanAnswer {
  try {
    return { id, plan: planLayout(input, request), message: null };
  } catch (error) {
    return { id, plan: null, message: error instanceof Error ? error.message : String(error) };
  }
}
