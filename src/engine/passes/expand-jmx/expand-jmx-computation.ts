/** Phase 80: turns the pseudo-instruction JMX into LEA and BRX, and shows the bytes of the jump tables in the text. */

import { upperBound } from "../../analysis/switch-bounds.ts";
import { immOp, regOp } from "../../ir/builder.ts";
import type { BlockId, InstId, Reg } from "../../ir/ids.ts";
import { PT, regName } from "../../ir/reg.ts";
import type { Inst, JumpTable } from "../../ir/types.ts";
import { tableName } from "../../ir/visit.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import { showTables } from "./table-bytes.ts";

export const expandJmxComputation: Pass = {
  family: "expand-jmx",
  ids: ["expand-jmx-computation"],
  summary: "Expands JMX into LEA and BRX and lays out the jump tables in the text.",
  pseudocode: PSEUDOCODE,
  run,
};

/** Below this index, base + 4 * index stays behind the table's start: nothing wraps around. */
const SAFE_INDEX = 1 << 20;

function run(ctx: PassContext): PassOutcome {
  const { edit, rec } = ctx;
  if (rec.on) rec.event("note", LINE.start, "{tables} jump {tables:table|tables} in the function", { tables: edit.func.tables.size });
  const short = new Set<InstId>();
  let expanded = 0;
  let clamped = 0;
  for (const id of [...edit.func.layout]) {
    const { insts } = edit.block(id);
    // At most two terminators, and only the last ones can be a JMX.
    for (let at = insts.length - 1; at >= 0 && at >= insts.length - 2; at--) {
      const inst = insts[at];
      const name = inst?.op === "JMX" ? tableName(inst) : null;
      const table = name === null ? undefined : edit.func.tables.get(name);
      const index = inst?.ops[0];
      if (inst === undefined || table === undefined || index?.kind !== "reg") continue;
      if (expandOne(ctx, id, at, inst, index.reg, table, short)) clamped++;
      expanded++;
      break;
    }
  }
  const tables = showTables(edit.func, short, rec);
  const why = tables === 0 ? "no JMX, and no jump table" : "no JMX is left: every table is read by a BRX";
  return { matches: expanded, rewrites: expanded, why: expanded > 0 ? null : why, figures: { expanded, clamped, tables } };
}

/** True when the index had to be clamped. */
function expandOne(ctx: PassContext, id: BlockId, at: number, jmx: Inst, index: Reg, table: JumpTable, short: Set<InstId>): boolean {
  const { edit, rec } = ctx;
  const block = edit.block(id).label;
  const name = table.name;
  const bound = upperBound(edit.func, id, at, index);
  const safe = bound !== null && bound <= SAFE_INDEX;
  if (rec.on) {
    const facts = { verdict: "yes", block, index: regName(index), table: name, entries: table.entries.length };
    rec.begin("match", LINE.jmx, "{block} jumps through {table} by the index {index}", facts, { blocks: [id], insts: [jmx.id] });
    const known = safe
      ? "{index} is below {bound}: 4 * {index} does not wrap"
      : "nothing bounds {index}: 4 * {index} could wrap (not stated in the notes)";
    rec.event(
      "match",
      LINE.bound,
      known,
      { verdict: safe ? "yes" : "no", condition: "bound", index: regName(index), bound },
      { blocks: [id] },
    );
  }
  let place = at;
  let from = index;
  if (!safe) {
    from = edit.freshReg("R");
    rec.at(LINE.clamp);
    const ops = [regOp(from), regOp(index), immOp(table.entries.length), regOp(PT)];
    edit.insert(id, place++, edit.make("IMNMX", ops, { mods: ["U32"], line: jmx.line }));
  }
  const address = edit.freshReg("R");
  rec.at(LINE.lea);
  const lea = edit.make("LEA", [regOp(address), regOp(from), { kind: "table", name }, immOp(2)], { line: jmx.line });
  edit.insert(id, place++, lea);
  rec.at(LINE.brx);
  const brx: Inst = { ...jmx, op: "BRX", ops: [regOp(address), { kind: "table", name }] };
  edit.replace(id, place, brx);
  short.add(lea.id);
  short.add(brx.id);
  if (rec.on) {
    const facts = { block, table: name, address: regName(address), index: regName(from), clamped: !safe };
    rec.event("rewrite", LINE.brx, "{block} now computes {address} = {table} + 4 * {index} and jumps to what lies there", facts, {
      blocks: [id],
      insts: [lea.id, brx.id],
    });
    rec.end();
  }
  return !safe;
}
