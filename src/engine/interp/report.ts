/** A run's outcome as the plain report that the command line prints and the page shows. */

import { regName } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { printInst } from "../text/printer.ts";
import { LANES } from "./machine.ts";
import type { ExecOutcome } from "./outcome.ts";
import type { ExecReport } from "./request.ts";

/** Turns what happened into words and hex. `returns` has one entry a thread; a thread that did not end by RET has an empty one. */
export function toExecReport(fn: Func, outcome: ExecOutcome): ExecReport {
  const { stop, returned } = outcome;
  const returns = Array.from(returned, (did, thread) => {
    const values: Record<string, number | boolean | string> = {};
    if (did === 1) {
      fn.returns.forEach((r, i) => {
        const column = outcome.returns[i];
        if (column === undefined) return;
        const lo = column.lo[thread] ?? 0;
        const name = regName(r);
        if (column.hi !== null) values[name] = ((BigInt(column.hi[thread] ?? 0) << 32n) | BigInt(lo)).toString();
        else values[name] = name.startsWith("P") || name.startsWith("UP") ? lo === 1 : lo;
      });
    }
    return values;
  });
  const memory: Record<string, string> = {};
  for (const { name, bytes } of outcome.buffers) memory[name] = hex(bytes);
  const heat = fn.layout.map((block) => ({
    block,
    executions: outcome.executions[block] ?? 0,
    divergences: outcome.divergences[block] ?? 0,
  }));
  return {
    status: outcome.status,
    at: stop === null ? null : { block: stop.label, instruction: stop.inst?.id ?? -1, lane: stop.thread },
    message: describe(fn, outcome),
    returns,
    memory,
    counters: { ...outcome.counters },
    heat,
    diagnostics: [],
  };
}

/** One sentence: how the run ended, and where. */
export function describe(fn: Func, outcome: ExecOutcome): string {
  const { stop, status, message } = outcome;
  if (stop === null) return status === "ok" ? "every thread ended" : message;
  const text = stop.inst === null ? "the block's end" : `'${printedIn(fn, stop.func, outcome)}'`;
  const where = `${stop.func}, block ${stop.label}, ${text}, lane ${stop.thread % LANES} of warp ${Math.floor(stop.thread / LANES)}`;
  return `${status}: ${message} (${where})`;
}

function printedIn(fn: Func, func: string, outcome: ExecOutcome): string {
  const inst = outcome.stop?.inst;
  if (inst === null || inst === undefined) return "";
  // In a called function the labels are that function's; its mnemonic says enough.
  return func === fn.name ? printInst(fn, inst).trim() : [inst.op, ...inst.mods].join(".");
}

const DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));

function hex(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (const byte of bytes) parts.push(DIGITS[byte] as string);
  return parts.join("");
}
