/** The graphs that SpiderMonkey's IonMonkey writes (`ion.json`): read only, a phase for each pass with one step from the graph before it. */

import * as v from "valibot";
import { messageOf } from "../../../../base/errors.ts";
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
/** The object's address in the compiler's memory: the same for the whole compilation, while some passes assign new ids. */
const pointer = v.optional(v.number());
/** Files without a version number blocks by `number`, later ones by `id`. */
const mirBlock = v.object({
  ptr: pointer,
  number: v.optional(number),
  id: v.optional(number),
  successors: v.array(number),
  instructions: v.array(v.object({ ptr: pointer, id: number, opcode: v.string(), type: v.optional(v.string()) })),
});
const lirBlock = v.object({
  number: v.optional(number),
  id: v.optional(number),
  instructions: v.array(
    v.object({ ptr: pointer, id: number, opcode: v.string(), defs: v.optional(v.array(v.union([v.number(), v.string()]))) }),
  ),
});
const pass = v.object({
  name: v.string(),
  mir: v.object({ blocks: v.array(mirBlock) }),
  lir: v.optional(v.object({ blocks: v.array(lirBlock) })),
});
const ionSchema = v.object({
  version: v.optional(v.number()),
  functions: v.array(v.object({ name: v.string(), passes: v.array(pass) })),
});

/** Version of the form that is read. */
const ION_VERSION = 1;

type Pass = v.InferOutput<typeof pass>;

export function readIon(text: string): ReadTrace {
  let value: unknown;
  try {
    value = JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch (error) {
    return { ok: false, line: 1, message: `This ion.json cannot be read: ${messageOf(error)}.` };
  }
  const version = typeof value === "object" && value !== null && "version" in value ? value.version : undefined;
  if (typeof version === "number" && version > ION_VERSION)
    return { ok: false, line: 1, message: `This ion.json is of version ${version}; this program reads versions up to ${ION_VERSION}.` };
  const parsed = v.safeParse(ionSchema, value, { abortEarly: true });
  if (!parsed.success)
    return { ok: false, line: 1, message: `ion.json: ${v.getDotPath(parsed.issues[0]) ?? "it"}: ${parsed.issues[0].message}.` };
  const documents: TraceDocument[] = [];
  for (const { name, passes } of parsed.output.functions) {
    const phases = phasesOf(passes.filter((one) => one.mir.blocks.length > 0));
    if (typeof phases === "string") return { ok: false, line: 1, message: `ion.json: ${name}, ${phases}` };
    if (phases.length > 0)
      documents.push({ header: { version: TRACE_VERSION, generator: "ion.json", title: name, function: name }, phases });
  }
  if (documents.length === 0) return { ok: false, line: 1, message: "The ion.json contains no graph." };
  return { ok: true, documents, notes: [] };
}

/** The phases; or what is wrong with a pass. */
function phasesOf(passes: readonly Pass[]): TracePhase[] | string {
  const ids = new Ids();
  const phases: TracePhase[] = [];
  let before: TraceState | null = null;
  for (const [at, { name, mir, lir }] of passes.entries()) {
    const low = new Map(lir?.blocks.map((block) => [numberOf(block), block.instructions.map((inst) => ids.low(inst))]));
    const after = stateOf(mir.blocks, ids, low);
    if (typeof after === "string") return `${name}: ${after}`;
    const input: TraceState = before ?? after;
    before = after;
    const changes = difference(input, after);
    const program = changesProgram(input, changes);
    const sentence = program ? `${name} leads to this graph.` : `${name} leaves the graph as it is.`;
    phases.push({
      id: `${at}-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`,
      name,
      number: null,
      summary: sentence.slice(0, -1),
      pseudocode: [],
      structures: [],
      cut: false,
      input,
      steps: [{ kind: program ? "rewrite" : "note", sentence, line: 0, depth: 0, parent: -1, facts: {}, focus: {}, changes, program }],
    });
  }
  return phases;
}

type MirBlock = Pass["mir"]["blocks"][number];
type MirInst = MirBlock["instructions"][number];
type LirInst = v.InferOutput<typeof lirBlock>["instructions"][number];

const numberOf = (block: { readonly number?: number | undefined; readonly id?: number | undefined }): number | undefined =>
  block.number ?? block.id;

/** Numbers of blocks and instructions that stay the same through all passes of a function: by pointer where the file has it. */
class Ids {
  private readonly known = new Map<string, number>();

  of(what: "block" | "mir" | "lir", ptr: number | undefined, id: number): number {
    const key = ptr === undefined ? `${what} ${id}` : `${what} at ${ptr}`;
    const own = this.known.get(key) ?? this.known.size;
    this.known.set(key, own);
    return own;
  }

  high({ ptr, id, opcode, type }: MirInst): TraceInst {
    const text = `${id} ${opcode}${type === undefined || type === "None" ? "" : `: ${type}`}`;
    return { id: this.of("mir", ptr, id), text, line: 0 };
  }

  low({ ptr, id, opcode, defs = [] }: LirInst): TraceInst {
    return { id: this.of("lir", ptr, id), text: `${defs.length === 0 ? "" : `${defs.join(", ")} = `}${opcode}`, line: 0 };
  }
}

/** The graph of a pass, with the low-level instructions of a block where there are some; or what is wrong with it. */
function stateOf(blocks: readonly MirBlock[], ids: Ids, low: ReadonlyMap<number | undefined, readonly TraceInst[]>): TraceState | string {
  const numbers = new Map(blocks.map((block, i) => [numberOf(block) ?? i, ids.of("block", block.ptr, numberOf(block) ?? i)]));
  if (numbers.size < blocks.length || new Set(numbers.values()).size < blocks.length) return "two blocks have the same number.";
  const made: TraceBlock[] = [];
  for (const [i, block] of blocks.entries()) {
    const number = numberOf(block) ?? i;
    const succs = block.successors.map((to) => numbers.get(to));
    const missing = succs.indexOf(undefined);
    if (missing >= 0) return `block ${number} leads to block ${block.successors[missing]}, which is not there.`;
    made.push({
      id: numbers.get(number) ?? i,
      label: `block${number}`,
      insts: low.get(number) ?? block.instructions.map((inst) => ids.high(inst)),
      succs: succs.filter((to) => to !== undefined),
      kinds: usualKinds(succs.length),
      weight: null,
      record: {},
    });
  }
  return {
    entry: made[0]?.id ?? 0,
    blocks: new Map(made.map((block) => [block.id, block])),
    layout: made.map((block) => block.id),
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
