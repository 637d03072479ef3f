/** Phase 80: turns the pseudo-instruction JMX into LEA and BRX, and shows the bytes of the jump tables in the text. */

import { immOp, regOp } from "../../ir/builder.ts";
import { withForm } from "../../ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { PT } from "../../ir/reg.ts";
import type { Inst, JumpTable } from "../../ir/types.ts";
import { tableName } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line, pseudocodeOf, rules } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { upperBound } from "./index-bound.ts";
import { LAYOUT, showTables } from "./table-bytes.ts";

/** Below this index, base + 4 * index is after the table's start: nothing wraps around. */
const SAFE_INDEX = 1 << 20;

/** A block's jump through a table. */
interface Jump {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
  readonly index: Reg;
  readonly table: JumpTable;
}

interface State extends Pick<PassContext, "edit" | "remark"> {
  /** LEAs and BRXs of the expansions. */
  readonly short: Set<InstId>;
}

const jmx = rule<State, BlockId>()({
  line: "  for each block in layout order that ends in JMX index, table:",
  done: { kind: "match", say: "{block} jumps through {table} by the index {index:reg}" },
  because: "the hardware jumps to an address, so the entry of {table} must be computed from {index}",
  source: "branch-and-switch: Interaction with ExpandJmxComputation",
  match(state, block) {
    const jump = jumpOf(state, block);
    return jump === null ? null : { block, index: jump.index, table: jump.table.name, inst: jump.inst, jump };
  },
  apply: (state, { jump }) => expand(state, jump),
});

const bound = line("    4 * index must not wrap: bound of the index from a minimum, a mask, a shift or the compare before it", {
  found: "{index:reg} is below {bound}: 4 * {index:reg} does not wrap",
  missed: {
    unbounded: {
      code: "bound",
      say: "nothing bounds {index:reg}: 4 * {index:reg} could wrap (not stated in the reference)",
      droppable: "an index whose fourfold wraps around is taken for a small one and jumps to a case instead of the default",
      counts: false,
    },
  },
});

const RULES = rules({
  start: line("ExpandJmxComputation(function):", { kind: "note", step: "{tables} jump {tables:table|tables} in the function" }),
  jmx,
  bound,
  clamp: line("      no bound: clamp it, i := min(index, last entry), unsigned; the table gets the default as its last entry"),
  lea: line("    address := table + index * 4, by LEA"),
  brx: line("    JMX becomes BRX address, table, with JMX's guard", {
    kind: "rewrite",
    step: "{block} now computes {address:reg} = {table} + 4 * {index:reg} and jumps by the word there",
  }),
  ...LAYOUT,
});

export const expandJmxComputation: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  run,
};

function run({ edit, remark }: PassContext): PassOutcome {
  const state: State = { edit, remark, short: new Set() };
  remark.step(RULES.start, { tables: edit.func.tables.size });
  for (const id of [...edit.func.layout]) jmx.look(state, id)?.request()?.commit();
  const tables = showTables(edit.func, state.short, remark);
  const none = tables === 0 ? "no JMX, and no jump table" : "no JMX is left: every table is read by a BRX";
  return remark.outcome({ none, figures: { expanded: remark.rewrites, clamped: remark.times(RULES.bound, "unbounded"), tables } });
}

/** The JMX at the end of a block. */
function jumpOf({ edit }: State, block: BlockId): Jump | null {
  const { insts } = edit.block(block);
  // At most two terminators, and only the last ones can be a JMX.
  for (let at = insts.length - 1; at >= 0 && at >= insts.length - 2; at--) {
    const inst = insts[at];
    const name = inst?.op === "JMX" ? tableName(inst) : null;
    const table = name === null ? undefined : edit.func.tables.get(name);
    const index = inst?.ops[0];
    if (inst !== undefined && table !== undefined && index?.kind === "reg") return { block, at, inst, index: index.reg, table };
  }
  return null;
}

function expand(state: State, jump: Jump): void {
  const { edit, remark, short } = state;
  const { block, inst: jmx, index, table } = jump;
  const { name } = table;
  let place = jump.at;
  let from = index;
  if (!isBounded(state, jump)) {
    from = edit.freshReg("R");
    remark.at(RULES.clamp);
    const ops = [regOp(from), regOp(index), immOp(lastEntry(edit, table)), regOp(PT)];
    edit.insert(block, place++, edit.make("IMNMX", ops, { mods: ["U32"], line: jmx.line }));
  }
  const address = edit.freshReg("R");
  remark.at(RULES.lea);
  const lea = edit.make("LEA", [regOp(address), regOp(from), { kind: "table", name }, immOp(2)], { line: jmx.line });
  edit.insert(block, place++, lea);
  remark.at(RULES.brx);
  const brx = withForm(jmx, "BRX", jmx.mods, [regOp(address), { kind: "table", name }]);
  edit.replace(block, place, brx);
  short.add(lea.id);
  short.add(brx.id);
  remark.step(RULES.brx, { block, table: name, address, index: from, insts: [lea, brx] });
}

/** The number of the entry that leads to the default, after all cases: it is added where the table has none. */
function lastEntry(edit: State["edit"], { name }: JumpTable): number {
  const table = edit.table(name);
  const { entries = [], default: fallback = null } = table ?? {};
  if (table === undefined || fallback === null) return entries.length;
  if (entries.at(-1) === fallback) return entries.length - 1;
  edit.setTable({ ...table, entries: [...entries, fallback] });
  return entries.length;
}

/** Whether the index can be multiplied by four without overflow. */
function isBounded({ edit, remark }: State, { block, at, index }: Jump): boolean {
  const bound = upperBound(edit.func, block, at, index);
  if (bound === null || bound > SAFE_INDEX) return remark.holds(RULES.bound, "unbounded", false, { index, block, also: { bound } });
  remark.matched(RULES.bound, { index, bound, block });
  return true;
}
