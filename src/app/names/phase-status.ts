/** What became of a position in this run, in one word and in a sentence. */

import type { PhaseRow, PhaseRun } from "../../engine/api/types.ts";
import { plural } from "../ui/plural.ts";
import { plainReason } from "./conditions.ts";
import { isOwnPhase, phaseName, plainName } from "./phases.ts";

export const PHASE_STATUSES = ["changed", "same", "gated", "no-op", "absent"] as const;
/** `stopped`: an error ended it. `hidden`: an open question of a lab asks how it ends. */
export type PhaseStatus = (typeof PHASE_STATUSES)[number] | "stopped" | "hidden";

export const STATUS_TITLES: Readonly<Record<PhaseStatus, string>> = {
  changed: "ran and changed",
  same: "ran, no change",
  gated: "gated off",
  "no-op": "no-op on this target",
  absent: "not modelled",
  stopped: "stopped",
  hidden: "hidden until you have answered",
};

/** The status in words: an intervention or a limit of the run keeps a phase from running before any gate is checked. */
export function statusTitle(phase: PhaseRun): string {
  const status = phaseStatus(phase);
  return status === "gated" && phase.gates.length === 0 ? "did not run" : STATUS_TITLES[status];
}

export function phaseStatus(phase: PhaseRun): PhaseStatus {
  if (!phase.modelled) return "absent";
  if (phase.hidden === true) return "hidden";
  if (phase.stopped === true) return "stopped";
  if (phase.ran) return phase.changed ? "changed" : "same";
  return phase.gates.some((g) => g.gate === "slot" && !g.ok) || phase.reason?.startsWith("no-op") === true ? "no-op" : "gated";
}

/** How much a phase changed, 0 to 1, for the height of its bar: a root, so that one change is visible next to a hundred. */
export function changeAmount(phase: PhaseRun): number {
  if (!phase.changed) return 0;
  const size = Math.max(1, phase.instructions[0]);
  const moved = Math.abs(phase.instructions[0] - phase.instructions[1]) + 2 * Math.abs(phase.blocks[0] - phase.blocks[1]) + phase.rewrites;
  return Math.min(1, 0.25 + Math.sqrt(moved / size) * 0.75);
}

function delta([before, after]: readonly [number, number], what: string): string {
  const now = plural(after, what);
  return before === after ? now : `${before.toLocaleString("en")} → ${now}`;
}

/** The position's number; a phase without one is cicc's, your own, a part of ptxas's bundles that was named to run alone, or of another compiler (empty). */
export function phaseNumber(phase: PhaseRun): string {
  if (phase.phase !== null) return String(phase.phase);
  if (isOwnPhase(phase)) return "own";
  return { ptxas: "named", cicc: "cicc", foreign: "" }[phase.group];
}

/** `49 Value numbering`. */
export function numberedName(phase: PhaseRun, name = plainName(phase)): string {
  return `${phaseNumber(phase)} ${name}`.trimStart();
}

/** What the check of every phase found, in a line. */
export function checkVerdict(phases: readonly PhaseRun[]): { readonly ok: boolean; readonly text: string } {
  const checked = phases.filter((phase) => phase.check !== null);
  const wrong = checked.filter((phase) => phase.check?.ok === false);
  const inputs = plural(checked[0]?.check?.inputs ?? 0, "input");
  if (checked.length === 0) return { ok: true, text: "No phase changed the program, so there is nothing to check." };
  const open = checked.filter((phase) => phase.check?.notDecided !== undefined);
  const [first] = open;
  if (wrong.length === 0 && first !== undefined) {
    const [n, of] = [open.length, plural(checked.length, "phase")];
    return { ok: false, text: `Not decided for ${n} of the ${of} that changed the program: ${first.check?.notDecided}.` };
  }
  if (wrong.length === 0)
    return {
      ok: true,
      text: `Checked: each of the ${plural(checked.length, "phase")} that changed the program kept its meaning on ${inputs}.`,
    };
  const names = wrong.map((phase) => numberedName(phase)).join(", ");
  return { ok: false, text: `Checked: ${names} changed the program's meaning. Open it: Why shows the counterexample.` };
}

function checkLine({ ok, inputs, notDecided }: NonNullable<PhaseRun["check"]>): string {
  if (notDecided !== undefined) return `Equivalence not decided: ${notDecided}`;
  return ok ? `Equivalent on ${plural(inputs, "input")}` : "Not equivalent: a counterexample was found";
}

/** Everything about a position in words. */
export function phaseSummary(phase: PhaseRun, row: PhaseRow | undefined): readonly string[] {
  const status = phaseStatus(phase);
  const known = phaseName(phase.id);
  const names = [phaseNumber(phase), known?.plain ?? "", phase.name].filter((name) => name !== "");
  const lines = [`${names.join(" · ")}: ${statusTitle(phase)}`];
  if (known !== null) lines.push(known.also.join(", "));
  if (row !== undefined && row.alternatives.length > 0) lines.push(`Also called ${row.alternatives.join(", ")}`);
  if (phase.ran && status !== "hidden") {
    lines.push(`${delta(phase.blocks, "block")}, ${delta(phase.instructions, "instruction")}`);
    lines.push(`${plural(phase.matches, "match", "matches")}, ${plural(phase.rewrites, "rewrite")}`);
  }
  if (phase.reason !== null && status !== "absent") lines.push(plainReason(phase.reason));
  if (phase.refused > 0) lines.push(`${plural(phase.refused, "rewrite was", "rewrites were")} refused by this future`);
  if (phase.dropped.length > 0) lines.push(`Conditions dropped although they failed: ${phase.dropped.join(", ")}`);
  if (phase.verifyErrors.length > 0) lines.push(`The verifier found ${plural(phase.verifyErrors.length, "error")}`);
  if (phase.check !== null) lines.push(checkLine(phase.check));
  return lines;
}
