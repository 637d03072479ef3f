/** A trace in memory: passes over one function, each with its input and its steps. Plain and immutable; states share what did not change. */

import type { EventKind } from "../../../engine/trace/kinds.ts";
import type { CellJson, CellsJson, EdgeKind, StructureJson, TableJson, TraceFacts, TraceFocus, TraceHeader } from "./trace-parts.ts";

export interface TraceInst {
  readonly id: number;
  readonly text: string;
  /** Line of the source; 0: none. */
  readonly line: number;
}

export interface TraceBlock {
  readonly id: number;
  readonly label: string;
  readonly insts: readonly TraceInst[];
  readonly succs: readonly number[];
  readonly kinds: readonly EdgeKind[];
  readonly weight: number | null;
  readonly record: Readonly<Record<string, number>>;
}

/** What one step did to the function and to the observed structures. */
export interface TraceChanges {
  readonly blocks: readonly TraceBlock[];
  readonly removed: readonly number[];
  /** null: unchanged. */
  readonly layout: readonly number[] | null;
  readonly entry: number | null;
  readonly tables: readonly TableJson[] | null;
  readonly cells: CellsJson;
}

export interface TraceStep {
  readonly kind: EventKind;
  readonly sentence: string;
  readonly line: number;
  readonly depth: number;
  readonly parent: number;
  readonly facts: TraceFacts;
  readonly focus: TraceFocus;
  readonly changes: TraceChanges;
  /** The program itself changed, not only annotations or structures. */
  readonly program: boolean;
}

export interface TracePhase {
  readonly id: string;
  readonly name: string;
  readonly number: number | null;
  readonly summary: string;
  readonly pseudocode: readonly string[];
  readonly structures: readonly StructureJson[];
  readonly cut: boolean;
  readonly input: TraceState;
  readonly steps: readonly TraceStep[];
}

export interface TraceDocument {
  readonly header: TraceHeader;
  readonly phases: readonly TracePhase[];
}

/** The function and the structures at a step. */
export interface TraceState {
  readonly entry: number;
  readonly blocks: ReadonlyMap<number, TraceBlock>;
  readonly layout: readonly number[];
  readonly tables: readonly TableJson[];
  /** Structure to cells. */
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, CellJson>>;
}

export const NO_CHANGES: TraceChanges = { blocks: [], removed: [], layout: null, entry: null, tables: null, cells: {} };

/** Steps between kept states. */
const STRIDE = 64;

/** The state at any step of one phase, computed from the nearest kept state before it. */
export class PhaseStates {
  private readonly phase: TracePhase;
  private readonly kept: TraceState[];
  private last: { readonly step: number; readonly state: TraceState };

  constructor(phase: TracePhase) {
    this.phase = phase;
    this.kept = [phase.input];
    this.last = { step: -1, state: phase.input };
  }

  /** -1: the phase's input; past the end: the last one. */
  at(step: number): TraceState {
    const wanted = Math.max(-1, Math.min(step, this.phase.steps.length - 1));
    let { step: at, state } = this.last;
    if (wanted < at || wanted - at > STRIDE) {
      // Key k is the state after k * STRIDE steps.
      const key = Math.min(Math.floor((wanted + 1) / STRIDE), this.kept.length - 1);
      const before = key * STRIDE - 1;
      if (wanted < at || before > at) {
        at = before;
        state = this.kept[key] ?? this.phase.input;
      }
    }
    while (at < wanted) {
      at++;
      state = applyChanges(state, this.phase.steps[at]?.changes ?? NO_CHANGES);
      if ((at + 1) % STRIDE === 0 && this.kept.length === (at + 1) / STRIDE) this.kept.push(state);
    }
    this.last = { step: at, state };
    return state;
  }
}

export function applyChanges(state: TraceState, changes: TraceChanges): TraceState {
  const { blocks, removed, entry, tables, cells } = changes;
  let nextBlocks = state.blocks;
  if (blocks.length > 0 || removed.length > 0) {
    const copy = new Map(state.blocks);
    for (const gone of removed) copy.delete(gone);
    for (const block of blocks) copy.set(block.id, block);
    nextBlocks = copy;
  }
  const touched = Object.keys(cells);
  return {
    entry: entry ?? state.entry,
    blocks: nextBlocks,
    layout: nextLayout(state.layout, nextBlocks, changes),
    tables: tables ?? state.tables,
    cells: touched.length === 0 ? state.cells : withCells(state.cells, cells),
  };
}

/** Where no order is given, removed blocks leave it and new ones are at its end. */
function nextLayout(before: readonly number[], blocks: ReadonlyMap<number, TraceBlock>, changes: TraceChanges): readonly number[] {
  if (changes.layout !== null) return changes.layout;
  const known = new Set(before);
  const added = changes.blocks.filter((b) => !known.has(b.id)).map((b) => b.id);
  if (added.length === 0 && changes.removed.length === 0) return before;
  return [...before.filter((block) => blocks.has(block)), ...added];
}

export function withCells(before: TraceState["cells"], changes: CellsJson): TraceState["cells"] {
  const next = new Map(before);
  for (const [structure, rows] of Object.entries(changes)) {
    const cells = new Map(next.get(structure));
    for (const [key, value] of rows) {
      if (value === undefined) cells.delete(key);
      else cells.set(key, value);
    }
    next.set(structure, cells);
  }
  return next;
}

/** The kinds of the edges of a block that gives none. */
export function usualKinds(successors: number): readonly EdgeKind[] {
  if (successors === 1) return ["jump"];
  if (successors === 2) return ["taken", "fall"];
  return Array.from({ length: successors }, () => "table" as const);
}

/** Whether two versions of a block are the same program: annotations do not count. */
export function sameProgram(a: TraceBlock, b: TraceBlock): boolean {
  return (
    a.label === b.label &&
    a.insts.length === b.insts.length &&
    a.insts.every((inst, i) => inst === b.insts[i] || (inst.id === b.insts[i]?.id && inst.text === b.insts[i]?.text)) &&
    sameList(a.succs, b.succs) &&
    sameList(a.kinds, b.kinds)
  );
}

export const sameList = (a: readonly unknown[], b: readonly unknown[]): boolean => a.length === b.length && a.every((x, i) => x === b[i]);

/** Whether changes touch the program of a state, not only its annotations or the structures. */
export function changesProgram(before: TraceState, changes: TraceChanges): boolean {
  if (changes.removed.length > 0 || (changes.tables !== null && JSON.stringify(changes.tables) !== JSON.stringify(before.tables)))
    return true;
  if (changes.layout !== null && !sameList(changes.layout, before.layout)) return true;
  return changes.blocks.some((block) => {
    const old = before.blocks.get(block.id);
    return old === undefined || !sameProgram(old, block);
  });
}
