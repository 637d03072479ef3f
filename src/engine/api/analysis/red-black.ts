/** How keys enter a red-black tree one after another, as in the engine's tree: each comparison, recolouring and rotation. */

import { BitsetRbTree } from "../../structures/bitset-rb-tree.ts";
import type { Facts } from "../../trace/event.ts";
import { NO_RECORDER, type Recorder, type StructureId } from "../../trace/recorder.ts";

export type RedBlackStep =
  | { readonly do: "insert"; readonly key: number; readonly parent: number | null; readonly side: "left" | "right" | null }
  /** `keys` are the nodes that change their colour. */
  | { readonly do: "recolour"; readonly keys: readonly number[] }
  /** `key` is the node that moves down. */
  | { readonly do: "rotate"; readonly way: "left" | "right"; readonly key: number };

/** Each key is its own group in the engine's tree of bit sets. */
const GROUP = 256;
export const LARGEST_KEY = 0xffff;

/** Keys are whole numbers from 0 to `LARGEST_KEY`; one that is there already makes no step. */
export function redBlackSteps(keys: readonly number[]): readonly RedBlackStep[] {
  const seen: Facts[] = [];
  const rec: Recorder = {
    ...NO_RECORDER,
    on: true,
    structure: () => 0 as StructureId,
    event: (_kind, _line, _template, facts) => {
      if (facts !== undefined) seen.push(facts);
    },
  };
  const tree = new BitsetRbTree({ rec, name: "tree", title: "tree" });
  const steps: RedBlackStep[] = [];
  for (const key of keys) {
    seen.length = 0;
    tree.insert(key * GROUP);
    for (const facts of seen) {
      const step = stepOf(facts, tree);
      if (step !== null) steps.push(step);
    }
  }
  return steps;
}

function stepOf(facts: Facts, tree: BitsetRbTree): RedBlackStep | null {
  const keyOf = (node: unknown): number => tree.nodeView(Number(node)).key;
  switch (facts.op) {
    case "create": {
      const parent = Number(facts.parent) < 0 ? null : keyOf(facts.parent);
      const key = Number(facts.key);
      return { do: "insert", key, parent, side: parent === null ? null : key < parent ? "left" : "right" };
    }
    case "rotate-left":
    case "rotate-right":
      return { do: "rotate", way: facts.op === "rotate-left" ? "left" : "right", key: keyOf(facts.pivot) };
    case "recolor":
      return { do: "recolour", keys: (Array.isArray(facts.nodes) ? facts.nodes : []).map(keyOf) };
    default:
      return null;
  }
}
