/** Conditions over events, as breakpoints use them. */
export { conditionProblem } from "../trace/condition.ts";
