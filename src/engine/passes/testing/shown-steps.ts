/** A fixture's steps with what the structures show at each, for tests of when a structure changes. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CellValue } from "../../trace/recorder.ts";
import { runFixture } from "./run-fixture.ts";

export interface ShownStep {
  readonly kind: string;
  readonly sentence: string;
  /** The row `structure/key` at this step; undefined where there is none. */
  readonly row: (name: string) => CellValue | undefined;
}

export const shownSteps = (family: string, fixture: string): readonly ShownStep[] =>
  stepsOf(readFileSync(join(family, "fixtures", `${fixture}.ori`), "utf8"));

/** The same of a text in the form of a fixture. */
export function stepsOf(text: string): readonly ShownStep[] {
  const run = runFixture(text);
  if (typeof run === "string") throw new Error(run);
  const { trace } = run;
  return Array.from({ length: trace.steps }, (_, step) => {
    const { kind, sentence } = trace.event(step);
    const row = (name: string): CellValue | undefined => {
      trace.funcAt(step);
      const cell = trace.journal.findCell(name);
      return cell < 0 ? undefined : trace.cell(cell);
    };
    return { kind, sentence, row };
  });
}

/** The first step whose sentence matches, with the step before it. */
export function stepAt(steps: readonly ShownStep[], what: RegExp): { readonly step: ShownStep; readonly before: ShownStep } {
  const at = steps.findIndex(({ sentence }) => what.test(sentence));
  const [before, step] = [steps[at - 1], steps[at]];
  if (step === undefined || before === undefined) throw new Error(`no step says ${what}`);
  return { step, before };
}
