/** Shows the text around the jump tables byte by byte. */

import {
  INST_BYTES,
  jumpTableRelocs,
  layoutText,
  type PlacedTable,
  SHORT_BYTES,
  type TextLayout,
  wordBytes,
} from "../../analysis/switch-text.ts";
import type { InstId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, tableName } from "../../ir/visit.ts";
import type { Recorder, StructureId } from "../../trace/recorder.ts";
import { LINE } from "./pseudocode.ts";

/** Entries told one by one; of a longer table only the structure holds them all. */
const MOST_ENTRY_EVENTS = 256;

/** Lays the text out and tells everything about its tables. Returns how many tables there are. `short`: LEA and BRX of the expansions. */
export function showTables(fn: Func, short: ReadonlySet<InstId>, rec: Recorder): number {
  if (!rec.on) return new Set(fn.layout.map((id) => brxTable(fn, id)).filter((name) => name !== null)).size;
  const text = layoutText(fn, { short: (inst) => short.has(inst.id), tables: true });
  if (text.tables.length === 0) return 0;
  const rows = rec.structure("table", "jump-table-bytes", "Jump tables in the text");
  rec.begin("span", LINE.layout, "lay out {size} {size:byte|bytes} of text", { size: text.size });
  rec.event("note", LINE.sizes, "{long} {long:byte|bytes} an instruction, {short} for LEA and BRX of an expansion", {
    long: INST_BYTES,
    short: SHORT_BYTES,
  });
  showCode(fn, text, rows, rec);
  const expanded = expandedTables(fn, short);
  for (const table of text.tables) showTable(fn, table, rows, rec, !expanded.has(table.name));
  const relocs = jumpTableRelocs(text.tables);
  rec.cell(rows, "relocs", {
    attribute: "EIATTR_JUMPTABLE_RELOCS",
    code: 3,
    section: `.nv.info.${fn.name}`,
    offsets: relocs.offsets,
    bytes: relocs.bytes,
  });
  const facts = { section: `.nv.info.${fn.name}`, offsets: relocs.offsets.map(hex), bytes: relocs.bytes };
  rec.event("note", LINE.relocs, "{section}: EIATTR_JUMPTABLE_RELOCS names {offsets}: {bytes}", facts, {
    nodes: ["jump-table-bytes/relocs"],
  });
  rec.end();
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
function showCode(fn: Func, text: TextLayout, rows: StructureId, rec: Recorder): void {
  for (const id of fn.layout) {
    for (const inst of getBlock(fn, id).insts) {
      const named = inst.ops.find((operand) => operand.kind === "table");
      const address = text.address.get(inst.id);
      if (named?.kind !== "table" || address === undefined) continue;
      rec.cell(rows, `inst/${inst.id}`, { address, op: inst.op, block: getBlock(fn, id).label, table: named.name });
    }
  }
}

function showTable(fn: Func, table: PlacedTable, rows: StructureId, rec: Recorder, before: boolean): void {
  const { name, address, entries, inline } = table;
  const facts = { table: name, address: hex(address), entries: entries.length, bytes: 4 * entries.length };
  const place = inline
    ? "{table} follows its BRX at {address}: {entries} {entries:entry|entries}, {bytes} {bytes:byte|bytes}"
    : "{table} stands at the end of the text, at {address}: {entries} {entries:entry|entries}";
  rec.cell(rows, name, { address, entries: entries.length, bytes: 4 * entries.length, inline });
  rec.event("note", inline ? LINE.place : LINE.late, place, facts, { nodes: [`jump-table-bytes/${name}`] });
  if (before) rec.event("note", LINE.before, "the BRX of {table} was there before this phase", { table: name });
  const base = fn.tables.get(name)?.base ?? 0;
  rec.begin("span", LINE.entries, "entries of {table}", { table: name });
  for (const [i, { target, offset, isDefault }] of entries.entries()) {
    const label = getBlock(fn, target).label;
    const bytes = wordBytes(offset);
    const key = `${name}/${i}`;
    rec.cell(rows, key, { address: address + 4 * i, offset, bytes, value: base + i, target: label, fill: isDefault ? "default" : "case" });
    if (i >= MOST_ENTRY_EVENTS) continue;
    const said = { table: name, entry: i, value: base + i, target: label, to: hex(address + offset), base: hex(address), offset, bytes };
    const focus = { blocks: [target], nodes: [`jump-table-bytes/${key}`] };
    if (isDefault)
      rec.event(
        "note",
        LINE.fill,
        "{table}[{entry}], for {value}, is the default {target}: {to} - {base} = {offset}: {bytes}",
        said,
        focus,
      );
    else rec.event("note", LINE.word, "{table}[{entry}], for {value}, is {target}: {to} - {base} = {offset}: {bytes}", said, focus);
  }
  rec.end();
}
