/** The seven counters of the phase, each with its changed flag. */

import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { LateCounterRow } from "./rows.ts";

const COUNTERS = ["register", "immediate", "repeat", "dead", "self", "predicate", "wide"] as const;
export type Counter = (typeof COUNTERS)[number];

export class Counters {
  private readonly counts = new Map<Counter, number>(COUNTERS.map((name) => [name, 0]));
  private readonly view: ShownTable<LateCounterRow>;

  constructor(remark: Remarks) {
    this.view = remark.shown.table<LateCounterRow>("late-counters", "Counters and changed flags");
  }

  /** Shows that all are 0. */
  clear(): void {
    for (const name of COUNTERS) this.view.set(name, { count: 0, changed: false });
  }

  node(counter: Counter): string {
    return this.view.node(counter);
  }

  fire(counter: Counter): void {
    const count = (this.counts.get(counter) ?? 0) + 1;
    this.counts.set(counter, count);
    this.view.set(counter, { count, changed: true });
  }

  get figures(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.counts);
  }
}
