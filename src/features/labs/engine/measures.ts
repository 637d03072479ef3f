/** Figures of a program at a place of its run: those of `number`, `reach` and `edit`. */

import * as v from "valibot";
import type { FlowFacts } from "../../../engine/api/analysis/flow-facts.ts";
import type { ExecRequest } from "../../../engine/api/types.ts";
import { executed } from "../../futures/engine/intervened.ts";
import { type Context, inputSchema, phaseName, requestOf } from "./kinds/kind.ts";
import { BrokenTask, phaseOf } from "./stage.ts";

export const STATIC = [
  "blocks",
  "instructions",
  "edges",
  "branches",
  "loops",
  "back-edges",
  "irreducible",
  "unreachable",
  "divergent",
  "registers",
] as const;
export const EXECUTED = ["warp-instructions", "lane-instructions", "executed-branches", "divergent-branches", "loads", "stores"] as const;
/** Figures of a phase, and of the event at the task's place. */
export const MEASURES = [...STATIC, ...EXECUTED, "rewrites", "matches", "fact"] as const;
export type Static = (typeof STATIC)[number];
export type Executed = (typeof EXECUTED)[number];
export type Measure = (typeof MEASURES)[number];

export const measureSchema = v.strictObject({
  of: v.picklist(MEASURES),
  phase: v.optional(phaseName),
  fact: v.optional(v.string()),
  inputs: v.optional(v.pipe(v.array(inputSchema), v.minLength(1), v.maxLength(64))),
});

export interface MeasureSpec {
  readonly of: Measure;
  readonly phase?: string | undefined;
  readonly fact?: string | undefined;
  readonly inputs?: readonly v.InferOutput<typeof inputSchema>[] | undefined;
}

const isStatic = (of: Measure): of is Static => (STATIC as readonly string[]).includes(of);
export const isExecuted = (of: Measure): of is Executed => (EXECUTED as readonly string[]).includes(of);

export function measure(spec: MeasureSpec, ctx: Context): number {
  if (isStatic(spec.of)) return staticFigure(ctx.facts(), spec.of);
  if (isExecuted(spec.of)) {
    const { program, task } = ctx;
    const text = task.at.kind === "input" ? program.ori : ctx.stage.textAt(program, ctx.options, task.at);
    const figure = executedFigure(text, task.at.kind === "input" ? program.kernel : null, spec.of, inputsOf(spec.inputs, text, ctx));
    if (typeof figure === "string") throw new BrokenTask(`the program does not end normally: ${figure}`);
    return figure;
  }
  if (spec.of === "fact") {
    const value = ctx.event().event.facts[spec.fact ?? ""];
    if (typeof value !== "number") throw new BrokenTask(`the event has no number '${spec.fact ?? ""}'`);
    return value;
  }
  if (spec.phase === undefined) throw new BrokenTask(`${spec.of} needs phase:`);
  return phaseOf(ctx.run(), spec.phase)[spec.of];
}

/** Inputs of a task, else eight that the lab's seed gives. */
export type Inputs = { readonly requests: readonly ExecRequest[] } | { readonly count: number; readonly seed: number };
const GENERATED_INPUTS = 8;

export function inputsOf(given: readonly v.InferOutput<typeof inputSchema>[] | undefined, ori: string, ctx: Context): Inputs {
  return given === undefined
    ? { count: GENERATED_INPUTS, seed: ctx.stage.seed + 1 }
    : { requests: given.map((input) => requestOf(input, ori)) };
}

export function staticFigure({ blocks, loops, backEdges, irreducible }: FlowFacts, of: Static): number {
  switch (of) {
    case "blocks":
      return blocks.length;
    case "instructions":
      return blocks.reduce((sum, b) => sum + b.insts.length, 0);
    case "edges":
      return blocks.reduce((sum, b) => sum + b.succs.length, 0);
    case "branches":
      return blocks.filter((b) => b.succs.length > 1).length;
    case "loops":
      return loops.length;
    case "back-edges":
      return backEdges.length;
    case "irreducible":
      return irreducible;
    case "unreachable":
      return blocks.filter((b) => b.rpo === 0).length;
    case "divergent":
      return blocks.filter((b) => b.divergent).length;
    case "registers":
      return new Set(blocks.flatMap((b) => b.insts.flatMap((i) => [...i.defs, ...i.uses]))).size;
  }
}

/** A string says why there is no figure. */
export function executedFigure(text: string, kernel: string | null, of: Executed, inputs: Inputs): number | string {
  const counters = executed(text, kernel, inputs);
  if (typeof counters === "string") return counters;
  switch (of) {
    case "warp-instructions":
      return counters.warpInstructions;
    case "lane-instructions":
      return counters.laneInstructions;
    case "executed-branches":
      return counters.branches;
    case "divergent-branches":
      return counters.divergentBranches;
    case "loads":
      return counters.loads;
    case "stores":
      return counters.stores;
  }
}
