/** What every pass must do on every program, as checks that report which law was broken. Used by the tests and by the fuzzer. */

import { createPrng, type Prng } from "../../base/prng.ts";
import type { BlockId } from "../ir/ids.ts";
import type { Func, Inst, Module } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import type { Pass } from "../passes/pass.ts";
import { isAnalyzed, recordsAreRight } from "../passes/shared/control-flow/control-flow-tags.ts";
import { type PassEnvironment, runPassOnce } from "../pipeline/run-phase.ts";
import type { Fuel, Interventions } from "../remark/permits.ts";
import { Snapshots } from "../remark/snapshots.ts";
import { parseModule } from "../text/parser.ts";
import { printFunc, printInst, printModule } from "../text/printer.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { Recording } from "../trace/recording.ts";
import { Trace } from "../trace/trace.ts";
import { verifyChange } from "../verify/verify.ts";
import { type Counterexample, checkCallers, EquivalenceChecker } from "./equivalence.ts";
import type { InputSpec } from "./inputs.ts";

/** A pass at one of its positions, with the settings to run it with. */
export interface Subject {
  readonly pass: Pass;
  readonly id: string;
  readonly env: Omit<PassEnvironment, "rec" | "module" | "fuel">;
}

export type Law =
  /** The pass ends without an internal error. */
  | "error"
  /** It does not touch the function it was given. */
  | "input"
  /** It reports a change exactly if there was one, and a reason if there was none. */
  | "report"
  /** The verifier accepts the result. */
  | "verify"
  /** A pass that promises it makes no program longer. */
  | "length"
  /** Once the control flow was analyzed, the blocks' records are right after every phase. */
  | "records"
  /** A second run gives the same. */
  | "determinism"
  /** A pass that settles changes nothing when it runs again, or has given a reason why it may. */
  | "settled"
  /** Recording changes nothing. */
  | "tracing"
  /** Playing the recording forwards and backwards gives the states again. */
  | "replay"
  /** The result prints and parses back to itself. */
  | "text"
  /** The result is equivalent to the input. */
  | "meaning"
  /** A pass with a rule table requests once each rewrite that it reports. */
  | "asked"
  /** With any of its rewrites refused it still keeps the laws; with all of them refused it changes nothing. */
  | "refused";

export interface Violation {
  readonly law: Law;
  readonly subject: Subject;
  readonly message: string;
  /** The input on which the meaning differs; null for the other laws. */
  readonly input: InputSpec | null;
}

export interface LawOptions {
  /** Inputs for the meaning; 0 leaves it out. */
  readonly inputs: number;
  readonly seed: number;
  readonly threads?: number;
  /** Number of the first input (default 0): the first four give every parameter the same boundary value. */
  readonly firstInput?: number;
  /** Record and replay, too; the slower half. */
  readonly trace: boolean;
  /** Run a second time on the same program and on the result (default true): `determinism` and `settled`. */
  readonly repeat?: boolean;
  /** Print and parse (default true). */
  readonly text?: boolean;
  /** Run with some rewrites refused (default true), where the pass requests each. */
  readonly refuse?: boolean;
  /** Number of drawn sets of refused rewrites (default 1). */
  readonly subsets?: number;
}

export interface LawReport {
  readonly violation: Violation | null;
  readonly after: Func;
  readonly changed: boolean;
  /** The result was equal to one of another pass, whose verdict counts for both. */
  readonly known: boolean;
  /** Different sets of its rewrites that were refused and judged. */
  readonly subsets: number;
}

/** What one program's passes share: the runs of the program itself, and the verdicts on results that several passes reach. */
export class SharedChecks {
  readonly checker: EquivalenceChecker;
  private readonly reference: Func;
  private readonly module: Module;
  private readonly options: LawOptions;
  private readonly verdicts = new Map<string, Problem | null>();
  private readonly meanings = new Map<string, Counterexample | null>();

  /** `reference`: the program that results are compared with, of the same meaning as those that passes start from. */
  constructor(reference: Func, module: Module, options: LawOptions) {
    this.reference = reference;
    this.module = module;
    this.options = options;
    this.checker = new EquivalenceChecker(reference, module, options);
  }

  /** `key`: everything that the verdict depends on. */
  verdict(key: string, judge: () => Problem | null): { readonly problem: Problem | null; readonly known: boolean } {
    const found = this.verdicts.get(key);
    if (found !== undefined) return { problem: found, known: true };
    const problem = judge();
    this.verdicts.set(key, problem);
    return { problem, known: false };
  }

  /** Results that differ only in records and numbers are run once. */
  counterexample(after: Func): Counterexample | null {
    const key = programKey(after);
    let found = this.meanings.get(key);
    if (found === undefined) {
      found = this.checker.check(after).counterexample ?? checkCallers(this.reference, after, this.module, this.options);
      this.meanings.set(key, found);
    }
    return found;
  }
}

interface Problem {
  readonly law: Law;
  readonly message: string;
  readonly input: InputSpec | null;
}

/** Checks all laws of one pass on one verified program. `shared`: of passes that run on the same program. */
export function checkLaws(fn: Func, module: Module, subject: Subject, options: LawOptions, shared?: SharedChecks): LawReport {
  const before = inputKey(fn);
  const env = { ...subject.env, module, rec: NO_RECORDER };
  const result = runPassOnce(subject.pass, subject.id, fn, env);
  const after = result.fn;
  const report = (problem: Problem | null, known = false, subsets = 0): LawReport => ({
    violation: problem === null ? null : { ...problem, subject },
    after,
    changed: result.changed,
    known,
    subsets,
  });
  const fail = (law: Law, message: string): LawReport => report({ law, message, input: null });
  if (result.error !== null) return fail("error", result.error);
  if (stateKey(fn) !== before) {
    const message = firstDifference(before, stateKey(fn));
    inputKeys.delete(fn);
    return fail("input", message);
  }
  if (!result.changed && (result.outcome?.why ?? null) === null) return fail("report", "nothing changed, and no reason was given");
  // A result that is the input object has the input's state.
  const key = after === fn ? before : stateKey(after);
  if (after !== fn) {
    if ((isAnalyzed(fn) || isAnalyzed(after)) && !recordsAreRight(after))
      return fail("records", "a block's record or a bit of the function is stale");
    if (!result.changed && printFunc(fn) !== printFunc(after)) return fail("report", "the program changed, but no edit was counted");
    const [was, is] = [sizeOf(fn), sizeOf(after)];
    if (subject.pass.neverLonger === true && is > was) return fail("length", `${was} instructions became ${is}`);
  }
  const checks = shared ?? new SharedChecks(fn, module, options);
  let known = false;
  if (after !== fn) {
    const verdict = checks.verdict(`${result.changed} ${key}`, () => judgeResult(fn, after, module, result.changed, options, checks));
    if (verdict.problem !== null) return report(verdict.problem, verdict.known);
    known = verdict.known;
    // The printed text depends only on the state, so this verdict is shared, too.
    const text = result.changed && options.text !== false ? checks.verdict(`text ${key}`, () => judgeText(after, module)).problem : null;
    if (text !== null) return report(text);
  }
  if (options.repeat !== false) {
    const again = runPassOnce(subject.pass, subject.id, fn, env).fn;
    const keyAgain = again === fn ? before : stateKey(again);
    if (keyAgain !== key) return fail("determinism", firstDifference(key, keyAgain));
    if (result.changed && subject.pass.settles === true && (result.outcome?.further ?? null) === null) {
      const second = runPassOnce(subject.pass, subject.id, after, env);
      if (second.changed) return fail("settled", `a second run changes more: ${firstDifference(key, stateKey(second.fn))}`);
    }
  }
  if (options.trace) {
    const traced = tracedRun(fn, module, subject, key);
    if (traced !== null) return fail(traced.law, traced.message);
  }
  const asked = result.permits?.asked ?? 0;
  if (result.permits !== null && asked !== result.outcome?.rewrites)
    return fail("asked", `${result.outcome?.rewrites} rewrites, but ${asked} were requested`);
  if (asked === 0 || options.refuse === false) return report(null, known);
  const { subsets, broken } = refusedRuns(fn, module, subject, options, asked, checks);
  return report(broken === null ? null : { law: "refused", ...broken }, known, subsets);
}

/** The verifier and the meaning: the laws of the result alone. */
function judgeResult(fn: Func, after: Func, module: Module, changed: boolean, options: LawOptions, checks: SharedChecks): Problem | null {
  const error = verifyChange(fn, after, module).find((d) => d.severity === "error");
  if (error !== undefined) return { law: "verify", message: `${error.code} ${error.message}`, input: null };
  if (!changed) return null;
  const counterexample = options.inputs > 0 ? checks.counterexample(after) : null;
  return counterexample === null ? null : { law: "meaning", message: counterexample.text, input: counterexample.input };
}

function judgeText(after: Func, module: Module): Problem | null {
  const message = textRoundTrip(after, module);
  return message === null ? null : { law: "text", message, input: null };
}

type Broken = Omit<Problem, "law">;

/** Refuses all rewrites, then random subsets, as many as the options say. Returns how many sets were judged, and the first failure. */
function refusedRuns(
  fn: Func,
  module: Module,
  subject: Subject,
  options: LawOptions,
  asked: number,
  checks: SharedChecks,
): { readonly subsets: number; readonly broken: Broken | null } {
  const none = runPassOnce(subject.pass, subject.id, fn, { ...subject.env, module, rec: NO_RECORDER, fuel: { left: 0 } });
  const without = none.error ?? (none.changed ? "the program changed" : null);
  if (without !== null) return { subsets: 0, broken: { message: `without fuel: ${without}`, input: null } };
  const rng = createPrng(options.seed + asked);
  const left = rng.below(asked);
  // Also with some rewrites skipped, which use no fuel.
  for (const skips of [new Set<number>(), drawSubset(asked, createPrng(options.seed + 2 * asked))]) {
    const early = endsEarly(fn, module, subject, left, skips);
    if (early !== null) return { subsets: 0, broken: { message: early, input: null } };
  }
  const tried = new Set<string>();
  for (let i = options.subsets ?? 1; i > 0; i--) {
    const skips = drawSubset(asked, rng);
    const name = [...skips].join(", ");
    if (tried.has(name)) continue;
    tried.add(name);
    const broken = withoutSome(fn, module, subject, options, skips, checks);
    if (broken !== null) {
      const message = `without its rewrites ${name} of ${asked}: ${broken.message}`;
      return { subsets: tried.size, broken: { message, input: broken.input } };
    }
  }
  return { subsets: tried.size, broken: null };
}

/**
 * Checks that the program after some rewrites is the same from a phase that ends early when its fuel is spent, and from one that takes a
 * snapshot then and runs to the end.
 */
function endsEarly(fn: Func, module: Module, { pass, id, env }: Subject, left: number, skips: ReadonlySet<number>): string | null {
  const interventions = { skips, drops: new Set<string>() };
  const run = (fuel: Fuel): Func => runPassOnce(pass, id, fn, { ...env, module, rec: NO_RECORDER, fuel, interventions }).fn;
  const fuel: Fuel = { left, programOnly: true };
  const ended = run(fuel);
  const snapshots = new Snapshots();
  run({ left: Number.POSITIVE_INFINITY, snapshots });
  const noted = snapshots.after(left);
  // A pass that has not read that its fuel is spent did not end early: there is nothing to compare.
  const others = [fuel.told === true ? { how: "when it may end early", fn: ended } : null, noted && { how: "on its way", fn: noted }];
  if (others.every((other) => other === null)) return null;
  const whole = printFunc(run({ left }));
  for (const other of others) {
    const text = other === null ? whole : printFunc(other.fn);
    const without = skips.size === 0 ? "" : ` and without ${[...skips].join(", ")}`;
    if (text !== whole)
      return `with fuel for ${left} rewrites${without} it makes a different program ${other?.how}: ${firstDifference(whole, text)}`;
  }
  return null;
}

/** Numbers from 1 to `asked`, at least one of them: few, half or most. */
function drawSubset(asked: number, rng: Prng): ReadonlySet<number> {
  const share = rng.pick([1 / asked, 0.5, 0.9]);
  const drawn = Array.from({ length: asked }, (_, i) => i + 1).filter(() => rng.chance(share));
  return new Set(drawn.length === 0 ? [1 + rng.below(asked)] : drawn);
}

function withoutSome(
  fn: Func,
  module: Module,
  subject: Subject,
  options: LawOptions,
  skips: ReadonlySet<number>,
  checks: SharedChecks,
): Broken | null {
  const { pass, id } = subject;
  const interventions: Omit<Interventions, "fuel"> = { skips, drops: new Set() };
  const env = { ...subject.env, module, rec: NO_RECORDER, interventions };
  const some = runPassOnce(pass, id, fn, env);
  const broken = (message: string): Broken => ({ message, input: null });
  if (some.error !== null) return broken(some.error);
  const key = stateKey(some.fn);
  const { problem } = checks.verdict(`${some.changed} ${key}`, () => judgeResult(fn, some.fn, module, some.changed, options, checks));
  if (problem !== null) return problem;
  if (options.repeat !== false) {
    const again = stateKey(runPassOnce(pass, id, fn, env).fn);
    if (again !== key) return broken(`a second run differs: ${firstDifference(key, again)}`);
  }
  if (some.changed && options.text !== false) {
    const text = checks.verdict(`text ${key}`, () => judgeText(some.fn, module)).problem;
    if (text !== null) return text;
  }
  const traced = options.trace ? tracedRun(fn, module, { ...subject, env: { ...subject.env, interventions } }, key) : null;
  return traced === null ? null : broken(traced.message);
}

const sizeOf = (fn: Func): number => fn.layout.reduce((n, id) => n + getBlock(fn, id).insts.length, 0);

const inputKeys = new WeakMap<Func, string>();

/** The key of a function that many passes start from, made once. */
function inputKey(fn: Func): string {
  let key = inputKeys.get(fn);
  if (key === undefined) {
    key = stateKey(fn);
    inputKeys.set(fn, key);
  }
  return key;
}

/** Printing and parsing a function gives it back. Null when it does. */
export function textRoundTrip(fn: Func, module: Module): string | null {
  const once = printModule({ ...module, funcs: [fn], tail: [] });
  const parsed = parseModule(once);
  const error = parsed.diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return `line ${error.line}: ${error.code} ${error.message}`;
  const twice = printModule({ ...parsed.module, tail: [] });
  return once === twice ? null : firstDifference(once, twice);
}

function tracedRun(
  fn: Func,
  module: Module,
  subject: Subject,
  key: string,
): { readonly law: "tracing" | "replay"; readonly message: string } | null {
  const recording = new Recording(fn);
  const result = runPassOnce(subject.pass, subject.id, fn, { ...subject.env, module, rec: recording });
  if (result.error !== null) return { law: "tracing", message: `only when it is recorded: ${result.error}` };
  const traced = stateKey(result.fn);
  if (traced !== key) return { law: "tracing", message: firstDifference(key, traced) };
  const [before, after] = [stateKey(fn, false), stateKey(result.fn, false)];
  const trace = new Trace(recording, fn, 64);
  if (trace.cut) return null;
  const wanted = new Map<number, string>();
  const steps = trace.steps;
  const probes = [-1, ...Array.from({ length: 6 }, (_, i) => Math.floor((i * (steps - 1)) / 5))].filter((s) => s < steps);
  for (const step of probes) wanted.set(step, stateKey(trace.funcAt(step), false));
  if (wanted.get(-1) !== before) return { law: "replay", message: `at the start: ${firstDifference(before, wanted.get(-1) ?? "")}` };
  const last = steps === 0 ? before : stateKey(trace.funcAt(steps - 1), false);
  // Edits after the last event belong to the end of the phase.
  if (steps > 0 && trace.position(steps - 1) === trace.journal.length && last !== after) {
    return { law: "replay", message: `at the end: ${firstDifference(after, last)}` };
  }
  for (const step of probes.toReversed()) {
    const key = stateKey(trace.funcAt(step), false);
    if (key !== wanted.get(step))
      return { law: "replay", message: `going back to step ${step}: ${firstDifference(wanted.get(step) ?? "", key)}` };
  }
  return null;
}

/**
 * The complete state of a function, as text: two functions have the same key exactly if they have the same state. Versions and trivia are left out, and so are
 * the counters of fresh names when a recording is played, which contains only edits.
 */
export function stateKey(fn: Func, counters = true): string {
  const next = counters ? ` next ${fn.nextReg.join(",")} ${fn.nextInst}` : "";
  const lines = [`${fn.kind} ${fn.name} flags ${fn.flags}${next} layout ${fn.layout.join(",")}`];
  for (const [name, table] of fn.tables) lines.push(`table ${name} ${table.base} ${table.default} ${table.entries.join(",")}`);
  for (const id of fn.layout) {
    const block = fn.blocks[id];
    if (block === undefined) {
      lines.push(`${id} is missing`);
      continue;
    }
    const { rpo, latchExit, flags, flags2, scratch120, scratch232, weight } = block;
    lines.push(
      `${id} ${block.label}: succs ${block.succs.join(",")} preds ${block.preds.join(",")} ` +
        `${[rpo, latchExit, flags, flags2, scratch120, scratch232, weight].join(" ")}`,
    );
    for (const inst of block.insts) lines.push(instText(fn, inst).line);
  }
  return lines.join("\n");
}

/** A key of what a run of a version depends on: no records, no numbers of blocks and instructions. Versions of one function have the same header. */
function programKey(fn: Func): string {
  const label = (id: BlockId): string => fn.blocks[id]?.label ?? "?";
  const lines: string[] = [];
  for (const [name, table] of fn.tables)
    lines.push(`${name} ${table.base} ${table.default === null ? "" : label(table.default)} ${table.entries.map(label).join(",")}`);
  for (const id of fn.layout) {
    lines.push(label(id));
    for (const inst of getBlock(fn, id).insts) lines.push(instText(fn, inst).text);
  }
  return lines.join("\n");
}

interface InstText {
  readonly text: string;
  /** With the instruction's id. */
  readonly line: string;
}

const instTexts = new WeakMap<Inst, InstText>();

/** An instruction's text. The versions of a function share their instructions, and a block keeps its label. */
function instText(fn: Func, inst: Inst): InstText {
  let known = instTexts.get(inst);
  if (known === undefined) {
    const text = printInst(fn, inst);
    known = { text, line: `  ${inst.id} ${text}` };
    instTexts.set(inst, known);
  }
  return known;
}

function firstDifference(a: string, b: string): string {
  const x = a.split("\n");
  const y = b.split("\n");
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    if (x[i] !== y[i]) return `'${x[i]?.trim() ?? "nothing"}' became '${y[i]?.trim() ?? "nothing"}'`;
  }
  return "no difference";
}
