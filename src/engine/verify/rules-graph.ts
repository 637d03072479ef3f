/** Rules about blocks, edges and tables. */

import type { BlockId } from "../ir/ids.ts";
import type { Block, Func } from "../ir/types.ts";
import { computeSuccs, fallsThrough, isTerminator, isUnconditional, tableName } from "../ir/visit.ts";
import type { Rule, RuleContext } from "./context.ts";

const LABEL = /^[A-Za-z_$.][A-Za-z0-9_$.]*$/;

export const layoutRule: Rule = {
  id: "VER001",
  severity: "error",
  doc: "The layout names every block of the function exactly once, under its own id.",
  check({ fn, report }) {
    if (fn.layout.length === 0) report("there are no blocks");
    const seen = new Set<BlockId>();
    for (const id of fn.layout) {
      const block = fn.blocks[id];
      if (block === undefined) report(`the layout names block ${id}, which does not exist`);
      else if (block.id !== id) report(`the block at index ${id} has the id ${block.id}`, { block });
      if (seen.has(id)) report(`the layout names block ${id} twice`);
      seen.add(id);
    }
    for (const block of fn.blocks) if (block !== undefined && !seen.has(block.id)) report("the block is not in the layout", { block });
  },
};

export const labelRule: Rule = {
  id: "VER002",
  severity: "error",
  doc: "Labels are unique and are words of the text language.",
  check({ blocks, report }) {
    const seen = new Set<string>();
    for (const block of blocks) {
      if (!LABEL.test(block.label)) report(`${JSON.stringify(block.label)} is not a label`, { block });
      if (seen.has(block.label)) report("the label is used twice", { block });
      seen.add(block.label);
    }
  },
};

export const succsRule: Rule = {
  id: "VER003",
  severity: "error",
  doc: "Successors match the terminators and the layout, in the order of the block record.",
  check({ fn, report }) {
    for (const [i, id] of fn.layout.entries()) {
      const block = fn.blocks[id];
      if (block === undefined) continue;
      const expected = computeSuccs(fn, block, fn.layout[i + 1] ?? null);
      if (expected.length === block.succs.length && expected.every((s, k) => s === block.succs[k])) continue;
      report(`the successors are ${names(fn, block.succs)}, but the terminators give ${names(fn, expected)}`, { block });
    }
  },
};

export const predsRule: Rule = {
  id: "VER004",
  severity: "error",
  doc: "Predecessor lists mirror the successor lists, without repeats.",
  check({ fn, blocks, report }) {
    const expected = new Map<BlockId, Set<BlockId>>();
    for (const block of blocks) {
      for (const succ of block.succs) {
        const preds = expected.get(succ) ?? new Set();
        expected.set(succ, preds.add(block.id));
      }
    }
    for (const block of blocks) {
      const wanted = expected.get(block.id) ?? new Set<BlockId>();
      const found = new Set(block.preds);
      const same = found.size === block.preds.length && found.size === wanted.size && block.preds.every((p) => wanted.has(p));
      if (!same) report(`the predecessors are ${names(fn, block.preds)}, but the edges give ${names(fn, [...wanted])}`, { block });
    }
  },
};

export const terminatorRule: Rule = {
  id: "VER005",
  severity: "error",
  doc: "A block has at most one terminator, at its end; a conditional BRA may be followed by one unconditional BRA.",
  check({ blocks, report }) {
    for (const block of blocks) {
      const { insts } = block;
      for (let i = 0; i + 1 < insts.length; i++) {
        const inst = insts[i];
        const next = insts[i + 1];
        if (inst === undefined || next === undefined || !isTerminator(inst)) continue;
        const pair = i + 2 === insts.length && inst.op === "BRA" && !isUnconditional(inst) && next.op === "BRA" && isUnconditional(next);
        if (!pair) report(`${inst.op} comes before the end of the block`, { block, inst });
      }
    }
  },
};

export const endRule: Rule = {
  id: "VER006",
  severity: "error",
  doc: "Control does not fall off the end of the last block.",
  check({ blocks, report }) {
    const block = blocks[blocks.length - 1];
    if (block !== undefined && fallsThrough(block)) report("control falls off the end", { block });
  },
};

export const targetRule: Rule = {
  id: "VER007",
  severity: "error",
  doc: "Every label operand names a block of the layout.",
  check(context) {
    const { blocks, report } = context;
    const exists = inLayout(context);
    for (const block of blocks) {
      for (const inst of block.insts) {
        for (const operand of inst.ops) {
          const id = operand.kind === "label" ? operand.block : operand.kind === "phi" ? operand.pred : null;
          if (id !== null && !exists(id)) report(`${inst.op} names block ${id}, which is not in the layout`, { block, inst });
        }
      }
    }
  },
};

export const tableRule: Rule = {
  id: "VER008",
  severity: "error",
  doc: "Jump tables that are named exist, and their targets are blocks of the layout.",
  check(context) {
    const { fn, blocks, report } = context;
    const exists = inLayout(context);
    for (const block of blocks) {
      for (const inst of block.insts) {
        const name = tableName(inst);
        if (name !== null && !fn.tables.has(name)) report(`there is no table ${name}`, { block, inst });
      }
    }
    for (const [name, table] of fn.tables) {
      if (table.name !== name) report(`the table ${name} is recorded as ${table.name}`);
      if (table.entries.length === 0) report(`the table ${name} has no entries`);
      if (!Number.isSafeInteger(table.base)) report(`the table ${name} has no integer base`);
      for (const id of new Set(table.entries)) if (!exists(id)) report(`the table ${name} names block ${id}, which is not in the layout`);
      if (table.default !== null && !exists(table.default)) report(`the table ${name} has a default that is not in the layout`);
    }
  },
};

function inLayout({ blocks }: RuleContext): (id: BlockId) => boolean {
  const ids = new Set(blocks.map((block) => block.id));
  return (id) => ids.has(id);
}

function names(fn: Func, ids: readonly BlockId[]): string {
  const label = (id: BlockId): string => labelOf(fn.blocks[id], id);
  const shown = ids.slice(0, 8).map(label).join(", ");
  return ids.length === 0 ? "none" : ids.length > 8 ? `${shown}, …` : shown;
}

function labelOf(block: Block | undefined, id: BlockId): string {
  return block?.label ?? `<block ${id}>`;
}
