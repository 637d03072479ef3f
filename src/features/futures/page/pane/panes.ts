/** The panes of the experiments with futures, by the names of the experiments. */

import { late } from "../../../../app/inspectors/late.tsx";
import type { Shown } from "../../../../app/session/feature.ts";

export const PANES: Shown = {
  conditions: late(async () => (await import("./conditions.tsx")).Conditions),
  fuel: late(async () => (await import("./fuel.tsx")).Fuel),
  order: late(async () => (await import("./order.tsx")).Order),
  tree: late(async () => (await import("./tree.tsx")).Tree),
};
