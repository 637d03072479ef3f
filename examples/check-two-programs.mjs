/**
 * Looks for an input on which two programs differ. Exit code 1 when there is one.
 * Usage: node check-two-programs.mjs before.ori after.ori [inputs]
 */
import { readFileSync } from "node:fs";
import { check } from "oriscope";

const [before = "", after = "", inputs = "64"] = process.argv.slice(2);
const { verdict, message, counterexample } = check(readFileSync(before, "utf8"), readFileSync(after, "utf8"), { inputs: Number(inputs) });
console.log(`${verdict}: ${message}`);
if (counterexample !== null) console.log(counterexample);
process.exitCode = verdict === "same" ? 0 : 1;
