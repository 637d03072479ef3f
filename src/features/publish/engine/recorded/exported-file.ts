/** Reads an exported HTML file back: the trace that its player plays. Nothing in it is run, and nothing in it is trusted. */

import * as v from "valibot";
import { messageOf } from "../../../../base/errors.ts";
import { TRACE_IN_FILE } from "../looks-recorded.ts";
import { type ReadTrace, readLines } from "../read-trace.ts";
import { TRACE_VERSION } from "../trace-schema.ts";

const id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const card = v.object({ id, label: v.string() });
const step = v.object({
  kind: v.string(),
  sentence: v.string(),
  line: id,
  depth: id,
  cards: v.array(id),
  insts: v.array(id),
  sets: v.array(v.tuple([id, v.pipe(v.number(), v.safeInteger(), v.minValue(-1))])),
  layout: v.optional(v.array(id)),
});
const phase = v.object({
  id: v.string(),
  name: v.string(),
  number: v.nullable(id),
  summary: v.string(),
  pseudocode: v.array(v.string()),
  cards: v.array(card),
  versions: v.array(v.object({ insts: v.array(id), succs: v.array(v.tuple([id, v.string()])) })),
  start: v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(-1))),
  entry: id,
  layout: v.optional(v.array(id)),
  steps: v.array(step),
});
const file = v.object({
  title: v.string(),
  function: v.string(),
  target: v.optional(v.string()),
  level: v.optional(v.number()),
  generator: v.string(),
  notes: v.array(v.string()),
  insts: v.array(v.tuple([id, v.string()])),
  phases: v.array(phase),
});

type File = v.InferOutput<typeof file>;
type Phase = v.InferOutput<typeof phase>;

export function readExported(text: string): ReadTrace {
  const from = text.indexOf(TRACE_IN_FILE) + TRACE_IN_FILE.length;
  const to = text.indexOf("</script>", from);
  let value: unknown;
  try {
    value = JSON.parse(text.slice(from, to < 0 ? text.length : to));
  } catch (error) {
    return refused(`The trace in this HTML file cannot be read: ${messageOf(error)}.`);
  }
  const parsed = v.safeParse(file, value, { abortEarly: true });
  if (!parsed.success)
    return refused(`The trace in this HTML file: ${v.getDotPath(parsed.issues[0]) ?? "it"}: ${parsed.issues[0].message}.`);
  const read = readLines(linesOf(parsed.output));
  const lost =
    "An HTML file contains the steps and the program at each of them; facts, structures and annotations are in the trace file only.";
  return read.ok
    ? { ...read, notes: [...read.notes, ...parsed.output.notes, lost] }
    : refused(`The trace in this HTML file: ${read.message}`);
}

const refused = (message: string): ReadTrace => ({ ok: false, line: 1, message });

/** The same as lines of a trace file. Numbers that lead nowhere are left out, which the check of the lines then refuses. */
function* linesOf({ title, function: name, target, level, generator, insts, phases }: File): Generator<unknown> {
  yield { type: "trace", version: TRACE_VERSION, generator, title, function: name, target, level };
  let steps = 0;
  for (const one of phases) {
    yield* phaseLines(one, insts);
    steps += one.steps.length;
  }
  yield { type: "end", steps };
}

function* phaseLines(phase: Phase, insts: File["insts"]): Generator<unknown> {
  const { id: short, name, number, summary, pseudocode, cards, versions, start, entry, layout, steps } = phase;
  const idOf = (at: number): number | undefined => cards[at]?.id;
  const block = (at: number, version: number) => {
    const made = versions[version];
    return {
      id: idOf(at),
      label: cards[at]?.label,
      insts: made?.insts.map((n) => ({ id: insts[n]?.[0], text: insts[n]?.[1] })),
      succs: made?.succs.map(([to]) => idOf(to)),
      kinds: made?.succs.map(([, kind]) => kind),
    };
  };
  const order = layout ?? start.flatMap((version, at) => (version < 0 ? [] : [at]));
  yield {
    type: "phase",
    id: short,
    name,
    number,
    summary,
    pseudocode,
    input: { entry: idOf(entry), blocks: order.map((at) => block(at, start[at] ?? -1)) },
  };
  /** Steps that may enclose the next one: number and depth. */
  const open: [at: number, depth: number][] = [];
  for (const [at, { kind, sentence, line, depth, cards: about, insts: focus, sets, layout: moved }] of steps.entries()) {
    while ((open.at(-1)?.[1] ?? -1) >= depth) open.pop();
    yield {
      type: "step",
      kind,
      sentence,
      line,
      depth,
      parent: open.at(-1)?.[0] ?? -1,
      focus: { blocks: about.map(idOf), insts: focus },
      changes: {
        blocks: sets.flatMap(([to, version]) => (version < 0 ? [] : [block(to, version)])),
        removed: sets.flatMap(([to, version]) => (version < 0 ? [idOf(to)] : [])),
        layout: moved?.map(idOf),
      },
    };
    open.push([at, depth]);
  }
}
