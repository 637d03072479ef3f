/** The drawing as a complete SVG text: what exists at the current step, with the theme's colours in it. */

import type { Token } from "../../../engine/api/types.ts";
import { edgePath, labelPlace } from "../../../layout/line-path.ts";
import {
  type CodeLine,
  drawPicture,
  type Make,
  type PictureCard,
  type PictureColour,
  type PictureColours,
  type PictureLine,
  type PictureText,
  TEXT_AT,
} from "../../../layout/picture.ts";
import { plural } from "../../ui/plural.ts";
import { fromFoot } from "../edge-path.ts";
import { type EdgeFace, type NodeFace, shownHeight } from "../face/faces.ts";
import type { Drawing, DrawnEdge, DrawnNode } from "../model/drawing.ts";
import { CARD, TABLE } from "../model/metrics.ts";
import { tableRows } from "../model/table-rows.ts";
import { flagBadges } from "../node/flags.ts";

export interface PictureSource {
  readonly drawing: Drawing;
  readonly node: (id: string) => NodeFace | null;
  readonly edge: (id: string) => EdgeFace | null;
  readonly colours: PictureColours;
  /** What the picture shows, for its title element. */
  readonly title: string;
}

/** Ghosts are left out: a picture shows one moment. */
export function pictureSvg({ drawing, node: faceOf, edge: lineFaceOf, colours, title }: PictureSource): string {
  const lines = [...drawing.edges.values()].flatMap((edge) => {
    const face = lineFaceOf(edge.id);
    return face?.present === true ? [lineOf(edge, face, drawing.nodes.get(edge.from))] : [];
  });
  const cards = [...drawing.nodes.values()].flatMap((node) => {
    const face = faceOf(node.id);
    return face !== null && (face.present || node.kind === "stub") ? [cardOf(node, face, drawing)] : [];
  });
  return drawPicture(makeText, { title, bounds: drawing.layout.bounds, metrics: CARD, lines, cards }, colours).xml;
}

interface Xml {
  readonly xml: string;
}

const makeText: Make<Xml> = (name, attributes, ...children) => {
  const own = Object.entries(attributes).map(([key, value]) => (value === undefined ? "" : ` ${key}="${escapeXml(String(value))}"`));
  const inside = children.map((child) => (typeof child === "string" ? escapeXml(child) : child.xml)).join("");
  return { xml: inside === "" ? `<${name}${own.join("")}/>` : `<${name}${own.join("")}>${inside}</${name}>` };
};

function escapeXml(value: string): string {
  return value.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
}

function lineOf(edge: DrawnEdge, face: EdgeFace, source: DrawnNode | undefined): PictureLine {
  const points = source === undefined ? edge.points : fromFoot(edge.points, source, face.foot);
  const ofTable = edge.role !== "flow";
  return {
    path: edgePath(points),
    label: face.label,
    place: labelPlace(points),
    falls: face.kind === "fall" && !ofTable,
    back: face.retreating,
    ofTable,
    selected: face.selected,
  };
}

function cardOf(node: DrawnNode, face: NodeFace, drawing: Drawing): PictureCard {
  const { kind, x, y, width } = node;
  return {
    ...{ kind, x, y, width, height: shownHeight(node, face) },
    marks: (["selected", "changed", "focus"] as const).filter((mark) => face[mark]),
    dashed: kind === "stub" || face.unreachable,
    texts: textsOf(node, face, drawing),
    code: codeOf(face),
  };
}

function textsOf(node: DrawnNode, face: NodeFace, drawing: Drawing): readonly PictureText[] {
  const { x, y } = TEXT_AT;
  const title = { x, y, text: node.title, colour: "text", bold: true } as const;
  switch (node.kind) {
    case "block":
      return face.block === null ? [] : [{ ...title, text: face.block.label }, ...badgesOf(node, face)];
    case "table":
      return face.table === null ? [] : tableTexts(node, face.table, drawing);
    case "region":
      return [title, { x, y: 40, text: plural(node.blocks.length, "block"), colour: "text-2" }];
    case "stub":
      return [{ x: 8, y, text: node.title, colour: "text" }];
  }
}

function badgesOf({ width }: DrawnNode, { block, unreachable, numbers }: NodeFace): readonly PictureText[] {
  if (block === null) return [];
  const badges = flagBadges(block, unreachable, numbers).map((b) => `${b.mark} ${b.text}`);
  if (numbers && block.rpo > 0) badges.push(`rpo ${block.rpo}`);
  return badges.length === 0 ? [] : [{ x: width - TEXT_AT.x, y: TEXT_AT.y, text: badges.join("  "), colour: "text-2", ends: true }];
}

function codeOf({ block, marks, selectedInst }: NodeFace): readonly CodeLine[] {
  return (block?.insts ?? []).map(({ id, tokens }) => {
    const mark = marks.get(id);
    return {
      mark: selectedInst === id ? "selected" : mark?.changed === true ? "changed" : mark?.focus === true ? "focus" : null,
      words: tokens.map(({ text, kind }) => ({ text, colour: tokenColour(kind), bold: kind === "mnemonic" })),
    };
  });
}

function tokenColour(kind: Token["kind"]): PictureColour {
  switch (kind) {
    case "mnemonic":
      return "syn-mnemonic";
    case "pred":
    case "guard":
      return "syn-pred";
    case "number":
      return "syn-number";
    case "label":
    case "table":
      return "syn-label";
    case "special":
      return "syn-special";
    case "reg":
    case "memory":
    case "text":
      return "syn-reg";
    case "punct":
      return "text";
  }
}

function tableTexts({ width, height }: DrawnNode, table: NonNullable<NodeFace["table"]>, drawing: Drawing): readonly PictureText[] {
  const rows = tableRows(table, (id) => drawing.model.labels.get(id) ?? `#${id}`);
  const perColumn = Math.max(1, Math.floor((height - TABLE.headerHeight - TABLE.paddingY) / TABLE.rowHeight));
  const columns = Math.max(1, Math.ceil(rows.length / perColumn));
  const fits = Math.floor((width / columns - TABLE.paddingX) / CARD.charWidth);
  const title = `${table.name}: ${plural(table.entries.length, "case")}`;
  return [
    { x: 9, y: TEXT_AT.y, text: title, colour: "text", bold: true },
    ...rows.map((row, i): PictureText => {
      const tail = ` → ${row.label}`;
      const room = Math.max(1, fits - tail.length);
      const cases = row.cases.length > room ? `${row.cases.slice(0, room - 1)}…` : row.cases;
      return {
        x: Math.floor(i / perColumn) * (width / columns) + 9,
        y: TABLE.headerHeight + 4 + (i % perColumn) * TABLE.rowHeight + 12.5,
        text: cases + tail,
        colour: "syn-number",
      };
    }),
  ];
}
