/** What each side may be, for its two lists, and the values of these lists. */

import { numberedName } from "../names/phase-status.ts";
import { plainName } from "../names/phases.ts";
import { POLICY_TITLES, type Policy } from "../names/policies.ts";
import {
  type ComparisonSlice,
  type NamedRun,
  NO_COMPARISON,
  type PlaceChoice,
  type RunChoice,
  SHOWN,
  type SideChoice,
} from "../session/comparison.ts";
import { selectKernel, selectKernels, selectPhases, selectRecorded } from "../session/selectors.ts";
import type { SessionState } from "../session/state.ts";
import type { SelectOption } from "../ui/select.tsx";

const LEVELS = [0, 1, 2, 3];

const NAMED = "run:";

export function runOptions(state: SessionState, runs: readonly NamedRun[]): readonly SelectOption[] {
  const { pipeline } = state.options;
  const shown = runs.find(({ isShown }) => isShown)?.title ?? "this run";
  if (selectRecorded(state)) return [{ value: "shown", title: shown }];
  const kernel = selectKernel(state)?.name;
  return [
    { value: "shown", title: shown },
    ...runs.filter(({ isShown }) => !isShown).map(({ name, title }) => ({ value: NAMED + name, title })),
    ...(["notes", "measured"] as const)
      .filter((policy) => policy !== pipeline.policy)
      .map((policy) => ({ value: `policy:${policy}`, title: POLICY_TITLES[policy] })),
    ...LEVELS.filter((level) => level !== pipeline.level).map((level) => ({ value: `level:${level}`, title: `-O${level}` })),
    ...selectKernels(state)
      .filter(({ name, state: s }) => name !== kernel && s !== "wrong")
      .map(({ name }) => ({ value: `kernel:${name}`, title: `kernel ${name}` })),
    { value: "text", title: "another text…" },
  ];
}

export function valueOfRun(run: RunChoice, { options }: SessionState, runs: readonly NamedRun[]): string {
  switch (run.kind) {
    case "shown":
    case "text":
      return run.kind;
    case "named":
      return runs.some(({ name, isShown }) => isShown && name === run.name) ? "shown" : NAMED + run.name;
    case "policy":
      return run.policy === options.pipeline.policy ? "shown" : `policy:${run.policy}`;
    case "level":
      return run.level === options.pipeline.level ? "shown" : `level:${run.level}`;
    case "kernel":
      return `kernel:${run.name}`;
  }
}

export function runOf(value: string): RunChoice {
  const at = value.indexOf(":");
  const [kind, rest] = at < 0 ? [value, ""] : [value.slice(0, at), value.slice(at + 1)];
  switch (kind) {
    case "run":
      return { kind: "named", name: rest };
    case "policy":
      return { kind, policy: rest as Policy };
    case "level":
      return { kind, level: Number(rest) };
    case "kernel":
      return { kind, name: rest };
    case "text":
      return { kind };
    default:
      return SHOWN;
  }
}

export function placeOptions(state: SessionState, side: SideChoice): readonly SelectOption[] {
  const phases = selectPhases(state);
  const open = phases[state.position.run];
  const name = open === undefined ? "the phase" : plainName(open);
  const pinned = typeof side.at === "object" && side.at.step !== null ? side.at : null;
  const options: SelectOption[] = [
    { value: "input", title: "as written" },
    ...(side.run.kind === "shown" ? [{ value: "current", title: "this step" }] : []),
    { value: "start", title: `before ${name}` },
    { value: "end", title: `after ${name}` },
    { value: "last", title: "after all phases" },
    ...phases.filter((p) => p.ran && p.changed).map((p) => ({ value: `after:${p.id}`, title: `after ${numberedName(p)}` })),
  ];
  const value = valueOfPlace(side.at);
  if (pinned !== null) {
    const phase = phases.find((p) => p.id === pinned.phase);
    const of = phase === undefined ? "" : ` of ${plainName(phase)}`;
    options.push({ value, title: (pinned.step ?? 0) < 0 ? `input${of}` : `step ${(pinned.step ?? 0) + 1}${of}` });
  } else if (!options.some((o) => o.value === value)) options.push({ value, title: value.replace("after:", "after ") });
  return options;
}

export function valueOfPlace(at: PlaceChoice): string {
  if (typeof at === "string") return at;
  if (at.phase === null) return "input";
  return at.step === null ? `after:${at.phase}` : `step:${at.step}:${at.phase}`;
}

export function placeOf(value: string): PlaceChoice {
  if (value === "current" || value === "start" || value === "end" || value === "last") return value;
  if (value === "input") return { phase: null, step: null };
  if (value.startsWith("after:")) return { phase: value.slice("after:".length), step: null };
  const [, step = "", ...phase] = value.split(":");
  return { phase: phase.join(":"), step: Number(step) };
}

/** What was chosen. Where a side names a run that was removed, the sides that a comparison begins with. */
export function sidesNow(view: ComparisonSlice, runs: readonly NamedRun[]): ComparisonSlice {
  const exists = ({ run }: SideChoice): boolean => run.kind !== "named" || runs.some(({ name }) => name === run.name);
  const { left, right } = exists(view.left) && exists(view.right) ? view : NO_COMPARISON;
  return { ...view, left, right };
}
