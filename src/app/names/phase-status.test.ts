import { expect, it } from "vitest";
import type { PhaseRun } from "../../engine/api/types.ts";
import { phaseRun } from "../testing/phase-run.ts";
import { numberedName, phaseStatus, phaseSummary, STATUS_TITLES, statusTitle } from "./phase-status.ts";

const PHASE = phaseRun({
  run: 3,
  address: "63",
  phase: 63,
  id: "ori-do-predication",
  name: "OriDoPredication",
  blocks: [7, 7],
  instructions: [20, 20],
});

it("how a phase ends is not said while an open question asks for it", () => {
  expect(statusTitle(PHASE)).toBe(STATUS_TITLES.same);
  const hidden: PhaseRun = { ...PHASE, hidden: true };
  expect(phaseStatus(hidden)).toBe("hidden");
  expect(phaseSummary(hidden, undefined).join("\n")).not.toMatch(/no change|match|rewrite|block/);
});

it("a phase of another compiler has no number", () => {
  const foreign: PhaseRun = { ...PHASE, phase: null, group: "foreign", id: "fold", name: "Fold branches" };
  expect(numberedName(PHASE)).toBe("63 If-conversion");
  expect(numberedName(foreign)).toBe("Fold branches");
  expect(phaseSummary(foreign, undefined)[0]).toBe("Fold branches: ran, no change");
});

it("a phase that an error ended is stopped", () => {
  const stopped: PhaseRun = { ...PHASE, stopped: true, reason: "stopped by an error: boom" };
  expect(statusTitle(stopped)).toBe("stopped");
  expect(phaseSummary(stopped, undefined)).toContain("stopped by an error: boom");
});
