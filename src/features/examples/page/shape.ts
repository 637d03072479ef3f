/** The shape of a program's control flow, read from its text: enough for a small picture, without the engine. */

export interface Shape {
  readonly blocks: number;
  readonly edges: readonly (readonly [from: number, to: number])[];
}

const COMMENTS = /\/\*.*?\*\/|\/\/.*|^\s*#.*/g;
const KERNEL = /^\s*(?:\.kernel\s+|(?:\.\w+\s+)*\.entry\s+|@)([.$\w]+)\s*\(/m;
const FUNC = /^\s*(?:\.\w+\s+)*\.func\b(?:\s*\([^)]*\))?\s*([.$\w]+)/m;
const LABEL = /^([.$\w]+):(?!.* = )\s*(.*)$/;
const TABLE = /^\.table\s+(\S+)(.*)$/;
const JUMP = /^(@!?%?\w+\s+)?(bra|brx|jmx|br|jmp|exit|ret)\b(.*)$/i;
const ENDS = /^(exit|ret)$/i;
const NAMES = /[.$\w]+/g;

interface Line {
  readonly label?: string;
  readonly code: string;
}

/** The lines of one kernel: the one with that name, else the first; of a function where there is no kernel. */
function linesOf(text: string, kernel: string | undefined): readonly Line[] {
  const lines: Line[] = [];
  const begins = KERNEL.test(text) ? KERNEL : FUNC;
  let inside = false;
  for (const raw of text.split("\n")) {
    const line = raw.replace(COMMENTS, "").trim();
    const name = begins.exec(line)?.[1];
    if (name !== undefined) inside = kernel === undefined ? lines.length === 0 : name === kernel;
    else if (FUNC.test(line)) inside = false;
    else if (inside) {
      const [, label, rest = line] = LABEL.exec(line) ?? [];
      if (label !== undefined && !rest.startsWith(".")) lines.push({ label, code: "" });
      if (/^[@a-z]/i.test(rest)) lines.push({ code: rest });
    }
  }
  return lines;
}

/** What the names of tables lead to. */
function tablesOf(text: string): ReadonlyMap<string, string> {
  const tables = new Map<string, string>();
  for (const raw of text.split("\n")) {
    const line = raw.replace(COMMENTS, "").trim();
    const [, name, targets] = TABLE.exec(line) ?? /^([.$\w]+):\s*\.branchtargets(.*)$/.exec(line) ?? [];
    if (name !== undefined && targets !== undefined) tables.set(name, targets);
  }
  return tables;
}

/** Whether control can continue after a jump: it has a guard, or a condition among its operands. */
const falling = ([, guard, , operands = ""]: RegExpExecArray): boolean =>
  (guard !== undefined && !guard.startsWith("@PT ")) || /^!?P\d/.test(operands.trim());

/** null: the text does not show it, as a listing without labels. */
export function shapeOf(text: string, kernel?: string): Shape | null {
  const lines = linesOf(text, kernel);
  const tables = tablesOf(text);
  const labels = new Map<string, number>();
  const jumps: { readonly from: number; readonly names: readonly string[] }[] = [];
  const edges = new Set<string>();
  let blocks = 0;
  let open = false;
  let falls = false;
  const begin = (): void => {
    if (falls) edges.add(`${blocks - 1} ${blocks}`);
    blocks++;
    open = true;
    falls = true;
  };
  for (const { label, code } of lines) {
    if (label !== undefined) {
      begin();
      labels.set(label, blocks - 1);
      continue;
    }
    const jump = JUMP.exec(code);
    // A jump after a conditional one is the other edge of the same block; an EXIT or RET is a separate block.
    const continues = falls && jump !== null && !falling(jump) && !ENDS.test(jump[2] ?? "");
    if (!open && !continues) begin();
    if (jump === null) continue;
    const names = jump[3]?.match(NAMES) ?? [];
    jumps.push({ from: blocks - 1, names: names.flatMap((name) => tables.get(name)?.match(NAMES) ?? [name]) });
    open = false;
    falls = falling(jump);
  }
  for (const { from, names } of jumps) {
    const targets = names.flatMap((name) => labels.get(name) ?? []);
    for (const to of targets) edges.add(`${from} ${to}`);
    if (targets.length === 0 && names.some((name) => name.startsWith("0x"))) return null;
  }
  const pairs = [...edges].map((edge) => edge.split(" ").map(Number) as [number, number]);
  return blocks === 0 ? null : { blocks, edges: pairs };
}
