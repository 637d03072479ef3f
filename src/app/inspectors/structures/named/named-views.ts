/** The structures that have their own drawing; all others are drawn by their type. */

import type { ComponentType } from "react";
import { late } from "../../late.tsx";
import type { StructureViewProps } from "../view.ts";

const NAMED = [
  "truth-table",
  "merge-candidates",
  "tail-walk",
  "merge-gates",
  "reserved-registers",
  "tail-live-ins",
  "equiv",
  "equivalence-table",
  "dom-set",
  "copy-ring",
  "value-numbers",
  "convergence",
  "classes",
  "rounds",
  "flattened-tree",
  "rebuilt-chain",
  "jump-table-bytes",
  "switch-strategy",
  "switch-cases",
  "scope-tree",
  "own-set",
  "own-tree",
] as const;
export type NamedStructure = (typeof NAMED)[number];

const VIEWS: ReadonlyMap<string, ComponentType<StructureViewProps>> = new Map(
  NAMED.map((name) => [name, late(async () => (await import("./all-views.ts")).NAMED_VIEWS[name])]),
);

/** `switch-cases 3` is drawn as `switch-cases`, `own-set-2` as `own-set`. */
export function namedView(name: string): ComponentType<StructureViewProps> | undefined {
  return VIEWS.get(name.replace(/[ -]\d+$/, ""));
}
