/** Runs imported SASS on plain arrays, for tests: parameters are in constant bank 0 as the driver puts them. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runKernel } from "../../../../engine/interp/interpreter.ts";
import { placeBuffers } from "../../../../engine/interp/memory.ts";
import type { ExecOutcome } from "../../../../engine/interp/outcome.ts";
import { importSass } from "../import.ts";

export type SassArgument = number | Int32Array | Uint32Array | Float32Array;

/** Reads a fixture by name, without `.sass`. */
export function sassFixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../fixtures/${name}.sass`, import.meta.url)), "utf8");
}

/** Where the parameters begin. */
const PARAMETERS = {
  sm_61: 0x140,
  sm_70: 0x160,
  sm_75: 0x160,
  sm_80: 0x160,
  sm_86: 0x160,
  sm_89: 0x160,
  sm_90: 0x210,
  sm_100: 0x380,
  sm_120: 0x380,
} as const;
export type SassTarget = keyof typeof PARAMETERS;

/**
 * Runs the first kernel of a listing, one block; numbers are 32-bit parameters, arrays are global buffers that contain the results afterwards. `compilerConstants`: bank 2,
 * which no listing shows.
 */
export function runSass(
  text: string,
  target: SassTarget,
  args: readonly SassArgument[],
  threads: number,
  compilerConstants: Uint8Array = new Uint8Array(),
): ExecOutcome {
  const { module } = importSass(text);
  const kernel = module.funcs.find((f) => f.kind === "kernel");
  if (kernel === undefined) throw new Error("no kernel");
  const arrays = args.filter((a) => typeof a !== "number");
  const buffers = placeBuffers(arrays.map((a, i) => ({ name: `b${i}`, size: a.byteLength })));
  const bank = new DataView(new ArrayBuffer(0x400));
  const sizes = PARAMETERS[target] === 0x380 ? 0x360 : target === "sm_61" ? 8 : 0;
  for (const [i, size] of [threads, 1, 1, 1, 1, 1].entries()) bank.setUint32(sizes + 4 * i, size, true);
  let at: number = PARAMETERS[target];
  let next = 0;
  for (const arg of args) {
    if (typeof arg === "number") {
      bank.setInt32(at, arg, true);
      at += 4;
      continue;
    }
    const buffer = buffers[next++]!;
    buffer.bytes.set(new Uint8Array(arg.buffer, arg.byteOffset, arg.byteLength));
    at = Math.ceil(at / 8) * 8;
    bank.setUint32(at, buffer.base, true);
    at += 8;
  }
  const outcome = runKernel(module, kernel, {
    threads,
    fuel: 2_000_000,
    args: [],
    buffers,
    constants: new Map([
      [0, new Uint8Array(bank.buffer)],
      [2, compilerConstants],
    ]),
    sharedBytes: 0x4000,
    gridDim: [1, 1, 1],
  });
  for (const [i, array] of arrays.entries()) new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(buffers[i]!.bytes);
  return outcome;
}
