/** Loop-invariant instructions: those that compute the same in every round of a natural loop. */

import type { BlockId } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Func, Inst } from "../ir/types.ts";
import { alwaysRuns, effectOf, getBlock, usesOf } from "../ir/visit.ts";
import type { Loop } from "./loops.ts";
import { type DefSite, reachingDefs } from "./reaching-defs.ts";

export interface InvariantSite {
  readonly block: BlockId;
  readonly at: number;
}

/**
 * Pure instructions without a guard whose operands all have the same value in every round: each is constant, or all its definitions that reach are outside of the
 * loop, or the only one that reaches is itself invariant. Whether the instruction may be moved is another question, and not answered here.
 */
export function invariantSites(fn: Func, loop: Loop): readonly InvariantSite[] {
  const reaching = reachingDefs(fn);
  const inside = new Set<BlockId>(loop.blocks);
  const found = new Set<Inst>();
  const same = ({ inst, block }: DefSite, alone: boolean): boolean => inst === null || !inside.has(block) || (alone && found.has(inst));
  const sites: InvariantSite[] = [];
  for (let changed = true; changed; ) {
    changed = false;
    for (const block of loop.blocks) {
      for (const [at, inst] of getBlock(fn, block).insts.entries()) {
        if (found.has(inst) || !mayBeInvariant(inst)) continue;
        const steady = usesOf(inst).every((r) => {
          if (isConstantReg(r)) return true;
          const sources = reaching.reachingAt(block, at, r);
          return sources.every((site) => same(site, sources.length === 1));
        });
        if (!steady) continue;
        found.add(inst);
        sites.push({ block, at });
        changed = true;
      }
    }
  }
  return sites;
}

const mayBeInvariant = (inst: Inst): boolean =>
  effectOf(inst) === "pure" && alwaysRuns(inst) && inst.op !== "PHI" && inst.op !== "OPAQUE" && inst.op !== "NOP";
