import { describe, expect, it } from "vitest";
import { root } from "./lib/root.mjs";
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from "./lib/totals.mjs";

describe("totals of the test runners", () => {
  it("counts a test file that could not be loaded as a failure", () => {
    const report = {
      numPassedTests: 4,
      numFailedTests: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      testResults: [
        {
          status: "passed",
          assertionResults: [
            { status: "passed", failureMessages: ["only at first"] },
            { status: "passed", failureMessages: [] },
          ],
        },
        { status: "failed", assertionResults: [{}] },
        { status: "failed", assertionResults: [] },
      ],
    };
    expect(countVitest(report)).toEqual({ passed: 4, failed: 2, skipped: 3, flaky: 1 });
  });

  it("counts a browser test that passed on a second try as passed and as flaky", () => {
    const report = { stats: { expected: 5, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] };
    expect(countPlaywright(report)).toEqual({ passed: 6, failed: 1, skipped: 2, flaky: 1 });
  });

  it("counts errors that kept browser tests from starting", () => {
    const report = { stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{}] };
    expect(countPlaywright(report)).toEqual({ passed: 0, failed: 1, skipped: 0, flaky: 0 });
  });

  it("name what failed in unit tests, with the first line of its message", () => {
    const report = {
      testResults: [
        {
          name: `${root}/src/a.test.ts`,
          status: "failed",
          assertionResults: [
            { status: "passed", fullName: "a holds", failureMessages: [] },
            { status: "passed", fullName: "a waits", failureMessages: ["too slow"] },
            { status: "failed", fullName: "a fails", failureMessages: ["\u001b[31mexpected 1 to be 2\u001b[39m\n    at a.ts:3"] },
          ],
        },
        { name: `${root}/src/b.test.ts`, status: "failed", message: "Cannot find module 'c'", assertionResults: [] },
      ],
    };
    expect(failuresOfVitest(report)).toEqual([
      "src/a.test.ts › a waits (passed when tried again) › too slow",
      "src/a.test.ts › a fails › expected 1 to be 2",
      "src/b.test.ts › Cannot find module 'c'",
    ]);
  });

  it("name what failed in the browser, or passed only when tried again", () => {
    const test = (status: string, ...messages: (string | undefined)[]) => ({
      status,
      results: messages.map((message) => (message === undefined ? {} : { error: { message } })),
    });
    const report = {
      suites: [
        {
          specs: [
            {
              file: "e2e/a.spec.ts",
              title: "opens",
              tests: [test("expected", undefined), test("flaky", "too early\nCall log", undefined)],
            },
          ],
          suites: [{ specs: [{ file: "e2e/a.spec.ts", title: "closes", tests: [test("unexpected", "gone")] }] }],
        },
      ],
      errors: [{ message: "no browser" }],
    };
    expect(failuresOfPlaywright(report)).toEqual([
      "e2e/a.spec.ts › opens (passed when tried again) › too early",
      "e2e/a.spec.ts › closes › gone",
      "no browser",
    ]);
  });
});
