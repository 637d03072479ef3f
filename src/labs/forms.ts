/** The parts of an answer: enough to draw a form, without revealing the right one. */

import { conditionsOf } from "../engine/api/futures/intervened.ts";
import { IMPORTERS } from "../engine/api/read/importers.ts";
import type { Context } from "./kinds/kind.ts";
import { kindOf } from "./kinds/kinds.ts";
import { machineOf } from "./kinds/simulate.ts";
import { guessesOf, type WriteSpec } from "./kinds/write.ts";
import type { MachineSpec } from "./machines/machine.ts";
import { BrokenTask } from "./stage.ts";

export interface Named {
  readonly value: string;
  readonly title: string;
}

/** One thing that a prediction says. `options` null: it is typed. */
export interface PredictPart {
  readonly key: string;
  readonly title: string;
  readonly options: readonly Named[] | null;
  /** It is a pair: from and to. */
  readonly pair: boolean;
  /** Asked only when the verdict is no. */
  readonly onlyIfNo: boolean;
}

export type Form =
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly many: boolean }
  | { readonly kind: "number" }
  | { readonly kind: "text"; readonly least: number }
  | { readonly kind: "blocks"; readonly labels: readonly string[] }
  /** `edges`: those to choose from; null: pairs of blocks are put together. */
  | { readonly kind: "edges"; readonly labels: readonly string[]; readonly edges: readonly (readonly [string, string])[] | null }
  | { readonly kind: "registers"; readonly names: readonly string[] }
  | { readonly kind: "numbers"; readonly labels: readonly string[] }
  | { readonly kind: "parents"; readonly labels: readonly string[] }
  | { readonly kind: "lines"; readonly lines: readonly string[] }
  | { readonly kind: "cells"; readonly structure: string; readonly cells: readonly string[] }
  | { readonly kind: "predict"; readonly parts: readonly PredictPart[] }
  | { readonly kind: "moves"; readonly moves: string; readonly mode: "undo" | "fix" | "at-end"; readonly labels: readonly string[] }
  | { readonly kind: "order"; readonly lines: readonly { readonly index: number; readonly text: string }[] }
  | { readonly kind: "ori"; readonly text: string }
  | {
      readonly kind: "plan";
      readonly allow: readonly string[];
      readonly knobs: readonly string[] | null;
      readonly measure: string;
      readonly full: number;
    }
  | { readonly kind: "wrong"; readonly find: "input" | "rewrite" | "condition"; readonly conditions: readonly Named[] }
  | { readonly kind: "tests"; readonly most: number; readonly against: number }
  | {
      readonly kind: "write";
      readonly what: "pass" | "analysis";
      readonly start: string;
      readonly forbid: readonly string[];
      /** The student's prediction before it runs; null: the task does not ask for one. */
      readonly guesses: readonly string[] | null;
      /** So many random programs it is run on, beside the lab's own. */
      readonly count: number;
    };

interface Fields {
  readonly options: readonly { readonly text: string }[];
  readonly many: boolean;
  readonly least: number;
  readonly what: string;
  readonly and?: string;
  readonly structure: string;
  readonly cells: readonly string[];
  readonly lines: readonly string[];
  readonly distractors: readonly string[];
  readonly mode: "undo" | "fix" | "at-end";
  readonly allow: readonly string[];
  readonly "knobs-allowed"?: readonly string[];
  readonly measure: string;
  readonly full?: number;
  readonly "at-most": number;
  readonly drop: string;
  readonly find: "input" | "rewrite" | "condition";
  readonly most: number;
  readonly against: readonly string[];
  readonly start?: string;
  readonly forbid: readonly string[];
  readonly count: number;
}

/** Throws `BrokenTask` where the lab is at fault. */
export function formOf(ctx: Context): Form {
  const spec = ctx.task.spec as Fields;
  switch (ctx.task.kind) {
    case "choice":
      return { kind: "choice", options: spec.options.map((o) => o.text), many: spec.many };
    case "number":
      return { kind: "number" };
    case "text":
      return { kind: "text", least: spec.least };
    case "mark":
      return markForm(spec, ctx);
    case "fill":
      return { kind: "cells", structure: spec.structure, cells: spec.cells };
    case "predict":
      return { kind: "predict", parts: predictParts(spec, ctx) };
    case "simulate":
      return movesForm(spec, ctx);
    case "order":
      return { kind: "order", lines: mixed([...spec.lines, ...spec.distractors]) };
    case "edit":
      return { kind: "ori", text: IMPORTERS[ctx.program.format]?.forms !== undefined ? ctx.program.text : ctx.program.ori };
    case "reach":
      return {
        kind: "plan",
        allow: spec.allow,
        knobs: spec["knobs-allowed"] ?? null,
        measure: spec.measure,
        full: spec.full ?? spec["at-most"],
      };
    case "find-wrong":
      return { kind: "wrong", find: spec.find, conditions: spec.find === "condition" ? dropsOf(spec.drop) : [] };
    case "tests":
      return { kind: "tests", most: spec.most, against: spec.against.length };
    case "write":
      return {
        kind: "write",
        what: spec.what === "analysis" ? "analysis" : "pass",
        start: spec.start ?? "",
        forbid: spec.forbid,
        guesses: guessesOf(ctx.task.spec as WriteSpec),
        count: spec.count,
      };
    default:
      throw new BrokenTask(`there is no kind ${ctx.task.kind}`);
  }
}

/** A machine without a program has no blocks to press, and says what it works on. */
function movesForm({ mode }: Fields, ctx: Context): Form {
  const { moves, program } = machineOf(ctx.task.spec);
  if (program === undefined) return { kind: "moves", moves, mode, labels: labelsOf(ctx) };
  return { kind: "moves", moves: `${program(ctx.task.spec as MachineSpec, ctx)}. ${moves}`, mode, labels: [] };
}

const labelsOf = (ctx: Context): readonly string[] => ctx.facts().blocks.map((b) => b.label);

/** The shape of a mark is that of its answer: sets of blocks, edges, registers or lines, or a value for each block. */
function markForm({ what }: Fields, ctx: Context): Form {
  const answer = kindOf("mark")?.solve(ctx.task.spec, ctx);
  if (answer === null || typeof answer !== "object") throw new BrokenTask(`${what} cannot be marked`);
  const facts = ctx.facts();
  const labels = labelsOf(ctx);
  if ("numbers" in answer) return { kind: "numbers", labels };
  if ("parents" in answer) return { kind: "parents", labels };
  if ("lines" in answer) return { kind: "lines", lines: ctx.program.ori.trimEnd().split("\n") };
  if ("edges" in answer) {
    const edges = facts.blocks.flatMap((b) => [...new Set(b.succs)].map((to) => [b.label, to] as const));
    return { kind: "edges", labels, edges: what === "edges" ? null : edges };
  }
  if ("registers" in answer) {
    const names = new Set(facts.blocks.flatMap((b) => [...b.liveIn, ...b.liveOut, ...b.insts.flatMap((i) => [...i.defs, ...i.uses])]));
    return { kind: "registers", names: [...names].sort(byName) };
  }
  return { kind: "blocks", labels };
}

const byName = (a: string, b: string): number => a.localeCompare(b, "en", { numeric: true });

const named = (values: readonly string[]): readonly Named[] => values.map((value) => ({ value, title: value }));

const VERDICTS: readonly Named[] = [
  { value: "yes", title: "yes: it does" },
  { value: "no", title: "no: it does not" },
];

function predictParts({ what, and }: Fields, ctx: Context): readonly PredictPart[] {
  const part = (key: string, title: string, options: readonly Named[] | null, more: Partial<PredictPart> = {}): PredictPart => ({
    key,
    title,
    options,
    pair: false,
    onlyIfNo: false,
    ...more,
  });
  const labels = (): readonly Named[] => named(labelsOf(ctx));
  const second = and === undefined ? [] : [part("condition", "Because", reasons(ctx, false), { onlyIfNo: true })];
  switch (what) {
    case "verdict":
      return [part("verdict", "Verdict", VERDICTS), ...second];
    case "condition":
      return [part("condition", "What decides", reasons(ctx, true))];
    case "block":
      return [part("block", "Block", labels())];
    case "edge":
      return [part("edge", "Edge", labels(), { pair: true })];
    case "register":
      return [part("register", "Register", null)];
    case "kind":
      return [part("kind", "Kind of step", null)];
    case "value":
      return [part("value", "Value", null)];
    default:
      return [part("fact", "Your answer", null)];
  }
}

/** All reasons of the phase's rules, in the order of the alphabet, which tells nothing. Null: the phase has no table of them. */
function reasons({ task }: Context, fires: boolean): readonly Named[] | null {
  const known = task.at.kind === "input" ? null : conditionsOf(task.at.phase);
  if (known === null) return null;
  const rows = known.map(({ name, why }) => ({ value: name, title: why === "" ? name : `${name}: ${why}` }));
  rows.sort((a, b) => byName(a.value, b.value));
  return fires ? [{ value: "fires", title: "nothing prevents it: it happens" }, ...rows] : rows;
}

/** Conditions of the broken phase that can be dropped, one of which is. */
function dropsOf(drop: string): readonly Named[] {
  const phase = drop.split(":")[0] ?? "";
  const known = (conditionsOf(phase) ?? []).filter((c) => c.droppable !== null);
  return known
    .map(({ name, why }) => ({ value: `${phase}:${name}`, title: why === "" ? name : `${name}: ${why}` }))
    .sort((a, b) => byName(a.value, b.value));
}

/** In the order of the alphabet, which tells nothing; each knows its place in the file. */
function mixed(lines: readonly string[]): readonly { readonly index: number; readonly text: string }[] {
  return lines.map((text, index) => ({ index, text })).sort((a, b) => byName(a.text, b.text));
}
