/** Phase 80: turns the pseudo-instruction JMX into LEA and BRX, and shows the bytes of the jump tables in the text. */

import { immOp, regOp } from "../../ir/builder.ts";
import { withForm } from "../../ir/copies.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { PT } from "../../ir/reg.ts";
import type { Inst, JumpTable } from "../../ir/types.ts";
import { tableName } from "../../ir/visit.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { ABOUT } from "./about.ts";
import { upperBound } from "./index-bound.ts";
import { PSEUDOCODE, RULES } from "./rules.ts";
import { showTables } from "./table-bytes.ts";

export const expandJmxComputation: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: PSEUDOCODE,
  run,
};

/** Below this index, base + 4 * index stays behind the table's start: nothing wraps around. */
const SAFE_INDEX = 1 << 20;

/** A block's jump through a table. */
interface Jump {
  readonly block: BlockId;
  readonly at: number;
  readonly inst: Inst;
  readonly index: Reg;
  readonly table: JumpTable;
}

function run(ctx: PassContext): PassOutcome {
  const { edit, remark } = ctx;
  remark.step(RULES.start, { tables: edit.func.tables.size });
  /** LEAs and BRXs of the expansions. */
  const short = new Set<InstId>();
  let clamped = 0;
  for (const id of [...edit.func.layout]) {
    const jump = jumpOf(ctx, id);
    if (jump === null) continue;
    const { block, inst, index, table } = jump;
    if (remark.done(RULES.jmx, { block, index, table: table.name, inst }, () => expand(ctx, jump, short)) === "clamped") clamped++;
  }
  const tables = showTables(edit.func, short, remark);
  const none = tables === 0 ? "no JMX, and no jump table" : "no JMX is left: every table is read by a BRX";
  return remark.outcome({ none, figures: { expanded: remark.rewrites, clamped, tables } });
}

/** The JMX at the end of a block. */
function jumpOf({ edit }: PassContext, block: BlockId): Jump | null {
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

function expand(ctx: PassContext, jump: Jump, short: Set<InstId>): "clamped" | "bounded" {
  const { edit, remark } = ctx;
  const { block, inst: jmx, index, table } = jump;
  const { name } = table;
  const safe = isBounded(ctx, jump);
  let place = jump.at;
  let from = index;
  if (!safe) {
    from = edit.freshReg("R");
    remark.at(RULES.clamp);
    const ops = [regOp(from), regOp(index), immOp(table.entries.length), regOp(PT)];
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
  return safe ? "bounded" : "clamped";
}

/** Whether the index can be taken fourfold as it is. */
function isBounded({ edit, remark }: PassContext, { block, at, index }: Jump): boolean {
  const bound = upperBound(edit.func, block, at, index);
  if (bound === null || bound > SAFE_INDEX) return remark.holds(RULES.bound, "unbounded", false, { index, block, also: { bound } });
  remark.matched(RULES.bound, { index, bound, block });
  return true;
}
