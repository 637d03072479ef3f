/** Searches over alternative runs: the first wrong rewrite, and programs that show why a legality condition is needed. */

import { inputText } from "../../../engine/api/exec/input-text.ts";
import type { PipelineOptions } from "../../../engine/api/types.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { type Pass, unmetAt } from "../../../engine/passes/pass.ts";
import { PASSES } from "../../../engine/passes/registry.ts";
import { DEFAULT_OPTIONS } from "../../../engine/pipeline/defaults.ts";
import type { Intervention } from "../../../engine/pipeline/intervention.ts";
import { addressOfRun } from "../../../engine/pipeline/intervention-report.ts";
import { namedDrop } from "../../../engine/pipeline/named-drop.ts";
import { lookupPhase } from "../../../engine/pipeline/named-phases.ts";
import { planPipeline } from "../../../engine/pipeline/plan.ts";
import { type PositionRun, passFor } from "../../../engine/pipeline/run.ts";
import { type Reason, reasonsOf } from "../../../engine/remark/rules.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { bisect } from "./bisect.ts";
import { CONDITION_EXAMPLES } from "./condition-examples.ts";
import { KEPT_WITNESSES, type KeptWitness } from "./kept-witnesses.ts";
import { findNeed, type KeptProgram } from "./need.ts";
import type { RewritePrefixes } from "./prefixes.ts";
import type { BisectReport, ConditionRow, LightReport, NeedOptions, NeedReport } from "./types.ts";

/** The light after `n` rewrites, in the viewer's terms. */
export function lightReport(prefixes: RewritePrefixes, n: number): LightReport {
  const light = prefixes.light(n);
  const { colour, reason } = light;
  const counterexample = light.colour === "red" ? light.counterexample : null;
  return { n, colour, reason, input: counterexample === null ? null : inputText(prefixes.base(n), counterexample.input) };
}

/** Up to this many rewrites every prefix is examined, so that 'monotone' is exact. */
const SCANNED = 256;

export function bisectReport(prefixes: RewritePrefixes, runs: readonly PositionRun[], scan: boolean | null): BisectReport {
  const all = scan ?? prefixes.rewrites <= SCANNED;
  const { rewrites, monotone, first, undecided, looked } = bisect(prefixes, all ? "scan" : "search");
  const base = { rewrites, monotone, undecided, looked, scanned: all };
  if (first === null) return { ...base, first: null, counterexample: null };
  const { run, n } = prefixes.rewriteAt(first);
  const said = prefixes.said(first);
  const light = prefixes.light(first);
  const found = light.colour === "red" && light.counterexample !== null ? prefixes.shrunk(first, light.counterexample) : null;
  return {
    ...base,
    first: {
      address: `${addressOfRun(runs, run)}#${n}`,
      run,
      n,
      total: first,
      phase: runs[run]?.planned.id ?? "",
      step: said?.step ?? null,
      sentence: said?.sentence ?? "",
    },
    counterexample: {
      input: found === null ? null : inputText(prefixes.base(first), found.input),
      difference: found?.difference ?? light.reason,
    },
  };
}

/** The legality conditions of the phases, dropped or not; `phase` null: of all. */
export function conditionRows(phase: string | null): readonly ConditionRow[] {
  const wanted = phase === null ? null : lookupPhase(phase);
  if (wanted !== null && !wanted.ok) return [];
  return PASSES.flatMap((pass) =>
    pass.ids
      .filter((id) => wanted === null || wanted.ids.some((one) => one === id))
      .flatMap((id) =>
        conditionsOf(pass).map(
          (reason): ConditionRow => ({
            phase: id,
            condition: reason.name,
            code: reason.condition === reason.name ? null : reason.condition,
            ...saidOf(pass.family, reason),
            ...shownBy(pass, id, reason),
          }),
        ),
      ),
  );
}

/** A condition that several lines check under one name counts once: dropping the name drops all of them. */
function conditionsOf(pass: Pass): readonly Reason[] {
  const found = new Map<string, Reason>();
  for (const reason of reasonsOf(pass.rules ?? {})) {
    const known = found.get(reason.name);
    const better = known === undefined || (known.droppable === null && reason.droppable !== null);
    if ((reason.counts || reason.droppable !== null) && better) found.set(reason.name, reason);
  }
  return [...found.values()];
}

/** `{block}`, and `{count:place|places}`, of which the second word is used. */
const HOLE = /\{(\w+)(?::([^{}|]*)(?:\|([^{}]*))?)?\}/g;

/** The sentence of a run; if no run with it is known, its template, with placeholders for the names. */
function saidOf(family: string, { name, clause, template }: Reason): Pick<ConditionRow, "sentence" | "example"> {
  const example = CONDITION_EXAMPLES[`${family}:${name}`];
  if (example !== undefined) return { sentence: example, example: true };
  const form = (clause ?? template).text;
  return {
    sentence: form.replace(HOLE, (_, hole: string, one?: string, many = "") => (one === undefined ? hole : many)),
    example: false,
  };
}

function shownBy(
  pass: Pass,
  phase: string,
  { name: condition, droppable, fixed }: Reason,
): Pick<ConditionRow, "droppable" | "without" | "witness" | "caught" | "note"> {
  const unmet = unmetAt(pass, phase, condition);
  if (droppable === null || unmet !== null) return { droppable: false, without: null, witness: null, caught: null, note: unmet ?? fixed };
  const offered = { droppable: true, without: droppable } as const;
  const [best] = keptFor(phase, condition);
  if (best === undefined) return { ...offered, witness: null, caught: null, note: null };
  const others = best.drops.filter((one) => one !== condition);
  return {
    ...offered,
    witness: best.text,
    caught: best.caught,
    note: others.length === 0 ? null : `Shown together with ${others.join(", ")}: otherwise the candidate would still be refused.`,
  };
}

/** Kept witnesses of a condition: those that drop it alone first, then the one that has its name. */
function keptFor(phase: string, condition: string): readonly KeptWitness[] {
  const own = KEPT_WITNESSES.filter((kept) => kept.phases.includes(phase) && kept.drops.includes(condition)).map((kept) => at(phase, kept));
  return own.toSorted((a, b) => a.drops.length - b.drops.length || Number(b.name === condition) - Number(a.name === condition));
}

/** As a witness of another phase of its family. */
const at = (phase: string, kept: KeptWitness): KeptWitness => ({
  ...kept,
  phase,
  text: kept.text.replace(/^\/\/ phase: .*$/m, `// phase: ${phase}`),
});

function keptPrograms(phase: string, condition: string): readonly KeptProgram[] {
  return keptFor(phase, condition).flatMap(({ text, phase, drops, ...options }): readonly KeptProgram[] => {
    const { module } = parseModule(text);
    const [fn] = module.funcs;
    const { target, level, policy, knobs } = planPipeline({ ...DEFAULT_OPTIONS, ...options, phases: [phase] }, module.target).plan;
    const pass = passFor(phase);
    const threads = Number(/^\/\/ threads:\s*(\d+)/m.exec(text)?.[1] ?? "32");
    return fn === undefined || pass === undefined
      ? []
      : [{ module, fn, drops, pass, id: phase, threads, env: { target, level, policy, knobs } }];
  });
}

/** Searches for a program and an input on which dropping a condition (`ID:CONDITION`) makes a difference; a string says what is wrong with the question. */
export function needReport(
  condition: string,
  options: NeedOptions,
  program: { readonly module: Module; readonly fn: Func } | null,
  pipeline: PipelineOptions | null,
): NeedReport | string {
  const [phase = "", name = ""] = condition.split(/:(.*)/s);
  const drop: Intervention = { kind: "drop", phase, condition: name };
  const { plan, problems } = planPipeline({ ...(pipeline ?? DEFAULT_OPTIONS), phases: null, namedPhases: [], interventions: [drop] }, null);
  const problem = problems.find((p) => p.severity === "error");
  if (problem !== undefined) return problem.message;
  const found = lookupPhase(phase === "cicc" ? "branch-folding" : phase);
  const id = found.ok ? found.ids[0] : undefined;
  const pass = id === undefined ? undefined : passFor(id);
  const named = namedDrop(found.ok ? found.ids : [], name);
  if (named.kind === "fixed") return `${condition} cannot be dropped. ${named.why}`;
  if (id === undefined || pass === undefined || named.kind === "unknown") return `there is no condition ${condition}`;
  const { target, level, policy, knobs } = plan;
  return findNeed({
    pass,
    id,
    condition: named.reason,
    env: { target, level, policy, knobs },
    kept: options.kept === false ? [] : keptPrograms(id, named.reason),
    programs: program === null ? [] : [program],
    count: options.count,
    seed: options.seed,
    ...(options.stop === undefined ? {} : { stop: options.stop }),
  });
}
