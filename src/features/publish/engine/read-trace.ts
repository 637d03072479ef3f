/** Reads a trace file. Nothing in it is trusted: each line is checked, and the first mistake is named with its line. */

import * as v from "valibot";
import { messageOf } from "../../../base/errors.ts";
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
  usualKinds,
  withCells,
} from "./trace-document.ts";
import {
  type BlockJson,
  type HeaderLine,
  lineSchema,
  type PhaseLine,
  type StepLine,
  TRACE_VERSION,
  type TraceLine,
} from "./trace-schema.ts";

export type ReadTrace =
  | { readonly ok: true; readonly documents: readonly TraceDocument[]; readonly notes: readonly string[] }
  /** `line` from 1. */
  | { readonly ok: false; readonly line: number; readonly message: string };

/** The maximal number of steps read; beyond it the reader reports where it stopped. */
export const MOST_STEPS = 200_000;

class Wrong extends Error {}

export function readTrace(text: string): ReadTrace {
  const reader = new Reader();
  let number = 0;
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  try {
    while (at < text.length) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline;
      number++;
      const line = text.slice(at, end).trim();
      at = end + 1;
      if (line !== "") reader.take(parseLine(line));
    }
    return reader.done();
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, line: Math.max(1, number), message: error.message };
    throw error;
  }
}

/** As `readTrace`, of lines that another form of a trace was made into. */
export function readLines(lines: Iterable<unknown>): ReadTrace {
  const reader = new Reader();
  try {
    for (const line of lines) reader.take(checkLine(line));
    return reader.done();
  } catch (error) {
    if (error instanceof Wrong) return { ok: false, line: 1, message: error.message };
    throw error;
  }
}

function parseLine(text: string): TraceLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Wrong(`This line is not JSON: ${messageOf(error)}.`);
  }
  return checkLine(value);
}

function checkLine(value: unknown): TraceLine {
  const type = typeof value === "object" && value !== null && "type" in value ? value.type : undefined;
  if (type === "trace" && typeof value === "object" && value !== null && "version" in value) {
    const version = Number(value.version);
    if (version > TRACE_VERSION) throw new Wrong(`The trace is of version ${version}; this program reads versions up to ${TRACE_VERSION}.`);
  }
  const parsed = v.safeParse(lineSchema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  throw new Wrong(`${v.getDotPath(issue) ?? "The line"}: ${issue.message}.`);
}

interface OpenPhase {
  readonly line: PhaseLine;
  readonly input: TraceState;
  readonly insts: Map<number, TraceInst>;
  readonly steps: TraceStep[];
  state: TraceState;
}

class Reader {
  private header: HeaderLine | null = null;
  private readonly phases: TracePhase[] = [];
  private readonly notes: string[] = [];
  private phase: OpenPhase | null = null;
  private steps = 0;
  private ended = false;

  take(line: TraceLine): void {
    if (this.ended) throw new Wrong("There is a line after the end.");
    if (line.type === "trace") {
      if (this.header !== null) throw new Wrong("A second header: a file contains one trace.");
      this.header = line;
      return;
    }
    if (this.header === null) throw new Wrong('The first line must be the header, {"type":"trace",…}.');
    switch (line.type) {
      case "phase":
        this.close();
        this.phase = openPhase(line);
        return;
      case "step":
        this.step(line);
        return;
      case "end":
        if (line.steps !== this.steps) throw new Wrong(`The file says that it has ${line.steps} steps; ${this.steps} were read.`);
        this.ended = true;
    }
  }

  done(): ReadTrace {
    this.close();
    if (this.header === null) throw new Wrong("The file is empty.");
    if (this.phases.length === 0) throw new Wrong("The trace contains no phase.");
    if (!this.ended) this.notes.push("The trace has no end line: it may have been cut short.");
    const { type: _, ...header } = this.header;
    return { ok: true, documents: [{ header, phases: this.phases }], notes: this.notes };
  }

  private step(line: StepLine): void {
    const { phase } = this;
    if (phase === null) throw new Wrong("A step before the first phase.");
    if (++this.steps > MOST_STEPS) throw new Wrong(`More than ${MOST_STEPS} steps: this program reads no more.`);
    const parent = line.parent ?? -1;
    if (parent >= phase.steps.length) throw new Wrong(`parent: step ${parent} is not before this one, step ${phase.steps.length}.`);
    const last = phase.line.pseudocode?.length ?? 0;
    if ((line.line ?? 0) > last) throw new Wrong(`line: the pseudocode has ${last} lines.`);
    const changes = changesOf(line, phase);
    phase.steps.push({
      kind: line.kind,
      sentence: line.sentence,
      line: line.line ?? 0,
      depth: line.depth ?? 0,
      parent,
      facts: line.facts ?? {},
      focus: line.focus ?? {},
      changes,
      program: changesProgram(phase.state, changes),
    });
    phase.state = applyChanges(phase.state, changes);
    if (changes !== NOTHING) checkState(phase.state, changes);
  }

  private close(): void {
    if (this.phase === null) return;
    const { line, input, steps } = this.phase;
    this.phases.push({
      id: line.id,
      name: line.name,
      number: line.number ?? null,
      summary: line.summary ?? "",
      pseudocode: line.pseudocode ?? [],
      structures: line.structures ?? [],
      cut: line.cut ?? false,
      input,
      steps,
    });
    this.phase = null;
  }
}

function openPhase(line: PhaseLine): OpenPhase {
  const insts = new Map<number, TraceInst>();
  const blocks = line.input.blocks.map((b) => blockOf(b, insts));
  const input: TraceState = {
    entry: line.input.entry,
    blocks: new Map(blocks.map((b) => [b.id, b])),
    layout: blocks.map((b) => b.id),
    tables: line.input.tables ?? [],
    cells: withCells(new Map(), line.input.cells ?? {}),
  };
  if (input.blocks.size < blocks.length) throw new Wrong("input.blocks: two blocks have the same id.");
  checkState(input, null);
  return { line, input, insts, steps: [], state: input };
}

const NOTHING: TraceChanges = { blocks: [], removed: [], layout: null, entry: null, tables: null, cells: {} };

function changesOf({ changes }: StepLine, { insts }: OpenPhase): TraceChanges {
  if (changes === undefined) return NOTHING;
  return {
    blocks: (changes.blocks ?? []).map((b) => blockOf(b, insts)),
    removed: changes.removed ?? [],
    layout: changes.layout ?? null,
    entry: changes.entry ?? null,
    tables: changes.tables ?? null,
    cells: changes.cells ?? {},
  };
}

function blockOf(json: BlockJson, insts: Map<number, TraceInst>): TraceBlock {
  const { id, label, succs, weight, record } = json;
  const kinds = json.kinds ?? usualKinds(succs.length);
  if (kinds.length !== succs.length) throw new Wrong(`Block ${label}: ${succs.length} successors and ${kinds.length} kinds.`);
  const own = json.insts.map((item): TraceInst => {
    if (typeof item === "number") {
      const known = insts.get(item);
      if (known === undefined)
        throw new Wrong(`Block ${label}: instruction ${item} is not known yet; its first mention must contain its text.`);
      return known;
    }
    const made = { id: item.id, text: item.text, line: item.line ?? 0 };
    insts.set(made.id, made);
    return made;
  });
  return { id, label, insts: own, succs, kinds, weight: weight ?? null, record: record ?? {} };
}

/** After a step only what it touched can be wrong; `null`: everything. Edges to deleted blocks are allowed in the middle of a pass. */
function checkState(state: TraceState, changes: TraceChanges | null): void {
  if (!state.blocks.has(state.entry)) throw new Wrong(`entry: there is no block ${state.entry}.`);
  if (changes === null || changes.layout !== null || changes.blocks.length > 0 || changes.removed.length > 0) {
    const seen = new Set(state.layout);
    if (seen.size !== state.layout.length) throw new Wrong("layout: a block is in it twice.");
    if (seen.size !== state.blocks.size || state.layout.some((id) => !state.blocks.has(id))) {
      throw new Wrong(`layout: it lists ${seen.size} blocks, and there are ${state.blocks.size}.`);
    }
  }
}
