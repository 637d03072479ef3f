/** A question about the step that is shown: a program and a task as a lab writes them. The answer is the engine's, never written down. */

import { plainName } from "../../../../app/names/phases.ts";
import type { PhaseRun, PipelineOptions, SourceFormat } from "../../../../engine/api/types.ts";
import type { TraceEvent } from "../../../../engine/trace/event.ts";
import { attribute, fencesOf } from "./fences.ts";

export interface AskedStep {
  readonly text: string;
  readonly format: SourceFormat;
  readonly phase: PhaseRun;
  /** -1: the phase's start. */
  readonly step: number;
  /** null: at the start. */
  readonly event: Pick<TraceEvent, "facts" | "focus"> | null;
  readonly options: PipelineOptions;
}

/** What a lab cannot express about a step and its run; null: it can express all of it. */
export function cannotAsk({ phase, options, event }: AskedStep): string | null {
  if (event?.facts.pipeline === true) return "this step is part of the pipeline, not of a phase";
  if (phase.address.includes("+")) return "a lab cannot refer to an inserted phase";
  if ((options.interventions ?? []).length > 0 || options.fuel !== null || (options.own ?? null) !== null)
    return "a lab runs the pipeline without skips, fuel or your own passes";
  if (options.noPhases.length > 0 || options.namedPhases.length > 0) return "a lab selects phases with 'plan: phases', not with --no-phase";
  return null;
}

const HEAD = `---
title: A question
id: question
version: 1
---
`;

/** The draft with one more program and task; an empty draft becomes a lab. */
export function withQuestion(draft: string, asked: AskedStep): string {
  const before = draft.trim() === "" ? HEAD : draft;
  const id = free("q", (name) => new RegExp(`\\{[^}]*\\bid=${name}\\b`).test(before));
  const same = nameOfProgram(before, asked.text);
  const program = same ?? free("program", (name) => new RegExp(`\\{[^}]*\\bname=${name}\\b`).test(before));
  const parts = [
    before.trimEnd(),
    ...(same === null ? [fenced(`${asked.format} {name=${program}}`, asked.text)] : []),
    fenced(`task {id=${id} points=1}`, taskLines(program, asked).join("\n")),
  ];
  return `${parts.join("\n\n")}\n`;
}

function taskLines(program: string, { phase, step, event, options }: AskedStep): readonly string[] {
  const { address } = phase;
  const name = plainName(phase);
  const common = [`program: ${program}`, ...planLines(options)];
  const what = event === null ? null : whatOf(event);
  if (what === null)
    return [
      "kind: mark",
      `ask: Number the blocks in reverse post-order, as they are before ${name} begins.`,
      ...common,
      `at: "${address}"`,
      "what: rpo",
    ];
  return [
    "kind: predict",
    `ask: ${questionOf(what, name, event)}`,
    ...common,
    `at: "${address}:${step}"`,
    `what: ${what}`,
    ...(what === "verdict" ? ["and: condition"] : []),
  ];
}

function questionOf(what: keyof typeof QUESTIONS, phase: string, event: AskedStep["event"]): string {
  const block = event?.facts.block;
  return QUESTIONS[what](phase, typeof block === "string" ? ` ${block}` : "");
}

const QUESTIONS = {
  verdict: (phase: string, block: string) => `Does ${phase} rewrite${block} here? If not, which condition fails?`,
  block: (phase: string) => `Which block does the next step of ${phase} examine?`,
  register: (phase: string) => `Which register is the next step of ${phase} about?`,
  kind: (phase: string) => `What kind of step comes next in ${phase}?`,
} as const;

/** The most telling thing that the step says. */
function whatOf({ facts, focus }: NonNullable<AskedStep["event"]>): keyof typeof QUESTIONS {
  if (facts.verdict === "yes" || (facts.verdict === "no" && typeof facts.condition === "string")) return "verdict";
  if (typeof facts.block === "string" || (focus.blocks ?? []).length > 0) return "block";
  return typeof facts.reg === "string" ? "register" : "kind";
}

/** Options that are not the usual ones. */
function planLines({ target, level, policy, knobs, phases, until }: PipelineOptions): readonly string[] {
  const plan = [
    ...(target === null ? [] : [`target: ${target}`]),
    ...(level === 3 ? [] : [`level: ${level}`]),
    ...(policy === "notes" ? [] : [`policy: ${policy}`]),
    ...(knobs.length === 0 ? [] : [`knobs: ${JSON.stringify(knobs)}`]),
    ...(phases === null ? [] : [`phases: ${JSON.stringify(phases)}`]),
    ...(until === null ? [] : [`until: ${JSON.stringify(until)}`]),
  ];
  return plan.length === 0 ? [] : [`plan: { ${plan.join(", ")} }`];
}

/** A fence that is longer than any inside. */
export function fenced(info: string, text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${info}\n${text.trimEnd()}\n${fence}`;
}

function free(stem: string, taken: (name: string) => boolean): string {
  for (let n = 1; ; n++) if (!taken(`${stem}${n}`)) return `${stem}${n}`;
}

/** The name under which the draft has this very program already. */
function nameOfProgram(draft: string, text: string): string | null {
  const same = fencesOf(draft).find((fence) => attribute(fence, "name") !== null && fence.body.trimEnd() === text.trimEnd());
  return same === undefined ? null : attribute(same, "name");
}

/** What is put in for a new task of each kind. */
export const SKELETONS: Readonly<Record<string, readonly string[]>> = {
  predict: ["program: PROGRAM", 'at: { phase: 49, when: "verdict = no", nth: 1 }', "what: verdict", "and: condition"],
  mark: ["program: PROGRAM", "what: rpo"],
  simulate: ["program: PROGRAM", "of: rpo"],
  fill: ["program: PROGRAM", "structure: live-in", "cells: [BB0]"],
  order: ["lines: [first, second]", "distractors: [neither]"],
  edit: ["program: PROGRAM", "phase: 49", "must: stays"],
  reach: ["program: PROGRAM", "measure: instructions", "at-most: 5", "allow: [phases]"],
  "find-wrong": ["program: PROGRAM", 'drop: "49:value-overwritten"', "find: condition"],
  tests: ['against: ["49:value-overwritten"]', "most: 3"],
  write: ["must: [{ program: PROGRAM, measure: instructions, at-most: 5 }]"],
  choice: ["options:", "  - { text: one, right: true }", "  - { text: another, because: why not }"],
  number: ["program: PROGRAM", "of: blocks"],
  text: ["least: 30"],
};

/** The draft with a new task at its end, and before it the open program as `program1`, where the task needs one and the draft has none. */
export function withSkeleton(draft: string, kind: string, open: Pick<AskedStep, "text" | "format"> | null): string {
  const before = draft.trim() === "" ? HEAD : draft;
  const fences = fencesOf(before);
  const ids = new Set(fences.map((fence) => attribute(fence, "id")));
  const id = free("t", (name) => ids.has(name));
  const named = fences.map((fence) => attribute(fence, "name")).find((name) => name !== null);
  const skeleton = SKELETONS[kind] ?? [];
  const missing = open !== null && named === undefined && skeleton.some((line) => line.includes("PROGRAM"));
  const lines = skeleton.map((line) => line.replaceAll("PROGRAM", named ?? "program1"));
  const parts = [
    before.trimEnd(),
    ...(missing ? [fenced(`${open.format} {name=program1}`, open.text)] : []),
    fenced(`task {id=${id} points=1}`, [`kind: ${kind}`, "ask: Say what to do.", ...lines].join("\n")),
  ];
  return `${parts.join("\n\n")}\n`;
}
