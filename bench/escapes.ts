/**
 * Sends every hostile pass through every command that runs one: `npx tsx bench/escapes.ts [--every N] [--from N] [--command NAME]`. In `grade`, an honest hand-in comes before and
 * after each: it keeps its points, and a hostile one loses its own task and nothing else. `check`, `run`, `trace` and `lab check` end with a message. `--every N` takes
 * every N-th, from `--from`, or from a place that is printed; `--command NAME` asks one of the five commands alone. What is wrong is printed as it is found; the last line counts all.
 */

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { GradeJson } from "../src/features/labs/cli/shapes.ts";
import { HOSTILE, HOSTILE_PROGRAM } from "../src/features/ownpass/engine/check/testing/hostile.ts";

const { values } = parseArgs({
  options: { every: { type: "string", default: "1" }, from: { type: "string" }, command: { type: "string" } },
});
const asked = (command: string): boolean => values.command === undefined || values.command === command;
const every = Math.max(1, Number(values.every));
const first = Number(values.from ?? Date.now()) % every;
const chosen = HOSTILE.filter((_, i) => i % every === first);
console.log(`${chosen.length} of ${HOSTILE.length} hostile passes, every ${every} from ${first}`);

const folder = mkdtempSync(join(tmpdir(), "oriscope-escapes-"));
const at = (name: string): string => join(folder, name);
const honest = readFileSync("passes/dead-code.ts", "utf8");
const program = ".kernel d(n: R0, out: RD1)\nBB0:\n    IADD R2, R0, 1\n    STG [RD1], R0\n    EXIT";
writeFileSync(
  at("lab.md"),
  `---\ntitle: Own\nid: own\nversion: 1\n---\n\n\`\`\`ori {name=p}\n${program}\n\`\`\`\n\n\`\`\`task {id=w points=2}\nkind: write\nask: x\ncount: 3\nmust: [{ program: p, measure: instructions, at-most: 2 }]\n\`\`\`\n\n\`\`\`task {id=n}\nkind: number\nask: x\nvalue: 3\n\`\`\`\n`,
);
writeFileSync(at("k.ori"), HOSTILE_PROGRAM);
mkdirSync(at("handed"));
const handIn = (pass: string): string =>
  JSON.stringify({ format: "oriscope-hand-in", lab: { id: "own", version: 1 }, answers: { w: { pass }, n: { number: 3 } } });
const name = (i: number, kind: string): string => `${String(i).padStart(4, "0")}-${kind}.json`;
for (const [i, { source }] of chosen.entries()) {
  writeFileSync(join(at("handed"), name(i, "a")), handIn(source));
  writeFileSync(join(at("handed"), name(i, "b")), handIn(`// ${i}\n${honest}`));
}

const oriscope = (...args: string[]) =>
  spawnSync(process.execPath, ["bin/oriscope.mjs", ...args], { encoding: "utf8", maxBuffer: 1 << 30 });
let wrong = 0;
function found(what: string): void {
  wrong++;
  console.log(`WRONG ${what}`);
}
/** Runs of the commands that take one pass. */
let runs = 0;

const results = asked("grade") ? (JSON.parse(oriscope("grade", at("lab.md"), at("handed"), "--json").stdout) as GradeJson).results : [];
for (const [i, { what }] of asked("grade") ? chosen.entries() : []) {
  const [hostile, after] = [results[2 * i], results[2 * i + 1]];
  if (hostile?.status !== "graded" || hostile.points > 1 || hostile.tasks[1]?.points !== 1)
    found(`grade, ${what}: ${JSON.stringify(hostile)}`);
  if (after?.points !== 3) found(`grade, after ${what}: ${JSON.stringify(after)}`);
}
console.log(`grade: ${results.length} hand-ins, ${wrong} wrong`);
for (const [i, { what, source }] of chosen.entries()) {
  writeFileSync(at("pass.ts"), source);
  writeFileSync(at("solved.json"), handIn(source));
  for (const args of [
    ["check", "--pass", at("pass.ts"), "--program", at("k.ori"), "--count", "1", "--seed", "1", "--no-shrink"],
    ["run", at("k.ori"), "--pass", at("pass.ts")],
    ["trace", at("k.ori"), "--pass", at("pass.ts")],
    ["lab", "check", at("lab.md"), "--solutions", at("solved.json")],
  ].filter(([command = ""]) => asked(command))) {
    const { status, stderr } = oriscope(...args);
    if ((status !== 0 && status !== 1) || /\n {4}at |internal error/.test(stderr))
      found(`${args[0]}, ${what}: ${status} ${stderr.slice(0, 300)}`);
    runs++;
  }
  console.log(`${i + 1} of ${chosen.length}: ${what}`);
}
rmSync(folder, { recursive: true, force: true });
const all = `${chosen.length} of ${HOSTILE.length} hostile passes, ${results.length} hand-ins and ${runs} runs`;
console.log(`all done, ${all}: ${wrong === 0 ? "each lost its own task and nothing else" : `${wrong} wrong`}`);
process.exitCode = wrong === 0 ? 0 : 1;
