/** The state of a trace at a step as the difference against another step of it. */

import type { BlockId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import type { Trace } from "../../trace/trace.ts";
import type { BlockView, CellChange, StateDelta, StructureDelta } from "../types.ts";
import { blockView, tableViews } from "../view/func-view.ts";

/** State at `step` against the state at `have` (null: against nothing). Blocks come whole; a delta names those that an entry of the journal between the two touches. */
export function stateDelta(trace: Trace, run: number, step: number, have: number | null): StateDelta {
  const at = Math.max(-1, Math.min(step, trace.steps - 1));
  const from = have === null ? null : Math.max(-1, Math.min(have, trace.steps - 1));
  const fn = trace.funcAt(at);
  const here = trace.position(at);
  const own = trace.touched(trace.position(at - 1), here);
  const base = {
    run,
    step: at,
    name: fn.name,
    entry: fn.layout[0] ?? -1,
    funcFlags: fn.flags,
    event: at < 0 ? null : trace.event(at),
    stack: at < 0 ? [] : trace.stack(at),
    changed: { blocks: at < 0 ? [] : [...own.blocks], insts: at < 0 ? [] : [...own.insts] },
  };
  if (from === null) {
    return {
      ...base,
      reset: true,
      blocks: fn.layout.flatMap((id) => viewOf(trace, fn, id)),
      removedBlocks: [],
      layout: [...fn.layout],
      tables: tableViews(fn),
      structures: structureDeltas(trace, null),
    };
  }
  const there = trace.position(from);
  const touched = trace.touched(Math.min(here, there), Math.max(here, there));
  const present = [...touched.blocks].filter((id) => fn.blocks[id] !== undefined);
  // A changed table changes what the edges of the blocks that use it are.
  return {
    ...base,
    reset: false,
    blocks: (touched.tables ? withTableUsers(fn, present) : present).flatMap((id) => viewOf(trace, fn, id)),
    removedBlocks: [...touched.blocks].filter((id) => fn.blocks[id] === undefined),
    layout: touched.layout ? [...fn.layout] : null,
    tables: touched.tables ? tableViews(fn) : null,
    structures: structureDeltas(trace, touched.cells),
  };
}

function viewOf(trace: Trace, fn: Func, id: BlockId): BlockView[] {
  const block = fn.blocks[id];
  return block === undefined ? [] : [blockView(fn, block, trace.naming)];
}

function withTableUsers(fn: Func, blocks: readonly BlockId[]): BlockId[] {
  const users = fn.layout.filter((id) => fn.blocks[id]?.insts.at(-1)?.ops.at(-1)?.kind === "table");
  return [...new Set([...blocks, ...users])];
}

/** Current values of some cells (null: of all that exist), by structure. */
function structureDeltas(trace: Trace, cells: ReadonlySet<number> | null): StructureDelta[] {
  const { journal } = trace;
  const changes: (CellChange[] | undefined)[] = [];
  const add = (cell: number): void => {
    const value = trace.cell(cell);
    if (cells === null && value === undefined) return;
    const structure = journal.structureOfCell(cell);
    const change: CellChange = [journal.keyOfCell(cell), value];
    const list = changes[structure];
    if (list === undefined) changes[structure] = [change];
    else list.push(change);
  };
  if (cells === null) for (let cell = 0; cell < journal.cells; cell++) add(cell);
  else for (const cell of cells) add(cell);
  return journal.structures.flatMap(({ name, type, title }, i): StructureDelta[] => {
    const list = changes[i];
    return list === undefined ? [] : [{ name, type, title, reset: cells === null, cells: list }];
  });
}
