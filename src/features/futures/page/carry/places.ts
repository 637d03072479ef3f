/** Moving a phase along the strip: where it can be put, the pipeline for each position, and what that breaks. */

import { plainName } from "../../../../app/names/phases.ts";
import type { Intervention, PhaseRun } from "../../../../engine/api/types.ts";

/** What happens to a phase that was picked up. */
export type CarryTarget =
  /** Before the `place`-th of the others; after the last of them when there is none. */
  { readonly kind: "move" | "again"; readonly place: number } | { readonly kind: "out" };

export interface Carried {
  readonly phase: PhaseRun;
  /** The other modelled phases that run, in order. */
  readonly others: readonly PhaseRun[];
  /** Its own place among them. */
  readonly home: number;
}

const LEFT_OUT = "left out";

export const isLeftOut = (phase: PhaseRun): boolean => !phase.ran && phase.reason?.startsWith(LEFT_OUT) === true;

/** Null where a phase is not modelled: with and without it the program is the same. */
export function carried(phases: readonly PhaseRun[], run: number): Carried | null {
  const phase = phases[run];
  if (phase === undefined || !phase.modelled) return null;
  const others = phases.filter((one) => one.modelled && one.run !== run && !isLeftOut(one));
  return { phase, others, home: others.filter((one) => one.run < run).length };
}

/** What is put into the future for a target; null where it changes nothing. */
export function interventionOf({ phase, others, home }: Carried, target: CarryTarget): Intervention | null {
  if (target.kind === "out") return isLeftOut(phase) ? null : { kind: "leave-out", run: phase.address };
  const [before, after] = [others[target.place], others.at(-1)];
  const beside = before ?? after;
  if (beside === undefined) return null;
  const at = { side: before === undefined ? "after" : "before", run: beside.address } as const;
  // A phase that was left out is inserted again: moving it would leave it out elsewhere.
  if (target.kind === "again" || isLeftOut(phase)) return { kind: "insert", id: phase.id, at };
  return target.place === home ? null : { kind: "move", run: phase.address, at };
}

/** The order of phases, by id, that a target makes. */
export function orderOf({ phase, others, home }: Carried, target: CarryTarget): readonly string[] {
  const ids = others.map((one) => one.id);
  const at = (place: number): void => void ids.splice(place, 0, phase.id);
  if (target.kind === "again") {
    at(target.place);
    if (!isLeftOut(phase)) ids.splice(target.place <= home ? home + 1 : home, 0, phase.id);
  } else if (target.kind === "move") at(target.place);
  return ids;
}

/** The current order. */
export const orderNow = (carried: Carried): readonly string[] =>
  isLeftOut(carried.phase) ? carried.others.map((one) => one.id) : orderOf(carried, { kind: "move", place: carried.home });

/** All targets: each position for a move, each for an additional run, and none. */
export function targetsOf({ others }: Carried): readonly CarryTarget[] {
  const places = Array.from({ length: others.length + 1 }, (_, place) => place);
  return [
    ...places.map((place): CarryTarget => ({ kind: "move", place })),
    ...places.map((place): CarryTarget => ({ kind: "again", place })),
    { kind: "out" },
  ];
}

export const targetKey = (target: CarryTarget): string => (target.kind === "out" ? "out" : `${target.kind} ${target.place}`);

/** In words, for people who see the strip and for those who do not. */
export function sayTarget({ phase, others, home }: Carried, target: CarryTarget): string {
  const name = plainName(phase);
  if (target.kind === "out") return isLeftOut(phase) ? `${name} stays left out` : `${name} is left out`;
  const [before, last] = [others[target.place], others.at(-1)];
  const where = before !== undefined ? `before ${said(before)}` : last === undefined ? "alone" : `after ${said(last)}`;
  if (target.kind === "again" || isLeftOut(phase)) return `${name} runs ${isLeftOut(phase) ? "" : "again "}${where}`;
  return target.place === home ? `${name} stays where it is` : `${name} moves ${where}`;
}

const said = (run: PhaseRun): string => (run.phase === null ? plainName(run) : `${run.phase} ${plainName(run)}`);

/** Where a key moves the carried phase; null: it is not a key for that. */
export function targetAfter({ others, home }: Carried, target: CarryTarget, key: string): CarryTarget | null {
  const { kind, place } = target.kind === "out" ? { kind: "move" as const, place: home } : target;
  switch (key) {
    case "ArrowLeft":
      return { kind, place: Math.max(0, place - 1) };
    case "ArrowRight":
      return { kind, place: Math.min(others.length, place + 1) };
    case "Home":
      return { kind, place: 0 };
    case "End":
      return { kind, place: others.length };
    case "Insert":
    case "+":
      return { kind: kind === "move" ? "again" : "move", place };
    case "Delete":
      return { kind: "out" };
    default:
      return null;
  }
}
