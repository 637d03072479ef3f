/** Maps lines of the source text to the program at a moment and back. Computed once per moment, on first use. */

import { FORMAT_NAMES } from "../../base/formats.ts";
import type { BlockView, InstView, SourceFormat } from "../../engine/api/types.ts";
import type { MomentState } from "./moment.ts";
import type { SessionState } from "./state.ts";

export interface PlacedInst {
  readonly inst: InstView;
  readonly block: BlockView;
}

export interface SourceIndex {
  /** Instructions by the line they come from, in layout order. */
  readonly lines: ReadonlyMap<number, readonly PlacedInst[]>;
  /** Blocks by the line of their label. */
  readonly blocks: ReadonlyMap<number, BlockView>;
  /** Instructions by id. */
  readonly insts: ReadonlyMap<number, PlacedInst>;
}

const known = new WeakMap<MomentState["blocks"], SourceIndex>();

export function sourceIndex({ blocks, layout }: MomentState): SourceIndex {
  const before = known.get(blocks);
  if (before !== undefined) return before;
  const lines = new Map<number, PlacedInst[]>();
  const starts = new Map<number, BlockView>();
  const insts = new Map<number, PlacedInst>();
  for (const id of layout) {
    const block = blocks.get(id);
    if (block === undefined) continue;
    if (block.line > 0 && !starts.has(block.line)) starts.set(block.line, block);
    for (const inst of block.insts) {
      const placed = { inst, block };
      insts.set(inst.id, placed);
      if (inst.line <= 0) continue;
      const list = lines.get(inst.line);
      if (list === undefined) lines.set(inst.line, [placed]);
      else list.push(placed);
    }
  }
  const index = { lines, blocks: starts, insts };
  known.set(blocks, index);
  return index;
}

/** The format of the text as it was read last. */
export function formatOf({ document }: SessionState): SourceFormat {
  return document.good?.format ?? document.open?.format ?? "ori";
}

let split: { readonly text: string; readonly lines: readonly string[] } = { text: "", lines: [""] };

/** A line of the source text on one line: without its indentation, the address before and the encoding after it. */
export function sourceLine({ document }: SessionState, line: number): string {
  if (split.text !== document.text) split = { text: document.text, lines: document.text.split(/\r\n|\r|\n/) };
  return shownLine(split.lines[line - 1] ?? "");
}

const LONGEST = 120;

export function shownLine(text: string): string {
  const bare = text
    .replace(/\/\*\s*0x[0-9a-fA-F]+\s*\*\/\s*$/, "")
    .replace(/^\s*\/\*[0-9a-fA-F]+\*\//, "")
    .replace(/\s+/g, " ")
    .trim();
  return bare.length > LONGEST ? `${bare.slice(0, LONGEST)}…` : bare;
}

/** `PTX line 12: add.s32 …`; null where the text is Ori itself, is being changed, or the instruction comes from no line. */
export function sourceTitle(state: SessionState, inst: InstView): string | null {
  const format = formatOf(state);
  if (format === "ori" || inst.line <= 0 || state.document.open !== state.document.good) return null;
  return `${FORMAT_NAMES[format]} line ${inst.line}: ${sourceLine(state, inst.line)}`;
}
