/** Fills cells: of a structure that a phase shows, or of a table that an analysis makes. */

import * as v from "valibot";
import type { FlowBlock, FlowFacts } from "../../../../engine/api/analysis/flow-facts.ts";
import { list } from "../credit.ts";
import { BrokenTask, spotOf } from "../stage.ts";
import { type Context, defineKind, judged, mapOf, shortText } from "./kind.ts";
import { sameValue } from "./predict.ts";

/** Tables that are sets, a row a block. */
const SETS: Readonly<Record<string, (block: FlowBlock, facts: FlowFacts) => readonly string[]>> = {
  use: (b) => b.use,
  def: (b) => b.def,
  "live-in": (b) => b.liveIn,
  "live-out": (b) => b.liveOut,
  frontier: (b) => b.frontier,
  preds: (b) => b.preds,
  succs: (b) => b.succs,
  dominators: (b, facts) => dominatorsOf(b, facts),
};

const fields = {
  structure: shortText,
  cells: v.pipe(v.array(v.pipe(v.union([v.string(), v.number()]), v.transform(String))), v.minLength(1), v.maxLength(100)),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;
type Cell = { readonly set: readonly string[] } | { readonly value: string };

export const fill = defineKind({
  name: "fill",
  does: "fills the cells of a table or of a structure's next state",
  fields,
  answer: v.strictObject({ cells: mapOf(v.nullable(v.union([shortText, v.number(), v.boolean()]))) }),
  form: ({ structure, cells }) => ({ kind: "cells", structure, cells }),
  needsProgram: () => true,
  judge(spec, { cells }, ctx) {
    const key = keyOf(spec, ctx);
    const wrong = [...key].filter(([name, cell]) => !agrees(cell, cells[name]));
    const said = wrong.map(
      ([name, cell]) =>
        `${name} is ${cellText(cell) || "empty"}${cells[name] === undefined ? "" : `, not ${String(cells[name]) || "empty"}`}`,
    );
    const theory = wrong.map(([name]) => `${name}: ${String(cells[name] ?? "empty")}`).join("; ");
    return judged((key.size - wrong.length) / key.size, list(said, "; "), theory);
  },
  solve: (spec, ctx) => ({ cells: Object.fromEntries([...keyOf(spec, ctx)].map(([name, cell]) => [name, cellText(cell)])) }),
  key: (spec, ctx) => JSON.stringify([...keyOf(spec, ctx)]),
});

const cellText = (cell: Cell): string => ("set" in cell ? cell.set.join(" ") : cell.value);

function agrees(cell: Cell, given: string | number | boolean | null | undefined): boolean {
  if (given === undefined || given === null) return false;
  if ("value" in cell) return sameValue(given, cell.value);
  const own = new Set(
    String(given)
      .split(/[\s,{}]+/)
      .filter((w) => w !== "" && w !== "-" && w.toLowerCase() !== "none"),
  );
  return own.size === cell.set.length && cell.set.every((item) => own.has(item));
}

function keyOf({ structure, cells }: Spec, ctx: Context): Map<string, Cell> {
  if (Object.hasOwn(SETS, structure)) {
    const facts = ctx.facts();
    return new Map(cells.map((label) => [label, { set: setOf(structure, label, facts) }]));
  }
  const run = ctx.run();
  const spot = spotOf(run, ctx.task.at);
  const info = spot.run < 0 ? null : run.session.trace(spot.run);
  if (info === null) throw new BrokenTask("a structure is filled at a step of a phase that runs");
  const view = run.session.view(spot.run, spot.step ?? info.steps - 1, null);
  const found = view.structures.find((s) => s.name === structure);
  if (found === undefined)
    throw new BrokenTask(`there is no structure '${structure}' at this place; there are ${view.structures.map((s) => s.name).join(", ")}`);
  const values = new Map(found.cells.map(([key, value]) => [key, value]));
  return new Map(cells.map((name) => [name, { value: cellValue(values, name, structure) }]));
}

function setOf(structure: string, label: string, facts: FlowFacts): readonly string[] {
  const block = facts.blocks.find((b) => b.label === label);
  const make = SETS[structure];
  if (block === undefined || make === undefined) throw new BrokenTask(`there is no block ${label} at this place`);
  return make(block, facts);
}

/** A cell by its key, or one field of it as `KEY.FIELD`. */
function cellValue(values: ReadonlyMap<string, unknown>, name: string, structure: string): string {
  const whole = values.get(name);
  if (whole !== undefined) return plain(whole);
  const dot = name.lastIndexOf(".");
  const row = values.get(name.slice(0, dot));
  const field = name.slice(dot + 1);
  if (dot > 0 && typeof row === "object" && row !== null && Object.hasOwn(row, field))
    return plain((row as Readonly<Record<string, unknown>>)[field]);
  throw new BrokenTask(`'${structure}' has no cell '${name}'; it has ${list([...values.keys()])}`);
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

function dominatorsOf(block: FlowBlock, { blocks }: FlowFacts): readonly string[] {
  const byLabel = new Map(blocks.map((b) => [b.label, b]));
  const found: string[] = [];
  for (let at: FlowBlock | undefined = block; at !== undefined; at = at.idom === null ? undefined : byLabel.get(at.idom))
    found.push(at.label);
  return found;
}
