/**
 * Draws a graph as SVG for use outside the page: a saved picture, or the graph of an exported file. Decides how lines and cards look there;
 * `make` makes an element as text or in a document.
 */

import type { labelPlace } from "./line-path.ts";
import type { CardMetrics } from "./measure.ts";
import type { Box } from "./types.ts";

/** An attribute that is undefined is left out. */
export type Make<E> = (
  name: "svg" | "title" | "g" | "path" | "rect" | "text" | "tspan",
  attributes: Readonly<Record<string, string | number | undefined>>,
  ...children: (E | string)[]
) => E;

export const PICTURE_COLOURS = [
  "bg",
  "text",
  "text-2",
  "text-3",
  "border-strong",
  "surface-1",
  "accent",
  "selected-bg",
  "changed-bg",
  "current-line",
  "kind-change",
  "kind-cost",
  "syn-mnemonic",
  "syn-reg",
  "syn-pred",
  "syn-number",
  "syn-label",
  "syn-special",
  "g-true",
  "g-false",
  "g-back",
  "g-plain",
] as const;
/** The name of a style sheet's variable, without the dashes. */
export type PictureColour = (typeof PICTURE_COLOURS)[number];
export type PictureColours = Readonly<Record<PictureColour, string>>;

export interface Picture {
  readonly title: string;
  readonly bounds: Box;
  readonly metrics: CardMetrics;
  readonly lines: readonly PictureLine[];
  readonly cards: readonly PictureCard[];
}

export interface PictureLine {
  readonly path: string;
  readonly label: LineLabel;
  readonly place: ReturnType<typeof labelPlace>;
  /** To the next block of the layout, without a jump. */
  readonly falls: boolean;
  readonly back: boolean;
  /** To a jump table, or from it. */
  readonly ofTable: boolean;
  readonly selected: boolean;
}

export type LineLabel = "T" | "F" | "default" | "";

/** The label of a line between two blocks; `kinds`: those of all edges out of the first. */
export function lineLabel(kind: string, kinds: readonly string[]): LineLabel {
  if (kind === "taken") return "T";
  if (kinds.includes("taken")) return "F";
  return kind === "default" ? "default" : "";
}

export type PictureMark = "selected" | "changed" | "focus";

export interface PictureCard extends Box {
  readonly kind: "block" | "table" | "region" | "stub";
  /** The first, in the order of the type, colours the card. */
  readonly marks: readonly PictureMark[];
  readonly dashed: boolean;
  readonly texts: readonly PictureText[];
  /** A block's instructions, under the texts. */
  readonly code: readonly CodeLine[];
}

export interface PictureText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly colour: PictureColour;
  readonly bold?: boolean;
  /** The text ends at `x`, in smaller letters. */
  readonly ends?: boolean;
}

export interface CodeLine {
  readonly mark: PictureMark | null;
  readonly words: readonly { readonly text: string; readonly colour: PictureColour; readonly bold?: boolean }[];
}

const FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
/** From the left edge of a card to its text, and from its top to the first line of its text. */
export const TEXT_AT = { x: 12, y: 17 } as const;

export function drawPicture<E>(make: Make<E>, picture: Picture, colours: PictureColours): E {
  const { x, y, width, height } = picture.bounds;
  return make(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", role: "img", width, height, viewBox: `${x} ${y} ${width} ${height}` },
    make("title", {}, picture.title),
    make("rect", { x, y, width, height, fill: colours.bg }),
    make(
      "g",
      { "font-family": FONT, "font-size": 11, "font-weight": 700, fill: "none", "stroke-width": 1.5, "stroke-linejoin": "round" },
      ...picture.lines.flatMap((line) => lineOf(make, line, colours)),
    ),
    make("g", { "font-family": FONT, "font-size": 12 }, ...picture.cards.map((card) => cardOf(make, card, picture.metrics, colours))),
  );
}

function lineOf<E>(make: Make<E>, line: PictureLine, colours: PictureColours): E[] {
  const stroke = colours[lineColour(line)];
  const { x, y, anchor } = line.place;
  const path = make("path", {
    d: line.path,
    stroke,
    "stroke-width": line.selected || line.back ? 2.5 : undefined,
    "stroke-dasharray": line.falls ? "7 3" : undefined,
  });
  return line.label === "" ? [path] : [path, make("text", { x, y, "text-anchor": anchor, fill: stroke }, line.label)];
}

function lineColour({ selected, back, ofTable, label }: PictureLine): PictureColour {
  if (selected) return "accent";
  if (back) return "g-back";
  if (ofTable) return "kind-cost";
  return label === "T" ? "g-true" : label === "F" ? "g-false" : "g-plain";
}

const FRAMES = { selected: "accent", changed: "kind-change", focus: "kind-cost" } as const;
const BANDS = { selected: "selected-bg", changed: "changed-bg", focus: "current-line" } as const;

function cardOf<E>(make: Make<E>, card: PictureCard, metrics: CardMetrics, colours: PictureColours): E {
  const { x, y, width, height, kind, marks } = card;
  const [mark] = (["selected", "changed", "focus"] as const).filter((one) => marks.includes(one));
  const frame = make("rect", {
    width,
    height,
    rx: kind === "table" ? undefined : 6,
    fill: kind === "block" ? colours.bg : colours["surface-1"],
    stroke: colours[mark === undefined ? "border-strong" : FRAMES[mark]],
    "stroke-width": mark !== undefined || kind === "region" ? 2.5 : 1,
    "stroke-dasharray": card.dashed ? "4 3" : undefined,
  });
  // The classes are for scripts that look for a card.
  return make(
    "g",
    { class: marks.join(" ") || undefined, transform: `translate(${x} ${y})` },
    frame,
    ...card.texts.map((text) => textOf(make, text, colours)),
    ...codeOf(make, card, metrics, colours),
  );
}

function textOf<E>(make: Make<E>, { x, y, text, colour, bold, ends }: PictureText, colours: PictureColours): E {
  const attributes = { x, y, fill: colours[colour], "font-weight": bold === true ? 600 : undefined };
  return make("text", ends === true ? { ...attributes, "text-anchor": "end", "font-size": 11 } : attributes, text);
}

function codeOf<E>(make: Make<E>, { code, width }: PictureCard, metrics: CardMetrics, colours: PictureColours): E[] {
  const { headerHeight, lineHeight, maxLines } = metrics;
  const shown = code.length > maxLines ? code.slice(0, maxLines - 1) : code;
  const top = (line: number): number => headerHeight + 5 + line * lineHeight;
  const out = shown.flatMap(({ mark, words }, i) => {
    const text = make("text", { x: TEXT_AT.x, y: top(i) + 12.5, "xml:space": "preserve" }, ...wordsOf(make, words, metrics, colours));
    if (mark === null) return [text];
    return [make("rect", { x: 1, y: top(i), width: width - 2, height: lineHeight, fill: colours[BANDS[mark]] }), text];
  });
  const more = code.length - shown.length;
  if (more > 0) out.push(textOf(make, { x: TEXT_AT.x, y: top(shown.length) + 12.5, text: `… ${more} more`, colour: "text-3" }, colours));
  return out;
}

/** Truncates the words to the card: a long operand list would run over its edge. */
function wordsOf<E>(make: Make<E>, words: CodeLine["words"], { maxColumns }: CardMetrics, colours: PictureColours): E[] {
  let room = maxColumns;
  return words.flatMap(({ text, colour, bold }) => {
    if (room <= 0) return [];
    const shown = text.length > room ? `${text.slice(0, Math.max(0, room - 1))}…` : text;
    room -= text.length;
    return [make("tspan", { fill: colours[colour], "font-weight": bold === true ? 600 : undefined }, shown)];
  });
}
