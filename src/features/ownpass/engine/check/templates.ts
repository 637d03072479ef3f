/**
 * The passes to begin with, in the order in which courses assign them: each as a solution and as an exercise with a hole. Texts only; load
 * them where they are shown.
 */

import { PASS_FILES } from "./templates.generated.ts";

export interface PassTemplate {
  /** The file in `passes/`, without `.ts`. */
  readonly id: string;
  readonly title: string;
  readonly kind: "pass" | "analysis";
  /** 1: an hour; 2: an afternoon; 3: an assignment. */
  readonly level: 1 | 2 | 3;
  /** What it does, in one sentence. */
  readonly about: string;
  /** The whole file. */
  readonly solution: string;
  /** The same file with a hole between `// your turn: …` and `// end`; null: there is nothing to fill in. */
  readonly exercise: string | null;
}

type Row = readonly [id: string, title: string, kind: PassTemplate["kind"], level: PassTemplate["level"]];

const ROWS: readonly Row[] = [
  ["empty", "Empty", "pass", 1],
  ["jump-to-next", "Jump to next", "pass", 1],
  ["dead-code", "Dead code", "pass", 1],
  ["unreachable-code", "Unreachable code", "pass", 1],
  ["local-value-numbering", "Local value numbering", "pass", 2],
  ["dataflow", "Data-flow solver", "analysis", 2],
  ["liveness", "Liveness", "analysis", 2],
  ["dominators", "Dominators", "analysis", 2],
  ["constant-propagation", "Constant propagation", "pass", 2],
  ["licm", "Loop-invariant code motion", "pass", 3],
  ["into-ssa", "Into SSA", "pass", 3],
  ["out-of-ssa", "Out of SSA", "pass", 3],
];

export const PASS_TEMPLATES: readonly PassTemplate[] = ROWS.map(([id, title, kind, level]) => {
  const file = PASS_FILES[id];
  if (file === undefined) throw new Error(`passes/${id}.ts does not exist`);
  const { solution, exercise } = file;
  return { id, title, kind, level, about: firstSentence(solution), solution, exercise };
});

/** The first sentence of the comment that a file begins with. */
function firstSentence(source: string): string {
  const [, comment = ""] = /^\/\*\*([\s\S]*?)\*\//.exec(source) ?? [];
  const [, sentence = comment] = /^(.*?\.)(?: |$)/.exec(comment.replace(/\s+(?:\* )?/g, " ").trim()) ?? [];
  return sentence;
}
