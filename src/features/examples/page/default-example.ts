/** The program that a first visit opens: in the first script, so that it needs no loading. */

import type { Session } from "../../../app/session/session.ts";
import sumPositive from "./ori/sum-positive.ori?raw";

export const DEFAULT_EXAMPLE = { id: "sum-positive", title: "Sum of positives", text: sumPositive, phase: "ori-do-predication" };

export function openDefault({ actions }: Session): void {
  const { id, title, text, phase } = DEFAULT_EXAMPLE;
  actions.document.openText({ text, title, format: "ori", example: id, origin: "example" });
  actions.position.goToPhase(phase, "change");
}
