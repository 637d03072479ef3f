/** The end of the phase: what it made superfluous is deleted. */

import { RegNumbers } from "../../ir/reg-numbers.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { State } from "./state.ts";

export const cleanup = line("delete the MOVs made here that nothing reads", {
  kind: "rewrite",
  step: {
    held: "'{inst}' is deleted: {leader:reg} has its value already",
    unread: "'{inst}' is deleted: every use reads the representative now",
  },
});

/** Deletes instructions that rewrite their own value, and MOVs made here that nothing reads; returns how many. */
export function cleanUp({ edit, remark, walk, doomed, made }: State): number {
  if (doomed.size === 0 && made.size === 0) return 0;
  const read = new RegNumbers(edit.func);
  for (const r of edit.func.returns) read.set(r, 1);
  for (const id of edit.func.layout) {
    for (const inst of edit.block(id).insts) if (!doomed.has(inst.id)) for (const r of usesOf(inst)) read.set(r, 1);
  }
  const drops = (inst: Inst): boolean => {
    if (doomed.has(inst.id)) return true;
    const dest = made.has(inst.id) ? defsOf(inst)[0] : undefined;
    return dest !== undefined && !read.has(dest);
  };
  let cleaned = 0;
  for (const block of walk.order) {
    if (!edit.block(block).insts.some(drops)) continue;
    const tell = (inst: Inst): void => {
      const leader = doomed.get(inst.id);
      const about = { inst, block, also: { verdict: "yes" } };
      if (leader === undefined) remark.step(cleanup, "unread", about);
      else remark.step(cleanup, "held", { ...about, leader });
    };
    cleaned += edit.sweep(block, drops, remark.listening ? tell : undefined);
  }
  return cleaned;
}
