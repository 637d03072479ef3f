/** Shows the text around the jump tables byte by byte. */

import { INST_BYTES, layoutText, type PlacedTable, SHORT_BYTES, type TextLayout } from "../../analysis/text-layout.ts";
import type { InstId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, tableName } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { JumpTableRow } from "./rows.ts";
import { RULES } from "./rules.ts";
import { jumpTableRelocs, wordBytes } from "./words.ts";

/** Entries told one by one; of a longer table only the structure holds them all. */
const MOST_ENTRY_EVENTS = 256;

type Rows = ShownTable<JumpTableRow>;

/** Lays the text out and tells everything about its tables. Returns how many tables there are. `short`: LEA and BRX of the expansions. */
export function showTables(fn: Func, short: ReadonlySet<InstId>, remark: Remarks): number {
  if (!remark.listening) return new Set(fn.layout.map((id) => brxTable(fn, id)).filter((name) => name !== null)).size;
  const text = layoutText(fn, { short: (inst) => short.has(inst.id), tables: true });
  if (text.tables.length === 0) return 0;
  const rows: Rows = remark.shown.table("jump-table-bytes", "Jump tables in the text");
  remark.span(RULES.layout, { size: text.size }, () => {
    remark.step(RULES.sizes, { long: INST_BYTES, short: SHORT_BYTES });
    showCode(fn, text, rows);
    const expanded = expandedTables(fn, short);
    for (const table of text.tables) showTable(fn, table, rows, remark, !expanded.has(table.name));
    const section = `.nv.info.${fn.name}`;
    const { offsets, bytes } = jumpTableRelocs(text.tables);
    rows.set("relocs", { attribute: "EIATTR_JUMPTABLE_RELOCS", code: 3, section, offsets, bytes });
    remark.step(RULES.relocs, { section, offsets: offsets.map(hex), bytes, node: rows.node("relocs") });
  });
  return text.tables.length;
}

const hex = (value: number): string => `0x${value.toString(16)}`;

function brxTable(fn: Func, id: Func["layout"][number]): string | null {
  const last = getBlock(fn, id).insts.findLast((inst) => inst.op === "BRX");
  return last === undefined ? null : tableName(last);
}

/** Tables whose BRX came from an expansion. */
function expandedTables(fn: Func, short: ReadonlySet<InstId>): Set<string | null> {
  const names = new Set<string | null>();
  for (const id of fn.layout) for (const inst of getBlock(fn, id).insts) if (short.has(inst.id)) names.add(tableName(inst));
  return names;
}

/** A row for every LEA and BRX that names a table. */
function showCode(fn: Func, text: TextLayout, rows: Rows): void {
  for (const id of fn.layout) {
    const block = getBlock(fn, id);
    for (const inst of block.insts) {
      const named = inst.ops.find((operand) => operand.kind === "table");
      const address = text.address.get(inst.id);
      if (named?.kind !== "table" || address === undefined) continue;
      rows.set(`inst/${inst.id}`, { address, op: inst.op, block: block.label, table: named.name });
    }
  }
}

function showTable(fn: Func, placed: PlacedTable, rows: Rows, remark: Remarks, before: boolean): void {
  const { name: table, address, entries, inline } = placed;
  const bytes = 4 * entries.length;
  rows.set(table, { address, entries: entries.length, bytes, inline });
  const said = { table, address: hex(address), entries: entries.length, node: rows.node(table) };
  if (inline) remark.step(RULES.place, { ...said, bytes });
  else remark.step(RULES.late, said);
  if (before) remark.step(RULES.before, { table });
  remark.span(RULES.entries, { table }, () => {
    for (let i = 0; i < entries.length; i++) showEntry(fn, placed, i, rows, remark);
  });
}

function showEntry(fn: Func, { name: table, address, entries }: PlacedTable, entry: number, rows: Rows, remark: Remarks): void {
  const word = entries[entry];
  if (word === undefined) return;
  const { target, offset, isDefault } = word;
  const value = (fn.tables.get(table)?.base ?? 0) + entry;
  const bytes = wordBytes(offset);
  const key = `${table}/${entry}`;
  const fill = isDefault ? "default" : "case";
  rows.set(key, { address: address + 4 * entry, offset, bytes, value, target: getBlock(fn, target).label, fill });
  if (entry >= MOST_ENTRY_EVENTS) return;
  const places = { to: hex(address + offset), base: hex(address), offset, bytes };
  remark.step(isDefault ? RULES.fill : RULES.word, { table, entry, value, target, ...places, block: target, node: rows.node(key) });
}
