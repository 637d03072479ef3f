/**
 * Runs PTX on the machine's own GPU and compares the resulting memory with the interpreter's: `npm run gpu-check -- [--inputs N] [--random N] [--seed S] [--seconds N] [FILE.ptx…]`.
 * Without files, every PTX example of the repository and N generated kernels (200), each with up to N launches (4). Needs a CUDA driver and Python 3, no toolkit;
 * without a GPU it prints a message and ends with 0. Ends with 1 when memory differs or a kernel fails.
 */

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { casesOf, type Source } from "./gpu-check/cases.ts";
import { check } from "./gpu-check/check.ts";
import { Harness } from "./gpu-check/driver.ts";
import { randomPtx } from "./gpu-check/random-ptx.ts";
import { root } from "./lib/root.mjs";

const FOLDERS = ["src/features/examples/page/ptx", "src/features/examples/page/c", "src/engine/import/ptx/fixtures"];

const { values, positionals } = parseArgs({
  options: {
    inputs: { type: "string", default: "4" },
    random: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    seconds: { type: "string", default: "20" },
  },
  allowPositionals: true,
});

const harness = new Harness(Number(values.seconds));
const device = await harness.start();
if ("none" in device) console.log(`no GPU: ${device.none}`);
else {
  console.log(
    `${device.device}, sm_${device.sm}, driver for CUDA ${Math.floor(device.driver / 1000)}.${Math.floor((device.driver % 1000) / 10)}`,
  );
  const { cases, left } = casesOf(sources(), Number(values.inputs), Number(values.seed));
  const { same, different, refused } = await check(cases, harness, device, console.log);
  harness.stop();
  for (const { name, why } of left) console.log(`left out: ${name}: ${why}`);
  for (const { name, what } of refused) console.log(`not run: ${name}: ${what}`);
  console.log(
    `gpu-check: seed ${values.seed}, ${cases.length} launches: ${same} the same, ${different.length} different, ${refused.length} not run`,
  );
  if (different.length > 0) process.exitCode = 1;
}

function sources(): Source[] {
  if (positionals.length > 0) return positionals.map((path) => ({ name: basename(path), ptx: readFileSync(path, "utf8") }));
  const names = new Map<string, string>();
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(root, folder))) if (name.endsWith(".ptx")) names.set(name, join(root, folder, name));
  }
  const written = [...names].map(([name, path]) => ({ name, ptx: readFileSync(path, "utf8") }));
  const made = Array.from({ length: Number(values.random) }, (_, i) => ({
    name: `generated ${Number(values.seed) + i}`,
    ptx: randomPtx(Number(values.seed) + i),
  }));
  return [...written, ...made];
}
