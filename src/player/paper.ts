/** The file on paper: every step that changed the program as a figure with its sentence. Made when printing begins, removed when it ends. */

import type { PlayerData } from "../publish/html/data.ts";
import { changesOf } from "./changes.ts";
import { el } from "./dom.ts";
import { picture } from "./picture.ts";
import { States } from "./states.ts";

/** Figures of one print; more are counted in a last line. */
const MOST_FIGURES = 200;

export function paper(data: PlayerData): HTMLElement {
  const out = el("section", { class: "paper" }, el("h1", {}, data.title), el("p", {}, data.about));
  for (const note of data.notes) out.append(el("p", {}, note));
  let figures = 0;
  let left = 0;
  for (const phase of data.phases) {
    out.append(el("h2", {}, phase.name), el("p", {}, phase.summary));
    const states = new States(phase);
    phase.steps.forEach((step, i) => {
      if (step.sets.length === 0) return;
      states.goTo(i);
      const changes = changesOf(data, states);
      if (changes.length === 0) return;
      if (figures >= MOST_FIGURES) {
        left++;
        return;
      }
      figures++;
      const caption = el("figcaption", {}, el("strong", {}, `${figures}. Step ${step.step}, ${step.kind}: `), step.sentence);
      const drawn = phase.cards.some((card) => card.box !== null) ? [picture(data, states, true)] : [];
      out.append(el("figure", {}, caption, ...drawn, ...changes));
    });
  }
  if (left > 0) out.append(el("p", {}, `${left} more changes are not printed; this prints ${MOST_FIGURES}.`));
  out.append(el("p", { class: "quiet" }, `Recorded by ${data.generator}.`));
  return out;
}
