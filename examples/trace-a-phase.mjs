/**
 * Runs the pipeline on a kernel, prints what each phase did, and saves the phase that changed most as a file to step through.
 * Usage: node trace-a-phase.mjs kernel.ptx [out.html]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { openSession } from "oriscope";

const [file = "", out = "phase.html"] = process.argv.slice(2);
const session = openSession(readFileSync(file, "utf8"));
for (const { line, severity, code, message } of session.diagnostics) console.error(`${file}:${line}: ${severity} ${code}: ${message}`);
if (!session.ok) process.exit(1);

const run = session.run({ target: "sm_90" });
const changed = run.phases.filter((phase) => phase.changed);
for (const { name, rewrites, instructions } of changed) {
  console.log(`${name}: ${rewrites} rewrites, ${instructions[0]} → ${instructions[1]} instructions`);
}
const most = changed.reduce((a, b) => (b.rewrites > a.rewrites ? b : a));
const trace = run.trace(most.id);
if (trace === null) throw new Error(`${most.name} has no trace`);
const taken = trace.events().find((event) => event.facts.verdict === "yes");
if (taken !== undefined) console.log(`First match of ${most.name}, step ${taken.step + 1}: ${taken.sentence}`);

writeFileSync(out, await run.publish("html", { phases: [most.id], title: `${file}: ${most.name}` }));
console.log(`${out} steps through ${trace.steps} steps of ${most.name}`);
