/** A function in the formats of other tools. */

import { toDot } from "../../export/dot.ts";
import { toJson } from "../../export/json.ts";
import { toMermaid } from "../../export/mermaid.ts";
import type { Func } from "../../ir/types.ts";

export function exportFunc(fn: Func, format: "dot" | "json" | "mermaid"): string {
  switch (format) {
    case "dot":
      return toDot(fn);
    case "json":
      return toJson(fn);
    case "mermaid":
      return toMermaid(fn);
  }
}
