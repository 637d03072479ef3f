/** Names of the registers that an event's focus lists as packed numbers. */

import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";

export function focusRegNames(regs: readonly number[] | undefined): string[] {
  return (regs ?? []).map((reg) => regName(reg as Reg));
}
