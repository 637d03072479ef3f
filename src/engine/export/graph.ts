/** What every export draws: blocks with their text lines, edges with what they are. */

import { loopInfo } from "../analysis/loops.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { branchTarget, isUnconditional, tableName, terminatorsOf } from "../ir/visit.ts";
import { printInst } from "../text/printer.ts";

export interface ExportEdge {
  readonly from: BlockId;
  readonly to: BlockId;
  /** `T`, `F`, the case values of a table (`0, 3`), `default`, or "" for a plain jump or fall-through. */
  readonly label: string;
  readonly retreating: boolean;
}

export function exportLines(fn: Func, id: BlockId): string[] {
  return (fn.blocks[id]?.insts ?? []).map((inst) => printInst(fn, inst));
}

/** Every edge in layout order of its source, in the order of the successor list. */
export function exportEdges(fn: Func): ExportEdge[] {
  const retreating = new Set(loopInfo(fn).retreating.map(([from, to]) => `${from} ${to}`));
  return fn.layout.flatMap((from) => {
    const labels = edgeLabels(fn, from);
    return (fn.blocks[from]?.succs ?? []).map((to) => ({
      from,
      to,
      label: labels.get(to) ?? "",
      retreating: retreating.has(`${from} ${to}`),
    }));
  });
}

function edgeLabels(fn: Func, id: BlockId): Map<BlockId, string> {
  const labels = new Map<BlockId, string>();
  const block = fn.blocks[id];
  if (block === undefined) return labels;
  let conditional = false;
  for (const inst of terminatorsOf(block).insts) {
    const target = branchTarget(inst);
    if (target !== null && !isUnconditional(inst)) {
      conditional = true;
      labels.set(target, "T");
    }
    const table = fn.tables.get(tableName(inst) ?? "");
    if (table === undefined) continue;
    const cases = new Map<BlockId, number[]>();
    table.entries.forEach((entry, i) => {
      const values = cases.get(entry);
      if (values === undefined) cases.set(entry, [table.base + i]);
      else values.push(table.base + i);
    });
    for (const [entry, values] of cases) labels.set(entry, entry === table.default ? "default" : caseText(values));
    if (table.default !== null && !labels.has(table.default)) labels.set(table.default, "default");
  }
  if (conditional) for (const succ of block.succs) if (!labels.has(succ)) labels.set(succ, "F");
  return labels;
}

const MOST_CASES = 6;

const caseText = (values: readonly number[]): string =>
  values.length <= MOST_CASES ? values.join(", ") : `${values.slice(0, MOST_CASES).join(", ")}, … (${values.length})`;
