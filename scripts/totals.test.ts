import { describe, expect, it } from "vitest";
import { countPlaywright, countVitest } from "./lib/totals.mjs";

describe("totals of the test runners", () => {
  it("counts a test file that could not be loaded as a failure", () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        { status: "passed", assertionResults: [{}] },
        { status: "failed", assertionResults: [{}] },
        { status: "failed", assertionResults: [] },
      ],
    };
    expect(countVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 3 });
  });

  it("counts a browser test that passed on a second try as passed and as flaky", () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] };
    expect(countPlaywright(report)).toEqual({ passed: 6, failed: 1, skipped: 2, flaky: 1 });
  });

  it("counts errors that kept browser tests from starting", () => {
    const report = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{}] };
    expect(countPlaywright(report)).toEqual({ passed: 0, failed: 1, skipped: 0, flaky: 0 });
  });
});
