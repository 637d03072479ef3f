/** The graph at a step as SVG: cards that exist, lines that exist, and marks for what the step changed and what it is about. */

import type { PlayerCard, PlayerData, PlayerPhase } from "../publish/html/data.ts";
import { svg } from "./dom.ts";
import type { States } from "./states.ts";

const HEADER = 26;
const LINE = 17;
const MOST_LINES = 40;
const MOST_COLUMNS = 64;

/** `crop`: only what the step changed or is about, with its surroundings, where the whole is large. */
export function picture(data: PlayerData, states: States, crop: boolean): SVGSVGElement {
  const { phase } = states;
  const step = phase.steps[states.step];
  const replaced = new Map(states.replaced());
  const about = new Set(step?.cards ?? []);
  const [x, y, width, height] = crop ? cropped(phase, new Set([...about, ...replaced.keys()])) : phase.bounds;
  const out = svg("svg", { viewBox: `${x} ${y} ${width} ${height}`, width, height, role: "img" });
  out.append(svg("title", {}, `${phase.name}, ${step === undefined ? "input" : `step ${step.step}`}`));
  for (const line of phase.lines) {
    const version = phase.versions[states.now[line.from] ?? -1];
    const edge = version?.succs.find(([to]) => to === line.to);
    if (edge === undefined || (states.now[line.to] ?? -1) < 0) continue;
    const [lx, ly, anchor] = line.label;
    const conditional = version?.succs.some(([, kind]) => kind === "taken") === true;
    const label = edge[1] === "taken" ? "T" : conditional ? "F" : edge[1] === "default" ? "default" : "";
    out.append(
      svg(
        "g",
        { class: `line ${label === "T" ? "true" : label === "F" ? "false" : ""} ${line.back ? "back" : ""}` },
        svg("path", { d: line.path }),
      ),
    );
    if (label !== "") out.append(svg("text", { x: lx, y: ly, "text-anchor": anchor, class: "edge-label" }, label));
  }
  phase.cards.forEach((card, i) => {
    const version = states.now[i] ?? -1;
    if (version < 0 || card.box === null) return;
    const marks = `${replaced.has(i) ? "changed" : ""} ${about.has(i) ? "about" : ""}`;
    out.append(cardOf(data, phase, card, card.box, version, replaced.get(i) ?? null, new Set(step?.insts), marks));
  });
  return out;
}

function cardOf(
  data: PlayerData,
  phase: PlayerPhase,
  { label }: PlayerCard,
  [x, y, width, height]: NonNullable<PlayerCard["box"]>,
  version: number,
  before: number | null,
  about: ReadonlySet<number>,
  marks: string,
): SVGGElement {
  const insts = phase.versions[version]?.insts ?? [];
  const old = before === null ? null : new Set(phase.versions[before]?.insts ?? []);
  const group = svg("g", { transform: `translate(${x} ${y})`, class: `card ${marks}` });
  group.append(svg("rect", { width, height, rx: 5 }), svg("text", { x: 12, y: 17, class: "label" }, label));
  const shown = insts.length > MOST_LINES ? insts.slice(0, MOST_LINES - 1) : insts;
  shown.forEach((number, i) => {
    const [id, text] = data.insts[number] ?? [-1, ""];
    const top = HEADER + 5 + i * LINE;
    const fresh = old !== null && !old.has(number);
    if (fresh || about.has(id)) {
      group.append(svg("rect", { x: 1, y: top, width: width - 2, height: LINE, class: fresh ? "fresh" : "focus" }));
    }
    const cut = text.length > MOST_COLUMNS ? `${text.slice(0, MOST_COLUMNS - 1)}…` : text;
    group.append(svg("text", { x: 12, y: top + 12.5 }, cut));
  });
  const more = insts.length - shown.length;
  if (more > 0) group.append(svg("text", { x: 12, y: HEADER + 17.5 + shown.length * LINE, class: "more" }, `… ${more} more`));
  return group;
}

const SMALL_CARDS = 12;
const MARGIN = 36;

function cropped(phase: PlayerPhase, cards: ReadonlySet<number>): PlayerPhase["bounds"] {
  const boxes = [...cards].flatMap((card) => phase.cards[card]?.box ?? []);
  if (phase.cards.length <= SMALL_CARDS || boxes.length === 0) return phase.bounds;
  const list = [...cards].map((card) => phase.cards[card]?.box ?? null).filter((box) => box !== null);
  const left = Math.min(...list.map(([x]) => x)) - MARGIN;
  const top = Math.min(...list.map(([, y]) => y)) - MARGIN;
  const right = Math.max(...list.map(([x, , width]) => x + width)) + MARGIN;
  const bottom = Math.max(...list.map(([, y, , height]) => y + height)) + MARGIN;
  return [left, top, right - left, bottom - top];
}
