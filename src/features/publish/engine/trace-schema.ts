/** The lines of a trace file: their schemas, which docs/trace.schema.json is written from, and their types. */

import * as v from "valibot";
import { EVENT_KINDS } from "../../../engine/trace/kinds.ts";
import { type CellJson, EDGE_KINDS, STRUCTURE_TYPES } from "./trace-parts.ts";

/** Version of the format. A reader refuses a newer one with a message. */
export const TRACE_VERSION = 1;

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const index = v.pipe(v.number(), v.safeInteger(), v.minValue(-1));
const name = v.pipe(v.string(), v.maxLength(500));
const text = v.pipe(v.string(), v.maxLength(20_000));

const said = <T extends v.GenericSchema>(schema: T, description: string) => v.pipe(schema, v.description(description));

const instruction = v.object({
  id: said(id, "Names the instruction for the whole trace: an instruction that is rewritten in place keeps it."),
  text: said(text, "The instruction as people read it."),
  line: v.optional(said(id, "Line of the source it comes from, from 1; 0 or left out: none.")),
});

const block = v.object({
  id: said(id, "Names the block for the whole trace; never reused."),
  label: name,
  insts: said(
    v.array(v.union([id, instruction])),
    "The instructions in order: whole at first mention and after each change of the text, then the id alone will do.",
  ),
  succs: said(v.array(id), "Ids of the successor blocks, in order."),
  kinds: v.optional(
    said(
      v.array(v.picklist(EDGE_KINDS)),
      "What each edge is, in the order of succs. Left out: jump for one, taken and fall for two, table for more.",
    ),
  ),
  weight: v.optional(v.nullable(v.number())),
  record: v.optional(said(v.record(name, v.number()), "Annotations of the block, such as rpo; shown where the page knows the name.")),
});

const table = v.object({ name, base: v.number(), default: v.nullable(id), entries: v.array(id) });

const cell: v.GenericSchema<CellJson> = v.lazy(() =>
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(cell), v.record(v.string(), cell)]),
);

const cells = said(
  v.record(name, v.array(v.union([v.tuple([v.string(), cell]), v.tuple([v.string()])]))),
  "Cells of observed structures that were written, by structure: pairs of key and value; the key alone removes the cell.",
);

const fact = v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(v.union([v.string(), v.number()]))]);

export const headerSchema = v.object({
  type: v.literal("trace"),
  version: said(v.pipe(v.number(), v.integer(), v.minValue(1)), "1"),
  generator: said(name, "Program that wrote the file, with its version."),
  title: name,
  function: said(name, "Name of the function that the passes work on."),
  target: v.optional(name),
  level: v.optional(v.number()),
});

export const phaseSchema = v.object({
  type: v.literal("phase"),
  id: said(name, "Short name, for links."),
  name,
  number: v.optional(v.nullable(said(id, "Position in the pipeline."))),
  summary: v.optional(said(text, "One sentence: what the pass did, or why it did nothing.")),
  pseudocode: v.optional(said(v.array(text), "The pass in numbered lines; steps name a line from 1.")),
  structures: v.optional(v.array(v.object({ name, type: v.picklist(STRUCTURE_TYPES), title: name }))),
  cut: v.optional(said(v.boolean(), "Steps were left out after the last one given.")),
  input: said(
    v.object({
      entry: said(id, "Id of the entry block."),
      blocks: said(v.array(block), "All blocks, in layout order."),
      tables: v.optional(v.array(table)),
      cells: v.optional(cells),
    }),
    "The function before the first step.",
  ),
});

export const stepSchema = v.object({
  type: v.literal("step"),
  kind: v.picklist(EVENT_KINDS),
  sentence: said(text, "What happened or was decided, and why."),
  line: v.optional(said(id, "Line of the pseudocode, from 1.")),
  depth: v.optional(said(v.pipe(id, v.maxValue(255)), "Nesting, from 0.")),
  parent: v.optional(said(index, "Step that encloses this one, from 0 within the phase; -1: none.")),
  facts: v.optional(said(v.record(name, fact), "What the sentence is made of, for conditions and tables.")),
  focus: v.optional(
    said(
      v.object({
        blocks: v.optional(v.array(id)),
        edges: v.optional(v.array(v.tuple([id, id]))),
        insts: v.optional(v.array(id)),
        operands: v.optional(said(v.array(v.tuple([id, index])), "Pairs of instruction and operand; -1 is the guard.")),
        regs: v.optional(v.array(name)),
        nodes: v.optional(said(v.array(name), "Cells as structure/key.")),
      }),
      "What the step is about.",
    ),
  ),
  changes: v.optional(
    said(
      v.object({
        blocks: v.optional(said(v.array(block), "Blocks that are new or different, whole.")),
        removed: v.optional(v.array(id)),
        layout: v.optional(said(v.array(id), "Order of all blocks, where it changed or blocks were added.")),
        entry: v.optional(id),
        tables: v.optional(v.array(table)),
        cells: v.optional(cells),
      }),
      "The function after the step against the one before it.",
    ),
  ),
});

export const endSchema = v.object({
  type: v.literal("end"),
  steps: said(id, "Steps of the whole file: a file that was cut short is noticed."),
});

export const lineSchema = v.variant("type", [headerSchema, phaseSchema, stepSchema, endSchema]);

export type TraceLine = v.InferOutput<typeof lineSchema>;
export type HeaderLine = v.InferOutput<typeof headerSchema>;
export type PhaseLine = v.InferOutput<typeof phaseSchema>;
export type StepLine = v.InferOutput<typeof stepSchema>;
export type BlockJson = v.InferOutput<typeof block>;
