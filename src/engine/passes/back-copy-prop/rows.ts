/** The rows of the structures that the phases show. */

/** Structure `pipeline-counter`, a table: row `counter` is the counter, row `relaxed-later` the registers that the relaxed mask takes when the counter is above 9. */
export type PipelineCounterRow = number | readonly string[];
