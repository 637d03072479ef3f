/** Fuel of passes without a rule table: spent through their own budgets. Those with one ask before each rewrite (`remark/permits.ts`). */

import type { Budget, KnobReader } from "../config/knob-store.ts";
import type { Fuel } from "../remark/permits.ts";

/** A reader whose budgets also spend fuel: a budget refuses when either is used up. */
export function withFuel(reader: KnobReader, fuel: Fuel | null): KnobReader {
  if (fuel === null) return reader;
  return { ...reader, budget: (key, line) => fuelled(reader.budget(key, line), fuel) };
}

function fuelled(budget: Budget, fuel: Fuel): Budget {
  return {
    limit: budget.limit,
    get spent() {
      return budget.spent;
    },
    take(line) {
      if (fuel.left <= 0 || !budget.take(line)) return false;
      fuel.left--;
      return true;
    },
  };
}
