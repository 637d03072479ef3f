/** Shows the text around the jump tables byte by byte. */

import { INST_BYTES, layoutText, type PlacedTable, SHORT_BYTES, type TextLayout } from "../../analysis/text-layout.ts";
import type { InstId } from "../../ir/ids.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, tableName } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { JumpTableRow } from "./rows.ts";

/** The lines of the layout. */
export const LAYOUT = {
  layout: line("  lay the text out in layout order:", { kind: "span", step: "lay out {size} {size:byte|bytes} of text" }),
  sizes: line("    16 bytes an instruction, 8 for LEA and BRX of an expansion, each aligned to its size", {
    kind: "note",
    step: "{long} {long:byte|bytes} an instruction, {short} for LEA and BRX of an expansion",
  }),
  place: line("    after a BRX its table, without padding: 4 bytes an entry", {
    kind: "note",
    step: "{table} follows its BRX at {address}: {entries} {entries:entry|entries}, {bytes} {bytes:byte|bytes}",
    source: "branch-and-switch: Jump Table Data Structure",
  }),
  late: line("    a BRX that may fall through has its table at the end of the text", {
    kind: "note",
    step: "{table} is at the end of the text, at {address}: {entries} {entries:entry|entries}",
  }),
  entries: line("  for each table, for each entry:", { kind: "span", step: "entries of {table}" }),
  fill: line("    target := its case, or the default: of a gap, or of a case that leads there itself", {
    kind: "note",
    step: "{table}[{entry}], for {value}, leads to the default {target:block}: {to} - {base} = {offset}, stored as {bytes}",
  }),
  word: line("    word := address of the target - address of entry 0, signed, 32 bits, low byte first", {
    kind: "note",
    step: "{table}[{entry}], for {value}, is {target:block}: {to} - {base} = {offset}, stored as {bytes}",
  }),
  relocs: line("  .nv.info: EIATTR_JUMPTABLE_RELOCS with the text offset of each table's entry 0 // 0x03", {
    kind: "note",
    step: "{section}: EIATTR_JUMPTABLE_RELOCS names {offsets}, stored as {bytes}",
  }),
  before: line("  tables of BRX that were there before are laid out likewise", {
    kind: "note",
    step: "the BRX of {table} was there before this phase",
  }),
};

/** Entries with a step each; of a longer table only the structure has them all. */
const MOST_ENTRY_EVENTS = 256;

type Rows = ShownTable<JumpTableRow>;

/** Lays the text out and reports its tables. Returns how many there are. `short`: LEA and BRX of the expansions. */
export function showTables(fn: Func, short: ReadonlySet<InstId>, remark: Remarks): number {
  if (!remark.listening) return new Set(fn.layout.map((id) => brxTable(fn, id)).filter((name) => name !== null)).size;
  const text = layoutText(fn, { short: (inst) => short.has(inst.id), tables: true });
  if (text.tables.length === 0) return 0;
  const rows: Rows = remark.shown.table("jump-table-bytes", "Jump tables in the text");
  remark.span(LAYOUT.layout, { size: text.size }, () => {
    remark.step(LAYOUT.sizes, { long: INST_BYTES, short: SHORT_BYTES });
    showCode(fn, text, rows);
    const expanded = expandedTables(fn, short);
    for (const table of text.tables) showTable(fn, table, rows, remark, !expanded.has(table.name));
    const section = `.nv.info.${fn.name}`;
    const { offsets, bytes } = jumpTableRelocs(text.tables);
    rows.set("relocs", { attribute: "EIATTR_JUMPTABLE_RELOCS", code: 3, section, offsets, bytes });
    remark.step(LAYOUT.relocs, { section, offsets: offsets.map(hex), bytes, node: rows.node("relocs") });
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
  if (inline) remark.step(LAYOUT.place, { ...said, bytes });
  else remark.step(LAYOUT.late, said);
  if (before) remark.step(LAYOUT.before, { table });
  remark.span(LAYOUT.entries, { table }, () => {
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
  remark.step(isDefault ? LAYOUT.fill : LAYOUT.word, { table, entry, value, target, ...places, block: target, node: rows.node(key) });
}

// --- words as bytes --------------------------------------------------------------------------------------------------------------

/** The four bytes of a word, low one first, as `f0 00 00 00`. */
export function wordBytes(value: number): string {
  return [0, 8, 16, 24].map((shift) => ((value >>> shift) & 0xff).toString(16).padStart(2, "0")).join(" ");
}

/**
 * The EIATTR_JUMPTABLE_RELOCS record of `.nv.info.<function>`: attribute 0x03, then a 32-bit text offset for each table. The reference gives the code and the
 * payload; the format byte (0x04, sized value) and the 16-bit size are those of all such records.
 */
export function jumpTableRelocs(tables: readonly PlacedTable[]): { readonly offsets: readonly number[]; readonly bytes: string } {
  const offsets = tables.map((table) => table.address);
  const size = 4 * offsets.length;
  const head = `04 03 ${(size & 0xff).toString(16).padStart(2, "0")} ${((size >> 8) & 0xff).toString(16).padStart(2, "0")}`;
  return { offsets, bytes: [head, ...offsets.map(wordBytes)].join(" ") };
}
