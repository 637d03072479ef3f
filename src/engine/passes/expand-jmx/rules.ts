/** ExpandJmxComputation as a table: its pseudocode, and what is told and decided at each line. */

import { line, pseudocodeOf, rules } from "../../remark/rules.ts";

export const RULES = rules({
  start: line("ExpandJmxComputation(function):", { kind: "note", step: "{tables} jump {tables:table|tables} in the function" }),
  jmx: line("  for each block in layout order that ends in JMX index, table:", {
    done: { kind: "match", say: "{block} jumps through {table} by the index {index:reg}" },
    because: "the hardware jumps to an address, so the entry of {table} must be computed from {index}",
    source: "branch-and-switch: Interaction with ExpandJmxComputation",
  }),
  bound: line("    4 * index must not wrap: bound of the index from a minimum, a mask, a shift or the compare before it", {
    found: "{index:reg} is below {bound}: 4 * {index:reg} does not wrap",
    missed: {
      unbounded: {
        code: "bound",
        say: "nothing bounds {index:reg}: 4 * {index:reg} could wrap (not stated in the reference)",
        droppable: "an index whose fourfold wraps around is taken for a small one and jumps to a case instead of the default",
        counts: false,
      },
    },
  }),
  clamp: line("      no bound: clamp it, i := min(index, entries), unsigned; the entry after the last is the default"),
  lea: line("    address := table + index * 4, by LEA"),
  brx: line("    JMX becomes BRX address, table, with JMX's guard", {
    kind: "rewrite",
    step: "{block} now computes {address:reg} = {table} + 4 * {index:reg} and jumps to what lies there",
  }),
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
  relocs: line("  .nv.info: EIATTR_JUMPTABLE_RELOCS (0x03) with the text offset of each table's entry 0", {
    kind: "note",
    step: "{section}: EIATTR_JUMPTABLE_RELOCS names {offsets}, stored as {bytes}",
  }),
  before: line("  tables of BRX that were there before are laid out likewise", {
    kind: "note",
    step: "the BRX of {table} was there before this phase",
  }),
});

export const PSEUDOCODE = pseudocodeOf(RULES);
