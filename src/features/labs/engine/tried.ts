/** Runs what students wrote, wherever their code may run, and judges it: the one part of judging that must wait for an answer. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { compareAnalysis } from "../../ownpass/engine/analysis-results.ts";
import { type CheckSubject, checkPass, type GivenProgram, type PassRunner } from "../../ownpass/engine/check/check.ts";
import { compilePass } from "../../ownpass/engine/check/compile.ts";
import type { PassProgram } from "../../ownpass/engine/check/requests.ts";
import { PassJudge } from "../../ownpass/engine/judge.ts";
import { passPrograms } from "../../ownpass/engine/programs.ts";
import { list } from "./credit.ts";
import { seedFrom } from "./digest.ts";
import { Context, type Judged, judged } from "./kinds/kind.ts";
import { figureOf, type Must, textOf, triedKey, type WriteSpec } from "./kinds/write.ts";
import type { Lab } from "./lab.ts";
import { BrokenTask, type Stage } from "./stage.ts";

const SEEDS = 1_000_000_000;

type Trying = TryOptions & { readonly kept: KeptRuns };

export interface TryOptions {
  readonly runner: PassRunner;
  /** Seed of the random programs; null: the task's. */
  readonly seed: number | null;
  /** Caches its results for the next hand-in; without it nothing is cached. */
  readonly kept?: KeptRuns;
  /** Hears of each program that is done, and of how many there are. */
  readonly progress?: (done: number, of: number) => void;
}

const MOST_SOURCES = 2000;
const MOST_ROWS = 500;

/** What is found once for all hand-ins of a lab: sources that were tried already, and what the programs they run on do by themselves. */
export class KeptRuns {
  readonly judge = new PassJudge(false);
  private readonly sources = new Map<string, Judged>();
  private readonly rows = new Map<string, ReturnType<typeof compareAnalysis>>();

  /** `compareAnalysis`: most students give the same answer. */
  compare(of: string | null, program: string, blocks: Readonly<Record<string, unknown>>): ReturnType<typeof compareAnalysis> {
    const key = JSON.stringify([of, program, blocks]);
    const rows = this.rows.get(key) ?? compareAnalysis(of, program, blocks);
    keep(this.rows, key, rows, MOST_ROWS);
    return rows;
  }

  /** `key`: all that the result follows from. */
  async of(key: readonly (string | number | null)[], run: () => Promise<Judged>): Promise<Judged> {
    const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(key))));
    const known = this.sources.get(digest);
    if (known !== undefined) return known;
    const found = await run();
    // Code that could not be run here may run the next time.
    if (found.share === null) return found;
    keep(this.sources, digest, found, MOST_SOURCES);
    return found;
  }
}

/** The oldest makes room. */
function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

/** Whether a lab has tasks that need code. */
export const hasWrites = (lab: Lab): boolean => lab.tasks.some((task) => task.kind === "write");

/** Tries the code among the answers. The stage keeps the results for judging. */
export async function tryAnswers(
  stage: Stage,
  answers: Readonly<Record<string, unknown>>,
  variantOf: (task: string) => number,
  options: TryOptions,
): Promise<void> {
  for (const task of stage.lab.tasks) {
    const answer = Object.hasOwn(answers, task.id) ? answers[task.id] : undefined;
    if (task.kind !== "write" || typeof answer !== "object" || answer === null) continue;
    const source: unknown = "pass" in answer ? answer.pass : null;
    if (typeof source !== "string") continue;
    const ctx = new Context(stage, task, variantOf(task.id));
    const key = triedKey(ctx, source);
    if (stage.tried.has(key)) continue;
    const kept = options.kept ?? new KeptRuns();
    const follows = [stage.seed, stage.lab.front.version, options.seed, key] as const;
    stage.tried.set(key, await kept.of(follows, () => trySource(source, task.spec as WriteSpec, ctx, { ...options, kept })));
  }
}

/** Throws nothing: a broken task is reported when it is judged. */
async function trySource(source: string, spec: WriteSpec, ctx: Context, options: Trying): Promise<Judged> {
  const compiled = compilePass(source);
  if (!compiled.ok) {
    const { line, message } = compiled.problem;
    return { share: 0, reason: at(line, message), theory: "does not compile" };
  }
  const subject: CheckSubject = { runner: options.runner, code: compiled.code, forbid: spec.forbid, together: true };
  const described = await options.runner.ask({ ask: "describe", code: subject.code, together: true });
  if ("failed" in described) return { share: 0, reason: at(described.failed.line, described.failed.message), theory: "does not load" };
  if ("ended" in described) {
    // A missing sandbox, or a run that the user stopped, is not the student's fault.
    if (described.ended === "crash" || described.ended === "stopped") return { share: null, reason: described.message };
    return { share: 0, reason: at(described.line ?? 0, described.message), theory: "does not load" };
  }
  if (described.kind !== spec.what)
    return { share: 0, reason: `this defines ${a(described.kind)}, and ${a(spec.what)} is asked for`, theory: "another kind" };
  try {
    return spec.what === "pass" ? await tryPass(subject, spec, ctx, options) : await tryAnalysis(subject, described.of, spec, ctx, options);
  } catch (error) {
    if (!(error instanceof BrokenTask)) throw error;
    return { share: null, reason: `the task could not be judged: ${error.message}` };
  }
}

const a = (kind: "pass" | "analysis"): string => (kind === "pass" ? "a pass" : "an analysis");
const at = (line: number, message: string): string => (line > 0 ? `line ${line}: ${message}` : message);

const firstSeed = ({ seed, count }: WriteSpec, { lab, task }: Context, options: TryOptions): number =>
  options.seed ?? seed ?? 1 + (seedFrom("write", lab.front.id, lab.front.version, task.id) % (SEEDS - count));

function givenOf(spec: WriteSpec, ctx: Context): readonly GivenProgram[] {
  const names = new Set([...spec.must.map((m) => m.program), ...spec.programs]);
  return [...names].map((name) => ({ name, text: textOf(name, ctx) }));
}

/** A broken law is worth nothing; of what it must reach, each figure counts the same. */
async function tryPass(subject: CheckSubject, spec: WriteSpec, ctx: Context, options: Trying): Promise<Judged> {
  const given = givenOf(spec, ctx);
  // What is measured is what was checked: a second run could give something else.
  const results = new Map<string, string>();
  const { rows, failures } = await checkPass(subject, {
    given,
    results,
    count: spec.count,
    seed: firstSeed(spec, ctx, options),
    shrink: false,
    judge: options.kept.judge,
    costs: false,
    // One is enough, and a pass that does not end takes its time on each.
    progress(done, failed) {
      options.progress?.(done.length, given.length + spec.count);
      return failed > 0;
    },
  });
  const [failure] = failures;
  const last = rows.at(-1);
  if (failure !== undefined && spec.hidden && failure.seed > 0)
    return { share: 0, reason: unnamed(failure.law, failure.line), theory: failure.law };
  if (failure !== undefined) {
    const where = failure.seed > 0 ? `the random program ${failure.seed}` : (last?.program ?? "a program");
    const input = failure.input === null ? "" : `\non ${failure.input}`;
    return { share: 0, reason: `on ${where}: ${at(failure.line, failure.message)}${input}`, theory: failure.law };
  }
  if (!rows.some((row) => row.verdict === "equal")) return { share: null, reason: "no input let a program end: nothing was decided" };
  const unmet: string[] = [];
  for (const must of spec.must) {
    const said = unmetBy(results, must, ctx);
    if (said !== null) unmet.push(said);
  }
  const share = (spec.must.length - unmet.length) / spec.must.length;
  // A reader of the figures alone does not learn that the pass never did anything.
  const idle = rows.some(({ changed }) => changed) ? [] : [`the pass changed none of the ${rows.length} programs that it was tried on`];
  return judged(share, list([...idle, ...unmet], "; "), unmet.length === 0 ? undefined : "too little");
}

/** Where a program is secret, no text of the pass is shown either: it could contain the program. */
const unnamed = (law: string, line: number): string => `on one of the hidden programs: ${at(line, LAWS[law] ?? "a law is broken")}`;

const LAWS: Readonly<Record<string, string>> = {
  ends: "the pass did not end within its steps",
  throws: "the pass threw an error",
  signature: "the kernel’s parameters are others",
  verifier: "the result is no well-formed program",
  meaning: "the result does something else",
  deterministic: "the same program gave a different result the second time",
};

/** What a figure lacks; null: it is reached. */
function unmetBy(results: ReadonlyMap<string, string>, must: Must, ctx: Context): string | null {
  const [first] = bodiesOf(must.program, textOf(must.program, ctx));
  const text = first === undefined ? undefined : results.get(first.text);
  if (text === undefined) throw new BrokenTask(`${must.program}: the program contains no kernel`);
  const figure = figureOf(must, text, ctx);
  if (typeof figure === "string") return `${must.program}: ${figure}`;
  const most = must["at-most"];
  return figure <= most ? null : `${must.program}: ${figure} ${must.measure}, at most ${most} are wanted`;
}

function bodiesOf(name: string, text: string): readonly PassProgram[] {
  const found = passPrograms(text);
  if (typeof found === "string") throw new BrokenTask(`${name}: ${found}`);
  return found.map(({ program }) => program);
}

/** (right − spurious) ÷ n over all blocks of all programs. */
async function tryAnalysis(subject: CheckSubject, of: string | null, spec: WriteSpec, ctx: Context, options: Trying): Promise<Judged> {
  if (of !== spec.of)
    return { share: 0, reason: `the analysis says of: ${of ?? "null"}, and ${spec.of ?? ""} is asked for`, theory: "another analysis" };
  const seed = firstSeed(spec, ctx, options);
  const given = givenOf(spec, ctx);
  let [wanted, right, spurious] = [0, 0, 0];
  let first: string | null = null;
  const subjects = [
    ...given.map(({ name, text }) => ({ name, programs: bodiesOf(name, text) })),
    ...Array.from({ length: spec.count }, (_, i) => {
      const random = options.kept.judge.random(seed + i);
      return { name: `the random program ${seed + i}`, programs: random === null ? [] : [random.program] };
    }),
  ];
  for (const [index, { name, programs }] of subjects.entries()) {
    const untold = spec.hidden && index >= given.length;
    const wrong = (law: string, { line, message }: { readonly line: number; readonly message: string }): Judged => ({
      share: 0,
      reason: untold ? unnamed(law, line) : `on ${name}: ${at(line, message)}`,
      theory: law,
    });
    for (const program of programs) {
      const answer = await subject.runner.ask({
        ask: "analyze",
        code: subject.code,
        forbid: spec.forbid,
        together: true,
        program,
        source: [],
      });
      if ("ended" in answer) return wrong("ends", { line: answer.line ?? 0, message: answer.message });
      if ("failed" in answer) return wrong("throws", answer.failed);
      const rows = options.kept.compare(of, program.text, answer.blocks);
      if (typeof rows === "string") throw new BrokenTask(rows);
      for (const row of rows) {
        wanted += row.wanted;
        right += row.right;
        spurious += row.spurious;
        if (row.same) continue;
        first ??= untold
          ? `on one of the hidden programs: ${of} of a block differs`
          : `on ${name}: ${of} of ${row.block} is ${row.ours}, not ${row.theirs}\n${program.text}`;
      }
    }
    options.progress?.(index + 1, subjects.length);
  }
  if (first === null) return judged(1, null);
  // What differs somewhere is never worth all points.
  return judged(Math.min(0.99, wanted === 0 ? 0 : Math.max(0, (right - spurious) / wanted)), first, "another answer");
}
