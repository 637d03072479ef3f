/** ExpandJmxComputation as numbered lines, and the names by which the code points at them. */

export const PSEUDOCODE = [
  "ExpandJmxComputation(function):",
  "  for each block in layout order that ends in JMX index, table:",
  "    4 * index must not wrap: bound of the index from a minimum, a mask, a shift or the compare before it",
  "      no bound: clamp it, i := min(index, entries), unsigned; the entry behind the last is the default",
  "    address := table + index * 4, by LEA",
  "    JMX becomes BRX address, table, with JMX's guard",
  "  lay the text out in layout order:",
  "    16 bytes an instruction, 8 for LEA and BRX of an expansion, each aligned to its size",
  "    behind a BRX its table, without padding: 4 bytes an entry",
  "    a BRX that may fall through has its table at the end of the text",
  "  for each table, for each entry:",
  "    target := its case, or the default where the switch has a gap",
  "    word := address of the target - address of entry 0, signed, 32 bits, low byte first",
  "  .nv.info: EIATTR_JUMPTABLE_RELOCS (0x03) with the text offset of each table's entry 0",
  "  tables of BRX that were there before are laid out likewise",
] as const;

export const LINE = {
  start: 1,
  jmx: 2,
  bound: 3,
  clamp: 4,
  lea: 5,
  brx: 6,
  layout: 7,
  sizes: 8,
  place: 9,
  late: 10,
  entries: 11,
  fill: 12,
  word: 13,
  relocs: 14,
  before: 15,
} as const;
