/** The program at a step as lines: labels, instructions, tables. */

import type { BlockView, InstView } from "../../engine/api/types.ts";
import type { MomentState } from "../session/moment.ts";

export type MomentLine =
  | { readonly kind: "block"; readonly block: BlockView }
  | { readonly kind: "inst"; readonly block: BlockView; readonly inst: InstView }
  | { readonly kind: "table"; readonly text: string };

export function momentLines(moment: MomentState): readonly MomentLine[] {
  const lines: MomentLine[] = [];
  const label = (id: number) => moment.blocks.get(id)?.label ?? `#${id}`;
  for (const table of moment.tables) {
    const fallback = table.default === null ? "" : ` default=${label(table.default)}`;
    lines.push({ kind: "table", text: `.table ${table.name} base=${table.base}${fallback} { ${table.entries.map(label).join(", ")} }` });
  }
  for (const id of moment.layout) {
    const block = moment.blocks.get(id);
    if (block === undefined) continue;
    lines.push({ kind: "block", block });
    for (const inst of block.insts) lines.push({ kind: "inst", block, inst });
  }
  return lines;
}
