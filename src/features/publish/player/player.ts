/** The script of an exported file: shows a phase at a step, and moves both ways by buttons, keys and a slider. */

import type { PlayerData, PlayerPhase } from "../engine/html/data.ts";
import { changesOf } from "./changes.ts";
import { el } from "./dom.ts";
import { picture } from "./picture.ts";
import { States } from "./states.ts";

const data = JSON.parse(document.getElementById("data")?.textContent ?? "") as PlayerData;
const all = data.phases.map((phase) => new States(phase));
let states = all[0] ?? new States({ ...emptyPhase() });
/** null: fitted where the text stays legible. */
let fitted: boolean | null = null;

const LEGIBLE = 0.7;

const button = (title: string, text: string, keys: string, act: () => void): HTMLButtonElement => {
  const made = el("button", { type: "button", title: `${title} (${keys})`, "aria-label": title }, text);
  made.addEventListener("click", act);
  return made;
};

const slider = el("input", { type: "range", "aria-label": "Step of this phase", min: -1, step: 1 });
const phases = el("select", { "aria-label": "Phase" });
data.phases.forEach((phase, i) => {
  const number = phase.number === null ? "" : `${phase.number} `;
  phases.append(el("option", { value: i }, `${number}${phase.name}: ${phase.steps.length}`));
});
const back = button("Step back", "◀", "←", () => move(-1));
const forward = button("Step forward", "▶", "→", () => move(1));
const backChange = button("Previous change", "◀ change", "Shift+←", () => moveToChange(-1));
const forwardChange = button("Next change", "change ▶", "Shift+→", () => moveToChange(1));
const fit = button("Fit the graph or show it at full size", "Full size", "F", () => {
  fitted = !isFitted();
  show();
});
const print = button("Print every change as a figure", "Print", "P", () => window.print());
const counter = el("output", { "data-testid": "step" });
const sentence = el("p", { class: "sentence", "aria-live": "polite", "data-testid": "sentence" });
const graph = el("div", { class: "graph", tabindex: 0, role: "region", "aria-label": "Graph at this step" });
const changes = el("div", { class: "changes", role: "region", "aria-label": "Changes of this step" });
const code = el("pre", { class: "code", tabindex: 0, "aria-label": "Pseudocode" });

const notes = data.notes.map((note) => el("li", {}, note));
document.body.append(
  el(
    "header",
    {},
    el("h1", {}, data.title),
    el("p", { class: "quiet" }, data.about),
    ...(notes.length === 0 ? [] : [el("ul", { class: "quiet" }, ...notes)]),
    el(
      "div",
      { class: "bar", role: "toolbar", "aria-label": "Transport" },
      phases,
      back,
      forward,
      backChange,
      forwardChange,
      slider,
      counter,
      fit,
      print,
    ),
    sentence,
  ),
  el("main", {}, graph, el("aside", {}, changes, code)),
);

function emptyPhase(): PlayerPhase {
  return {
    id: "",
    name: "",
    number: null,
    summary: "",
    pseudocode: [],
    cards: [],
    lines: [],
    bounds: [0, 0, 1, 1],
    versions: [],
    start: [],
    entry: 0,
    steps: [],
  };
}

function goTo(step: number): void {
  states.goTo(step);
  show();
}

function move(direction: 1 | -1): void {
  const to = states.step + direction;
  if (to >= -1 && to < states.phase.steps.length) goTo(to);
  else openPhase(all.indexOf(states) + direction, direction === 1 ? -1 : Number.MAX_SAFE_INTEGER);
}

function moveToChange(direction: 1 | -1): void {
  const { steps } = states.phase;
  let to = states.step + direction;
  while (to >= 0 && to < steps.length && (steps[to]?.sets.length ?? 0) === 0) to += direction;
  if (to >= 0 && to < steps.length) goTo(to);
  else if (direction === -1 && states.step >= 0) goTo(-1);
  else openPhase(all.indexOf(states) + direction, direction === 1 ? -1 : Number.MAX_SAFE_INTEGER);
}

function openPhase(index: number, step: number): void {
  const next = all[index];
  if (next === undefined) return;
  states = next;
  listCode();
  goTo(step);
}

function listCode(): void {
  const lines = states.phase.pseudocode.map((text, i) => el("span", { "data-line": i + 1 }, `${String(i + 1).padStart(3)}  ${text}\n`));
  code.replaceChildren(...lines);
  code.hidden = lines.length === 0;
}

function show(): void {
  const { phase } = states;
  const step = phase.steps[states.step];
  slider.max = String(phase.steps.length - 1);
  slider.value = String(states.step);
  slider.setAttribute("aria-valuetext", step === undefined ? "input" : `step ${step.step}: ${step.sentence}`);
  phases.value = String(all.indexOf(states));
  counter.textContent = step === undefined ? `input / ${phase.steps.length}` : `${states.step + 1} / ${phase.steps.length}`;
  sentence.textContent = step === undefined ? phase.summary || "The function as the phase found it." : `${step.kind}: ${step.sentence}`;
  const index = all.indexOf(states);
  back.disabled = states.step < 0 && index === 0;
  forward.disabled = states.step >= phase.steps.length - 1 && index === all.length - 1;
  const drawn = phase.cards.some((card) => card.box !== null);
  graph.hidden = !drawn;
  fit.hidden = !drawn;
  fit.textContent = isFitted() ? "Full size" : "Fit";
  if (drawn) {
    const image = picture(data, states, false);
    image.classList.toggle("fitted", isFitted());
    graph.replaceChildren(image);
    if (!isFitted()) showMarked(image);
  }
  changes.replaceChildren(...changesOf(data, states));
  for (const line of code.querySelectorAll(".current")) line.classList.remove("current");
  const line = step === undefined ? null : code.querySelector<HTMLElement>(`[data-line="${step.line}"]`);
  if (line !== null) {
    line.classList.add("current");
    code.scrollTop = line.offsetTop - code.offsetTop - code.clientHeight / 2;
  }
}

function isFitted(): boolean {
  const [, , width, height] = states.phase.bounds;
  return fitted ?? Math.min(graph.clientWidth / width, graph.clientHeight / height) >= LEGIBLE;
}

/** Scrolls to what the step marks if it is out of view; a new graph keeps the last one's position. */
function showMarked(image: SVGElement): void {
  const marked = image.querySelector(".changed") ?? image.querySelector(".focus");
  if (marked === null) return;
  const outer = graph.getBoundingClientRect();
  const inner = marked.getBoundingClientRect();
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    graph.scrollTop += inner.top - outer.top - Math.max(24, (outer.height - inner.height) / 2);
  if (inner.left < outer.left || inner.right > outer.right)
    graph.scrollLeft += inner.left - outer.left - Math.max(24, (outer.width - inner.width) / 2);
}

slider.addEventListener("input", () => goTo(Number(slider.value)));
phases.addEventListener("change", () => openPhase(Number(phases.value), -1));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === phases) return;
  const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : null;
  if (direction !== null) {
    event.preventDefault();
    if (event.shiftKey) moveToChange(direction);
    else move(direction);
  } else if (event.key === "Home") goTo(-1);
  else if (event.key === "End") goTo(states.phase.steps.length - 1);
  else if (event.key === "f") fit.click();
  else if (event.key === "p") window.print();
  else return;
  event.preventDefault();
});

let printed: HTMLElement | null = null;
window.addEventListener("beforeprint", () => {
  printed = paper(data);
  document.body.append(printed);
});
window.addEventListener("afterprint", () => {
  printed?.remove();
  printed = null;
});

listCode();
show();

/** Figures of one print; more are counted in a last line. */
const MOST_FIGURES = 200;

/** The file on paper: every step that changed the program as a figure with its sentence. Made when printing begins, removed when it ends. */
function paper(data: PlayerData): HTMLElement {
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
