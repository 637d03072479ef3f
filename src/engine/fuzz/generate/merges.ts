/**
 * PHIs into registers that have other definitions too: pool registers, parameters, each other's inputs (swaps and rotations), their own result. A block's
 * predecessors are not known while the text is written, so places are kept open and filled in at the end.
 */

import type { Prng } from "../../../base/prng.ts";
import type { Line } from "../../../base/program-text.ts";
import type { BlockId } from "../../ir/ids.ts";
import { parseModule } from "../../text/parser.ts";
import type { Bank } from "./emitter.ts";

/** A free place at the head of a block, with what may be put there. */
export interface MergePlace {
  readonly line: Line;
  readonly block: string;
  readonly bank: Bank;
  /** One PHI each. */
  readonly dests: readonly string[];
  /** Registers that every path to the block has defined, `dests` among them. */
  readonly sources: readonly string[];
}

/** Registers of a bank as the emitter knows them. */
export interface BankView {
  readonly bank: Bank;
  readonly readable: readonly string[];
  readonly pool: readonly string[];
}

/** What an open place must contain; null if the bank has nothing to merge. */
export function planMerge(rng: Prng, line: Line, block: string, { bank, readable, pool }: BankView): MergePlace | null {
  if (pool.length === 0) return null;
  const first = rng.below(pool.length);
  const count = Math.min(pool.length, rng.pick([1, 1, 1, 2, 2, 3]));
  const dests = Array.from({ length: count }, (_, i) => pool[(first + i) % pool.length] as string);
  return { line, block, bank, dests, sources: [...readable] };
}

/** Writes the PHIs of all places, by the predecessors that the blocks of `text` have. */
export function fillMerges(rng: Prng, places: readonly MergePlace[], text: string): void {
  if (places.length === 0) return;
  const preds = predecessors(text);
  for (const place of places) {
    const from = preds.get(place.block) ?? [];
    if (from.length > 0) place.line.text = mergeText(rng, place, from);
  }
}

function mergeText(rng: Prng, place: MergePlace, preds: readonly string[]): string {
  const { dests, bank } = place;
  const inputs: string[][] = dests.map(() => []);
  // One edge changes nothing, another permutes all, and so on.
  for (const pred of preds) {
    const style = rng.below(10);
    const turn = rng.below(dests.length);
    dests.forEach((dest, i) => {
      const value =
        style < 3
          ? dest
          : style < 6
            ? (dests[(i + turn) % dests.length] as string)
            : style === 6 && (bank === "int" || bank === "long")
              ? String(rng.pick([0, 1, 2, 7, -1]))
              : rng.pick(place.sources);
      inputs[i]?.push(`[${pred}: ${bank === "pred" && rng.chance(0.2) ? "!" : ""}${value}]`);
    });
  }
  return dests.map((dest, i) => `    PHI ${dest}, ${inputs[i]?.join(", ")}`).join("\n");
}

/** Labels of each block's predecessors. */
function predecessors(text: string): ReadonlyMap<string, readonly string[]> {
  const fn = parseModule(text).module.funcs[0];
  const label = (id: BlockId): string => fn?.blocks[id]?.label ?? "";
  return new Map(fn?.blocks.flatMap((block) => (block === undefined ? [] : [[block.label, block.preds.map(label)] as const])));
}
