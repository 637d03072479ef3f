/** The rows of the structures that the phase shows. */

export type { WorklistRow } from "../../analysis/control-flow-worklist.ts";
