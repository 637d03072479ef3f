/** Reads how many tests passed and failed from the JSON reports of the two test runners. */
import { relative, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { root } from "./root.mjs";

const AGAIN = " (passed when tried again)";

/** @typedef {{ passed: number, failed: number, skipped: number, flaky?: number }} Totals */

/**
 * Vitest's report. A test file that could not be loaded has no tests in it: it counts as one failure. A test that passed only
 * when tried again counts as passed and as flaky.
 * @param {any} report
 * @returns {Totals}
 */
export function countVitest(report) {
  const unloaded = report.testResults.filter((/** @type {any} */ file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    flaky: report.testResults.flatMap((/** @type {any} */ file) => file.assertionResults.filter(isFlaky)).length,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/**
 * What failed, or passed only when tried again, one line each: the test's file and name, and the first line of its message.
 * @param {any} report of Vitest
 * @returns {string[]}
 */
export function failuresOfVitest(report) {
  return report.testResults.flatMap((/** @type {any} */ file) =>
    file.status === "failed" && file.assertionResults.length === 0
      ? [failure(file.name, "", [file.message])]
      : file.assertionResults
          .filter((/** @type {any} */ test) => test.status === "failed" || isFlaky(test))
          .map((/** @type {any} */ test) => failure(file.name, `${test.fullName}${isFlaky(test) ? AGAIN : ""}`, test.failureMessages)),
  );
}

/** A test that passed keeps the messages of its earlier tries. @param {any} test of Vitest */
function isFlaky(test) {
  return test.status === "passed" && (test.failureMessages ?? []).length > 0;
}

/**
 * The same of Playwright's report.
 * @param {any} report
 * @returns {string[]}
 */
export function failuresOfPlaywright(report) {
  const inSuite = (/** @type {any} */ suite) =>
    /** @type {string[]} */ ([
      ...(suite.specs ?? []).flatMap((/** @type {any} */ spec) =>
        spec.tests
          .filter((/** @type {any} */ test) => test.status === "unexpected" || test.status === "flaky")
          .map((/** @type {any} */ test) => {
            const failed = test.results.find((/** @type {any} */ result) => result.error !== undefined);
            return failure(spec.file, `${spec.title}${test.status === "flaky" ? AGAIN : ""}`, [failed?.error.message]);
          }),
      ),
      ...(suite.suites ?? []).flatMap(inSuite),
    ]);
  return [...report.suites.flatMap(inSuite), ...report.errors.map((/** @type {any} */ error) => failure("", "", [error.message]))];
}

/** @param {string} file @param {string} name @param {(string | undefined)[]} messages */
function failure(file, name, messages) {
  const said = stripVTControlCharacters(messages[0] ?? "").split("\n", 1)[0];
  return [relative(root, resolve(root, file)), name, said].filter((part) => part !== "").join(" › ");
}

/**
 * Playwright's report. A test that passed only when tried again counts as passed and as flaky; an error outside the tests is a failure.
 * @param {any} report
 * @returns {Totals}
 */
export function countPlaywright(report) {
  const { expected, unexpected, flaky, skipped } = report.stats;
  const outside = expected + unexpected + flaky === 0 ? report.errors.length : 0;
  return { passed: expected + flaky, failed: unexpected + outside, skipped, flaky };
}
