/** A phase on its way to another place of the strip: where it can be put, the pipeline at each place, and what that breaks. */

import type { Intervention, PhaseRun } from "../../../engine/api/types.ts";
import { plainName } from "../../names/phases.ts";

/** What happens to a phase that was picked up. */
export type Wish =
  /** Before the `place`-th of the others; after the last of them when there is none. */
  { readonly kind: "move" | "again"; readonly place: number } | { readonly kind: "out" };

export interface Carried {
  readonly phase: PhaseRun;
  /** The modelled phases that run beside it, in order. */
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

/** What is put into the future for a wish; null where it changes nothing. */
export function interventionOf({ phase, others, home }: Carried, wish: Wish): Intervention | null {
  if (wish.kind === "out") return isLeftOut(phase) ? null : { kind: "leave-out", run: phase.address };
  const [before, after] = [others[wish.place], others.at(-1)];
  const beside = before ?? after;
  if (beside === undefined) return null;
  const at = { side: before === undefined ? "after" : "before", run: beside.address } as const;
  // One that was left out is put in again: moving it would leave it out elsewhere.
  if (wish.kind === "again" || isLeftOut(phase)) return { kind: "insert", id: phase.id, at };
  return wish.place === home ? null : { kind: "move", run: phase.address, at };
}

/** The order of phases, by id, that a wish makes. */
export function orderOf({ phase, others, home }: Carried, wish: Wish): readonly string[] {
  const ids = others.map((one) => one.id);
  const at = (place: number): void => void ids.splice(place, 0, phase.id);
  if (wish.kind === "again") {
    at(wish.place);
    if (!isLeftOut(phase)) ids.splice(wish.place <= home ? home + 1 : home, 0, phase.id);
  } else if (wish.kind === "move") at(wish.place);
  return ids;
}

/** The order as it is. */
export const orderNow = (carried: Carried): readonly string[] =>
  isLeftOut(carried.phase) ? carried.others.map((one) => one.id) : orderOf(carried, { kind: "move", place: carried.home });

/** All wishes there are: each place for a move, each for another run, and none. */
export function wishesOf({ others }: Carried): readonly Wish[] {
  const places = Array.from({ length: others.length + 1 }, (_, place) => place);
  return [
    ...places.map((place): Wish => ({ kind: "move", place })),
    ...places.map((place): Wish => ({ kind: "again", place })),
    { kind: "out" },
  ];
}

export const wishKey = (wish: Wish): string => (wish.kind === "out" ? "out" : `${wish.kind} ${wish.place}`);

/** In words, for people who see the strip and for those who do not. */
export function sayWish({ phase, others, home }: Carried, wish: Wish): string {
  const name = plainName(phase);
  if (wish.kind === "out") return isLeftOut(phase) ? `${name} stays left out` : `${name} is left out`;
  const [before, last] = [others[wish.place], others.at(-1)];
  const where = before !== undefined ? `before ${said(before)}` : last === undefined ? "alone" : `after ${said(last)}`;
  if (wish.kind === "again" || isLeftOut(phase)) return `${name} runs ${isLeftOut(phase) ? "" : "again "}${where}`;
  return wish.place === home ? `${name} stays where it is` : `${name} moves ${where}`;
}

const said = (run: PhaseRun): string => (run.phase === null ? plainName(run) : `${run.phase} ${plainName(run)}`);
