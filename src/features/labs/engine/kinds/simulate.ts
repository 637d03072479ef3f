/** The student carries out an algorithm; the share is that of the moves that were right at the first try. */

import * as v from "valibot";
import { LARGEST_KEY } from "../../../../engine/api/analysis/red-black.ts";
import { conditionProblem } from "../../../../engine/api/run/breakpoints.ts";
import { deadMachine, lvnMachine, traceMachine } from "../machines/code.ts";
import { dominatorsMachine, livenessMachine, phiPlaceMachine } from "../machines/flows.ts";
import { cascadeMachine, reducibleMachine, rpoMachine } from "../machines/graphs.ts";
import type { Machine, MachineKind } from "../machines/machine.ts";
import { renameMachine } from "../machines/names.ts";
import { flattenMachine, rbInsertMachine } from "../machines/trees.ts";
import { reconvergenceMachine } from "../machines/warps.ts";
import { type Context, defineKind, inputSchema, judged, listOf, phaseName, shortText } from "./kind.ts";

const MACHINES: readonly MachineKind[] = [
  rpoMachine,
  reducibleMachine,
  cascadeMachine,
  dominatorsMachine,
  livenessMachine,
  phiPlaceMachine,
  lvnMachine,
  deadMachine,
  traceMachine,
  rbInsertMachine,
  reconvergenceMachine,
  flattenMachine,
  renameMachine,
];
export const ALGORITHMS = [
  "rpo",
  "reducible",
  "cascade",
  "dominators",
  "liveness",
  "phi-place",
  "lvn",
  "dead",
  "trace",
  "rb-insert",
  "reconvergence",
  "flatten",
  "rename",
] as const;

const whole = v.pipe(v.number(), v.integer(), v.minValue(1));
const fields = {
  of: v.picklist(ALGORITHMS),
  mode: v.optional(v.picklist(["undo", "fix", "at-end"]), "undo"),
  block: v.optional(shortText),
  register: v.optional(shortText),
  cut: v.optional(v.array(v.tuple([shortText, shortText]))),
  phase: v.optional(phaseName),
  when: v.optional(v.string()),
  fact: v.optional(shortText),
  from: v.optional(whole),
  to: v.optional(whole),
  keys: v.optional(
    v.pipe(v.array(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(LARGEST_KEY))), v.minLength(1), v.maxLength(40)),
  ),
  count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(4), v.maxValue(20))),
  input: v.optional(inputSchema),
};
type Spec = v.InferOutput<v.StrictObjectSchema<typeof fields, undefined>>;

/** Moves of a solution: beyond this it is not work by hand. */
const MOST_MOVES = 500;

export const simulate = defineKind({
  name: "simulate",
  does: "carries out an algorithm move by move",
  fields,
  answer: v.strictObject({ moves: listOf(shortText) }),
  // A machine without a program has no blocks to press, and says what it works on.
  form(spec, ctx) {
    const { moves, program } = kindOf(spec);
    return program === undefined
      ? { kind: "moves", moves, mode: spec.mode, labels: ctx.labels() }
      : { kind: "moves", moves: `${program(spec, ctx)}. ${moves}`, mode: spec.mode, labels: [] };
  },
  needsProgram: (spec) => kindOf(spec).program === undefined,
  problems(spec) {
    const missing = kindOf(spec).needs.filter((name) => spec[name as keyof Spec] === undefined);
    if (missing.length > 0) return [{ path: ["of"], message: `${spec.of} needs ${missing.map((name) => `${name}:`).join(", ")}` }];
    const problem = spec.when === undefined ? null : conditionProblem(spec.when);
    return problem === null ? [] : [{ path: ["when"], message: problem }];
  },
  judge(spec, { moves }, ctx) {
    const { right, total, first } = replay(spec, moves, ctx);
    return judged(total === 0 ? 0 : right / total, first ?? `${right} of ${total} moves were made`, first ?? undefined);
  },
  solve: (spec, ctx) => ({ moves: solution(startOf(spec, ctx)) }),
  drawn: (spec, ctx) => (spec.keys === undefined ? (kindOf(spec).program?.(spec, ctx) ?? null) : null),
  steps: (spec, ctx) => solution(startOf(spec, ctx)).length,
  key: (spec, ctx) => solution(startOf(spec, ctx)).join(" / "),
});

function kindOf({ of }: Spec): MachineKind {
  const found = MACHINES.find((m) => m.name === of);
  if (found === undefined) throw new RangeError(`no machine ${of}`);
  return found;
}

const startOf = (spec: Spec, ctx: Context): Machine => kindOf(spec).start(spec, ctx);

function solution(machine: Machine): string[] {
  const moves: string[] = [];
  for (let move = machine.model(); move !== null && moves.length < MOST_MOVES; move = machine.model()) {
    moves.push(move);
    machine.apply(move);
  }
  return moves;
}

/** A move as it was made, and its result. */
export interface MadeMove {
  readonly move: string;
  /** Why it was wrong; null: it was right. */
  readonly problem: string | null;
  /** The move made instead of a wrong one, if the task has `mode: fix`. */
  readonly instead: string | null;
}

/** The moves so far, for a student who continues: what was right, and whether all is done. */
export function movesMade(
  given: unknown,
  moves: readonly string[],
  ctx: Context,
): { readonly made: readonly MadeMove[]; readonly done: boolean } {
  const spec = given as Spec;
  const machine = startOf(spec, ctx);
  const made: MadeMove[] = [];
  for (const move of moves) {
    const model = machine.model();
    if (model === null) break;
    const problem = machine.problem(move);
    const instead = problem !== null && spec.mode === "fix" ? model : null;
    if (problem === null || instead !== null) machine.apply(instead ?? move);
    made.push({ move, problem, instead });
    if (problem !== null && spec.mode === "at-end") break;
  }
  return { made, done: machine.model() === null };
}

interface Replay {
  readonly right: number;
  readonly total: number;
  /** Why the first wrong move was wrong. */
  readonly first: string | null;
}

function replay(spec: Spec, moves: readonly string[], ctx: Context): Replay {
  const machine = startOf(spec, ctx);
  let right = 0;
  let made = 0;
  let missed = false;
  let first: string | null = null;
  for (const move of moves) {
    const model = machine.model();
    if (model === null) break;
    const problem = machine.problem(move);
    if (problem === null) {
      machine.apply(move);
      made++;
      if (!missed) right++;
      missed = false;
      continue;
    }
    first ??= `move ${made + 1}, '${move.trim()}': ${problem}`;
    if (spec.mode === "at-end") break;
    missed = true;
    if (spec.mode === "undo") continue;
    machine.apply(model);
    made++;
    missed = false;
  }
  return { right, total: made + solution(machine).length, first };
}
