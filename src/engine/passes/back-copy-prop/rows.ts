/** The rows of the structures that the phases show. */

/** Structure `pipeline-counter`, a table: row `counter` is the counter, row `relaxed` the registers that the relaxed mask takes. */
export type PipelineCounterRow = number | readonly string[];
