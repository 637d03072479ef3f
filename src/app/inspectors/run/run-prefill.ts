/** A pending input for the form of Run. */

import type { InputText } from "../../../engine/api/types.ts";
import type { Session } from "../../session/session.ts";

export interface RunPrefill {
  readonly kernel: string;
  readonly threads: string;
  /** By `kernel/parameter`. */
  readonly values: Readonly<Record<string, string>>;
}

export function prefillFor(kernel: string, { threads, args, mem }: InputText): RunPrefill {
  const values: Record<string, string> = {};
  for (const text of [...args, ...mem]) {
    const equals = text.indexOf("=");
    values[`${kernel}/${text.slice(0, equals)}`] = text.slice(equals + 1);
  }
  return { kernel, threads: String(threads), values };
}

/** Opens Run with an input in its form. */
export function loadIntoRun({ actions, patch }: Session, kernel: string, input: InputText): void {
  patch("inspectors", { runPrefill: prefillFor(kernel, input) });
  actions.view.open("run");
}
