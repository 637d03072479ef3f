/** What a process has taken so far, where the system tells it in files: asking `ps` ten times a second costs more than most passes. */

import { readFileSync } from "node:fs";

export interface ProcessCost {
  /** Bytes that lie in memory. */
  readonly memory: number;
  /** Milliseconds of processor time. */
  readonly cpu: number;
}

/** Of Linux; every architecture that Node runs on counts a hundred a second. */
const TICKS_PER_SECOND = 100;

/** null: the process is gone, or the system has no such files. */
export function processCost(pid: number): ProcessCost | null {
  try {
    const kib = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1];
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in brackets may hold blanks. What follows it begins with the third field; times are the 14th and 15th.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { memory: 1024 * Number(kib ?? 0), cpu: (1000 * ticks) / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
