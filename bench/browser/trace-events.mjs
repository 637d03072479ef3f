/** What Chromium writes into a trace, as far as the benchmarks read it. */

/**
 * @typedef {object} TraceEvent
 * @property {string} name
 * @property {string} ph "X": with a duration
 * @property {number} pid
 * @property {number} tid
 * @property {number} ts microseconds, as all times of a trace
 * @property {number} dur
 * @property {number} [tdur] processor time
 * @property {{ name?: string, data?: { functionName?: string, url?: string, lineNumber?: number, columnNumber?: number } }} [args]
 */

/** @param {Buffer} trace as a browser gives it when tracing stops @returns {readonly TraceEvent[]} */
export function eventsOf(trace) {
  return JSON.parse(trace.toString()).traceEvents;
}
