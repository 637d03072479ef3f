/** Reads the directives of a fixture: leading comments that say which phase runs on it, how, and the expected result. */

import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import type { PlanOptions } from "../../pipeline/plan.ts";

/**
 * ```
 * // phase: ori-branch-opt            the phase under test (id, name or number)
 * // before: general-optimize-early   phases to run first, in order
 * // knob: SwitchOptBudget=4          may be repeated
 * // target: sm_80    // level: 2    // policy: measured    // no-phase: NAME
 * // expect: fires                    or 'does not fire'
 * // threads: 1                       threads of a run; default 32. 1 where threads race for one address: their order is not part of the meaning
 * // inputs: 40                       equivalence inputs; 0 for a program that cannot be run
 * ```
 */
export interface Directives {
  readonly phase: string;
  readonly before: readonly string[];
  readonly fires: boolean | null;
  readonly inputs: number;
  readonly threads: number;
  /** `phases` contains `before` and the phase. */
  readonly options: PlanOptions;
}

const DEFAULT_INPUTS = 24;
const DEFAULT_THREADS = 32;

/** The directives, or what is wrong with them. */
export function readDirectives(text: string): Directives | string {
  let phase: string | null = null;
  let before: string[] = [];
  let fires: boolean | null = null;
  let inputs = DEFAULT_INPUTS;
  let threads = DEFAULT_THREADS;
  const options: { -readonly [K in keyof PlanOptions]: PlanOptions[K] } = { ...DEFAULT_OPTIONS };
  const knobs: string[] = [];
  const noPhases: string[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() !== "" && !line.trim().startsWith("//")) break;
    const found = /^\s*\/\/\s*(phase|before|knob|target|level|policy|no-phase|expect|inputs|threads):\s*(.*?)\s*$/.exec(line);
    if (found === null) continue;
    const value = found[2] ?? "";
    switch (found[1]) {
      case "phase":
        phase = value;
        break;
      case "before":
        before = value.split(/[\s,]+/).filter((id) => id !== "");
        break;
      case "knob":
        knobs.push(value);
        break;
      case "target":
        options.target = value;
        break;
      case "level":
        options.level = Number(value);
        break;
      case "policy":
        options.policy = value;
        break;
      case "no-phase":
        noPhases.push(value);
        break;
      case "threads":
        threads = Number(value);
        break;
      case "inputs":
        inputs = Number(value);
        break;
      default:
        if (value !== "fires" && value !== "does not fire") return `'expect: ${value}': say 'fires' or 'does not fire'`;
        fires = value === "fires";
    }
  }
  if (phase === null) return "no '// phase: ID' in the leading comments";
  return { phase, before, fires, inputs, threads, options: { ...options, knobs, noPhases, phases: [...before, phase] } };
}
