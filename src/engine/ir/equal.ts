/** Structural equality of functions and modules: what 'the same program' means for a round trip through text. */

import type { BlockId } from "./ids.ts";
import { addressText } from "./symbol-address.ts";
import type { Func, Inst, JumpTable, Module, Operand } from "./types.ts";
import { sameInst } from "./visit.ts";

/**
 * True when both bodies read the same: name, parameters, results, layout with labels, weights, instructions, edges (predecessors as sets: their order reflects
 * history) and tables. Not compared: ids, lines, comments, annotation fields, counters.
 */
export function sameFunc(a: Func, b: Func): boolean {
  return firstDifference(a, b) === null;
}

export function sameModule(a: Module, b: Module): boolean {
  return (
    a.target === b.target &&
    a.symbols.length === b.symbols.length &&
    a.symbols.every((s, i) => {
      const t = b.symbols[i];
      return (
        t !== undefined &&
        s.name === t.name &&
        s.space === t.space &&
        s.size === t.size &&
        s.align === t.align &&
        s.offset === t.offset &&
        s.init === t.init &&
        (s.addresses ?? []).map(addressText).join() === (t.addresses ?? []).map(addressText).join()
      );
    }) &&
    a.funcs.length === b.funcs.length &&
    a.funcs.every((f, i) => {
      const g = b.funcs[i];
      return g !== undefined && sameFunc(f, g);
    })
  );
}

/** The first difference of two bodies, in words; null if they are equal. */
export function firstDifference(a: Func, b: Func): string | null {
  if (a.kind !== b.kind || a.name !== b.name) return "header";
  if (a.params.length !== b.params.length || a.params.some((p, i) => p.name !== b.params[i]?.name || p.reg !== b.params[i]?.reg))
    return "parameters";
  if (a.returns.length !== b.returns.length || a.returns.some((r, i) => r !== b.returns[i])) return "results";
  if (String(a.blockSize) !== String(b.blockSize)) return "size of the block";
  if (a.layout.length !== b.layout.length) return `number of blocks: ${a.layout.length} and ${b.layout.length}`;
  // Ids are renamed by layout position.
  const rename = new Map<BlockId, BlockId>();
  for (const [i, id] of a.layout.entries()) rename.set(id, b.layout[i] as BlockId);
  const map = (id: BlockId): BlockId => rename.get(id) ?? (-1 as BlockId);
  for (const [i, id] of a.layout.entries()) {
    const x = a.blocks[id];
    const y = b.blocks[b.layout[i] as BlockId];
    if (x === undefined || y === undefined) return `block ${i} is missing`;
    if (x.label !== y.label) return `label ${x.label} and ${y.label}`;
    if (x.weight !== y.weight) return `weight of ${x.label}`;
    if (x.insts.length !== y.insts.length) return `number of instructions in ${x.label}`;
    const at = x.insts.findIndex((inst, k) => {
      const other = y.insts[k];
      return other === undefined || !sameInst(renameInst(inst, map), other);
    });
    if (at >= 0) return `instruction ${at} of ${x.label}`;
    if (x.succs.length !== y.succs.length || x.succs.some((s, k) => map(s) !== y.succs[k])) return `successors of ${x.label}`;
    const preds = new Set(y.preds);
    if (x.preds.length !== y.preds.length || x.preds.some((p) => !preds.has(map(p)))) return `predecessors of ${x.label}`;
  }
  if (a.tables.size !== b.tables.size) return "number of tables";
  for (const [name, table] of a.tables) if (!sameTable(table, b.tables.get(name), map)) return `table ${name}`;
  return null;
}

function sameTable(a: JumpTable, b: JumpTable | undefined, map: (id: BlockId) => BlockId): boolean {
  return (
    b !== undefined &&
    a.base === b.base &&
    (a.default === null ? null : map(a.default)) === b.default &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, i) => map(entry) === b.entries[i])
  );
}

function renameInst(inst: Inst, map: (id: BlockId) => BlockId): Inst {
  const renameOperand = (operand: Operand): Operand => {
    if (operand.kind === "label") return { kind: "label", block: map(operand.block) };
    if (operand.kind === "phi") return { kind: "phi", pred: map(operand.pred), value: operand.value };
    return operand;
  };
  return inst.ops.some((o) => o.kind === "label" || o.kind === "phi") ? { ...inst, ops: inst.ops.map(renameOperand) } : inst;
}
