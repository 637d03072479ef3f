/** The control-flow graph as a Mermaid flowchart. */

import type { Func } from "../ir/types.ts";
import { exportEdges, exportLines } from "./graph.ts";

/** Longer blocks are shortened: Mermaid draws every line. */
const MOST_LINES = 12;

export function toMermaid(fn: Func): string {
  const rows = ["flowchart TD"];
  for (const id of fn.layout) {
    const lines = exportLines(fn, id);
    const shown = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), `… ${lines.length - MOST_LINES + 1} more`] : lines;
    rows.push(`  b${id}["${[`${fn.blocks[id]?.label ?? ""}:`, ...shown].map(escapeText).join("<br/>")}"]`);
  }
  for (const { from, to, label, retreating } of exportEdges(fn)) {
    const arrow = retreating ? "-.->" : "-->";
    rows.push(`  b${from} ${arrow}${label === "" ? "" : `|"${escapeText(label)}"|`} b${to}`);
  }
  return `${rows.join("\n")}\n`;
}

/** Everything that Mermaid or HTML reads as markup becomes a character reference. */
const escapeText = (text: string): string => text.replace(/[^\w .,:+=/-]/g, (c) => `#${c.codePointAt(0) ?? 32};`);
