/** The page's mirror of the engine's state at one step: built from deltas, never mutated, sharing what did not change. */

import type { BlockView, CellChange, InstView, StateDelta, StructureDelta, TableView } from "../../engine/api/types.ts";
import type { TraceEvent } from "../../engine/trace/event.ts";
import { reuse } from "./reuse.ts";

export type CellValue = NonNullable<CellChange[1]> | null;

export interface MirroredStructure {
  readonly name: string;
  readonly type: StructureDelta["type"];
  readonly title: string;
  /** In the order of first appearance. */
  readonly cells: ReadonlyMap<string, CellValue>;
  /** Keys that the last delta wrote. */
  readonly touched: ReadonlySet<string>;
}

export interface MomentState {
  readonly run: number;
  readonly step: number;
  readonly name: string;
  readonly entry: number;
  readonly blocks: ReadonlyMap<number, BlockView>;
  readonly layout: readonly number[];
  readonly tables: readonly TableView[];
  readonly funcFlags: number;
  readonly structures: ReadonlyMap<string, MirroredStructure>;
  readonly event: TraceEvent | null;
  readonly stack: readonly TraceEvent[];
  readonly changed: StateDelta["changed"];
}

/** The state after `delta`. `have` must be the state that the delta was computed against; it is ignored when the delta resets. */
export function applyDelta(have: MomentState | null, delta: StateDelta): MomentState {
  const base = delta.reset || have === null || have.run !== delta.run ? null : have;
  return {
    run: delta.run,
    step: delta.step,
    name: delta.name,
    entry: delta.entry,
    blocks: nextBlocks(base, delta),
    layout: delta.layout ?? base?.layout ?? [],
    tables: delta.tables ?? base?.tables ?? [],
    funcFlags: delta.funcFlags,
    structures: nextStructures(base, delta),
    event: delta.event,
    stack: delta.stack,
    changed: delta.changed,
  };
}

function nextBlocks(base: MomentState | null, delta: StateDelta): ReadonlyMap<number, BlockView> {
  if (base !== null && delta.blocks.length === 0 && delta.removedBlocks.length === 0) return base.blocks;
  const blocks = new Map(base?.blocks);
  for (const id of delta.removedBlocks) blocks.delete(id);
  for (const block of delta.blocks) blocks.set(block.id, block);
  return blocks;
}

const NOTHING: ReadonlySet<string> = new Set();

function nextStructures(base: MomentState | null, delta: StateDelta): ReadonlyMap<string, MirroredStructure> {
  if (base !== null && delta.structures.length === 0) {
    // Only the marks of the last step are removed.
    if (![...base.structures.values()].some((s) => s.touched.size > 0)) return base.structures;
  }
  const structures = new Map<string, MirroredStructure>();
  if (base !== null) {
    for (const [name, structure] of base.structures)
      structures.set(name, structure.touched.size === 0 ? structure : { ...structure, touched: NOTHING });
  }
  for (const change of delta.structures) {
    const old = structures.get(change.name);
    const cells = new Map(change.reset ? undefined : old?.cells);
    const touched = new Set<string>();
    for (const [key, value] of change.cells) {
      if (value === undefined) cells.delete(key);
      else cells.set(key, value);
      touched.add(key);
    }
    structures.set(change.name, {
      name: change.name,
      type: change.type,
      title: change.title,
      cells,
      touched: change.reset && delta.reset ? NOTHING : touched,
    });
  }
  return structures;
}

/** A state that reuses equal blocks of the previous one. */
export function sharing(before: MomentState, { blocks: all, ...state }: MomentState): MomentState {
  const blocks = new Map([...all].map(([id, block]) => [id, sharingInsts(before.blocks.get(id), block)]));
  return { ...state, blocks, layout: reuse(before.layout, state.layout) };
}

function sharingInsts(before: BlockView | undefined, after: BlockView): BlockView {
  if (before === undefined) return after;
  const { insts: had, ...was } = before;
  const { insts: has, ...is } = after;
  const insts = has.map((inst, i) => (sameInst(had[i], inst) ? (had[i] ?? inst) : inst));
  const rest = reuse(was, is);
  const same = rest === was && insts.length === had.length && insts.every((inst, i) => inst === had[i]);
  return same ? before : { ...rest, insts };
}

/** Two instructions with the same text and opcode have the same tokens, so the tokens are not created for this. */
const sameInst = (a: InstView | undefined, b: InstView): boolean =>
  a !== undefined && a.id === b.id && a.text === b.text && a.op === b.op && a.effect === b.effect && a.line === b.line;

/** The block that contains an instruction, or null. */
export function blockOfInst(moment: MomentState, inst: number): BlockView | null {
  for (const block of moment.blocks.values()) if (block.insts.some((i) => i.id === inst)) return block;
  return null;
}
