/** A trace document as JSON lines. */

import {
  sameList,
  type TraceBlock,
  type TraceDocument,
  type TraceInst,
  type TracePhase,
  type TraceStep,
  usualKinds,
} from "./trace-document.ts";
import type { CellsJson } from "./trace-parts.ts";
import type { BlockJson, PhaseLine, StepLine, TraceLine } from "./trace-schema.ts";

/** The whole text, one line per record, with a newline at its end. */
export function traceText(document: TraceDocument): string {
  let text = "";
  for (const line of traceLines(document)) text += `${JSON.stringify(line)}\n`;
  return text;
}

function* traceLines({ header, phases }: TraceDocument): Generator<TraceLine> {
  yield { type: "trace", ...header };
  let steps = 0;
  for (const phase of phases) {
    const writer = new BlockWriter();
    yield phaseLine(phase, writer);
    for (const step of phase.steps) yield stepLine(step, writer);
    steps += phase.steps.length;
  }
  yield { type: "end", steps };
}

function phaseLine(phase: TracePhase, writer: BlockWriter): PhaseLine {
  const { id, name, number, summary, pseudocode, structures, cut, input } = phase;
  const cells: CellsJson = Object.fromEntries([...input.cells].map(([structure, values]) => [structure, [...values]]));
  return {
    type: "phase",
    id,
    name,
    number,
    summary,
    pseudocode: [...pseudocode],
    structures: [...structures],
    ...(cut ? { cut } : {}),
    input: {
      entry: input.entry,
      blocks: input.layout.flatMap((at) => {
        const block = input.blocks.get(at);
        return block === undefined ? [] : [writer.block(block)];
      }),
      ...(input.tables.length === 0 ? {} : { tables: [...input.tables] }),
      ...(input.cells.size === 0 ? {} : { cells }),
    },
  };
}

function stepLine(step: TraceStep, writer: BlockWriter): StepLine {
  const { kind, sentence, line, depth, parent, facts, focus, changes } = step;
  const { blocks, removed, layout, entry, tables, cells } = changes;
  const changed = {
    ...(blocks.length === 0 ? {} : { blocks: blocks.map((block) => writer.block(block)) }),
    ...(removed.length === 0 ? {} : { removed: [...removed] }),
    ...(layout === null ? {} : { layout: [...layout] }),
    ...(entry === null ? {} : { entry }),
    ...(tables === null ? {} : { tables: [...tables] }),
    ...(Object.keys(cells).length === 0 ? {} : { cells }),
  };
  return {
    type: "step",
    kind,
    sentence,
    ...(line === 0 ? {} : { line }),
    ...(depth === 0 ? {} : { depth }),
    ...(parent < 0 ? {} : { parent }),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
    ...(Object.keys(focus).length === 0 ? {} : { focus }),
    ...(Object.keys(changed).length === 0 ? {} : { changes: changed }),
  };
}

/** Writes an instruction whole when its id or text is new to the reader, else its id alone. */
class BlockWriter {
  private readonly written = new Map<number, TraceInst>();

  block({ id, label, insts, succs, kinds, weight, record }: TraceBlock): BlockJson {
    return {
      id,
      label,
      insts: insts.map((inst) => this.inst(inst)),
      succs: [...succs],
      ...(sameList(kinds, usualKinds(succs.length)) ? {} : { kinds: [...kinds] }),
      ...(weight === null ? {} : { weight }),
      ...(Object.keys(record).length === 0 ? {} : { record }),
    };
  }

  private inst(inst: TraceInst): BlockJson["insts"][number] {
    const before = this.written.get(inst.id);
    if (before !== undefined && before.text === inst.text && before.line === inst.line) return inst.id;
    this.written.set(inst.id, inst);
    return { id: inst.id, text: inst.text, ...(inst.line === 0 ? {} : { line: inst.line }) };
  }
}
