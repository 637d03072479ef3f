/** The program at a step as lines: labels, instructions, tables. */

import type { BlockView, InstView, Subject } from "../../engine/api/types.ts";
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

/** What a line is about; null: a table. */
export function subjectOf(line: MomentLine): Subject | null {
  if (line.kind === "table") return null;
  return line.kind === "inst" ? { kind: "inst", id: line.inst.id } : { kind: "block", id: line.block.id };
}

export function isSelected(line: MomentLine, selected: Subject | null): boolean {
  switch (selected?.kind) {
    case "inst":
      return line.kind === "inst" && line.inst.id === selected.id;
    case "block":
      return line.kind !== "table" && line.block.id === selected.id;
    case "edge":
      return line.kind === "block" && (line.block.id === selected.from || line.block.id === selected.to);
    default:
      return false;
  }
}

/** Whether the pointer is at it, or at its line of the source. */
export function isPointed(line: MomentLine, hovered: Subject | null, sourceLine: number | null): boolean {
  if (line.kind === "table") return false;
  const { line: from, id } = line.kind === "inst" ? line.inst : line.block;
  return from === sourceLine || (hovered?.kind === line.kind && hovered.id === id);
}

/** Which lines a step changed, and which it is about. */
export function stepLines({ changed, event }: MomentState) {
  const insts = (event?.focus.insts ?? []).map(Number);
  const blocks = (event?.focus.blocks ?? []).map(Number);
  return {
    isChanged: among(changed.insts, changed.insts.length === 0 ? changed.blocks : []),
    isAbout: among(insts, blocks),
    /** The lines to show: a block's only if the step is about no instruction. */
    leads: among(insts, insts.length === 0 ? blocks : []),
  };
}

/** Whether a line is one of these instructions, or the label of one of these blocks. */
function among(instIds: readonly number[], blockIds: readonly number[]): (line: MomentLine) => boolean {
  const insts = new Set(instIds);
  const blocks = new Set(blockIds);
  return (line) => (line.kind === "inst" ? insts.has(line.inst.id) : line.kind === "block" && blocks.has(line.block.id));
}
