/** Two runs of one program side by side: after which phases their programs differ, and at one place in each, the sizes and what both execute on the same inputs. */

import { EquivalenceChecker } from "../../fuzz/equivalence.ts";
import { inputShape, makeInput, toRunInputs } from "../../fuzz/inputs.ts";
import { runKernel } from "../../interp/interpreter.ts";
import type { Counters, ExecOutcome } from "../../interp/outcome.ts";
import { describe } from "../../interp/report.ts";
import { sameFunc } from "../../ir/equal.ts";
import { threadsFor } from "../../ir/one-thread.ts";
import type { Func, Module } from "../../ir/types.ts";
import { effectOf, visitRegs } from "../../ir/visit.ts";
import { addressOfRun } from "../../pipeline/intervention-report.ts";
import type { PipelineRun, PositionRun } from "../../pipeline/run.ts";
import { sizes } from "../../pipeline/run-phase.ts";
import { printFunc } from "../../text/printer.ts";

/** The parts of a program. */
export interface ProgramSize {
  readonly blocks: number;
  readonly instructions: number;
  /** Instructions that end or redirect control flow. */
  readonly branches: number;
  /** Different registers that are written or read. */
  readonly registers: number;
}

/** What a program executes, over all inputs on which both programs end normally. */
export type Executed = Pick<Counters, "warpInstructions" | "laneInstructions" | "branches" | "divergentBranches" | "loads" | "stores">;

/** One of the two runs in a run of a phase. */
export interface ComparedRun {
  /** Index in the runs of its side. */
  readonly run: number;
  readonly ran: boolean;
  readonly rewrites: number;
  readonly instructions: number;
}

/** A run of either side; null where that side does not have it. */
export interface ComparedPhase {
  /** `49`, `gvn-cse+1`: what interventions call it. */
  readonly address: string;
  readonly id: string;
  readonly name: string;
  readonly a: ComparedRun | null;
  readonly b: ComparedRun | null;
  /** The programs after it differ. */
  readonly differs: boolean;
}

/** The program at the place of a side. */
export interface ComparedSide {
  readonly size: ProgramSize;
  readonly executed: Executed | null;
  /** Whether it means what the program as written means: in words. */
  readonly meaning: { readonly colour: "green" | "red" | "grey"; readonly reason: string };
}

export interface RunComparison {
  readonly phases: readonly ComparedPhase[];
  readonly a: ComparedSide;
  readonly b: ComparedSide;
  /** Inputs that were tried, and those on which both programs end normally. */
  readonly inputs: number;
  readonly counted: number;
}

const THREADS = 32;
const FUEL = 100_000;

export function compareRuns(
  input: Func,
  module: Module,
  a: PipelineRun,
  b: PipelineRun,
  [atA, atB]: readonly [Func, Func],
  options: { readonly inputs: number; readonly seed: number },
): RunComparison {
  const threads = threadsFor(module, THREADS);
  const shape = inputShape(input, threads);
  const sums = { a: noCounters(), b: noCounters() };
  let counted = 0;
  for (let i = 0; i < options.inputs; i++) {
    const spec = makeInput(shape, options.seed, i, threads, threads > 1);
    const own = (fn: Func): ExecOutcome => runKernel(module, fn, toRunInputs(spec, FUEL));
    const [first, second] = [own(atA), own(atB)];
    if (first.status !== "ok" || second.status !== "ok") continue;
    counted++;
    add(sums.a, first.counters);
    add(sums.b, second.counters);
  }
  const checker = new EquivalenceChecker(input, module, { ...options, known: true });
  const side = (fn: Func, sum: Executed): ComparedSide => ({
    size: sizeOf(fn),
    executed: counted === 0 ? null : sum,
    meaning: meaningOf(checker, input, module, fn),
  });
  return { phases: alignRuns(a, b), a: side(atA, sums.a), b: side(atB, sums.b), inputs: options.inputs, counted };
}

function meaningOf(checker: EquivalenceChecker, input: Func, module: Module, fn: Func): ComparedSide["meaning"] {
  const { ok, inputs, effective, doubt, counterexample } = checker.check(fn);
  if (!ok) return { colour: "red", reason: counterexample?.difference ?? "it differs" };
  if (effective > 0) return { colour: "green", reason: `the same as the program as written on ${effective} of ${inputs} inputs` };
  if (doubt !== null) return { colour: "grey", reason: `not decided: ${doubt}` };
  const threads = threadsFor(module, THREADS);
  const outcome = runKernel(module, input, toRunInputs(makeInput(inputShape(input, threads), 1, 0, threads), FUEL));
  return { colour: "grey", reason: `no input lets the program end normally: ${describe(input, outcome)}` };
}

type Sum = { -readonly [K in keyof Executed]: number };

const noCounters = (): Sum => ({ warpInstructions: 0, laneInstructions: 0, branches: 0, divergentBranches: 0, loads: 0, stores: 0 });

function add(sum: Sum, counters: Counters): void {
  for (const key of Object.keys(sum) as (keyof Sum)[]) sum[key] += counters[key];
}

export function sizeOf(fn: Func): ProgramSize {
  const registers = new Set<number>();
  let instructions = 0;
  let branches = 0;
  for (const id of fn.layout) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      instructions++;
      if (effectOf(inst) === "control") branches++;
      visitRegs(inst, (r) => registers.add(r));
    }
  }
  return { blocks: fn.layout.length, instructions, branches, registers: registers.size };
}

const keyOf = (run: PositionRun, index: number): string => run.planned.address ?? `r${index}`;

/** The runs of the first in their order; one that only the second has comes after the run that it follows there. */
function alignRuns(a: PipelineRun, b: PipelineRun): readonly ComparedPhase[] {
  const inB = new Map(b.runs.map((run, i) => [keyOf(run, i), i]));
  const inA = new Set(a.runs.map(keyOf));
  const texts = new Map<Func, string>();
  const text = (fn: Func): string => {
    const known = texts.get(fn) ?? printFunc(fn);
    texts.set(fn, known);
    return known;
  };
  const same = (x: Func, y: Func): boolean => x === y || sameFunc(x, y) || text(x) === text(y);
  let differs = false;
  const row = (key: string, i: number | null, j: number | null): ComparedPhase => {
    const [x, y] = [i === null ? undefined : a.runs[i], j === null ? undefined : b.runs[j]];
    if (x !== undefined && y !== undefined) {
      // Nothing to compare where neither did anything since.
      if (x.changed || y.changed || x.planned.told?.edit != null || y.planned.told?.edit != null) differs = !same(x.after, y.after);
    } else if (x?.changed === true || y?.changed === true) differs = true;
    const planned = (x ?? y)?.planned;
    const address = x !== undefined && i !== null ? addressOfRun(a.runs, i) : j === null ? key : addressOfRun(b.runs, j);
    return { address, id: planned?.id ?? "", name: planned?.name ?? "", a: compared(x), b: compared(y), differs };
  };
  const rows: ComparedPhase[] = [];
  const onlyAfter = (from: number): void => {
    for (let j = from; j < b.runs.length; j++) {
      const run = b.runs[j];
      const key = run === undefined ? "" : keyOf(run, j);
      if (inA.has(key)) return;
      rows.push(row(key, null, j));
    }
  };
  onlyAfter(0);
  a.runs.forEach((run, i) => {
    const key = keyOf(run, i);
    const j = inB.get(key) ?? null;
    rows.push(row(key, i, j));
    if (j !== null) onlyAfter(j + 1);
  });
  return rows;
}

function compared(run: PositionRun | undefined): ComparedRun | null {
  if (run === undefined) return null;
  return { run: run.run, ran: run.ran, rewrites: run.outcome?.rewrites ?? 0, instructions: sizes(run.after).instructions };
}
