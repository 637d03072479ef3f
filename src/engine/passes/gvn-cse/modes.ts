/** The mode dispatcher: knob 402 with the remapping rules of the notes. */

import type { Target } from "../../pipeline/targets.ts";

export interface ModeChoice {
  /** 0: nothing to do. */
  readonly mode: number;
  /** Each rule that applied, in words. */
  readonly rules: readonly string[];
}

export function chooseMode(asked: number, target: Target): ModeChoice {
  const { enhancedCse, preferGvnMode3 } = target.backend.capabilities;
  const rules: string[] = [`knob 402 asks for mode ${asked}`];
  if (asked <= 0 || asked > 6) return { mode: 0, rules: [...rules, "which is no mode: nothing happens"] };
  let mode = asked;
  if (mode >= 3 && !enhancedCse) {
    const to = mode <= 4 ? 2 : 4;
    rules.push(`${target.backend.id} lacks the enhanced scope (bit 6): mode ${mode} becomes ${to}`);
    mode = to;
    if (mode === 4) {
      rules.push("and mode 4 without that bit becomes 2");
      mode = 2;
    }
  } else if (mode >= 5 && preferGvnMode3) {
    rules.push(`bit 0 of +1416 is set: mode ${mode} becomes 3`);
    mode = 3;
  }
  return { mode, rules };
}
