/** A program's text in which the highest register of each class is renamed to the last one that exists. */

import { MAX_REG_INDEX } from "../../ir/reg.ts";

const CLASSES = ["R", "RD", "P", "UR", "UP"] as const;

export function withLastRegisters(text: string): string {
  let result = text;
  for (const cls of CLASSES) {
    const name = new RegExp(`\\b${cls}(\\d+)\\b`, "g");
    let highest = -1;
    for (const [, index] of text.matchAll(name)) highest = Math.max(highest, Number(index));
    if (highest >= 0) result = result.replace(new RegExp(`\\b${cls}${highest}\\b`, "g"), `${cls}${MAX_REG_INDEX}`);
  }
  return result;
}
