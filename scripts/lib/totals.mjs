/** Reads how many tests passed and failed from the JSON reports of the two test runners. */

/** @typedef {{ passed: number, failed: number, skipped: number, flaky?: number }} Totals */

/**
 * Vitest's report. A test file that could not be loaded has no tests in it: it counts as one failure.
 * @param {any} report
 * @returns {Totals}
 */
export function countVitest(report) {
  const unloaded = report.testResults.filter((/** @type {any} */ file) => file.status === "failed" && file.assertionResults.length === 0);
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
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
