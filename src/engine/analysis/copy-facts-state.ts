/** Facts of edges as the walk over blocks carries them down chains of single predecessors. */

import type { BlockId, Reg } from "../ir/ids.ts";
import { factOnEntry } from "./copy-facts.ts";
import type { BlockScan } from "./copy-scan.ts";
import type { SeenCopy } from "./copy-values.ts";

/** Facts carried down one chain; the oldest are dropped. */
const FACT_LIMIT = 16;

/** Facts that hold at the head of a block. */
export function enterFacts(scan: BlockScan, id: BlockId): void {
  const { bundle } = scan;
  const { edit } = bundle.ctx;
  const { preds } = edit.block(id);
  const pred = preds.length === 1 && id !== edit.func.layout[0] ? preds[0] : undefined;
  const inherited = pred === undefined ? [] : (bundle.facts.get(pred) ?? []);
  const fresh = factOnEntry(edit, id);
  const facts = fresh === null ? inherited : [...inherited.filter((f) => f.reg !== fresh.reg), fresh].slice(-FACT_LIMIT);
  bundle.facts.set(id, facts);
}

/** At the end of a block: facts about registers that it wrote are over. */
export function leaveFacts(scan: BlockScan, id: BlockId): void {
  const facts = scan.bundle.facts.get(id) ?? [];
  if (facts.some((f) => scan.values.writtenHere(f.reg))) {
    scan.bundle.facts.set(
      id,
      facts.filter((f) => !scan.values.writtenHere(f.reg)),
    );
  }
}

/** What a fact says about a register at the current place; null when none does. */
export function factFor(scan: BlockScan, id: BlockId, r: Reg): SeenCopy | null {
  if (scan.values.writtenHere(r)) return null;
  const fact = scan.bundle.facts.get(id)?.find((f) => f.reg === r);
  if (fact === undefined) return null;
  return { copy: fact.compare, block: id, at: -1, source: fact.value, global: true, guarded: false };
}
