/** Handler A, second half: block operands of jump tables and BSSY skip blocks that only jump on. */

import { Regrouping } from "../../analysis/regrouping.ts";
import type { Budget } from "../../config/knob-store.ts";
import { withOps } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Func, Inst, JumpTable, Operand } from "../../ir/types.ts";
import {
  branchTarget,
  fallsThrough,
  getBlock,
  isUnconditional,
  phiInput,
  phisOf,
  sameOperand,
  tableName,
  terminatorsOf,
} from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import { scanPatterns } from "./branch-patterns.ts";
import type { Part } from "./part.ts";
import { RULES } from "./rules.ts";

/** Where a block operand leads to in the end, and the last of the blocks skipped. */
interface Way {
  readonly to: BlockId;
  readonly via: BlockId;
  readonly skipped: number;
}

/** A block operand of a table, in remarks. */
interface Said {
  readonly table: string;
  readonly from: BlockId;
  readonly to: BlockId;
  readonly blocks: readonly BlockId[];
}

export function retargetOperands(ctx: PassContext): Part {
  const { remark, knobs } = ctx;
  const budget = knobs.budget("branch-target-scan-budget", RULES.budget);
  const scan = new OperandScan(ctx, budget);
  remark.span(RULES.scan, {}, () => {
    if (remark.listening) scanPatterns(ctx);
    scan.run();
  });
  const none = "no block operand leads to a block that only jumps on";
  const reasons = remark.reasons("number", [RULES.phi, RULES.regroup, RULES.budget]);
  return { matches: scan.matches, rewrites: scan.rewrites, why: scan.matches === 0 ? none : `no block operand was changed: ${reasons}` };
}

class OperandScan {
  matches = 0;
  rewrites = 0;
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

  /** Operands from the last (the default) to the first; all that may change are changed together. */
  private scanTable(table: JumpTable, users: readonly BlockId[]): void {
    const { edit, remark } = this.ctx;
    const operands = [...new Set([...table.entries, ...(table.default === null ? [] : [table.default])].reverse())];
    const ways = new Map<BlockId, Way>();
    const beside = new Map(users.map((id) => [id, waysBeside(edit, id, table.name)] as const));
    const places = [...table.entries, ...(table.default === null ? [] : [table.default])];
    for (const operand of operands) {
      if (remark.listening) {
        const place = places.lastIndexOf(operand);
        remark.step(RULES.operands, "operand", { table: table.name, place, target: operand, blocks: [operand] });
      }
      const way = this.follow(operand);
      if (way === null) continue;
      this.matches++;
      const said = { table: table.name, from: operand, to: way.to, blocks: [operand, way.to] };
      if (!this.sameValues(way, users, ways, said) || !this.sameLanes(way, operands, beside, ways, said)) continue;
      if (!this.budget.take(RULES.budget)) {
        remark.missed(RULES.budget, "none-for-table", { ...said, blocks: [operand] });
        continue;
      }
      const about = (): string => `${table.name} block ${operand}`;
      remark.found(RULES.follow, { ...said, skipped: way.skipped, about }, () => ways.set(operand, way));
    }
    if (ways.size === 0) return;
    const map = (id: BlockId): BlockId => ways.get(id)?.to ?? id;
    const via = new Map<BlockId, BlockId>();
    for (const way of ways.values()) via.set(way.to, way.via);
    remark.at(RULES.retarget);
    const changed = { ...table, entries: table.entries.map(map), default: table.default === null ? null : map(table.default) };
    edit.setTable(changed, (succ, phi) => phiInput(phi, via.get(succ) ?? succ));
    this.rewrites += ways.size;
    remark.step(RULES.retarget, "table", { table: table.name, changed: ways.size, blocks: users });
  }

  /** The PHIs of the final block have no other value for one of the table's users or for another way that is taken already. */
  private sameValues(way: Way, users: readonly BlockId[], ways: ReadonlyMap<BlockId, Way>, said: Said): boolean {
    const { edit, remark } = this.ctx;
    const others = [...ways.values()].filter((other) => other.to === way.to).map((other) => other.via);
    const conflict = phisOf(getBlock(edit.func, way.to)).some((phi) => {
      const value = phiInput(phi, way.via);
      const rivals = [...users, ...others].map((p) => phiInput(phi, p)).filter((known): known is Operand => known !== null);
      return value === null || rivals.some((known) => !sameOperand(known, value));
    });
    return remark.holds(RULES.phi, "phi-conflict", !conflict, said);
  }

  /** Two groups of lanes that went to the final block one after the other may go together, and those that went together may go one after the other. */
  private sameLanes(
    way: Way,
    operands: readonly BlockId[],
    beside: ReadonlyMap<BlockId, ReadonlySet<BlockId>>,
    ways: ReadonlyMap<BlockId, Way>,
    said: Said,
  ): boolean {
    const { remark } = this.ctx;
    const joins = operands.some((id) => id === way.to && id !== said.from) || [...ways.values()].some((other) => other.to === way.to);
    if (!this.regrouping.matters) return true;
    for (const [user, past] of beside) {
      // Lanes that go there past the table stay with those that the table sends, as long as both name the same block.
      const leaves = past.has(said.from) || past.has(way.to);
      if (!joins && !leaves) continue;
      const obstacle = this.regrouping.obstacle([user]);
      if (obstacle === null) continue;
      if (obstacle === "capped") return remark.missed(RULES.regroup, "search-too-large", said) ?? false;
      const reason = joins ? "convergence" : "past-table";
      if (!remark.holds(RULES.regroup, reason, false, { ...said, op: obstacle.inst.op, sees: obstacle.block })) return false;
    }
    return true;
  }

  private scanLabel(block: BlockId, at: number, inst: Inst): void {
    const { edit, remark } = this.ctx;
    const label = inst.ops[1];
    if (label?.kind === "label") remark.step(RULES.operands, "label", { block, target: label.block, inst, blocks: [label.block] });
    const way = label?.kind === "label" ? this.follow(label.block) : null;
    if (label?.kind !== "label" || way === null) return;
    this.matches++;
    if (!this.budget.take(RULES.budget)) {
      remark.missed(RULES.budget, "none-for-label", { block });
      return;
    }
    const { to } = way;
    remark.found(RULES.operands, { block, from: label.block, to, blocks: [to], inst }, () => {
      remark.at(RULES.retarget);
      edit.replace(block, at, withOps(inst, [...inst.ops.slice(0, 1), { kind: "label", block: to }]));
      this.rewrites++;
      remark.step(RULES.retarget, "label", { block, to, blocks: [to], inst });
    });
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
}

/** Where the block's lanes go by other instructions than the jump through the table, or when its guard does not hold. */
function waysBeside(edit: Editor, id: BlockId, table: string): ReadonlySet<BlockId> {
  const block = edit.block(id);
  const ways = new Set<BlockId>();
  for (const inst of terminatorsOf(block).insts) {
    const [target, name] = [branchTarget(inst), tableName(inst)];
    const other = name === null || name === table ? undefined : edit.table(name);
    if (target !== null) ways.add(target);
    for (const entry of other?.entries ?? []) ways.add(entry);
    if (other !== undefined && other.default !== null) ways.add(other.default);
  }
  const next = fallsThrough(block) ? edit.next(id) : null;
  return next === null ? ways : ways.add(next);
}

/** The block that a block without any work of its own goes on to; null for every other block. */
function jumpsOnTo(fn: Func, id: BlockId, next: BlockId | null): BlockId | null {
  const { insts } = getBlock(fn, id);
  const [only, ...more] = insts;
  if (only === undefined) return next;
  return more.length === 0 && isUnconditional(only) ? branchTarget(only) : null;
}
