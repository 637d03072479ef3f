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
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import type { PatternRow } from "./rows.ts";

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

interface State extends Pick<PassContext, "edit" | "remark"> {
  readonly budget: Budget;
  /** Where blocks that only jump lead. */
  readonly next: ReadonlyMap<BlockId, BlockId>;
  readonly regrouping: Regrouping;
}

/** A table during its scan. */
interface TableScan {
  readonly table: JumpTable;
  /** Blocks that jump through it. */
  readonly users: readonly BlockId[];
  readonly operands: readonly BlockId[];
  /** By user, the blocks it reaches past the table. */
  readonly beside: ReadonlyMap<BlockId, ReadonlySet<BlockId>>;
  /** The operands that change; all are changed together. */
  readonly ways: Map<BlockId, Way>;
}

interface Entry {
  readonly scan: TableScan;
  readonly operand: BlockId;
}

/** The label of a BSSY. */
interface Label {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
  readonly label: BlockId;
}

export const SCAN = {
  scan: line("  handler A, second half, if the backend scans branch targets:", {
    kind: "span",
    step: "scan the block operands of jump tables and BSSY",
  }),
  patterns: line("    first the scanner of branch patterns: how each block ends // sub_7E6090", {
    kind: "note",
    step: "{tables} {tables:block ends|blocks end} with a table, {tests} with a condition, {jumps} with a jump, {exits} with an exit; {regions} {regions:region is|regions are} opened",
  }),
};

export const operands = rule<State, Label>()({
  line: "    for each table of BRX or JMX, its block operands from the last to the first; for each BSSY, its label:",
  step: {
    operand: "operand {place} of {table}, {target:block}, is a block (type 5)",
    label: "the label of the BSSY of {block}, {target:block}, is a block (type 5)",
  },
  found: "the BSSY of {block} names {from:block}, which only jumps on to {to:block}",
  match(state, { block, at, inst, label }) {
    const way = endOf(state, label);
    if (way === null) return null;
    if (!state.budget.take(SPEND.budget)) return state.remark.missed(SPEND.budget, "none-for-label", { block });
    return { block, from: label, to: way.to, blocks: [way.to], inst, at };
  },
  apply({ edit, remark }, { block, at, inst, to }) {
    remark.at(SPEND.retarget);
    edit.replace(block, at, withOps(inst, [...inst.ops.slice(0, 1), { kind: "label", block: to }]));
    remark.step(SPEND.retarget, "label", { block, to, blocks: [to], inst });
  },
});

export const follow = rule<State, Entry>()({
  line: "      follow blocks that hold nothing but a jump, each at most once",
  found: "{from:block} in {table} leads to {to:block} by {skipped} {skipped:block that only jumps|blocks that only jump} on",
  match(state, { scan, operand }) {
    const way = endOf(state, operand);
    if (way === null) return null;
    const { name: table } = scan.table;
    const said = { table, from: operand, to: way.to, blocks: [operand, way.to] };
    if (!sameValues(state, way, scan, said) || !sameLanes(state, way, scan, said)) return null;
    if (!state.budget.take(SPEND.budget)) {
      return state.remark.missed(SPEND.budget, "none-for-table", { ...said, blocks: [operand] });
    }
    return { ...said, skipped: way.skipped, about: (): string => `${table} block ${operand}`, scan, way };
  },
  apply: (_, { scan, from, way }) => scan.ways.set(from, way),
});

export const SAFE = {
  phi: line("      PHIs of the final block must get the same values on both edges", {
    missed: {
      "phi-conflict": {
        say: "a PHI of {to:block} has a different value for the direct edge, so {from:block} stays in {table}",
        droppable: "the PHI has one value for lanes that took two edges, and some of them get the value of the other edge",
      },
    },
  }),
  regroup: line("      no lanes may reconverge earlier than before where an instruction notices", {
    missed: {
      convergence: {
        say: "lanes that reach {to:block} by {from:block} and by another entry would reconverge earlier, which matters for {op} in {sees:block}",
        droppable: "lanes that came one group after the other reconverge, and the instruction sees more of them at once",
      },
      "past-table": {
        code: "convergence",
        say: "lanes that reach {to:block} through {table} and past it would no longer be together as they were, which matters for {op} in {sees:block}",
        droppable:
          "lanes that the guard of the jump keeps diverge from those that the table sends to the same block, or reconverge with others",
      },
      "search-too-large": {
        code: "convergence",
        say: "lanes that reach {to:block} by {from:block} and by another entry would reconverge earlier, which matters for code too large to search",
      },
    },
  }),
};

export const SPEND = {
  budget: line("      one retargeting from the budget of knob 351", {
    missed: {
      "none-for-table": { code: "budget", say: "no retargeting is left for {from:block} in {table}" },
      "none-for-label": { code: "budget", say: "no retargeting is left for the BSSY of {block}" },
    },
  }),
  retarget: line("      name the final block instead", {
    kind: "rewrite",
    step: {
      table: "{changed} {changed:target|targets} of {table} (read in {blocks}) {changed:is|are} named directly now",
      label: "the BSSY of {block} names {to:block} now",
    },
  }),
};

/** Returns why it changed nothing. */
export function retargetOperands({ edit, remark, knobs }: PassContext): string {
  const { func } = edit;
  const next = new Map<BlockId, BlockId>();
  for (const [i, id] of func.layout.entries()) {
    const to = jumpsOnTo(func, id, func.layout[i + 1] ?? null);
    if (to !== null) next.set(id, to);
  }
  const budget = knobs.budget("branch-target-scan-budget", SPEND.budget);
  const state: State = { edit, remark, budget, next, regrouping: new Regrouping(func) };
  remark.open(SCAN.scan);
  if (remark.listening) scanPatterns(state);
  for (const [name, users] of tableUsers(edit)) {
    const table = func.tables.get(name);
    if (table !== undefined) scanTable(state, table, users);
  }
  for (const block of [...func.layout]) {
    for (const [at, inst] of edit.block(block).insts.entries()) {
      const label = inst.op === "BSSY" ? inst.ops[1] : undefined;
      if (label?.kind !== "label") continue;
      remark.step(operands, "label", { block, target: label.block, inst, blocks: [label.block] });
      operands.look(state, { block, at, inst, label: label.block })?.request()?.commit();
    }
  }
  remark.close();
  const reasons = remark.reasons("number", [SAFE.phi, SAFE.regroup, SPEND.budget]);
  return reasons === "" ? "no block operand leads to a block that only jumps on" : `no block operand was changed: ${reasons}`;
}

/** By table, the blocks that jump through it. */
function tableUsers(edit: Editor): ReadonlyMap<string, readonly BlockId[]> {
  const users = new Map<string, BlockId[]>();
  for (const id of edit.func.layout) {
    const last = edit.block(id).insts.at(-1);
    const name = last === undefined ? null : tableName(last);
    if (name !== null) users.set(name, [...(users.get(name) ?? []), id]);
  }
  return users;
}

/** Operands from the last (the default) to the first; all that may change are changed together. */
function scanTable(state: State, table: JumpTable, users: readonly BlockId[]): void {
  const { edit, remark } = state;
  const places = [...table.entries, ...(table.default === null ? [] : [table.default])];
  const scan: TableScan = {
    table,
    users,
    operands: [...new Set(places.toReversed())],
    beside: new Map(users.map((id) => [id, waysBeside(edit, id, table.name)] as const)),
    ways: new Map(),
  };
  for (const operand of scan.operands) {
    if (remark.listening) {
      const place = places.lastIndexOf(operand);
      remark.step(operands, "operand", { table: table.name, place, target: operand, blocks: [operand] });
    }
    follow.look(state, { scan, operand })?.request()?.commit();
  }
  const { ways } = scan;
  if (ways.size === 0) return;
  const map = (id: BlockId): BlockId => ways.get(id)?.to ?? id;
  const via = new Map<BlockId, BlockId>();
  for (const way of ways.values()) via.set(way.to, way.via);
  remark.at(SPEND.retarget);
  const changed = { ...table, entries: table.entries.map(map), default: table.default === null ? null : map(table.default) };
  edit.setTable(changed, (succ, phi) => phiInput(phi, via.get(succ) ?? succ));
  remark.step(SPEND.retarget, "table", { table: table.name, changed: ways.size, blocks: users });
}

/** The PHIs of the final block have no other value for one of the table's users or for another retargeting. */
function sameValues({ edit, remark }: State, way: Way, { users, ways }: TableScan, said: Said): boolean {
  const others = [...ways.values()].filter((other) => other.to === way.to).map((other) => other.via);
  const conflict = phisOf(getBlock(edit.func, way.to)).some((phi) => {
    const value = phiInput(phi, way.via);
    const rivals = [...users, ...others].map((p) => phiInput(phi, p)).filter((known): known is Operand => known !== null);
    return value === null || rivals.some((known) => !sameOperand(known, value));
  });
  return remark.holds(SAFE.phi, "phi-conflict", !conflict, said);
}

/** Two groups of lanes that reached the final block one after the other may now reach it together, and lanes that reached it together may be apart. */
function sameLanes({ remark, regrouping }: State, way: Way, { operands, beside, ways }: TableScan, said: Said): boolean {
  const joins = operands.some((id) => id === way.to && id !== said.from) || [...ways.values()].some((other) => other.to === way.to);
  if (!regrouping.matters) return true;
  for (const [user, past] of beside) {
    // Lanes that reach it past the table stay with those that the table sends, as long as both name the same block.
    const leaves = past.has(said.from) || past.has(way.to);
    if (!joins && !leaves) continue;
    const obstacle = regrouping.obstacle([user]);
    if (obstacle === null) continue;
    if (obstacle === "capped") return remark.fails(SAFE.regroup, "search-too-large", said);
    const reason = joins ? "convergence" : "past-table";
    if (!remark.holds(SAFE.regroup, reason, false, { ...said, op: obstacle.inst.op, sees: obstacle.block })) return false;
  }
  return true;
}

/** Follows blocks that only jump on, each once; null when the block does something itself, or the blocks form a cycle. */
function endOf({ next }: State, start: BlockId): Way | null {
  const seen = new Set<BlockId>();
  let at = start;
  let via = start;
  for (let to = next.get(at); to !== undefined; to = next.get(at)) {
    if (seen.has(at)) return null;
    seen.add(at);
    via = at;
    at = to;
  }
  return seen.size === 0 ? null : { to: at, via, skipped: seen.size };
}

/** Where the block's lanes go by instructions other than the jump through the table, or when its guard does not hold. */
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

/** The successor of a block that does nothing else; null for every other block. */
function jumpsOnTo(fn: Func, id: BlockId, next: BlockId | null): BlockId | null {
  const { insts } = getBlock(fn, id);
  const [only, ...more] = insts;
  if (only === undefined) return next;
  return more.length === 0 && isUnconditional(only) ? branchTarget(only) : null;
}

// --- sub_7E6090: how each block ends, before branch targets are scanned ----------------------------------------------------------

type End = "table" | "condition" | "jump" | "exit" | "falls through";

/** Changes nothing. */
function scanPatterns({ edit, remark }: State): void {
  const view = remark.shown.table<PatternRow>("branch-patterns", "Branch patterns: how each block ends");
  const count: Record<End, number> = { table: 0, condition: 0, jump: 0, exit: 0, "falls through": 0 };
  let regions = 0;
  for (const id of edit.func.layout) {
    const block = edit.block(id);
    const ends = howEnds(terminatorsOf(block).insts);
    const opens = block.insts.some((inst) => inst.op === "BSSY");
    count[ends]++;
    if (opens) regions++;
    const op = block.insts.at(-1)?.op ?? "none";
    const targets = block.succs.map((succ) => edit.block(succ).label).join(", ");
    view.set(block.label, { ends, op: ends === "falls through" ? "none" : op, targets, opens });
  }
  remark.step(SCAN.patterns, { tables: count.table, tests: count.condition, jumps: count.jump, exits: count.exit, regions });
}

function howEnds(terminators: readonly Inst[]): End {
  const [first] = terminators;
  if (first === undefined) return "falls through";
  if (first.op === "BRX" || first.op === "JMX") return "table";
  if (first.op !== "BRA") return "exit";
  return first.guard === null ? "jump" : "condition";
}
