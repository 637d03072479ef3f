/**
 * Compares two versions of a function on many inputs. They are equivalent on an input if both end without trap and within their fuel, with
 * the same observed registers, the same global memory and the same effects (opaque instructions and volatile accesses), or if the first one
 * does not end that way.
 *
 * Compared by thread: whether it returned, its observed registers, and the digest of its effects in order. Compared for the block: buffers
 * and declared global symbols. Not compared: shared and local memory, counters, the order of effects of different threads, and which lanes
 * ran together. Where the result of a warp instruction depends on that, a program whose lanes reconverge elsewhere appears different:
 * phases must keep the set of lanes that reach such an instruction together.
 *
 * A difference counts only if the first version has no race on that input: it must give the same with the opposite order of warps and
 * paths, and with the paths of a warp in turns. Where clocks are read, the difference must remain when reads that do not matter are not
 * counted (`clock.ts`).
 */

import { runKernel } from "../interp/interpreter.ts";
import { LANES } from "../interp/machine.ts";
import type { ExecOutcome, RunInputs } from "../interp/outcome.ts";
import { describe } from "../interp/report.ts";
import { type FollowedStandIns, mayBeAny, restsOn } from "../interp/stand-ins.ts";
import { calleesOf } from "../ir/callees.ts";
import type { BlockId } from "../ir/ids.ts";
import { threadsFor } from "../ir/one-thread.ts";
import { regName } from "../ir/reg.ts";
import type { Func, Module } from "../ir/types.ts";
import { type Agreed, blocksApart, keepsOut, waysOf } from "./apart.ts";
import { byReadsThatMatter } from "./clock.ts";
import { describeInput, type InputShape, type InputSpec, inputShape, makeInput, toRunInputs } from "./inputs.ts";

export interface CheckOptions {
  /** How many inputs to try. */
  readonly inputs: number;
  readonly seed: number;
  /** Number of the first one (default 0). */
  readonly firstInput?: number;
  /** Warp instructions for the first version (default 100,000); the second gets what the first took plus a wide margin, so that serialised lanes do not count as a difference. */
  readonly fuel?: number;
  /** Lane instructions of the first version over all inputs, after which no further input is tried; by default there is no such limit. */
  readonly steps?: number;
  /** Threads of most inputs; by default inputs have from 1 to 64, and one if the program runs alone. */
  readonly threads?: number;
  /**
   * For many versions that differ little: a version is not run on an input that reaches no block in which it differs from a version that
   * agreed. The answers are the same.
   */
  readonly related?: boolean;
  /** For reports to a user: results of the first version that depend on a made-up value decide nothing (`interp/README.md`, stand-ins). */
  readonly known?: boolean;
}

export interface CheckResult {
  readonly ok: boolean;
  /** Inputs tried. */
  readonly inputs: number;
  /** Those on which the first version ended normally: only these count. */
  readonly effective: number;
  /** Of the others, those on which it ended normally but depends on a made-up value, and the first such reason. Only with `known`. */
  readonly undecided: number;
  readonly doubt: string | null;
  readonly counterexample: Counterexample | null;
}

/** Where two outcomes differ. */
export interface Difference {
  readonly kind: "status" | "return" | "effect" | "memory";
  /** `R4 of thread 3`, `byte 0x10 of out`; of a status: empty. */
  readonly where: string;
  readonly before: string;
  readonly after: string;
  /** All of it in words. */
  readonly text: string;
}

export interface Counterexample {
  readonly input: InputSpec;
  /** Where the outcomes differ, in words. */
  readonly difference: string;
  readonly found: Difference;
  /** Everything a person needs: the input, then the difference. */
  readonly text: string;
}

/** `after` must have the parameters of `before`. */
export function checkEquivalent(before: Func, after: Func, module: Module, options: CheckOptions): CheckResult {
  return new EquivalenceChecker(before, module, options).check(after);
}

/**
 * Checks a function's meaning for its callers by running them with either version. Null: nothing calls it, or its callers show no
 * difference on the inputs tried. A function that runs alone does not show the memory that it shares with its callers.
 */
export function checkCallers(before: Func, after: Func, module: Module, options: CheckOptions): Counterexample | null {
  const holding = (fn: Func): Module => ({ ...module, funcs: module.funcs.map((f) => (f.name === fn.name ? fn : f)) });
  const [first, second] = [holding(before), holding(after)];
  for (const caller of first.funcs) {
    if (caller === before || !calleesOf(caller, first).includes(before)) continue;
    const { counterexample } = new EquivalenceChecker(caller, first, options).check(caller, second);
    if (counterexample !== null) return { ...counterexample, text: `called by ${caller.name}: ${counterexample.text}` };
  }
  return null;
}

/** Reports in the form of the pipeline's hook. */
export function checkReport(
  before: Func,
  after: Func,
  module: Module,
  options: CheckOptions,
): { inputs: number; ok: boolean; counterexample: string | null; notDecided?: string } {
  const { inputs, effective, counterexample, doubt } = checkEquivalent(before, after, module, options);
  const found = counterexample ?? checkCallers(before, after, module, options);
  const ok = found === null;
  const notDecided = ok && effective === 0 && doubt !== null ? { notDecided: doubt } : {};
  return { ok, inputs, counterexample: found?.text ?? null, ...notDecided };
}

const DEFAULT_FUEL = 100_000;
const MOST_THREADS = 64;
/** If results depend on which lanes run together, this many times as many inputs are searched for those that take a new path. */
const LOOKED_THROUGH = 4;
/** While too few inputs let the first version end normally, up to this many times as many are tried. */
const PATIENCE = 2;

/** The most versions that agreed and are kept for those that follow, which come from both ends of the rewrites. */
const AGREED_KEPT = 3;

interface Near extends Pick<Agreed, "ways" | "entered"> {
  /** Index of the nearest version; -1 for none. */
  readonly to: number;
  readonly apart: readonly BlockId[];
}

interface Case {
  /** The input's number. */
  readonly index: number;
  readonly input: InputSpec;
  /** Of the first version. */
  readonly outcome: ExecOutcome;
  /** The path it took. */
  readonly way: string;
  /** The made-up value that the outcome depends on, if that counts. */
  readonly doubt: string | null;
}

/** Checks any number of versions against one; the first version's runs are made once and kept. */
export class EquivalenceChecker {
  private readonly before: Func;
  private readonly module: Module;
  private readonly options: CheckOptions;
  private readonly shape: InputShape;
  private readonly threads: number;
  private readonly cases: Case[] = [];
  private readonly agreed: Agreed[] = [];
  /** Lane instructions of the first version so far. */
  private spent = 0;

  constructor(before: Func, module: Module, options: CheckOptions) {
    this.before = before;
    this.module = module;
    this.options = options;
    this.threads = options.threads ?? threadsFor(module, MOST_THREADS);
    this.shape = inputShape(before, this.threads);
  }

  /** `among`: the module that contains what the second version calls, if a different one. */
  check(after: Func, among: Module = this.module): CheckResult {
    const near = this.options.related === true ? this.nearest(after) : null;
    const entered: Uint32Array[] = [];
    let tried = 0;
    let effective = 0;
    let undecided = 0;
    let doubt: string | null = null;
    for (const { index, input, outcome, doubt: own } of this.chosen()) {
      tried++;
      if (outcome.status !== "ok") continue;
      if (own !== null) {
        undecided++;
        doubt ??= own;
        // Results that depend on no made-up value can still be wrong.
        const found = leadsNowhere(outcome) ? null : compareOn(this.before, after, this.module, input, outcome, among).found;
        if (found !== null) {
          return { ok: false, inputs: tried, effective, undecided, doubt, counterexample: counterexample(this.before, input, found) };
        }
        continue;
      }
      effective++;
      const known = near?.entered[index];
      if (known !== undefined && near !== null && keepsOut(known, near.apart)) {
        entered[index] = known;
        continue;
      }
      const { found, second } = compareOn(this.before, after, this.module, input, outcome, among);
      if (found !== null) {
        return { ok: false, inputs: tried, effective, undecided, doubt, counterexample: counterexample(this.before, input, found) };
      }
      if (second.status === "ok") entered[index] = second.executions;
    }
    if (near !== null) this.keep({ fn: after, ways: near.ways, entered }, near.to);
    return { ok: true, inputs: tried, effective, undecided, doubt, counterexample: null };
  }

  /** The version that agreed and has the fewest blocks apart, with what is known of it. */
  private nearest(after: Func): Near {
    const ways = waysOf(after);
    let best: Near = { to: -1, entered: [], apart: [], ways };
    let least = Number.POSITIVE_INFINITY;
    for (const [to, agreed] of this.agreed.entries()) {
      const apart = blocksApart(agreed.fn, agreed.ways, after, ways);
      if (apart === null || apart.length >= least) continue;
      least = apart.length;
      best = { to, entered: agreed.entered, apart, ways };
    }
    return best;
  }

  /** Replaces the nearest version: those from the other end are kept, however many come from this one. */
  private keep(agreed: Agreed, nearTo: number): void {
    if (this.agreed.length >= AGREED_KEPT) this.agreed.splice(Math.max(0, nearTo), 1);
    this.agreed.push(agreed);
  }

  private chosen(): Iterable<Case> {
    return this.shape.watchesConvergence ? this.byWay() : this.inTurn();
  }

  private *inTurn(): Generator<Case> {
    let effective = 0;
    for (let i = 0; i < this.mostTried(effective) && this.mayGoOn(i); i++) {
      const found = this.caseAt(i);
      if (isEffective(found)) effective++;
      yield found;
    }
  }

  /**
   * The wanted number of cases: first those on which the first version takes a new path, then the others in turn. A large program takes a
   * different path on nearly every input, so no search is in vain; in a small one few values lead to a rare path.
   */
  private *byWay(): Generator<Case> {
    const wanted = this.options.inputs;
    const ways = new Set<string>();
    const others: Case[] = [];
    let [effective, failed] = [0, 0];
    const isMore = (): boolean => effective < wanted && effective + failed < this.mostTried(effective);
    for (let i = 0; i < LOOKED_THROUGH * wanted && isMore() && this.mayGoOn(i); i++) {
      const found = this.caseAt(i);
      if (isEffective(found) && ways.has(found.way)) {
        others.push(found);
        continue;
      }
      if (isEffective(found)) effective++;
      else failed++;
      ways.add(found.way);
      yield found;
    }
    for (const other of others) {
      if (!isMore()) return;
      effective++;
      yield other;
    }
  }

  /** Cases that were run before cost nothing. */
  private mayGoOn(index: number): boolean {
    return this.cases[index] !== undefined || this.spent < (this.options.steps ?? Number.POSITIVE_INFINITY);
  }

  /** How many inputs may be tried once `effective` of them have counted. */
  private mostTried(effective: number): number {
    const wanted = this.options.inputs;
    return effective * 2 < wanted ? wanted * PATIENCE : wanted;
  }

  private caseAt(index: number): Case {
    let known = this.cases[index];
    if (known === undefined) {
      const input = makeInput(
        this.shape,
        this.options.seed,
        (this.options.firstInput ?? 0) + index,
        this.threads,
        this.options.threads === undefined && this.threads > 1,
      );
      const follow = this.options.known === true;
      const outcome = runKernel(this.module, this.before, { ...toRunInputs(input, this.options.fuel ?? DEFAULT_FUEL), follow });
      const doubt = outcome.standIns === null ? null : restsOn(outcome.standIns);
      known = { index, input, outcome, way: wayOf(input.threads, outcome), doubt };
      this.cases[index] = known;
      this.spent += outcome.counters.laneInstructions;
    }
    return known;
  }
}

/** A value that may be any decided the run's path: none of its results is certain. */
const leadsNowhere = ({ standIns }: ExecOutcome): boolean => standIns?.undecided?.source.kind === "value";

const isEffective = ({ outcome, doubt }: Case): boolean => outcome.status === "ok" && doubt === null;

/** Which blocks ran, in which of them lanes diverged, and which ones some lanes entered alone. With one warp and with more the path differs: warps may race. */
function wayOf(threads: number, { executions, divergences, partial }: ExecOutcome): string {
  let way = threads > LANES ? "w" : "";
  for (let id = 0; id < executions.length; id++) {
    way += String.fromCharCode(48 + (executions[id] === 0 ? 0 : 1) + (divergences[id] === 0 ? 0 : 2) + (partial[id] === 1 ? 4 : 0));
  }
  return way;
}

function counterexample(fn: Func, input: InputSpec, found: Difference): Counterexample {
  return { input, difference: found.text, found, text: `${describeInput(fn, input)}\n${found.text}` };
}

/** Tries one input on both versions; the difference in words, or null when they agree or the first does not end normally. */
export function compareVersions(before: Func, after: Func, module: Module, input: InputSpec, fuel: number): Counterexample | null {
  const outcome = runKernel(module, before, toRunInputs(input, fuel));
  if (outcome.status !== "ok") return null;
  const { found } = compareOn(before, after, module, input, outcome);
  return found === null ? null : counterexample(before, input, found);
}

function compareOn(
  before: Func,
  after: Func,
  module: Module,
  input: InputSpec,
  first: ExecOutcome,
  among: Module = module,
): Pick<RunsCompared, "found" | "second"> {
  const { found, second, why } = compareRuns(before, after, module, first, (fuel) => toRunInputs(input, fuel), among);
  return { found: why === null ? found : null, second };
}

export interface RunsCompared {
  readonly second: ExecOutcome;
  readonly found: Difference | null;
  /** What makes that difference insignificant. */
  readonly why: "race" | "clock" | null;
}

/** Runs the second version on the input of the first one's run; `inputs` makes new arguments and memory. */
export function compareRuns(
  before: Func,
  after: Func,
  module: Module,
  first: ExecOutcome,
  inputs: (fuel: number) => RunInputs,
  among: Module = module,
): RunsCompared {
  // A version whose lanes never run together issues an instruction for each lane.
  const fuel = 4 * first.counters.laneInstructions + 10_000;
  const run = (fn: Func, more: Partial<RunInputs>, of = module): ExecOutcome => runKernel(of, fn, { ...inputs(fuel), ...more });
  const second = run(after, {}, among);
  const found = differenceOf(before, after, first, second);
  if (found === null) return { found, second, why: null };
  // A program with a different result when its paths run in a different order has a race: no order is the right one.
  for (const schedule of ["highest", "turns"] as const)
    if (differenceOf(before, before, first, run(before, { schedule })) !== null) return { found, second, why: "race" };
  const agree = (each: boolean): boolean => {
    const clocked = (fn: Func, of: Module): ExecOutcome | null =>
      byReadsThatMatter({ run: (clock) => run(fn, { clock }, of), differ: (a, b) => differenceOf(fn, fn, a, b) !== null }, each);
    const a = clocked(before, module);
    // A version may have lost all of its reads.
    return a !== null && a.status === "ok" && differenceOf(before, after, a, clocked(after, among) ?? second) === null;
  };
  const reads = first.clockReads.some((n) => n > 0);
  return { found, second, why: reads && (agree(false) || agree(true)) ? "clock" : null };
}

/**
 * The first difference between two runs on the same input; the first run ended normally. Results that the first run knows may be any value
 * are not compared.
 */
function differenceOf(before: Func, after: Func, a: ExecOutcome, b: ExecOutcome): Difference | null {
  if (b.status !== "ok") {
    const [first, second] = [describe(before, a), describe(after, b)];
    return { kind: "status", where: "", before: first, after: second, text: `before: ${first}; after: ${second}` };
  }
  const threads = a.returned.length;
  const { standIns } = a;
  const restsOnAny = standIns !== null && restsOn(standIns) !== null;
  for (let t = 0; t < threads; t++) {
    if (a.returned[t] !== b.returned[t]) {
      const did = (r: ExecOutcome): string => (r.returned[t] === 1 ? "returns" : "exits");
      return valueDifference("return", `thread ${t}`, did(a), did(b), `thread ${t} ${did(a)} before and ${did(b)} after`);
    }
    if (a.returned[t] === 1) {
      for (let i = 0; i < a.returns.length; i++) {
        const x = a.returns[i];
        const y = b.returns[i];
        const r = before.returns[i];
        if (x === undefined || y === undefined || r === undefined)
          return valueDifference("return", `thread ${t}`, "", "", "the versions return different registers");
        const isAny = standIns !== null && mayBeAny(standIns, standIns.returns[i]?.[t]);
        if (!isAny && (x.lo[t] !== y.lo[t] || x.hi?.[t] !== y.hi?.[t])) {
          const show = (c: typeof x): string => (c.hi === null ? hex(c.lo[t] ?? 0) : `${hex(c.hi[t] ?? 0)}:${hex(c.lo[t] ?? 0)}`);
          return valueDifference("return", `${regName(r)} of thread ${t}`, show(x), show(y));
        }
      }
    }
    // Made-up values are not tracked into effects.
    if (restsOnAny) continue;
    if (a.effectDigest[t] !== b.effectDigest[t] || a.effectCount[t] !== b.effectCount[t]) {
      const show = (r: ExecOutcome): string =>
        r.effects
          .filter((e) => e.thread === t)
          .map((e) => `${e.text}#${hex(e.digest)}`)
          .join(" ") || "none";
      const [first, second] = [show(a), show(b)];
      return valueDifference("effect", `effects of thread ${t}`, first, second, `effects of thread ${t}: before ${first}; after ${second}`);
    }
  }
  for (let i = 0; i < a.buffers.length; i++) {
    const at = firstDifference(a.buffers[i]?.bytes, b.buffers[i]?.bytes, certain(standIns, standIns?.buffers[i]));
    if (at !== null) return valueDifference("memory", `byte ${hex(at.at)} of ${a.buffers[i]?.name ?? i}`, hex(at.x), hex(at.y));
  }
  const at = firstDifference(a.symbols?.bytes, b.symbols?.bytes, certain(standIns, standIns?.symbols));
  return at === null ? null : valueDifference("memory", `byte ${hex(at.at)} of the declared variables`, hex(at.x), hex(at.y));
}

function valueDifference(kind: Difference["kind"], where: string, before: string, after: string, text?: string): Difference {
  return { kind, where, before, after, text: text ?? `${where} is ${before} before and ${after} after` };
}

/** Whether a byte is certain: no part of a value that may be any. */
function certain(standIns: FollowedStandIns | null, marks: Uint8Array | null | undefined): (at: number) => boolean {
  if (standIns === null || marks == null) return () => true;
  return (at) => !mayBeAny(standIns, marks[at]);
}

function firstDifference(
  a: Uint8Array | undefined,
  b: Uint8Array | undefined,
  counts: (at: number) => boolean,
): { at: number; x: number; y: number } | null {
  if (a === undefined || b === undefined) return null;
  for (let i = sameWords(a, b); i < a.length; i++) if (a[i] !== b[i] && counts(i)) return { at: i, x: a[i] ?? 0, y: b[i] ?? 0 };
  return null;
}

/** Bytes at the beginning that are equal, compared by whole words: most memory is never written. */
function sameWords(a: Uint8Array, b: Uint8Array): number {
  if (a.byteOffset % 4 !== 0 || b.byteOffset % 4 !== 0) return 0;
  const words = Math.min(a.length, b.length) >>> 2;
  const [x, y] = [new Uint32Array(a.buffer, a.byteOffset, words), new Uint32Array(b.buffer, b.byteOffset, words)];
  let i = 0;
  while (i < words && x[i] === y[i]) i++;
  return 4 * i;
}

const hex = (value: number): string => `0x${value.toString(16)}`;
