/** The extended-basic-block pre-pass: which blocks have a candidate whose leader may stand in a block above. */

import { dominates } from "../../analysis/dominators.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { Numbering } from "./numbering.ts";
import type { EbbMarkRow } from "./rows.ts";
import { RULES } from "./rules.ts";

/** By block id, the mark (+264) of the block as a dominator: 2 some block right below may find a leader above itself, 1 none, 0 not looked at. */
export function ebbPrePass(numbering: Numbering, remark: Remarks): Uint8Array {
  const { fn, walk, key } = numbering;
  const marks = new Uint8Array(fn.blocks.length);
  const view = remark.shown.table<EbbMarkRow>("ebb-marks", "EBB pre-pass: marks of dominators (+264)");
  remark.open(RULES.ebbClear, "begin");
  remark.step(RULES.ebbClear, "cleared", { blocks: walk.order.length });
  const candidates = propagate(numbering);
  remark.step(RULES.ebbPropagate, { count: candidates.size, insts: () => [...candidates].slice(0, 64) });
  // The last block that may hold a key's leader; in dominator preorder one that does not dominate never will again.
  const leaders = new Map<number, BlockId>();
  for (const id of walk.order) {
    const above = walk.tree.idom[id] ?? -1;
    let found = false;
    for (const inst of fn.blocks[id]?.insts ?? []) {
      const k = key[inst.id] ?? -1;
      if (k < 0) continue;
      const leader = leaders.get(k);
      if (leader !== undefined && leader !== id && dominates(walk.tree, leader, id)) found = true;
      else if (leader === undefined || !dominates(walk.tree, leader, id)) leaders.set(k, id);
    }
    if (above < 0) continue;
    const mark = Math.max(marks[above] ?? 0, found ? 2 : 1);
    marks[above] = mark;
    const dominator = above as BlockId;
    const label = fn.blocks[dominator]?.label ?? "";
    view.set(label, mark);
    remark.step(RULES.ebbMark, found ? "found" : "none", { block: id, dominator, mark, blocks: [dominator], node: view.node(label) });
  }
  remark.close();
  return marks;
}

/** Eligible instructions, and backwards through their operands whatever defines them, to a fixed point. */
function propagate({ fn, walk, key }: Numbering): Set<InstId> {
  const marked = new Set<InstId>();
  const definers = new Map<Reg, Inst[]>();
  const work: Inst[] = [];
  for (const id of walk.order) {
    for (const inst of fn.blocks[id]?.insts ?? []) {
      for (const r of defsOf(inst)) {
        const known = definers.get(r);
        if (known === undefined) definers.set(r, [inst]);
        else known.push(inst);
      }
      if ((key[inst.id] ?? -1) < 0) continue;
      marked.add(inst.id);
      work.push(inst);
    }
  }
  const followed = new Set<Reg>();
  for (let inst = work.pop(); inst !== undefined; inst = work.pop()) {
    for (const r of usesOf(inst)) {
      if (followed.has(r)) continue;
      followed.add(r);
      for (const def of definers.get(r) ?? []) {
        if (marked.has(def.id)) continue;
        marked.add(def.id);
        work.push(def);
      }
    }
  }
  return marked;
}
