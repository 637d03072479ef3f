/** The graphs that SpiderMonkey's IonMonkey writes (`ion.json`): read only, a phase for each pass with one step from the graph before it. */

import * as v from "valibot";
import type { ReadTrace } from "../read-trace.ts";
import {
  changesProgram,
  type TraceBlock,
  type TraceChanges,
  type TraceDocument,
  type TraceInst,
  type TracePhase,
  type TraceState,
  usualKinds,
} from "../trace-document.ts";
import { TRACE_VERSION } from "../trace-schema.ts";

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const mirBlock = v.object({
  number: v.optional(number),
  id: v.optional(number),
  attributes: v.optional(v.array(v.string())),
  successors: v.array(number),
  instructions: v.array(v.object({ id: number, opcode: v.string(), type: v.optional(v.string()) })),
});
const ionSchema = v.object({
  functions: v.array(
    v.object({ name: v.string(), passes: v.array(v.object({ name: v.string(), mir: v.object({ blocks: v.array(mirBlock) }) })) }),
  ),
});

type MirBlock = v.InferOutput<typeof mirBlock>;

/** Whether a text says of itself that it is such a file: Bril has functions, too, but no passes. */
export function looksLikeIon(text: string): boolean {
  const head = text.slice(0, 20_000);
  return /^\uFEFF?\s*\{/.test(head) && /"functions"\s*:/.test(head) && /"passes"\s*:/.test(head) && /"mir"\s*:/.test(head);
}

export function readIon(text: string): ReadTrace {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    return { ok: false, line: 1, message: `This ion.json cannot be read: ${error instanceof Error ? error.message : String(error)}.` };
  }
  const parsed = v.safeParse(ionSchema, value, { abortEarly: true });
  if (!parsed.success)
    return { ok: false, line: 1, message: `${v.getDotPath(parsed.issues[0]) ?? "ion.json"}: ${parsed.issues[0].message}.` };
  const documents = parsed.output.functions
    .map(
      ({ name, passes }): TraceDocument => ({
        header: { version: TRACE_VERSION, generator: "ion.json", title: name, function: name },
        phases: phasesOf(passes.filter((pass) => pass.mir.blocks.length > 0)),
      }),
    )
    .filter((document) => document.phases.length > 0);
  if (documents.length === 0) return { ok: false, line: 1, message: "The ion.json holds no graph." };
  return { ok: true, documents, notes: [] };
}

function phasesOf(passes: readonly { readonly name: string; readonly mir: { readonly blocks: readonly MirBlock[] } }[]): TracePhase[] {
  let before: TraceState | null = null;
  return passes.map(({ name, mir }, at): TracePhase => {
    const after = stateOf(mir.blocks);
    const input: TraceState = before ?? after;
    before = after;
    const changes = difference(input, after);
    const program = changesProgram(input, changes);
    const sentence = program ? `${name} leads to this graph.` : `${name} leaves the graph as it is.`;
    return {
      id: `${at}-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
      name,
      number: null,
      summary: sentence.slice(0, -1),
      pseudocode: [],
      structures: [],
      cut: false,
      input,
      steps: [{ kind: program ? "rewrite" : "note", sentence, line: 0, depth: 0, parent: -1, facts: {}, focus: {}, changes, program }],
    };
  });
}

function stateOf(blocks: readonly MirBlock[]): TraceState {
  const made = blocks.map((block, i): TraceBlock => {
    const id = block.number ?? block.id ?? i;
    const insts = block.instructions.map(
      (inst): TraceInst => ({
        id: inst.id,
        text: `${inst.id} ${inst.opcode}${inst.type === undefined || inst.type === "None" ? "" : `: ${inst.type}`}`,
        line: 0,
      }),
    );
    return {
      id,
      label: `block${id}`,
      insts,
      succs: block.successors,
      kinds: usualKinds(block.successors.length),
      weight: null,
      record: {},
    };
  });
  return {
    entry: made[0]?.id ?? 0,
    blocks: new Map(made.map((block) => [block.id, block])),
    layout: [...new Set(made.map((block) => block.id))],
    tables: [],
    cells: new Map(),
  };
}

function difference(before: TraceState, after: TraceState): TraceChanges {
  return {
    blocks: [...after.blocks.values()].filter((block) => JSON.stringify(before.blocks.get(block.id)) !== JSON.stringify(block)),
    removed: before.layout.filter((id) => !after.blocks.has(id)),
    layout: before.layout.join() === after.layout.join() ? null : after.layout,
    entry: before.entry === after.entry ? null : after.entry,
    tables: null,
    cells: {},
  };
}
