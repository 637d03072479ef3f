/** Rows of a structure drawn as a table: their order, and what heads their columns. */

/** The engine's names of fields in words; others are shown as they are. */
const TITLES: Readonly<Record<string, string>> = {
  inst: "Instruction",
  insts: "Instructions",
  reg: "Register",
  regs: "Registers",
  op: "Opcode",
  isNew: "New",
  rpo: "RPO",
  rpo_number: "RPO number",
  pred_count: "Predecessors",
  ptx: "In PTX",
  counts: "Counted",
};

/** `chainSlot` and `first_mark` are read as words. */
export function columnTitle(name: string): string {
  const known = TITLES[name];
  if (known !== undefined) return known;
  const words = name.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What distinguishes the rows. */
export function keyTitle(keys: readonly string[]): string {
  if (keys.length > 0 && keys.every((key) => /^\+(?:0x)?[\da-f]+/i.test(key))) return "Offset";
  return "Key";
}

const natural = new Intl.Collator("en", { numeric: true });

/** Numbers within keys count as numbers, offsets in hex too. */
export function compareKeys(a: string, b: string): number {
  const [x, y] = [hexOffset(a), hexOffset(b)];
  return x !== null && y !== null && x !== y ? x - y : natural.compare(a, b);
}

function hexOffset(key: string): number | null {
  const digits = /^\+0x([\da-f]+)/i.exec(key)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}
