/** Where the blocks of a Bril function begin, and where they lead. */

import { type BrilInst, type BrilItem, endsBrilBlock } from "./ast.ts";

export interface BrilBlock {
  /** Labels before it; the first one is its name. */
  readonly labels: readonly string[];
  readonly insts: readonly BrilInst[];
  readonly line: number;
}

export interface BrilBlocks {
  readonly blocks: readonly BrilBlock[];
  readonly byLabel: ReadonlyMap<string, number>;
  /** By block: the blocks control may come from, each once. */
  readonly preds: readonly (readonly number[])[];
}

/** A block begins at the start, at a label and after a jump; a label at the very end begins an empty one. Linear. */
export function brilBlocks(items: readonly BrilItem[]): BrilBlocks {
  const blocks: { labels: string[]; insts: BrilInst[]; line: number }[] = [];
  const byLabel = new Map<string, number>();
  let open = false;
  for (const item of items) {
    const last = blocks.at(-1);
    if (item.kind === "label") {
      const { text, at } = item.name;
      if (byLabel.has(text)) continue;
      if (last !== undefined && open && last.insts.length === 0) last.labels.push(text);
      else blocks.push({ labels: [text], insts: [], line: at.line });
      open = true;
      byLabel.set(text, blocks.length - 1);
      continue;
    }
    if (last === undefined || !open) blocks.push({ labels: [], insts: [item], line: item.at.line });
    else last.insts.push(item);
    open = !endsBrilBlock(item);
  }
  if (blocks.length === 0) blocks.push({ labels: [], insts: [], line: 0 });
  const preds: number[][] = blocks.map(() => []);
  for (const [i, { insts }] of blocks.entries()) {
    const last = insts.at(-1);
    const targets = last === undefined || !endsBrilBlock(last) ? [i + 1] : last.labels.flatMap((l) => byLabel.get(l.text) ?? []);
    for (const target of new Set(targets)) preds[target]?.push(i);
  }
  return { blocks, byLabel, preds };
}
