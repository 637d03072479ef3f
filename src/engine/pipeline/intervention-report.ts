/** What became of each intervention: whether it applied, and if not, why. */

import { plural } from "../../base/plural.ts";
import { isOwnId } from "../config/own-id.ts";
import { FUEL_SPENT } from "./future-plan.ts";
import { type Intervention, interventionText } from "./intervention.ts";
import { namedDrop } from "./named-drop.ts";
import { lookupPhase } from "./named-phases.ts";
import type { PositionRun } from "./run.ts";

export interface InterventionResult {
  /** As on the command line, without the dashes. */
  readonly text: string;
  readonly applied: boolean;
  /** Why it did not apply; null when it did. */
  readonly reason: string | null;
}

/** The interventions of a plan after its run, in their order. `fuel`: how many rewrites all phases together might make. */
export function interventionResults(interventions: readonly Intervention[], runs: readonly PositionRun[]): readonly InterventionResult[] {
  return interventions.map((intervention) => {
    const reason = whyNot(intervention, runs);
    return { text: interventionText(intervention), applied: reason === null, reason };
  });
}

/** How a run is addressed for people: by its position's number or its id where that names one run of the plan only, else by its key. */
export function addressOfRun(runs: readonly { readonly planned: PositionRun["planned"] }[], index: number): string {
  const planned = runs[index]?.planned;
  if (planned === undefined) return `r${index}`;
  const key = planned.address ?? `r${index}`;
  if (!/^r\d+$/.test(key)) return key;
  const same = runs.filter((r) => r.planned.id === planned.id && /^r\d+$/.test(r.planned.address ?? "r0"));
  if (same.length > 1) return key;
  return planned.position?.number?.toString() ?? planned.id;
}

/** The last run of a plan that a word may mean: an address, `r12` by its index, or a number, id or name of a phase. -1: none. */
export function lastRunOf(runs: readonly { readonly planned: PositionRun["planned"] }[], word: string): number {
  const found = lookupPhase(word);
  const named = (id: string): boolean => (isOwnId(word) && id === word) || (found.ok && found.ids.some((one) => one === id));
  return runs.findLastIndex(({ planned }, i) => addressOfRun(runs, i) === word || `r${i}` === word || named(planned.id));
}

function whyNot(intervention: Intervention, runs: readonly PositionRun[]): string | null {
  switch (intervention.kind) {
    case "skip": {
      const run = runFor(intervention.run, runs);
      if (run === null || !run.ran) return notRun(run);
      if (run.permits === null) return `${run.planned.name} does not ask before its rewrites`;
      return run.permits.skipped.includes(intervention.n) ? null : asks(run);
    }
    case "fuel": {
      if (runs.some((r) => r.reason === FUEL_SPENT || (r.permits?.unfuelled ?? 0) > 0)) return null;
      const run = intervention.run === null ? null : runFor(intervention.run, runs);
      if (intervention.run !== null && (run === null || !run.ran)) return notRun(run);
      const made = run === null ? runs.reduce((n, r) => n + (r.outcome?.rewrites ?? 0), 0) : (run.outcome?.rewrites ?? 0);
      return `there ${made === 1 ? "is" : "are"} only ${plural(made, "rewrite")}`;
    }
    case "knob": {
      const told = runs.filter((r) => r.planned.told?.knobs != null);
      return told.some((r) => r.ran) ? null : "no phase of the range runs";
    }
    case "leave-out":
      return null;
    case "insert": {
      const found = lookupPhase(intervention.id);
      const inserted = runs.filter((r) => found.ok && found.ids.some((id) => r.planned.address?.startsWith(`${id}+`) === true));
      return inserted.some((r) => r.ran) ? null : notRun(inserted[0] ?? null);
    }
    case "move":
    case "edit": {
      const run = runFor(intervention.run, runs);
      return run !== null && (run.ran || run.gates.length > 0) ? null : notRun(run);
    }
    case "drop": {
      const { phase, condition } = intervention;
      const found = lookupPhase(phase === "cicc" ? "branch-folding" : phase);
      const ids = found.ok ? found.ids : [];
      const named = namedDrop(ids, condition);
      if (named.kind === "fixed") return `this condition cannot be dropped. ${named.why}`;
      const own = runs.filter((r) => ids.some((id) => id === r.planned.id));
      const names = own.flatMap((r) => r.permits?.dropped ?? []);
      const dropped = own.some((r) => r.planned.told !== undefined && [...r.planned.told.drops].some((name) => names.includes(name)));
      if (dropped) return null;
      return own.some((r) => r.ran) ? `no candidate fails ${condition}` : notRun(own[0] ?? null);
    }
  }
}

const asks = ({ planned, permits }: PositionRun): string =>
  `${planned.name} asks ${permits?.asked === 1 ? "once" : `${plural(permits?.asked ?? 0, "time")}`}`;

const notRun = (run: PositionRun | null): string => (run === null ? "there is no such run" : (run.reason ?? "it does not run"));

/** The run that an address names in a plan that was made with it. */
function runFor(text: string, runs: readonly PositionRun[]): PositionRun | null {
  const word = text.trim();
  const byKey = runs.find((r) => r.planned.address === word || (isOwnId(word) && r.planned.id === word));
  if (byKey !== undefined) return byKey;
  const found = lookupPhase(word === "cicc" ? "branch-folding" : word);
  if (!found.ok) return null;
  return runs.find((r) => found.ids.some((id) => id === r.planned.id) && /^r\d+$/.test(r.planned.address ?? "")) ?? null;
}
