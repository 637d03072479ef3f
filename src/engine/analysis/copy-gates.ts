/** The gates that a bundle tries itself, on the state of the function and the backend, one after the other. */

import type { Recorder } from "../trace/recorder.ts";

export interface BundleGate {
  readonly gate: string;
  readonly ok: boolean;
  readonly sentence: string;
}

/** Says each gate up to the first closed one; its sentence, or null when all are open. */
export function tryGates(rec: Recorder, line: number, gates: readonly BundleGate[]): string | null {
  for (const { gate, ok, sentence } of gates) {
    if (rec.on) rec.event("gate", line, "{sentence}", { gate, ok, sentence });
    if (!ok) return sentence;
  }
  return null;
}
