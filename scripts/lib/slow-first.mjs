import { BaseSequencer } from "vitest/node";

/** Without durations of an earlier run Vitest starts with the longest files. Those that start other programs are short and slow: they come first, so that at the end all workers are busy. */
export class SlowFirst extends BaseSequencer {
  /**
   * @override
   * @param {import("vitest/node").TestSpecification[]} files
   */
  async sort(files) {
    const slow = (/** @type {import("vitest/node").TestSpecification} */ { moduleId }) => /\/scripts\/|\/cli\/labs\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(slow), ...sorted.filter((file) => !slow(file))];
  }
}
