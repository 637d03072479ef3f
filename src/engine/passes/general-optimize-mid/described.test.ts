/** The structures of phase 37 change at the step that says so. */

import { expect, it } from "vitest";
import { shownSteps, stepAt } from "../testing/shown-steps.ts";

it.each(["definition-reach", "live-registers", "fold-eligible"])("%s is filled and destroyed", (name) => {
  const steps = shownSteps(import.meta.dirname, "promote");
  const shown = (what: RegExp): boolean[] => {
    const { before, step } = stepAt(steps, what);
    return [before, step].map(({ row }) => row(`${name}/BB0`) !== undefined);
  };
  expect(shown(/^three bit vectors are filled/)).toEqual([false, true]);
  expect(shown(/^the three bit vectors are destroyed/)).toEqual([true, false]);
});
