/** The paths of one warp's lanes through a program: which of them enter which block together. */

import { inputShape, makeInput, toRunInputs } from "../../fuzz/inputs.ts";
import { runKernel } from "../../interp/interpreter.ts";
import type { RunInputs } from "../../interp/outcome.ts";
import { describe } from "../../interp/report.ts";
import { parseExecRequest } from "../../interp/request.ts";
import type { Func, Module } from "../../ir/types.ts";
import { readText } from "../read/read.ts";
import type { ExecRequest } from "../types.ts";

/** Lanes that run a block together, once. */
export interface WarpVisit {
  readonly block: string;
  /** Ascending. */
  readonly lanes: readonly number[];
}

const LANES = 32;
const FUEL = 100_000;
/** Visits that are kept: more than anyone follows by hand. */
const MOST_VISITS = 5000;

/**
 * The visits in the engine's order. Each lane's own visits are in the lane's order; groups of different lanes may go in any order. A string says why there is
 * no walk.
 */
export function warpWalk(
  text: string,
  kernel: string | null,
  input: ExecRequest | { readonly threads: number; readonly seed: number },
): readonly WarpVisit[] | string {
  const { module, ok } = readText(text, null);
  const fn = kernel === null ? module.funcs[0] : module.funcs.find((f) => f.name === kernel);
  if (!ok || fn === undefined) return "the program has errors";
  if (input.threads > LANES) return `a warp has ${LANES} lanes`;
  const first = visitsOf(module, fn, input, "lowest");
  if (typeof first === "string") return first;
  const other = visitsOf(module, fn, input, "highest");
  // Each lane must see the same in either order: else the program has a race, and no walk is the right one.
  if (typeof other === "string" || byLane(first) !== byLane(other)) return "which path lanes take depends on which run first";
  return first;
}

function visitsOf(
  module: Module,
  fn: Func,
  input: ExecRequest | { readonly threads: number; readonly seed: number },
  schedule: "lowest" | "highest",
): readonly WarpVisit[] | string {
  let inputs: RunInputs | null;
  if ("seed" in input) inputs = toRunInputs(makeInput(inputShape(fn, input.threads), input.seed, 0, input.threads), FUEL);
  else {
    const read = parseExecRequest(input, fn, module.symbols);
    ({ inputs } = read);
    if (inputs === null) return read.diagnostics[0]?.message ?? "the input cannot be read";
  }
  const visits: WarpVisit[] = [];
  const entered: RunInputs["entered"] = (_warp, block, mask) => {
    if (visits.length < MOST_VISITS) visits.push({ block: fn.blocks[block]?.label ?? "", lanes: lanesOf(mask) });
  };
  const outcome = runKernel(module, fn, { ...inputs, fuel: Math.min(inputs.fuel, FUEL), schedule, entered });
  return outcome.status === "ok" ? visits : describe(fn, outcome);
}

function lanesOf(mask: number): number[] {
  return Array.from({ length: LANES }, (_, lane) => lane).filter((lane) => ((mask >>> lane) & 1) === 1);
}

function byLane(visits: readonly WarpVisit[]): string {
  const lanes = new Map<number, string[]>();
  for (const visit of visits) {
    const text = `${visit.block} ${visit.lanes.join(",")}`;
    for (const lane of visit.lanes) lanes.set(lane, [...(lanes.get(lane) ?? []), text]);
  }
  return JSON.stringify([...lanes].sort((a, b) => a[0] - b[0]));
}
