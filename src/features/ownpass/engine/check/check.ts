/** Check: the laws on given programs and on random ones, the first failure minimized and traced to the rewrite that is wrong. Runs wherever the pass's code can run. */

import { PassJudge, type PassVerdict } from "../judge.ts";
import { passPrograms, smallerPassPrograms } from "../programs.ts";
import type { AnswerTo, Candidates, PassProgram, PassRequest } from "./requests.ts";

/** Why a pass was ended from outside. */
export interface Ended {
  /** `answer`: it left no answer that can be read; `crash`: nothing could be run, which is not its fault. */
  readonly ended: "steps" | "depth" | "memory" | "size" | "answer" | "crash" | "stopped";
  readonly message: string;
  /** The line at which it was, from 1; 0 or left out: not known. */
  readonly line?: number;
}

/** Where a pass's code runs. Never rejects. */
export interface PassRunner {
  ask<Ask extends PassRequest["ask"]>(request: PassRequest & { readonly ask: Ask }): Promise<AnswerTo<Ask> | Ended>;
}

export interface CheckSubject {
  readonly runner: PassRunner;
  /** Compiled. */
  readonly code: string;
  /** Analyses that the pass may not use. */
  readonly forbid?: readonly string[];
  /** Its work on all programs together is limited, too. */
  readonly together?: boolean;
}

export interface GivenProgram {
  readonly name: string;
  readonly text: string;
}

/** Which programs a pass is tried on. */
export interface Programs {
  readonly given: readonly GivenProgram[];
  /** Random programs, from `seed` on. */
  readonly count: number;
  readonly seed: number;
}

export interface CheckOptions extends Programs {
  readonly inputs?: number;
  readonly shrink?: boolean;
  /** Caches results for the next pass that is tried on the same programs; default: a new one. */
  readonly judge?: PassJudge;
  /** Receives the result for each program that breaks no law, by the program's text. */
  readonly results?: Map<string, string>;
  /** Also find what is executed, and whether a second run changes more. Default: yes. */
  readonly costs?: boolean;
  /** Called after each program, smaller ones of the first failure included; true ends the check. */
  readonly progress?: (rows: readonly CheckRow[], failures: number) => boolean;
}

/** `equal`: the same on every input that decided something; `undecided`: none did. */
export type CheckVerdict = "equal" | "different" | "undecided" | "failed";

/** What happened on one program. */
export interface CheckRow {
  readonly program: string;
  /** Of a random program. */
  readonly seed: number | null;
  readonly shape: string;
  readonly verdict: CheckVerdict;
  /** The law that is broken; null: none. */
  readonly law: string | null;
  readonly rewrites: number;
  /** The result is a different text. */
  readonly changed: boolean;
  /** What the pass reported about its candidates here; null: it did not run. */
  readonly candidates: Candidates | null;
  readonly inputs: number;
  /** Instructions in the text, before and after. */
  readonly size: readonly [number, number];
  /** Warp instructions executed, before and after. */
  readonly executed: readonly [number, number];
  /** A second run changed nothing more; null: not tried. */
  readonly settled: boolean | null;
}

export interface CheckFailure {
  /** `loads`, `ends`, `throws`, `program`, `signature`, `verifier`, `meaning` or `deterministic`. */
  readonly law: string;
  /** The program's name: as given, or by its seed. */
  readonly name: string;
  /** 0 for a given program. */
  readonly seed: number;
  readonly program: string;
  readonly input: string | null;
  readonly message: string;
  /** The first rewrite after which the program is wrong, counted from 1, and how many there are; null: not known. */
  readonly rewrite: { readonly n: number; readonly of: number; readonly said: string } | null;
  /** Line of the pass; 0: not known. */
  readonly line: number;
}

export interface CheckReport {
  readonly programs: number;
  readonly seed: number;
  readonly failures: readonly CheckFailure[];
  readonly rows: readonly CheckRow[];
  readonly cancelled: boolean;
  /** It ended early, after too many failures. */
  readonly enough: boolean;
}

const INPUTS = 16;
/** The check ends after this many failures. */
export const MOST_FAILURES = 10;
/** The pass runs twice on one of this many programs, and once more on its own result. */
const TWICE = 8;
/** The most smaller programs tried: a count, not a time, so that the same check finds the same program on every machine. */
const SMALLER_TRIED = 400;
/** Minimizing ends after this many programs on which the pass had to be ended: each takes as long as hundreds. */
const SMALLER_ENDED = 3;
/** The most rewrites tried one by one to find the wrong one. */
const MOST_LOOKED = 200;

/** Options with their judge. */
type Judging = CheckOptions & { readonly judge: PassJudge };

interface Tried {
  readonly row: CheckRow;
  readonly failure: CheckFailure | null;
}

export async function checkPass(subject: CheckSubject, given: CheckOptions): Promise<CheckReport> {
  const options: Judging = { ...given, judge: given.judge ?? new PassJudge() };
  const rows: CheckRow[] = [];
  const failures: CheckFailure[] = [];
  let cancelled = false;
  const unread = (name: string, text: string, why: string): void => {
    failures.push({ law: "program", name, seed: 0, program: text, input: null, message: `${name}: ${why}`, rewrite: null, line: 0 });
  };
  for (const candidate of programsOf(options, unread, options.judge)) {
    const { row, failure } = await tryProgram(subject, candidate, options, rows.length % TWICE === 0);
    rows.push(row);
    if (failure !== null) {
      const first = failures.length === 0 && options.shrink !== false;
      const stop = (): boolean => options.progress?.(rows, failures.length + 1) === true;
      failures.push(first ? await explained(subject, failure, options, stop) : failure);
    }
    if (options.progress?.(rows, failures.length) === true) cancelled = true;
    if (cancelled || failures.length >= MOST_FAILURES || failure?.law === "loads") break;
  }
  return { programs: rows.length, seed: options.seed, failures, rows, cancelled, enough: failures.length >= MOST_FAILURES };
}

export interface Candidate {
  readonly name: string;
  readonly seed: number | null;
  readonly shape: string;
  readonly program: PassProgram;
}

/** Given programs first, one per body; `unread` receives a text that is not a program. */
export function* programsOf(
  { given, seed: from, count }: Programs,
  unread: (name: string, text: string, why: string) => void,
  judge = new PassJudge(),
): Generator<Candidate> {
  for (const { name, text } of given) {
    const found = passPrograms(text);
    if (typeof found === "string") {
      unread(name, text, found);
      continue;
    }
    for (const one of found)
      yield { name: found.length === 1 ? name : `${name}, ${one.name}`, seed: null, shape: "given", program: one.program };
  }
  for (let seed = from; seed < from + count; seed++) {
    const random = judge.random(seed);
    if (random !== null) yield { name: `seed ${seed}`, seed, ...random };
  }
}

/** A request for the result on one program. */
export function runRequest(
  { code, forbid = [], together = false }: CheckSubject,
  program: PassProgram,
  parts: { fuel?: number; twice?: boolean; record?: boolean } = {},
) {
  return {
    ask: "run",
    code,
    forbid,
    together,
    program,
    source: [],
    skips: [],
    fuel: parts.fuel ?? null,
    record: parts.record ?? false,
    lines: 0,
    twice: parts.twice ?? false,
  } as const;
}

async function tryProgram(subject: CheckSubject, candidate: Candidate, options: Judging, twice: boolean): Promise<Tried> {
  const { name, seed, shape, program } = candidate;
  const base: CheckRow = {
    program: name,
    seed,
    shape,
    verdict: "failed",
    law: null,
    rewrites: 0,
    changed: false,
    candidates: null,
    inputs: 0,
    size: [0, 0],
    executed: [0, 0],
    settled: null,
  };
  const failed = (law: string, message: string, line = 0, input: string | null = null, row: Partial<CheckRow> = {}): Tried => ({
    row: { ...base, ...row, law },
    failure: { law, name, seed: seed ?? 0, program: program.text, input, message, rewrite: null, line },
  });
  const answer = await subject.runner.ask(runRequest(subject, program, { twice }));
  if ("ended" in answer) return failed(answer.ended === "depth" ? "throws" : "ends", answer.message, answer.line);
  if ("failed" in answer) return failed("loads", answer.failed.message, answer.failed.line);
  const { thrown, rewrites, again, candidates } = answer;
  if (thrown !== null) return failed("throws", thrown.message, thrown.line);
  const { judge, costs } = options;
  const how = { seed: seed ?? 1, inputs: options.inputs ?? INPUTS, ...(costs === undefined ? {} : { costs }) };
  const verdict = judge.judge(program.text, answer.text, how);
  const { law, message, input, decided, size, executed } = verdict;
  const row = { rewrites, changed: answer.text !== program.text, candidates, inputs: decided, size, executed };
  if (law !== null) return failed(law, message, 0, input, { ...row, verdict: law === "meaning" ? "different" : "failed" });
  if (again !== null) return failed("deterministic", "the same program gave a different result the second time", 0, null, row);
  options.results?.set(program.text, answer.text);
  const settled = twice && costs !== false ? await settles(subject, answer.text) : null;
  return { row: { ...base, ...row, verdict: decided === 0 ? "undecided" : "equal", settled }, failure: null };
}

async function settles(subject: CheckSubject, text: string): Promise<boolean | null> {
  const found = passPrograms(text);
  const [one] = typeof found === "string" ? [] : found;
  if (one === undefined) return null;
  const answer = await subject.runner.ask(runRequest(subject, one.program));
  return "ended" in answer || "failed" in answer ? null : !answer.changed;
}

/** Minimized, and traced to the rewrite that is wrong. Unchanged if the pass is nondeterministic or had to be ended. */
async function explained(subject: CheckSubject, failure: CheckFailure, options: Judging, stop: () => boolean): Promise<CheckFailure> {
  if (failure.law === "deterministic" || failure.law === "ends" || failure.law === "loads") return failure;
  const candidate = { name: failure.name, seed: failure.seed, shape: "" };
  const on = async (program: PassProgram) => (await tryProgram(subject, { ...candidate, program }, options, false)).failure;
  const best = await smallestFailure(failure, on, stop);
  return { ...best, rewrite: await wrongRewrite(subject, best, options) };
}

/** The smallest program found on which the same law is broken. `on`: the failure on a program. */
export async function smallestFailure(
  failure: CheckFailure,
  on: (program: PassProgram) => Promise<CheckFailure | null>,
  stop: () => boolean,
): Promise<CheckFailure> {
  let best = failure;
  let ended = 0;
  const steps = smallerPassPrograms(failure.program, SMALLER_TRIED);
  for (let step = steps.next(); step.done !== true && ended < SMALLER_ENDED && !stop(); ) {
    const found = await on(step.value);
    const same = found?.law === failure.law;
    if (same) best = found;
    if (found?.law === "ends") ended++;
    step = steps.next(same);
  }
  return best;
}

/** The first rewrite after which the law is broken; null if that is not known. */
async function wrongRewrite(subject: CheckSubject, failure: CheckFailure, options: Judging): Promise<CheckFailure["rewrite"]> {
  const found = passPrograms(failure.program);
  const [one] = typeof found === "string" ? [] : found;
  if (one === undefined || failure.law === "throws") return null;
  const whole = await subject.runner.ask(runRequest(subject, one.program, { record: true }));
  if ("ended" in whole || "failed" in whole) return null;
  const said = (whole.script ?? []).flatMap((entry) =>
    Array.isArray(entry) && entry[0] === "rewrite" && typeof entry[2] === "string" ? [entry[2]] : [],
  );
  for (let n = 1; n <= Math.min(whole.rewrites, MOST_LOOKED); n++) {
    const part = await subject.runner.ask(runRequest(subject, one.program, { fuel: n }));
    if ("ended" in part || "failed" in part || part.thrown !== null) return null;
    const verdict: PassVerdict = options.judge.judge(one.program.text, part.text, { seed: failure.seed, inputs: options.inputs ?? INPUTS });
    if (verdict.law !== null) return { n, of: whole.rewrites, said: said[n - 1] ?? "" };
  }
  return null;
}
