/** The structures of phase 13 change at the step that says so. */

import { expect, it } from "vitest";
import { shownSteps, stepAt } from "../testing/shown-steps.ts";

it("the state of the second matcher, state[7] to state[9]", () => {
  const { before, step } = stepAt(shownSteps(import.meta.dirname, "renamed"), /the registers of the second matcher$/);
  expect([before, step].map(({ row }) => row("chain-state/state[7]"))).toEqual([undefined, "P0"]);
});
