/** The graph at a step: cards that exist, lines that exist, and marks for what the step changed and what it is about. */

import {
  type CodeLine,
  drawPicture,
  lineLabel,
  PICTURE_COLOURS,
  type PictureCard,
  type PictureColours,
  type PictureLine,
  TEXT_AT,
} from "../../../layout/picture.ts";
import type { PlayerData, PlayerPhase } from "../engine/html/data.ts";
import { METRICS } from "../engine/html/metrics.ts";
import { svg } from "./dom.ts";
import type { States } from "./states.ts";

/** Those of the style sheet, which has a set for each scheme and for paper. */
const COLOURS = Object.fromEntries(PICTURE_COLOURS.map((name) => [name, `var(--${name})`])) as PictureColours;

/** `crop`: only what the step changed or is about, with its surroundings, where the whole is large. */
export function picture(data: PlayerData, states: States, crop: boolean): SVGElement {
  const { phase } = states;
  const step = phase.steps[states.step];
  const replaced = new Map(states.replaced());
  const about = new Set(step?.cards);
  const insts = new Set(step?.insts);
  const [x, y, width, height] = crop ? cropped(phase, new Set([...about, ...replaced.keys()])) : phase.bounds;
  const cards = phase.cards.flatMap(({ label, box }, i): PictureCard[] => {
    const version = states.now[i] ?? -1;
    if (version < 0 || box === null) return [];
    return [
      {
        ...{ kind: "block", x: box[0], y: box[1], width: box[2], height: box[3], dashed: false },
        marks: [...(replaced.has(i) ? (["changed"] as const) : []), ...(about.has(i) ? (["focus"] as const) : [])],
        texts: [{ ...TEXT_AT, text: label, colour: "text", bold: true }],
        code: codeOf(data, phase, version, replaced.get(i) ?? null, insts),
      },
    ];
  });
  return drawPicture<SVGElement>(
    svg,
    {
      title: `${phase.name}, ${step === undefined ? "input" : `step ${step.step}`}`,
      ...{ bounds: { x, y, width, height }, metrics: METRICS, lines: linesOf(states), cards },
    },
    COLOURS,
  );
}

function linesOf({ phase, now }: States): PictureLine[] {
  return phase.lines.flatMap(({ from, to, path, label: [x, y, anchor], back }) => {
    const succs = phase.versions[now[from] ?? -1]?.succs ?? [];
    const kind = succs.find(([card]) => card === to)?.[1];
    if (kind === undefined || (now[to] ?? -1) < 0) return [];
    const label = lineLabel(
      kind,
      succs.map(([, each]) => each),
    );
    return [{ path, label, place: { x, y, anchor }, falls: kind === "fall", back, ofTable: false, selected: false }];
  });
}

/** `before`: the version that the step replaced; null: none. */
function codeOf(data: PlayerData, phase: PlayerPhase, version: number, before: number | null, about: ReadonlySet<number>): CodeLine[] {
  const old = before === null ? null : new Set(phase.versions[before]?.insts);
  return (phase.versions[version]?.insts ?? []).map((number) => {
    const [id, text] = data.insts[number] ?? [-1, ""];
    const fresh = old !== null && !old.has(number);
    return { mark: fresh ? "changed" : about.has(id) ? "focus" : null, words: [{ text, colour: "text" }] };
  });
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
