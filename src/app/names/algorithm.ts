/** Lines of an algorithm as a textbook would have them: addresses, opcodes' numbers and offsets in records are said on demand only. */

const BRACKETS = / ?\([^()]*\)/g;

/** Brackets for readers of the binary: addresses, offsets, masks, lists of numbers, marks of conditions. */
const BINARY = /\bsub_|\+\d|\b0x[0-9A-Fa-f]|^ ?\((?:\d+(?:(?:, | or )\d+)*\)|T\d|slot \d)/;

/** Fields of the block's and the function's records by what they contain. */
const FIELDS: readonly (readonly [RegExp, string])[] = [
  [/\+280 &= 0x[0-9A-F]+/, "clear its flags"],
  [/\+\d+(?:, \+\d+)+ = 0/, "clear its numbers"],
  [/clear \+280 bit 0x08 and \+292 bits 0x0C/, "clear three of its flags"],
  [/ and \+292 bit 0x08/, " and a second flag"],
  [/, \+232 = its head, \+264 = 0/, ""],
  [/bit 3 of \+280/, "a flag"],
  [/ \+1370 bit 0x10/, ""],
  [/ \+(?:520|648|680)\b/, ""],
  [/\+152 of b\b/, "the back-edge number of b"],
  [/whose \+152 becomes/, "whose back-edge number becomes"],
  [/ \+1377 bit 5/, ""],
  [/\+144 = rpo/, "its RPO number = rpo"],
  [/\+1552/, "the pipeline counter"],
  [/bit 2 of \+1382, (.*), \+1056 is null/, "the optimization level, $1"],
  [/slot 656 allows/, "the backend allows"],
];

export function textbookLine(line: string): string {
  let text = line.replace(BRACKETS, (part) => (BINARY.test(part) ? "" : part));
  for (const [field, words] of FIELDS) text = text.replace(field, words);
  return text;
}
