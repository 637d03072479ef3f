/**
 * Compares a user's pass with a built-in one, each alone on the same programs: the remaining instructions, the executed ones, and how often
 * both produce the same program.
 */

import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { judgePass, sameUpToNames } from "../judge.ts";
import { type Candidate, type CheckSubject, type Programs, programsOf, runRequest } from "./check.ts";

export interface CompareOptions extends Programs {
  /** Id of the built-in phase. */
  readonly against: string;
  readonly inputs?: number;
  /** Called after each program; true ends the comparison. */
  readonly progress?: (rows: readonly CompareRow[]) => boolean;
}

/** The result of one of the two on a program. */
export interface CompareSide {
  /** Why its result does not count; null: it is valid and means the same. */
  readonly problem: string | null;
  /** Instructions in the text. */
  readonly size: number;
  /** Warp instructions on the counted inputs. */
  readonly executed: number;
}

export interface CompareRow {
  readonly program: string;
  readonly seed: number | null;
  readonly shape: string;
  readonly text: string;
  readonly before: CompareSide;
  readonly mine: CompareSide;
  readonly ours: CompareSide;
  /** Both made the same program, but for the names of registers and labels. */
  readonly same: boolean;
}

export interface CompareReport {
  readonly against: string;
  /** The built-in phase's title. */
  readonly title: string;
  readonly seed: number;
  readonly rows: readonly CompareRow[];
  /** Given programs that could not be read, and why. */
  readonly unread: readonly string[];
  readonly cancelled: boolean;
}

const INPUTS = 8;

export async function comparePass(subject: CheckSubject, options: CompareOptions): Promise<CompareReport> {
  const rows: CompareRow[] = [];
  const unread: string[] = [];
  const { against, seed } = options;
  let cancelled = false;
  for (const candidate of programsOf(options, (name, _, why) => unread.push(`${name}: ${why}`))) {
    rows.push(await compareOn(subject, candidate, options));
    cancelled = options.progress?.(rows) === true;
    if (cancelled) break;
  }
  return { against, title: titleOf(against), seed, rows, unread, cancelled };
}

/** The built-in phase's number and name, as the page and the command line list it. */
function titleOf(id: string): string {
  const phase = new EngineSession().phases(DEFAULT_PIPELINE).find((row) => row.id === id);
  if (phase === undefined) return id;
  return phase.number === null ? phase.name : `${phase.number} ${phase.name}`;
}

async function compareOn(subject: CheckSubject, candidate: Candidate, { against, inputs = INPUTS }: CompareOptions): Promise<CompareRow> {
  const { name, seed, shape, program } = candidate;
  const judged = (text: string | { readonly problem: string }): { readonly side: CompareSide; readonly before: CompareSide } => {
    const none = { problem: null, size: 0, executed: 0 };
    if (typeof text !== "string") return { side: { ...none, problem: text.problem }, before: none };
    const { law, message, size, executed } = judgePass(program.text, text, { seed: seed ?? 1, inputs });
    const problem = law === null ? null : `${law}: ${message}`;
    return {
      side: { problem, size: size[1], executed: executed[1] },
      before: { problem: null, size: size[0], executed: executed[0] },
    };
  };
  const [mineText, oursText] = [await runMine(subject, candidate), runOurs(program.text, against)];
  const mine = judged(mineText);
  const ours = judged(oursText);
  // The cost of the unchanged program comes from either result that counts.
  const before = ours.side.problem === null ? ours.before : mine.before;
  const same = typeof mineText === "string" && typeof oursText === "string" && sameUpToNames(mineText, oursText);
  return { program: name, seed, shape, text: program.text, before, mine: mine.side, ours: ours.side, same };
}

async function runMine(subject: CheckSubject, { program }: Candidate): Promise<string | { readonly problem: string }> {
  const answer = await subject.runner.ask(runRequest(subject, program));
  if ("ended" in answer) return { problem: answer.message };
  if ("failed" in answer) return { problem: answer.failed.message };
  if (answer.thrown !== null) return { problem: answer.thrown.message };
  return answer.text;
}

/** The program after a built-in phase alone. */
export function runOurs(text: string, id: string): string | { readonly problem: string } {
  const session = new EngineSession();
  const { kernels } = session.open(1, text, "ori");
  const [kernel] = kernels;
  if (kernel === undefined) return { problem: "the text contains no program" };
  const { phases, diagnostics } = session.run(1, kernel.name, { ...DEFAULT_PIPELINE, phases: [id] });
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return { problem: error.message };
  if (phases.length === 0) return { problem: `${id} cannot run by itself` };
  return session.moduleText({ run: phases.length - 1, step: null });
}

export interface Comparison {
  readonly programs: number;
  /** Programs on which both results count; the figures cover only these. */
  readonly counted: number;
  readonly same: number;
  /** Before, mine, ours. */
  readonly size: readonly [number, number, number];
  readonly executed: readonly [number, number, number];
  /** Programs on which mine is better, worse, and as good. */
  readonly better: number;
  readonly worse: number;
  readonly level: number;
  /** Where the two are farthest apart, mine better first; at most a few each. */
  readonly best: readonly CompareRow[];
  readonly worst: readonly CompareRow[];
  /** Where my result does not count. */
  readonly wrong: readonly CompareRow[];
}

const MOST_SHOWN = 5;

export function comparisonOf({ rows }: CompareReport): Comparison {
  const both = rows.filter(({ mine, ours }) => mine.problem === null && ours.problem === null);
  const sum = (pick: (row: CompareRow) => number): number => both.reduce((n, row) => n + pick(row), 0);
  /** Above 0: mine is better. Compares executed instructions first, then those left in the text. */
  const ahead = ({ mine, ours }: CompareRow): number =>
    mine.executed !== ours.executed ? ours.executed - mine.executed : (ours.size - mine.size) / 1e6;
  const order = both.toSorted((a, b) => ahead(b) - ahead(a));
  return {
    programs: rows.length,
    counted: both.length,
    same: both.filter((row) => row.same).length,
    size: [sum((r) => r.before.size), sum((r) => r.mine.size), sum((r) => r.ours.size)],
    executed: [sum((r) => r.before.executed), sum((r) => r.mine.executed), sum((r) => r.ours.executed)],
    better: both.filter(({ mine, ours }) => mine.executed < ours.executed).length,
    worse: both.filter(({ mine, ours }) => mine.executed > ours.executed).length,
    level: both.filter(({ mine, ours }) => mine.executed === ours.executed).length,
    best: order.filter((row) => ahead(row) > 0).slice(0, MOST_SHOWN),
    worst: order
      .filter((row) => ahead(row) < 0)
      .toReversed()
      .slice(0, MOST_SHOWN),
    wrong: rows.filter((row) => row.mine.problem !== null).slice(0, MOST_SHOWN),
  };
}
