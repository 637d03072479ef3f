/** What the editor itself knows about Ori text, line by line: labels, registers, kernels. Forgiving: half-typed text is the normal case. */

export interface WordAt {
  readonly word: string;
  /** 0-based, `end` excluded. */
  readonly start: number;
  readonly end: number;
}

export interface Occurrence {
  /** 1-based. */
  readonly line: number;
  /** 1-based, `endColumn` excluded. */
  readonly column: number;
  readonly endColumn: number;
  readonly definition: boolean;
}

const WORD = /[A-Za-z_$.][A-Za-z0-9_$.]*/g;
export const REGISTER: RegExp = /^(?:R|RD|P|UR|UP|B)\d+$/;
const LABEL_LINE = /^\s*([A-Za-z_$.][A-Za-z0-9_$.]*)\s*:/;

/** The text of a line without its comment. */
export function codeOf(line: string): string {
  const at = line.indexOf("//");
  return at < 0 ? line : line.slice(0, at);
}

/** The word at a 1-based column, with its dots. */
export function wordAt(line: string, column: number): WordAt | null {
  for (const match of codeOf(line).matchAll(WORD)) {
    const start = match.index;
    const end = start + match[0].length;
    if (start < column && column <= end + 1) return { word: match[0], start, end };
  }
  return null;
}

/** 1-based first and last line of the kernel around a line. */
export function kernelRange(lines: readonly string[], line: number): readonly [number, number] {
  const starts = (text: string | undefined) => text !== undefined && /^\s*\.(kernel|func)\b/.test(text);
  let first = line;
  while (first > 1 && !starts(lines[first - 1])) first--;
  let last = line;
  while (last < lines.length && !starts(lines[last])) last++;
  return [first, last];
}

/** The label that a line begins with. */
export function labelOf(line: string): string | null {
  const match = LABEL_LINE.exec(codeOf(line));
  return match?.[1] ?? null;
}

/** The line of a label within a kernel; null if there is none. */
export function findLabel(lines: readonly string[], [first, last]: readonly [number, number], label: string): number | null {
  for (let line = first; line <= last; line++) if (labelOf(lines[line - 1] ?? "") === label) return line;
  return null;
}

/** Mnemonic of a line and the column (0-based) after it; null when there is none. */
export function mnemonicOf(
  line: string,
): { readonly op: string; readonly full: string; readonly start: number; readonly end: number } | null {
  const match = /^(\s*(?:[A-Za-z_$.][\w$.]*\s*:\s*)?(?:@!?U?P[\dT]+\s+)?)([A-Z][A-Z0-9]*(?:\.[A-Za-z0-9]+)*)(?![\w.$]|\s*:)/.exec(
    codeOf(line),
  );
  if (match === null) return null;
  const start = (match[1] ?? "").length;
  const full = match[2] ?? "";
  return { op: full.split(".")[0] ?? "", full, start, end: start + full.length };
}

/** How many of an instruction's first operands are definitions, by the opcode's shape (`d:R s:R`). */
export function definitionCount(shape: string): number {
  let count = 0;
  for (const token of shape.split(" ")) {
    if (!token.startsWith("d:")) break;
    count++;
  }
  return count;
}

/** Every occurrence of a register within a kernel. `shapeOf` gives an opcode's shape, null when unknown. */
export function occurrences(
  lines: readonly string[],
  [first, last]: readonly [number, number],
  register: string,
  shapeOf: (op: string) => string | null,
): readonly Occurrence[] {
  const found: Occurrence[] = [];
  for (let line = first; line <= last; line++) {
    const code = codeOf(lines[line - 1] ?? "");
    const mnemonic = mnemonicOf(code);
    const definitions = mnemonic === null ? 0 : definitionCount(shapeOf(mnemonic.op) ?? "");
    for (const match of code.matchAll(WORD)) {
      if (match[0] !== register) continue;
      const before = mnemonic === null ? "" : code.slice(mnemonic.end, match.index);
      const definition =
        mnemonic === null ? /^\s*\.(kernel|func)\b/.test(code) : match.index >= mnemonic.end && before.split(",").length <= definitions;
      found.push({ line, column: match.index + 1, endColumn: match.index + 1 + register.length, definition });
    }
  }
  return found;
}

/** Foldable ranges (1-based lines, both included): kernels, and blocks within them. */
export function foldRanges(lines: readonly string[]): readonly (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  let kernel = 0;
  let block = 0;
  const close = (start: number, end: number) => {
    let last = end;
    while (last > start && (lines[last - 1] ?? "").trim() === "") last--;
    if (start > 0 && last > start) ranges.push([start, last]);
  };
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    if (/^\s*\.(kernel|func)\b/.test(text)) {
      close(block, line - 1);
      close(kernel, line - 1);
      kernel = line;
      block = 0;
    } else if (labelOf(text) !== null) {
      close(block, line - 1);
      block = line;
    }
  }
  close(block, lines.length);
  close(kernel, lines.length);
  return ranges;
}

/** Labels and registers of a kernel, for completion. */
export function namesIn(
  lines: readonly string[],
  [first, last]: readonly [number, number],
): { readonly labels: readonly string[]; readonly registers: readonly string[]; readonly specials: readonly string[] } {
  const labels = new Set<string>();
  const registers = new Set<string>();
  const specials = new Set<string>([
    "SR_TID.X",
    "SR_TID.Y",
    "SR_TID.Z",
    "SR_NTID.X",
    "SR_CTAID.X",
    "SR_NCTAID.X",
    "SR_LANEID",
    "SR_WARPID",
  ]);
  for (let line = first; line <= last; line++) {
    const text = lines[line - 1] ?? "";
    const label = labelOf(text);
    if (label !== null) labels.add(label);
    for (const [word] of codeOf(text).matchAll(WORD)) {
      if (REGISTER.test(word)) registers.add(word);
      else if (word.startsWith("SR_")) specials.add(word);
    }
  }
  return { labels: [...labels], registers: [...registers], specials: [...specials] };
}
