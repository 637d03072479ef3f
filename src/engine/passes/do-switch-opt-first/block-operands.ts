/** Handler A, second half: block operands of jump tables and BSSY skip blocks that only jump on. */

import { Regrouping } from "../../analysis/switch-convergence.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func, Inst, JumpTable, Operand } from "../../ir/types.ts";
import { branchTarget, getBlock, isUnconditional, phiInput, phisOf, sameOperand, tableName } from "../../ir/visit.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import type { Facts } from "../../trace/event.ts";
import type { PassContext } from "../pass.ts";
import type { Part } from "./do-switch-opt-first.ts";
import { LINE } from "./pseudocode.ts";

/** Where a block operand leads to in the end, and the last of the blocks skipped. */
interface Way {
  readonly to: BlockId;
  readonly via: BlockId;
  readonly skipped: number;
}

export function retargetOperands(ctx: PassContext): Part {
  const { rec, knobs } = ctx;
  const budget = knobs.budget("branch-target-scan-budget", LINE.budget);
  const scan = new OperandScan(ctx, budget);
  if (rec.on) rec.begin("span", LINE.scan, "scan the block operands of jump tables and BSSY", {});
  scan.run();
  if (rec.on) rec.end();
  const reasons = [...scan.refused].map(([condition, n]) => (n === 1 ? condition : `${condition} (${n})`)).join(", ");
  const why = scan.matches === 0 ? "no block operand leads to a block that only jumps on" : `no block operand was changed: ${reasons}`;
  return { matches: scan.matches, rewrites: scan.rewrites, why };
}

class OperandScan {
  matches = 0;
  rewrites = 0;
  readonly refused = new Map<string, number>();
  private readonly ctx: PassContext;
  private readonly budget: Budget;
  private readonly next = new Map<BlockId, BlockId>();
  private readonly regrouping: Regrouping;

  constructor(ctx: PassContext, budget: Budget) {
    this.ctx = ctx;
    this.budget = budget;
    const fn = ctx.edit.func;
    for (const [i, id] of fn.layout.entries()) {
      const to = jumpsOnTo(fn, id, fn.layout[i + 1] ?? null);
      if (to !== null) this.next.set(id, to);
    }
    this.regrouping = new Regrouping(fn);
  }

  run(): void {
    const { edit } = this.ctx;
    const users = new Map<string, BlockId[]>();
    for (const id of edit.func.layout) {
      const last = edit.block(id).insts.at(-1);
      const name = last === undefined ? null : tableName(last);
      if (name !== null) users.set(name, [...(users.get(name) ?? []), id]);
    }
    for (const [name, blocks] of users) {
      const table = edit.func.tables.get(name);
      if (table !== undefined) this.scanTable(table, blocks);
    }
    for (const id of [...edit.func.layout]) {
      for (const [at, inst] of edit.block(id).insts.entries()) if (inst.op === "BSSY") this.scanLabel(id, at, inst);
    }
  }

  /** Operands from the last (the default) to the first. */
  private scanTable(table: JumpTable, users: readonly BlockId[]): void {
    const { edit, rec } = this.ctx;
    const operands = [...new Set([...table.entries, ...(table.default === null ? [] : [table.default])].reverse())];
    const ways = new Map<BlockId, Way>();
    for (const operand of operands) {
      const way = this.follow(operand);
      if (way === null) continue;
      this.matches++;
      const facts = { table: table.name, from: edit.block(operand).label, to: edit.block(way.to).label, skipped: way.skipped };
      const refusal = this.refusal(way, operand, operands, users, ways);
      if (refusal !== null)
        this.refuse(refusal.line, refusal.condition, refusal.template, { ...facts, ...refusal.facts }, [operand, way.to]);
      else if (!this.budget.take(LINE.budget))
        this.refuse(LINE.budget, "budget", "no retargeting is left for {from} in {table}", facts, [operand]);
      else {
        ways.set(operand, way);
        if (rec.on)
          rec.event(
            "match",
            LINE.follow,
            "{from} in {table} leads to {to} by {skipped} {skipped:block that only jumps|blocks that only jump} on",
            { ...facts, verdict: "yes" },
            { blocks: [operand, way.to] },
          );
      }
    }
    if (ways.size === 0) return;
    const map = (id: BlockId): BlockId => ways.get(id)?.to ?? id;
    const via = new Map<BlockId, BlockId>();
    for (const way of ways.values()) via.set(way.to, way.via);
    rec.at(LINE.retarget);
    const changed = { ...table, entries: table.entries.map(map), default: table.default === null ? null : map(table.default) };
    edit.setTable(changed, (succ, phi) => phiInput(phi, via.get(succ) ?? succ));
    this.rewrites += ways.size;
    if (rec.on) {
      const facts = { table: table.name, changed: ways.size, blocks: users.map((id) => edit.block(id).label).join(", ") };
      rec.event(
        "rewrite",
        LINE.retarget,
        "{changed} {changed:target|targets} of {table} (read in {blocks}) {changed:is|are} named directly now",
        facts,
        {
          blocks: [...users],
        },
      );
    }
  }

  private refusal(
    way: Way,
    operand: BlockId,
    operands: readonly BlockId[],
    users: readonly BlockId[],
    ways: ReadonlyMap<BlockId, Way>,
  ): { readonly line: number; readonly condition: string; readonly template: string; readonly facts: Facts } | null {
    const fn = this.ctx.edit.func;
    const others = [...ways.values()].filter((other) => other.to === way.to).map((other) => other.via);
    for (const phi of phisOf(getBlock(fn, way.to))) {
      const value = phiInput(phi, way.via);
      const rivals = [...users, ...others].map((p) => phiInput(phi, p)).filter((known): known is Operand => known !== null);
      if (value === null || rivals.some((known) => !sameOperand(known, value))) {
        return {
          line: LINE.phi,
          condition: "phi-conflict",
          template: "a PHI of {to} has another value for the direct way, so {from} stays in {table}",
          facts: {},
        };
      }
    }
    // Two groups of lanes that went there one after the other would go together.
    const joins = others.length > 0 || operands.some((id) => id === way.to && id !== operand);
    if (!joins || !this.regrouping.matters) return null;
    for (const user of users) {
      const obstacle = this.regrouping.obstacle([user]);
      if (obstacle === null) continue;
      const what = obstacle === "capped" ? "code too large to search" : `${obstacle.inst.op} in ${getBlock(fn, obstacle.block).label}`;
      const template = "lanes that reach {to} by {from} and by another entry would meet earlier, which matters for {what}";
      return { line: LINE.regroup, condition: "convergence", template, facts: { what } };
    }
    return null;
  }

  private scanLabel(id: BlockId, at: number, inst: Inst): void {
    const { edit, rec } = this.ctx;
    const label = inst.ops[1];
    const way = label?.kind === "label" ? this.follow(label.block) : null;
    if (label?.kind !== "label" || way === null) return;
    this.matches++;
    const facts = { block: edit.block(id).label, from: edit.block(label.block).label, to: edit.block(way.to).label, skipped: way.skipped };
    if (!this.budget.take(LINE.budget)) {
      this.refuse(LINE.budget, "budget", "no retargeting is left for the BSSY of {block}", facts, [id]);
      return;
    }
    if (rec.on)
      rec.event(
        "match",
        LINE.operands,
        "the BSSY of {block} names {from}, which only jumps on to {to}",
        { ...facts, verdict: "yes" },
        { blocks: [id, way.to], insts: [inst.id] },
      );
    rec.at(LINE.retarget);
    edit.replace(id, at, { ...inst, ops: [...inst.ops.slice(0, 1), { kind: "label", block: way.to }] });
    this.rewrites++;
    if (rec.on)
      rec.event("rewrite", LINE.retarget, "the BSSY of {block} names {to} now", facts, { blocks: [id, way.to], insts: [inst.id] });
  }

  /** Follows blocks that only jump on, each once; null when the block does something itself, or the way goes round in a circle. */
  private follow(start: BlockId): Way | null {
    const seen = new Set<BlockId>();
    let at = start;
    let via = start;
    for (let to = this.next.get(at); to !== undefined; to = this.next.get(at)) {
      if (seen.has(at)) return null;
      seen.add(at);
      via = at;
      at = to;
    }
    return seen.size === 0 ? null : { to: at, via, skipped: seen.size };
  }

  private refuse(line: number, condition: string, template: string, facts: Facts, blocks: readonly BlockId[]): void {
    this.refused.set(condition, (this.refused.get(condition) ?? 0) + 1);
    const { rec } = this.ctx;
    if (rec.on) rec.event("match", line, template, { ...facts, verdict: "no", condition }, { blocks });
  }
}

/** The block that a block without any work of its own goes on to; null for every other block. */
function jumpsOnTo(fn: Func, id: BlockId, next: BlockId | null): BlockId | null {
  const { insts } = getBlock(fn, id);
  const [only, ...more] = insts;
  if (only === undefined) return next;
  return more.length === 0 && isUnconditional(only) ? branchTarget(only) : null;
}
