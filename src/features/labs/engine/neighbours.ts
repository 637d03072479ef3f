/**
 * Programs related to that of a prediction: a smaller one on which the phase makes the same decision for the same reason, and the nearest one on which it makes the opposite one. Both
 * are searched for, and neither shows more than the engine reports about it.
 */

import { EngineSession } from "../../../engine/api/session.ts";
import type { PipelineOptions } from "../../../engine/api/types.ts";
import { smallerPassPrograms } from "../../ownpass/engine/programs.ts";
import type { Context } from "./kinds/kind.ts";
import { predictedAt } from "./kinds/predict.ts";
import { phaseOf, type Run, runText } from "./stage.ts";

export const NEIGHBOURS = ["smaller", "twin"] as const;
export type NeighbourName = (typeof NEIGHBOURS)[number];

export interface Neighbour {
  readonly text: string;
  readonly run: Run;
  /** Where it decides: the phase as the task names it, and the step. */
  readonly phase: string;
  readonly step: number;
  /** The engine's report there. */
  readonly sentence: string;
  /** The line of the program that differs, before and after, null: it is taken out; null: many do. */
  readonly differs: readonly [before: string, after: string | null] | null;
}

const SMALLER_TRIES = 400;
const TWIN_TRIES = 600;

/** What a phase decides at a step. */
interface Decision {
  readonly kind: string;
  readonly verdict: "yes" | "no";
  readonly condition: string | null;
}

/** Whether the task's question has neighbours at all: a verdict or its reason. */
export const hasNeighbours = ({ kind, spec }: Context["task"]): boolean =>
  kind === "predict" && ["verdict", "condition"].includes((spec as { readonly what: string }).what);

/** null: none was found, or the step decides nothing. */
export function neighbourOf(ctx: Context, which: NeighbourName): Neighbour | null {
  const { at } = ctx.task;
  if (at.kind === "input" || !hasNeighbours(ctx.task)) return null;
  const { event } = predictedAt(ctx);
  const { verdict, condition } = event.facts;
  if (verdict !== "yes" && verdict !== "no") return null;
  const search = new Search(ctx, at.phase, {
    kind: event.kind,
    verdict,
    condition: typeof condition === "string" && verdict === "no" ? condition : null,
  });
  return which === "smaller" ? search.smaller() : search.twin();
}

class Search {
  private readonly ctx: Context;
  private readonly phase: string;
  private readonly wanted: Decision;
  private readonly options: PipelineOptions;

  constructor(ctx: Context, phase: string, wanted: Decision) {
    this.ctx = ctx;
    this.phase = phase;
    this.wanted = wanted;
    // A run stops before `until`: later phases do not affect this one.
    this.options = /^\d{1,3}$/.test(phase) ? { ...ctx.options, until: String(Number(phase) + 1) } : ctx.options;
  }

  smaller(): Neighbour | null {
    const original = this.ctx.program.ori;
    const steps = smallerPassPrograms(original, SMALLER_TRIES);
    let best: string | null = null;
    for (let step = steps.next(); step.done !== true; ) {
      const run = this.runOf(step.value.text);
      const same = run !== null && this.places(run, this.wanted).length > 0 && isClean(step.value.text);
      if (same) best = step.value.text;
      step = steps.next(same);
    }
    return best === null ? null : this.found(best, this.wanted, null);
  }

  /** One line differs, and the phase decides once more the other way, and once less this way. */
  twin(): Neighbour | null {
    const { ori } = this.ctx.program;
    const own = this.runOf(ori);
    if (own === null) return null;
    const { kind } = this.wanted;
    const before = this.countsOf(own);
    const ours = keyOf(this.wanted);
    let tries = 0;
    for (const { text, differs } of oneLineEdits(ori)) {
      if (++tries > TWIN_TRIES) return null;
      const run = this.runOf(text);
      if (run === null) continue;
      const after = this.countsOf(run);
      if ((after.get(ours) ?? 0) >= (before.get(ours) ?? 0)) continue;
      const other = [...after.keys()].find((key) => {
        const isOther = this.wanted.verdict === "yes" ? key.startsWith("no ") : key === "yes";
        return isOther && (after.get(key) ?? 0) > (before.get(key) ?? 0);
      });
      if (other === undefined || !isClean(text)) continue;
      const verdict = other === "yes" ? "yes" : "no";
      return this.found(text, { kind, verdict, condition: verdict === "yes" ? null : other.slice(3) }, differs);
    }
    return null;
  }

  private runOf(text: string): Run | null {
    const run = runText(text, "ori", null, this.options);
    return typeof run === "string" ? null : run;
  }

  /** Steps at which the phase decides so. */
  private places(run: Run, { kind, verdict, condition }: Decision): ArrayLike<number> & Iterable<number> {
    const reason = condition === null ? "" : ` and condition = "${condition.replaceAll('"', "")}"`;
    return run.session.breakpointTicks(phaseOf(run, this.phase).run, [
      { kind: "condition", text: `kind = ${kind} and verdict = ${verdict}${reason}` },
    ]);
  }

  /** How often it decides so, for each way of deciding. */
  private countsOf(run: Run): ReadonlyMap<string, number> {
    const { run: index } = phaseOf(run, this.phase);
    const counts = new Map<string, number>();
    for (const verdict of ["yes", "no"] as const) {
      for (const step of this.places(run, { ...this.wanted, verdict, condition: null })) {
        const condition = run.session.events(index, step, 1)[0]?.facts.condition;
        const key = keyOf({ kind: this.wanted.kind, verdict, condition: typeof condition === "string" ? condition : "" });
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return counts;
  }

  private found(text: string, decision: Decision, differs: Neighbour["differs"]): Neighbour | null {
    // As the tool shows it: the whole pipeline.
    const run = runText(text, "ori", null, this.ctx.options);
    if (typeof run === "string") return null;
    const index = phaseOf(run, this.phase).run;
    const steps = [...this.places(run, decision)];
    // Of several the one about the requested instruction, or about the line that it became.
    const { inst } = predictedAt(this.ctx).event.facts;
    const about = (wanted: unknown): number | undefined =>
      steps.find((at) => wanted !== undefined && wanted !== null && run.session.events(index, at, 1)[0]?.facts.inst === wanted);
    const step = about(inst) ?? about(differs?.[1]) ?? steps[0];
    const event = step === undefined ? undefined : run.session.events(index, step, 1)[0];
    return step === undefined || event === undefined ? null : { text, run, phase: this.phase, step, sentence: event.sentence, differs };
  }
}

/** A register that nothing defines, or code that nothing reaches, would be another lesson. */
const isClean = (text: string): boolean => new EngineSession().open(1, text, "ori").diagnostics.length === 0;

const keyOf = ({ verdict, condition }: Decision): string => (verdict === "yes" ? "yes" : `no ${condition ?? ""}`);

interface Edit {
  readonly text: string;
  readonly differs: readonly [before: string, after: string | null];
}

const REGISTER = /\b(?:U?R|RD|U?P)\d{1,3}\b/g;
const NUMBER = /(?<![\w.])-?\d+\b/g;

const plain = (line: string): string => line.trim().replace(/\s+/g, " ");

/** Each program that differs in one instruction: a guard less, another register or number, or one instruction less. Small changes come first. */
function* oneLineEdits(text: string): Generator<Edit> {
  const lines = text.split("\n");
  const names = [...new Set(text.match(REGISTER) ?? [])];
  const edited = (index: number, line: string | null): Edit => ({
    text: [...lines.slice(0, index), ...(line === null ? [] : [line]), ...lines.slice(index + 1)].join("\n"),
    differs: [plain(lines[index] ?? ""), line === null ? null : plain(line)],
  });
  const places = lines.flatMap((line, index) => (/^\s+\S/.test(line) && !/^\s*(?:\/\/|\.)/.test(line) ? [index] : []));
  for (const index of places) {
    const line = lines[index] ?? "";
    if (/^\s*@/.test(line)) yield edited(index, line.replace(/^(\s*)@\S+\s+/, "$1"));
    for (const match of line.matchAll(REGISTER)) {
      const [name] = match;
      const likes = names.filter((other) => other !== name && other.replace(/\d/g, "") === name.replace(/\d/g, ""));
      for (const other of likes) yield edited(index, line.slice(0, match.index) + other + line.slice(match.index + name.length));
    }
    for (const match of line.matchAll(NUMBER)) {
      for (const other of ["0", "1", String(Number(match[0]) + 1)]) {
        if (other !== match[0]) yield edited(index, line.slice(0, match.index) + other + line.slice(match.index + match[0].length));
      }
    }
  }
  for (const index of places) yield edited(index, null);
}
