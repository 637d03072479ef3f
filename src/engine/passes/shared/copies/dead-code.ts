/** Removal of dead code the way these phases do it: only what lost a reader, judged by `check_liveness` (general-optimize, Dead Code Elimination). */

import { Needed } from "../../../analysis/needed.ts";
import { reversePostOrder } from "../../../analysis/order.ts";
import type { ReachingDefs } from "../../../analysis/reaching-defs.ts";
import { Editor } from "../../../ir/edit.ts";
import type { BlockId, InstId, Reg } from "../../../ir/ids.ts";
import type { Func, Inst } from "../../../ir/types.ts";
import { defsOf, isRemovableWhenDead, usesOf } from "../../../ir/visit.ts";
import type { Rewrite } from "../../../remark/remarks.ts";
import { rule } from "../../../remark/rule.ts";
import type { Walk } from "./walk.ts";

/** The status byte of `sub_7DF3A0`: bit 0 dead, bits 2 and 3 live uses: a result read later, or an effect. */
export const STATUS = { DEAD: 0x1, LIVE_RESULT: 0x4, EFFECT: 0x8 } as const;
export const LIVE_USES = STATUS.LIVE_RESULT | STATUS.EFFECT;

/** Reads the use-def chains of the start of a round: a result with any reader counts as live. */
export function statusOf(inst: Inst, reach: ReachingDefs): number {
  if (!isRemovableWhenDead(inst)) return STATUS.EFFECT;
  return defsOf(inst).some((r) => reach.usesOfReg(r).length > 0) ? STATUS.LIVE_RESULT : STATUS.DEAD;
}

type Ctx = Pick<Walk, "edit" | "remark" | "rules" | "work" | "marks" | "reach" | "gone" | "tally">;

/**
 * Removes instructions that are dead and have to do with a register that lost a reader: they define it, or read it, or are reached from such ones. Dead code
 * that this round left alone stays for OriPerformLiveDead.
 */
export function removeDead(ctx: Ctx): void {
  const { edit, remark, work, marks, gone, tally } = ctx;
  const lost = [...work.lost];
  if (lost.length === 0) return;
  work.lost.clear();
  // Every request would be refused.
  if (remark.over) return;
  let doomed = deadBehind(ctx, work.dying, lost, NONE, true);
  const granted = new Map<InstId, Rewrite>();
  const kept = remark.mayRefuse ? refusedOf(ctx, lost, doomed, granted) : NONE;
  if (kept.size > 0) {
    work.dying.clear();
    doomed = deadBehind(ctx, work.dying, lost, kept, false);
  }
  for (const at of work.dying) {
    const block = at as BlockId;
    const { insts } = edit.block(block);
    const staged = { count: 0 };
    for (let i = insts.length - 1; i >= 0; i--) {
      const inst = insts[i] as Inst;
      const rewrite = doomed.has(inst.id) ? (granted.get(inst.id) ?? request(ctx, block, inst)) : null;
      if (rewrite === null) continue;
      tally.add("dead code");
      rewrite.stage(staged);
    }
    remark.commitTogether(staged, () =>
      edit.sweep(
        block,
        (inst) => gone.has(inst.id),
        (inst) => marks.clear(inst),
      ),
    );
  }
  work.dying.clear();
}

const NONE: ReadonlySet<InstId> = new Set();

/** The rule, at a line of each family's pseudocode. */
export const deadRule = (line: string) =>
  rule<Ctx, { readonly block: BlockId; readonly inst: Inst }>()({
    line,
    found: "nothing reads {regs} any more, so '{inst}' in {block} is dead",
    missed: { "live-uses": { counts: false, say: "{regs} {regs:is|are} still read, so '{inst}' in {block} stays" } },
    // What is dead is known for all instructions together.
    match: (_, { block, inst }) => ({ inst, block, regs: defsOf(inst) }),
    apply: ({ gone }, { inst }) => gone.add(inst.id),
  });

const request = (ctx: Ctx, block: BlockId, inst: Inst): Rewrite | null => ctx.rules.dead.look(ctx, { block, inst })?.request() ?? null;

/** An instruction that may not be removed keeps what it reads: all are requested before any is removed. What stays for that is requested again in a later round. */
function refusedOf(ctx: Ctx, lost: readonly Reg[], doomed: ReadonlySet<InstId>, granted: Map<InstId, Rewrite>): ReadonlySet<InstId> {
  const { edit, remark, work } = ctx;
  const refused = new Set<InstId>();
  const removed: InstId[] = [];
  const between = remark.snapshots === null ? null : new Between(ctx, edit.snapshot(), lost, doomed);
  for (const at of work.dying) {
    const block = at as BlockId;
    const { insts } = edit.block(block);
    // In the order in which they are removed if nothing is refused, so that numbers mean the same.
    for (let i = insts.length - 1; i >= 0; i--) {
      const inst = insts[i] as Inst;
      if (!doomed.has(inst.id)) continue;
      const before = removed.length;
      if (between !== null) remark.snapshots?.ifRefused(() => between.program(removed.slice(0, before)));
      const rewrite = request(ctx, block, inst);
      if (rewrite === null) {
        refused.add(inst.id);
        continue;
      }
      granted.set(inst.id, rewrite);
      removed.push(inst.id);
    }
  }
  return refused;
}

/** The programs between the removals. */
class Between {
  private readonly ctx: Ctx;
  private readonly start: Func;
  private readonly lost: readonly Reg[];
  private readonly doomed: ReadonlySet<InstId>;
  /** By instructions removed: the more are granted, the more are removed. */
  private readonly made: Map<number, Func>;

  constructor(ctx: Ctx, start: Func, lost: readonly Reg[], doomed: ReadonlySet<InstId>) {
    this.ctx = ctx;
    this.start = start;
    this.lost = lost;
    this.doomed = doomed;
    this.made = new Map([[0, start]]);
  }

  /** Without what was granted and is not read by what was not. */
  program(granted: readonly InstId[]): Func {
    const kept = new Set(this.doomed);
    for (const id of granted) kept.delete(id);
    const edit = new Editor(this.start);
    const dying = new Set<BlockId>();
    const gone = deadBehind({ ...this.ctx, edit }, dying, this.lost, kept, false);
    const known = this.made.get(gone.size);
    if (known !== undefined) return known;
    for (const block of dying) edit.sweep(block, (inst) => gone.has(inst.id));
    this.made.set(gone.size, edit.func);
    return edit.func;
  }
}

interface Dying {
  add(block: BlockId): unknown;
}

/** Dead instructions from the registers on, through what they define and read; marks their blocks as dying. */
function deadBehind(ctx: Ctx, dying: Dying, lost: readonly Reg[], kept: ReadonlySet<InstId>, tell: boolean): ReadonlySet<InstId> {
  const { edit, reach } = ctx;
  const dead = deadInstructions(edit, kept);
  const doomed = new Set<InstId>();
  const left = [...lost];
  const seen = new Set<Reg>(lost);
  const visit = (inst: Inst | null, block: BlockId): void => {
    const now = inst === null ? undefined : dead.get(inst.id);
    if (now === undefined) {
      if (tell && inst !== null) sayKept(ctx, block, inst);
      return;
    }
    if (doomed.has(now.id)) return;
    doomed.add(now.id);
    dying.add(block);
    for (const r of defsOf(now)) follow(r);
    for (const r of usesOf(now)) follow(r);
  };
  const follow = (r: Reg): void => {
    if (seen.has(r)) return;
    seen.add(r);
    left.push(r);
  };
  for (let r = left.pop(); r !== undefined; r = left.pop()) {
    for (const site of reach.sitesOf(r)) visit(site.inst, site.block);
    // A dead reader is removed with the definition it reads.
    for (const use of reach.usesOfReg(r)) if (dead.has(use.inst.id)) visit(use.inst, use.block);
  }
  return doomed;
}

/** Instructions of reachable blocks that nothing needs; what is kept needs what it reads. */
function deadInstructions(edit: Editor, kept: ReadonlySet<InstId>): ReadonlyMap<InstId, Inst> {
  const dead = new Map<InstId, Inst>();
  const needed = kept.size === 0 ? new Needed(edit.func) : new Needed(edit.func, null, kept);
  for (const id of reversePostOrder(edit.func).order) {
    // A NOP that reads nothing stays; one under a guard is removed with the guard's definition.
    for (const inst of needed.deadIn(id)) if (inst.op !== "NOP" || inst.guard !== null) dead.set(inst.id, inst);
  }
  return dead;
}

function sayKept({ edit, remark, rules }: Ctx, block: BlockId, old: Inst): void {
  if (!remark.listening) return;
  const inst = edit.func.blocks[block]?.insts.find((each) => each.id === old.id);
  if (inst !== undefined && isRemovableWhenDead(inst)) remark.missed(rules.dead, "live-uses", { regs: defsOf(inst), inst, block });
}
