/**
 * Plants faults, one after the other, and counts the random programs until a campaign finds each: `npm run faults -- [--count N] [--seed S] [--size N] [NAME…]`. Code 1 when one
 * is not found within N programs that nobody has called unseen, or one called so is.
 */

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleForNode } from "../../scripts/lib/bundle.ts";
import { cache } from "../../scripts/lib/root.mjs";
import type { FuzzReport } from "../../src/cli/fuzz/report.ts";
import { FAULTS, type Fault } from "./faults.ts";

/** Phases that ask the analyses of lanes, those that rewrite most first; the others would only cost time. */
const ASKING = [
  "branch-folding",
  "ori-branch-opt",
  "do-switch-opt-first",
  "ori-do-predication",
  "optimize-nested-cond-branches",
  "ori-linear-replacement",
  "merge-equivalent-conditional-flow",
  "do-switch-opt-second",
  "late-ori-commoning",
  "general-optimize",
].join(",");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: "string", default: "1000" }, seed: { type: "string", default: "1" }, size: { type: "string", default: "2" } },
});
const count = Number(values.count);
const chosen = FAULTS.filter((fault) => positionals.length === 0 || positionals.includes(fault.name));
const unknown = positionals.find((name) => !FAULTS.some((fault) => fault.name === name));
if (unknown !== undefined || !Number.isSafeInteger(count) || chosen.length === 0) {
  console.error(unknown === undefined ? "faults: --count takes a whole number" : `faults: there is no fault ${unknown}`);
  process.exitCode = 2;
} else {
  // Packages are found from where the bundle lies.
  const folder = join(cache, `faults.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  try {
    let unexpected = 0;
    for (const fault of chosen) {
      const { programs, seconds, found } = await tryFault(fault, folder);
      const wrong = (found === null) !== (fault.unseen !== undefined);
      if (wrong) unexpected++;
      const told = found === null ? `not found in ${programs} programs` : `found by program ${programs}: ${found}`;
      console.log(`${wrong ? "FAIL" : "ok  "} ${fault.name}: ${told}, ${seconds.toFixed(1)} s of processor`);
    }
    console.log(`faults: ${chosen.length - unexpected} of ${chosen.length} as expected`);
    process.exitCode = unexpected === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Tried {
  readonly programs: number;
  readonly seconds: number;
  /** Phase and law, and the seed; null: nothing was found. */
  readonly found: string | null;
}

async function tryFault(fault: Fault, folder: string): Promise<Tried> {
  const own = fault.kind === "edit" ? fault : null;
  const [bundle] = await bundleForNode("src/cli/fuzz.ts", folder, own === null ? [] : [planted(own)]);
  const report = join(folder, "report.json");
  const failures = join(folder, "failures");
  const words = ["--profile", "lanes,tangle", "--no-drawn", "--no-shrink", "--quiet", "--stop"];
  words.push("--seed", values.seed, "--count", String(count), "--report", report, "--out", failures);
  words.push("--size", values.size, "--phase", fault.phase ?? ASKING);
  if (fault.kind === "drop") words.push("--drop", fault.reason);
  const { status, stderr } = spawnSync(process.execPath, [join(folder, bundle), ...words], { encoding: "utf8" });
  if ((status ?? 3) > 1) throw new Error(`faults: ${fault.name}: ${stderr}`);
  const { programs, processor, failures: all } = JSON.parse(readFileSync(report, "utf8")) as FuzzReport;
  if (existsSync(report)) rmSync(report);
  const [first] = all;
  return { programs, seconds: processor, found: first === undefined ? null : `seed ${first.seed}, ${first.kind}` };
}

/** The source with the fault, in place of the file. */
function planted({ file, from, to }: Fault & { kind: "edit" }): import("rolldown").Plugin {
  const path = resolve(file);
  return {
    name: "oriscope:planted-fault",
    load(id) {
      if (id !== path) return null;
      return { code: readFileSync(path, "utf8").replace(from, () => to), moduleType: "ts" };
    },
  };
}
