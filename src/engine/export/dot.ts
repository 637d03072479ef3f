/** The control-flow graph as Graphviz DOT. */

import type { Func } from "../ir/types.ts";
import { exportEdges, exportLines } from "./graph.ts";

export function toDot(fn: Func): string {
  const rows = [`digraph ${quote(fn.name)} {`, '  node [shape=box, fontname="monospace"];', '  edge [fontname="monospace"];'];
  for (const id of fn.layout) {
    // \l ends a left-aligned line.
    const text = [`${fn.blocks[id]?.label ?? ""}:`, ...exportLines(fn, id).map((line) => `  ${line}`)]
      .map((line) => `${escapeText(line)}\\l`)
      .join("");
    rows.push(`  b${id} [label="${text}"];`);
  }
  for (const { from, to, label, retreating } of exportEdges(fn)) {
    const attributes = [...(label === "" ? [] : [`label=${quote(label)}`]), ...(retreating ? ["style=dashed", "constraint=false"] : [])];
    rows.push(`  b${from} -> b${to}${attributes.length > 0 ? ` [${attributes.join(", ")}]` : ""};`);
  }
  return `${[...rows, "}"].join("\n")}\n`;
}

const escapeText = (text: string): string => text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n");

const quote = (text: string): string => `"${escapeText(text)}"`;
