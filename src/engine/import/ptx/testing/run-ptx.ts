/** Runs imported PTX on plain arrays, for tests. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runKernel } from "../../../interp/interpreter.ts";
import { placeBuffers } from "../../../interp/memory.ts";
import type { ExecOutcome, ParamValue } from "../../../interp/outcome.ts";
import { is64 } from "../../../ir/reg.ts";
import { importPtx, type PtxImport } from "../import.ts";

export type ArrayLike32 =
  | Int32Array
  | Uint32Array
  | Float32Array
  | Float64Array
  | BigUint64Array
  | BigInt64Array
  | Uint8Array
  | Uint16Array
  | Int16Array;
export type Argument = number | bigint | { readonly f32: number } | ArrayLike32;

/** Reads a fixture by name, without `.ptx`. */
export function fixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../fixtures/${name}.ptx`, import.meta.url)), "utf8");
}

/** Imports and runs the first kernel; array arguments are global buffers and contain the results afterwards. */
export function runPtx(
  source: string | PtxImport,
  args: readonly Argument[],
  threads: number,
  options: { readonly gridDim?: number; readonly blockIdx?: number } = {},
): ExecOutcome {
  const imported = typeof source === "string" ? importPtx(source) : source;
  const kernel = imported.module.funcs.find((f) => f.kind === "kernel");
  if (kernel === undefined) throw new Error(`no kernel: ${JSON.stringify(imported.diagnostics)}`);
  const arrays = args.filter((a): a is ArrayLike32 => ArrayBuffer.isView(a));
  const buffers = placeBuffers(arrays.map((a, i) => ({ name: `b${i}`, size: a.byteLength })));
  let next = 0;
  const values = args.map((arg, i): ParamValue => {
    const wide = is64(kernel.params[i]!.reg);
    if (ArrayBuffer.isView(arg)) {
      const buffer = buffers[next++]!;
      buffer.bytes.set(new Uint8Array(arg.buffer, arg.byteOffset, arg.byteLength));
      return [buffer.base, 0];
    }
    if (typeof arg === "object") return new Uint32Array(new Float32Array([arg.f32]).buffer)[0]!;
    const big = BigInt.asUintN(64, BigInt(arg));
    return wide ? [Number(big & 0xffffffffn), Number(big >> 32n)] : Number(big & 0xffffffffn);
  });
  const outcome = runKernel(imported.module, kernel, {
    threads,
    fuel: 2_000_000,
    args: values,
    buffers,
    ...(options.gridDim === undefined ? {} : { gridDim: [options.gridDim, 1, 1] as const }),
    ...(options.blockIdx === undefined ? {} : { blockIdx: [options.blockIdx, 0, 0] as const }),
  });
  for (const [i, array] of arrays.entries()) {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(buffers[i]!.bytes);
  }
  return outcome;
}
