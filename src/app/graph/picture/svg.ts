/** The drawing as a complete SVG text: cards, instructions and lines at the current step, with the theme's colours in it. */

import type { BlockView, Token } from "../../../engine/api/types.ts";
import { edgePath, labelPlace } from "../../../layout/line-path.ts";
import { plural } from "../../ui/plural.ts";
import { fromFoot } from "../edge-path.ts";
import { type EdgeFace, type NodeFace, shownHeight } from "../face/faces.ts";
import type { Drawing, DrawnEdge, DrawnNode } from "../model/drawing.ts";
import { CARD, TABLE } from "../model/metrics.ts";
import { tableRows } from "../model/table-rows.ts";
import { flagBadges } from "../node/flags.ts";

/** Colours by the name of the style sheets' variables, without the dashes. */
export type PictureColours = Readonly<Record<PictureColour, string>>;

export const PICTURE_COLOURS = [
  "bg",
  "text",
  "text-2",
  "text-3",
  "border-strong",
  "surface-1",
  "surface-2",
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
export type PictureColour = (typeof PICTURE_COLOURS)[number];

export interface PictureSource {
  readonly drawing: Drawing;
  readonly node: (id: string) => NodeFace | null;
  readonly edge: (id: string) => EdgeFace | null;
  readonly colours: PictureColours;
  /** What the picture shows, for its title element. */
  readonly title: string;
}

/** Ghosts are left out: a picture shows one moment. */
export function pictureSvg(source: PictureSource): string {
  const { drawing, colours } = source;
  const { x, y, width, height } = drawing.layout.bounds;
  const out: string[] = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`,
    `<title>${escapeXml(source.title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${colours.bg}"/>`,
    `<g fill="none" stroke-width="1.5" stroke-linejoin="round" font-family="${FONT}" font-size="11" font-weight="700">`,
  ];
  for (const edge of drawing.edges.values()) {
    const face = source.edge(edge.id);
    if (face?.present === true) out.push(line(edge, face, drawing.nodes.get(edge.from), colours));
  }
  out.push(`</g><g font-family="${FONT}" font-size="12">`);
  for (const node of drawing.nodes.values()) {
    const face = source.node(node.id);
    if (face !== null && (face.present || node.kind === "stub")) out.push(cardOf(node, face, drawing, colours));
  }
  out.push("</g></svg>");
  return out.join("\n");
}

const FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

function line(edge: DrawnEdge, face: EdgeFace, source: DrawnNode | undefined, c: PictureColours): string {
  const points = source === undefined ? edge.points : fromFoot(edge.points, source, face.foot);
  const own = edge.role !== "flow" ? c["kind-cost"] : face.label === "T" ? c["g-true"] : face.label === "F" ? c["g-false"] : c["g-plain"];
  const colour = face.selected ? c.accent : face.retreating ? c["g-back"] : own;
  const wide = face.selected || face.retreating ? ` stroke-width="2.5"` : "";
  const dash = face.kind === "fall" && edge.role === "flow" ? ` stroke-dasharray="7 3"` : "";
  const { x, y, anchor } = labelPlace(points);
  const label = face.label === "" ? "" : `<text x="${x}" y="${y}" text-anchor="${anchor}" fill="${colour}">${face.label}</text>`;
  return `<path d="${edgePath(points)}" stroke="${colour}"${wide}${dash}/>${label}`;
}

function cardOf(node: DrawnNode, face: NodeFace, drawing: Drawing, c: PictureColours): string {
  const stroke = face.selected ? c.accent : face.focus ? c["kind-cost"] : face.changed ? c["kind-change"] : c["border-strong"];
  const wide = face.selected || face.focus || node.kind === "region" ? 2.5 : 1;
  const fill = node.kind === "block" ? c.bg : c["surface-1"];
  const dash = node.kind === "stub" || face.unreachable ? ` stroke-dasharray="4 3"` : "";
  const out = [
    `<g transform="translate(${node.x} ${node.y})">`,
    `<rect width="${node.width}" height="${shownHeight(node, face)}" rx="${node.kind === "table" ? 0 : 6}" fill="${fill}" stroke="${stroke}" stroke-width="${wide}"${dash}/>`,
  ];
  switch (node.kind) {
    case "block":
      if (face.block !== null) out.push(blockParts(node, face, face.block, c));
      break;
    case "table":
      out.push(tableParts(node, face, drawing, c));
      break;
    case "region":
      out.push(text(12, 17, node.title, c.text, true), text(12, 40, plural(node.blocks.length, "block"), c["text-2"], false));
      break;
    case "stub":
      out.push(text(8, 17, node.title, c.text, false));
  }
  out.push("</g>");
  return out.join("");
}

function blockParts(node: DrawnNode, face: NodeFace, block: BlockView, c: PictureColours): string {
  const out = [text(12, 17, block.label, c.text, true)];
  const badges = flagBadges(block, face.unreachable, face.numbers).map((b) => `${b.mark} ${b.text}`);
  if (face.numbers && block.rpo > 0) badges.push(`rpo ${block.rpo}`);
  if (badges.length > 0)
    out.push(
      `<text x="${node.width - 12}" y="17" text-anchor="end" font-size="11" fill="${c["text-2"]}">${escapeXml(badges.join("  "))}</text>`,
    );
  const shown = block.insts.slice(0, block.insts.length > CARD.maxLines ? CARD.maxLines - 1 : CARD.maxLines);
  shown.forEach((inst, i) => {
    const top = CARD.headerHeight + 5 + i * CARD.lineHeight;
    const mark = face.marks.get(inst.id);
    const back =
      face.selectedInst === inst.id
        ? c["selected-bg"]
        : mark?.changed === true
          ? c["changed-bg"]
          : mark?.focus === true
            ? c["current-line"]
            : null;
    if (back !== null) out.push(`<rect x="1" y="${top}" width="${node.width - 2}" height="${CARD.lineHeight}" fill="${back}"/>`);
    out.push(`<text x="12" y="${top + 12.5}" xml:space="preserve">${tokenSpans(inst.tokens, c)}</text>`);
  });
  const more = block.insts.length - shown.length;
  if (more > 0) out.push(text(12, CARD.headerHeight + 17.5 + shown.length * CARD.lineHeight, `… ${more} more`, c["text-3"], false));
  return out.join("");
}

/** Cut where the card is: a long operand list would run over its edge. */
function tokenSpans(tokens: readonly Token[], c: PictureColours): string {
  let room = CARD.maxColumns;
  const out: string[] = [];
  for (const token of tokens) {
    if (room <= 0) break;
    const shown = token.text.length > room ? `${token.text.slice(0, Math.max(0, room - 1))}…` : token.text;
    room -= token.text.length;
    const bold = token.kind === "mnemonic" ? ` font-weight="600"` : "";
    out.push(`<tspan fill="${tokenColour(token.kind, c)}"${bold}>${escapeXml(shown)}</tspan>`);
  }
  return out.join("");
}

function tokenColour(kind: Token["kind"], c: PictureColours): string {
  switch (kind) {
    case "mnemonic":
      return c["syn-mnemonic"];
    case "pred":
    case "guard":
      return c["syn-pred"];
    case "number":
      return c["syn-number"];
    case "label":
    case "table":
      return c["syn-label"];
    case "special":
      return c["syn-special"];
    case "reg":
    case "memory":
    case "text":
      return c["syn-reg"];
    case "punct":
      return c.text;
  }
}

function tableParts(node: DrawnNode, face: NodeFace, drawing: Drawing, c: PictureColours): string {
  if (face.table === null) return "";
  const rows = tableRows(face.table, (id) => drawing.model.labels.get(id) ?? `#${id}`);
  const perColumn = Math.max(1, Math.floor((node.height - TABLE.headerHeight - TABLE.paddingY) / TABLE.rowHeight));
  const columns = Math.max(1, Math.ceil(rows.length / perColumn));
  const width = node.width / columns;
  const fits = Math.floor((width - TABLE.paddingX) / CARD.charWidth);
  const out = [text(9, 17, `${face.table.name}: ${plural(face.table.entries.length, "case")}`, c.text, true)];
  rows.forEach((row, i) => {
    const x = Math.floor(i / perColumn) * width + 9;
    const y = TABLE.headerHeight + 4 + (i % perColumn) * TABLE.rowHeight + 12.5;
    const tail = ` → ${row.label}`;
    const room = Math.max(1, fits - tail.length);
    const cases = row.cases.length > room ? `${row.cases.slice(0, room - 1)}…` : row.cases;
    out.push(text(x, y, cases + tail, c["syn-number"], false));
  });
  return out.join("");
}

function text(x: number, y: number, content: string, fill: string, bold: boolean): string {
  return `<text x="${x}" y="${y}" fill="${fill}"${bold ? ` font-weight="600"` : ""}>${escapeXml(content)}</text>`;
}

function escapeXml(value: string): string {
  return value.replace(/[<>&"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
