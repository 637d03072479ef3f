/** Runs what a place in a program names, as the page would. */

import type { Module } from "../../../../engine/ir/types.ts";
import type { Pass } from "../../../../engine/passes/pass.ts";
import { planPipeline } from "../../../../engine/pipeline/plan.ts";
import { type PositionRun, passFor, runPipeline } from "../../../../engine/pipeline/run.ts";
import { runPhase } from "../../../../engine/pipeline/run-phase.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { Recording } from "../../../../engine/trace/recording.ts";
import { Trace } from "../../../../engine/trace/trace.ts";
import type { LinkData } from "../../../../links/link-data.ts";
import { PROGRAMS, textOfProgram } from "../programs.ts";

export interface Program {
  /** As `Shown` names it. */
  readonly id: string;
  readonly text: string;
}

/** All programs of all families: fixtures first, the smallest first. */
export function allPrograms(): readonly Program[] {
  const programs = PROGRAMS.toSorted().map((id) => ({ id, text: textOfProgram(id) ?? "" }));
  return programs.toSorted((a, b) => Number(isFixture(b)) - Number(isFixture(a)) || a.text.length - b.text.length);
}

export const isFixture = ({ id }: Pick<Program, "id">): boolean => id.split("/").length === 2;

export interface Ran {
  readonly module: Module;
  readonly pass: Pass;
  /** Of the last phase of the list. */
  readonly run: PositionRun;
  readonly trace: Trace;
}

/** The last of the phases that a link runs; null where it cannot run, which says a wrong place and no wrong program. */
export function runLink(link: LinkData): Ran | null {
  const { module, diagnostics } = parseModule(link.source ?? "");
  const [fn] = module.funcs;
  if (fn === undefined || diagnostics.some(({ severity }) => severity === "error")) return null;
  const interventions = link.future === 0 ? [] : (link.futures[link.future - 1]?.interventions ?? []);
  const { plan, problems } = planPipeline({ ...link, interventions }, module.target);
  if (problems.some(({ severity }) => severity === "error")) return null;
  const run = runPipeline(fn, module, plan).runs.at(-1);
  const pass = run === undefined ? undefined : passFor(run.planned.id);
  if (run === undefined || pass === undefined) return null;
  const rec = new Recording(run.before);
  runPhase(run.planned, pass, run.before, { module, plan, rec });
  return { module, pass, run, trace: new Trace(rec, run.before) };
}
