/** Makes a trace document of an engine's run: the requested phases, each step with what it changed. */

import type { BlockView, PhaseRun, RunResult, StateDelta, TraceInfo } from "../../../engine/api/types.ts";
import { focusRegNames } from "../../../engine/api/view/reg-names.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import {
  applyChanges,
  changesProgram,
  type TraceBlock,
  type TraceChanges,
  type TraceDocument,
  type TraceInst,
  type TracePhase,
  type TraceState,
  type TraceStep,
  withCells,
} from "./trace-document.ts";
import type { CellJson, CellsJson, TableJson, TraceFocus } from "./trace-parts.ts";
import { TRACE_VERSION } from "./trace-schema.ts";

/** What it needs of an engine: an `EngineSession`, or a recorded one. */
export interface TraceSource {
  trace(run: number): TraceInfo | null;
  events(run: number, from: number, count: number): readonly TraceEvent[];
  view(run: number, step: number, have: number | null): StateDelta;
  summary(run: number): string;
}

export interface RecordOptions {
  readonly title: string;
  /** Runs to record, by their index in the result. */
  readonly runs: readonly number[];
  /** Steps of all phases together; what is over it is left out, and the phase is marked as cut. */
  readonly mostSteps: number;
}

/** Steps per request. */
const BATCH = 1000;

export function recordTrace(source: TraceSource, result: RunResult, options: RecordOptions): TraceDocument {
  let left = options.mostSteps;
  const phases: TracePhase[] = [];
  for (const run of options.runs) {
    const phase = result.phases[run];
    const info = phase === undefined || left <= 0 ? null : source.trace(run);
    if (phase === undefined || info === null) continue;
    const recorded = recordPhase(source, phase, info, left);
    left -= recorded.steps.length;
    phases.push(recorded);
  }
  const header = {
    version: TRACE_VERSION,
    generator: `oriscope ${result.engine}`,
    title: options.title,
    function: result.kernel,
    target: result.target,
    level: result.level,
  };
  return { header, phases };
}

function recordPhase(source: TraceSource, phase: PhaseRun, info: TraceInfo, most: number): TracePhase {
  const { run } = phase;
  const count = Math.min(info.steps, most);
  const insts = new Interned();
  const start = source.view(run, -1, null);
  const input: TraceState = {
    entry: start.entry,
    blocks: new Map(start.blocks.map((b) => [b.id, insts.block(b)])),
    layout: start.layout ?? [],
    tables: copyTables(start) ?? [],
    cells: withCells(new Map(), cellsOf(start)),
  };
  const steps: TraceStep[] = [];
  let state = input;
  for (let from = 0; from < count; from += BATCH) {
    for (const event of source.events(run, from, Math.min(BATCH, count - from))) {
      const delta = source.view(run, event.step, event.step - 1);
      const changes: TraceChanges = {
        blocks: delta.blocks.map((b) => insts.block(b)),
        removed: delta.removedBlocks,
        layout: delta.layout,
        entry: delta.entry === state.entry ? null : delta.entry,
        tables: copyTables(delta),
        cells: cellsOf(delta),
      };
      const { kind, sentence, line, depth, parent } = event;
      const program = changesProgram(state, changes);
      steps.push({ kind, sentence, line, depth, parent, facts: plainFacts(event), focus: focusOf(event), changes, program });
      state = applyChanges(state, changes);
    }
  }
  return {
    id: phase.id,
    name: phase.name,
    number: phase.phase,
    summary: source.summary(run),
    pseudocode: info.pseudocode,
    structures: info.structures.map(({ name, type, title }) => ({ name, type, title })),
    cut: info.cut || steps.length < info.steps,
    input,
    steps,
  };
}

/** Instructions by id and text, so that equal ones are one object. */
class Interned {
  private readonly known = new Map<number, TraceInst>();

  block(view: BlockView): TraceBlock {
    const { rpo, latchExit, flags, flags2, scratch120, scratch232, line } = view;
    const record = Object.entries({ rpo, latchExit, flags, flags2, scratch120, scratch232, line }).filter(([, value]) => value !== 0);
    return {
      id: view.id,
      label: view.label,
      insts: view.insts.map(({ id, text, line: from }) => this.inst(id, text, from)),
      succs: view.succs,
      kinds: view.succKinds,
      weight: view.weight,
      record: Object.fromEntries(record),
    };
  }

  private inst(id: number, text: string, line: number): TraceInst {
    const before = this.known.get(id);
    if (before !== undefined && before.text === text && before.line === line) return before;
    const made = { id, text, line };
    this.known.set(id, made);
    return made;
  }
}

const copyTables = ({ tables }: StateDelta): TableJson[] | null => tables?.map((t) => ({ ...t, entries: [...t.entries] })) ?? null;

function cellsOf(delta: StateDelta): CellsJson {
  const rows = delta.structures.map(({ name, cells }): [string, ([string, CellJson] | [string])[]] => [
    name,
    cells.map(([key, value]) => (value === undefined ? [key] : [key, value])),
  ]);
  return Object.fromEntries(rows);
}

function plainFacts({ facts }: TraceEvent): TraceStep["facts"] {
  return Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, isList(value) ? [...value] : value]));
}

const isList = (value: unknown): value is readonly (string | number)[] => Array.isArray(value);

function focusOf({ focus }: TraceEvent): TraceFocus {
  const { blocks, edges, insts, operands, nodes } = focus;
  const regs = focusRegNames(focus.regs);
  return {
    ...(blocks === undefined ? {} : { blocks: [...blocks] }),
    ...(edges === undefined ? {} : { edges: edges.map(([from, to]): [number, number] => [from, to]) }),
    ...(insts === undefined ? {} : { insts: [...insts] }),
    ...(operands === undefined ? {} : { operands: operands.map(([inst, operand]): [number, number] => [inst, operand]) }),
    ...(regs.length === 0 ? {} : { regs }),
    ...(nodes === undefined ? {} : { nodes: [...nodes] }),
  };
}
