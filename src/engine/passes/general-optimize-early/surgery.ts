/** `sub_785E20` and `sub_753B50`: which blocks have changed since the last reset, and the seven steps of taking an instruction's place. */

import type { ReachingDefs } from "../../analysis/reaching-defs.ts";
import type { Reg } from "../../ir/ids.ts";
import { defsOf, usesOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import type { PassContext } from "../pass.ts";
import type { Test } from "./chain.ts";
import type { ChangedRow, SurgeryRow } from "./rows.ts";

export const setup = line("reset change tracking; build use-def chains and def-use links // sub_785E20; sub_7E6090; sub_7E6AD0", {
  kind: "note",
  step: {
    reset: "the marks of {blocks} {blocks:block|blocks} are reset, as none has changed",
    chains: "{defs} {defs:definition is|definitions are} chained to {uses} {uses:use|uses}",
    links: "{uses} {uses:use is|uses are} linked to the {defs:definition|definitions} that {uses:reaches it|reach them}",
  },
});

export const surgery = line(
  "      new instruction, link, inherit a flag, map registers, delete // sub_931920, +232 = its head, +264 = 0; sub_932E80; bit 3 of +280",
  {
    kind: "note",
    step: {
      created: "1: {made} replaces '{old:inst}'",
      gone: "1: nothing replaces '{old:inst}', so {block} falls through",
      head: "2: the head of {block} is now {made}",
      empty: "2: the head of {block} is empty",
      count: "3: the count of {block} is 0",
      linked: "4: it is linked into {block}, as its instruction {at}",
      inherited: "5: the bit for dependence on control flow becomes {bit}, since {why}",
      mapped: "6: {p:reg} loses its reader '{old:inst}'; {left} {left:reader|readers} left",
      deleted: "7: '{old:inst}' is deleted and the range is spliced out",
    },
  },
);

export const finish = line("if anything changed: reset change tracking", {
  kind: "note",
  step: "{rewrites} {rewrites:rewrite|rewrites} in {blocks} {blocks:block|blocks}, whose marks are reset",
});

export class Surgery {
  private readonly ctx: Pick<PassContext, "edit" | "remark">;
  private readonly changed: ShownTable<ChangedRow>;
  private readonly record: ShownTable<SurgeryRow>;
  /** By label, instructions replaced. */
  private readonly marks = new Map<string, number>();

  constructor(ctx: Surgery["ctx"]) {
    this.ctx = ctx;
    this.changed = ctx.remark.shown.table<ChangedRow>("changed-blocks", "Change tracking: instructions replaced, by block");
    this.record = ctx.remark.shown.table<SurgeryRow>("new-instruction", "The last rewrite's +232, +264 and bit 3 of +280");
  }

  begin(reach: ReachingDefs): void {
    const { edit, remark } = this.ctx;
    if (!remark.listening) return;
    const { layout } = edit.func;
    for (const id of layout) this.changed.set(edit.block(id).label, 0);
    remark.step(setup, "reset", { blocks: layout.length });
    let [defs, uses] = [0, 0];
    for (const id of layout) {
      for (const [at, inst] of edit.block(id).insts.entries()) {
        defs += defsOf(inst).length;
        for (const r of usesOf(inst)) if (reach.reachingAt(id, at, r).length > 0) uses++;
      }
    }
    remark.step(setup, "chains", { defs, uses });
    remark.step(setup, "links", { defs, uses });
  }

  /** The second test was decided: its branch is now a different instruction, or none. */
  replaced({ block, branch, guard }: Test): void {
    const { edit, remark } = this.ctx;
    if (!remark.listening) return;
    const { insts, label } = edit.block(block);
    const made = insts.at(-1);
    const stands = made !== undefined && made.id === branch.id;
    const head = stands ? printInst(edit.func, made) : "none: it falls through";
    const old = branch;
    if (stands) remark.step(surgery, "created", { old, made: head, block, insts: [old], also: { step: 1 } });
    else remark.step(surgery, "gone", { old, block, insts: [old], also: { step: 1 } });
    this.record.set("+232", head);
    if (stands) remark.step(surgery, "head", { made: head, block, node: this.record.node("+232") });
    else remark.step(surgery, "empty", { block, node: this.record.node("+232") });
    this.record.set("+264", 0);
    remark.step(surgery, "count", { block, node: this.record.node("+264") });
    if (stands) remark.step(surgery, "linked", { block, at: insts.length - 1 });
    // A branch is sensitive to control flow, which is what the bit means.
    this.record.set("+280 bit 3", stands ? 1 : 0);
    const why = stands ? "a branch depends on control flow" : "no instruction is left to inherit it";
    remark.step(surgery, "inherited", { block, bit: stands ? 1 : 0, why, node: this.record.node("+280 bit 3") });
    remark.step(surgery, "mapped", { old, p: guard.reg, left: this.readers(guard.reg), block, regs: [guard.reg] });
    const count = (this.marks.get(label) ?? 0) + 1;
    this.marks.set(label, count);
    this.changed.set(label, count);
    remark.step(surgery, "deleted", { old, block, node: this.changed.node(label) });
  }

  finish(rewrites: number): void {
    for (const label of this.marks.keys()) this.changed.set(label, 0);
    this.ctx.remark.step(finish, { rewrites, blocks: this.marks.size });
    this.marks.clear();
  }

  private readers(r: Reg): number {
    const { edit } = this.ctx;
    return edit.func.layout.reduce((n, id) => n + edit.block(id).insts.filter((inst) => usesOf(inst).includes(r)).length, 0);
  }
}
