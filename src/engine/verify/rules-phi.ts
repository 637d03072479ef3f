/** Rules about PHIs. */

import type { BlockId } from "../ir/ids.ts";
import type { Rule } from "./context.ts";

export const phiPlaceRule: Rule = {
  id: "VER017",
  severity: "error",
  doc: "PHIs occur only at the head of a block, without guards, and never in the entry block (its first entry has no predecessor).",
  check({ fn, blocks, report }) {
    for (const block of blocks) {
      let head = true;
      for (const inst of block.insts) {
        if (inst.op !== "PHI") {
          head = false;
          continue;
        }
        if (!head) report("a PHI comes after another instruction", { block, inst });
        if (inst.guard !== null) report("a PHI has a guard", { block, inst });
        if (block.id === fn.layout[0]) report("a PHI is in the entry block", { block, inst });
      }
    }
  },
};

export const phiInputRule: Rule = {
  id: "VER018",
  severity: "error",
  doc: "A PHI has exactly one input for each predecessor.",
  check({ fn, blocks, report }) {
    const label = (id: BlockId): string => fn.blocks[id]?.label ?? `<block ${id}>`;
    for (const block of blocks) {
      for (const inst of block.insts) {
        if (inst.op !== "PHI") continue;
        const preds = new Set(block.preds);
        const seen = new Set<BlockId>();
        for (const operand of inst.ops) {
          if (operand.kind !== "phi") continue;
          if (seen.has(operand.pred)) report(`a PHI has two inputs for ${label(operand.pred)}`, { block, inst });
          else if (!preds.has(operand.pred))
            report(`a PHI has an input for ${label(operand.pred)}, which is not a predecessor`, { block, inst });
          seen.add(operand.pred);
        }
        for (const pred of preds) if (!seen.has(pred)) report(`a PHI has no input for ${label(pred)}`, { block, inst });
      }
    }
  },
};
