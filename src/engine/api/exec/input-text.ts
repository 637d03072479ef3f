/** An input of the checker in the words of `exec`, so that a counterexample can be run again. */

import type { InputSpec, ParamSpec } from "../../fuzz/inputs.ts";
import type { ParamValue } from "../../interp/outcome.ts";
import type { ExecRequest } from "../../interp/request.ts";
import { is64, isPredicateReg } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";

/** An input as `exec` takes it: threads, `n=5` and `a=i32:1,2,3`. */
export interface InputText extends Pick<ExecRequest, "threads" | "args" | "mem"> {
  /** What the arguments of `exec` cannot express, in a sentence; null if they express everything. */
  readonly note: string | null;
}

export function inputText(fn: Func, input: InputSpec): InputText {
  const args: string[] = [];
  const mem: string[] = [];
  const buffers = new Set<number>();
  let shared = false;
  fn.params.forEach(({ name, reg }, i) => {
    const spec: ParamSpec | undefined = input.params[i];
    if (spec === undefined) return;
    if (spec.kind === "buffer") {
      shared ||= buffers.has(spec.buffer);
      buffers.add(spec.buffer);
      mem.push(`${name}=${bytesText(input.buffers[spec.buffer] ?? new Uint8Array(0))}`);
    } else if (spec.kind === "each") {
      args.push(`${name}=each:${spec.values.map((v) => valueText(v, is64(reg), isPredicateReg(reg))).join(",")}`);
    } else {
      args.push(`${name}=${valueText(spec.value, is64(reg), isPredicateReg(reg))}`);
    }
  });
  const notes = [
    ...(shared ? ["two parameters point to the same buffer"] : []),
    ...(input.bankWords.length > 0 ? ["constant banks contain their own values"] : []),
  ];
  return { threads: input.threads, args, mem, note: notes.length === 0 ? null : notes.join("; ") };
}

function valueText(value: ParamValue, wide: boolean, predicate: boolean): string {
  if (predicate) return (typeof value === "number" ? value : value[0]) === 0 ? "false" : "true";
  if (typeof value === "number") return String(value >>> 0);
  const [lo, hi] = value;
  return wide ? String((BigInt(hi >>> 0) << 32n) | BigInt(lo >>> 0)) : String(lo >>> 0);
}

/** A size, and what comes before the zeros at the end. */
function bytesText(bytes: Uint8Array): string {
  let used = bytes.length;
  while (used > 0 && bytes[used - 1] === 0) used--;
  if (used === 0) return String(bytes.length);
  return `${bytes.length}:hex:${Array.from(bytes.subarray(0, used), (b) => b.toString(16).padStart(2, "0")).join("")}`;
}
