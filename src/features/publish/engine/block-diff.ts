/** What a step did to the text of blocks: lines removed and added, by block, with a little around them. */

import type { TraceBlock, TraceState } from "./trace-document.ts";

export interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

export interface BlockDiff {
  readonly label: string;
  readonly what: "new" | "removed" | "changed";
  readonly lines: readonly DiffLine[];
}

/** Unchanged lines kept on each side of a change. */
const AROUND = 2;
/** Longer blocks are compared by their ends alone. */
const MOST_LINES = 1500;

/** The blocks whose text differs between two states, in layout order; removed ones first. */
export function blockDiffs(before: TraceState, after: TraceState): readonly BlockDiff[] {
  const found: BlockDiff[] = [];
  for (const id of before.layout) {
    const old = before.blocks.get(id);
    if (old !== undefined && !after.blocks.has(id)) {
      found.push({ label: old.label, what: "removed", lines: blockLines(old, before).map((text) => ({ mark: "-", text })) });
    }
  }
  for (const id of after.layout) {
    const now = after.blocks.get(id);
    const old = before.blocks.get(id);
    if (now === undefined || now === old) continue;
    if (old === undefined) {
      found.push({ label: now.label, what: "new", lines: blockLines(now, after).map((text) => ({ mark: "+", text })) });
      continue;
    }
    const lines = diffLines(blockLines(old, before), blockLines(now, after));
    if (lines.some((line) => line.mark !== " ")) found.push({ label: now.label, what: "changed", lines: near(lines) });
  }
  return found;
}

/** Instructions, followed by a line that names the successors. */
export function blockLines(block: TraceBlock, state: TraceState): string[] {
  const succs = block.succs.map((id, i) => {
    const kind = block.kinds[i] ?? "jump";
    return `${state.blocks.get(id)?.label ?? `#${id}`}${kind === "jump" ? "" : ` (${kind})`}`;
  });
  return [...block.insts.map((inst) => inst.text), `→ ${succs.length === 0 ? "nothing" : succs.join(", ")}`];
}

/** A shortest difference of two lists of lines. */
export function diffLines(a: readonly string[], b: readonly string[]): DiffLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const mark = (sign: DiffLine["mark"]) => (text: string) => ({ mark: sign, text });
  const middleA = a.slice(head, a.length - tail);
  const middleB = b.slice(head, b.length - tail);
  const whole = middleA.length > MOST_LINES || middleB.length > MOST_LINES;
  return [
    ...a.slice(0, head).map(mark(" ")),
    ...(whole ? [...middleA.map(mark("-")), ...middleB.map(mark("+"))] : longestCommon(middleA, middleB)),
    ...a.slice(a.length - tail).map(mark(" ")),
  ];
}

function longestCommon(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const down = length[(i + 1) * width + j] ?? 0;
      const right = length[i * width + j + 1] ?? 0;
      length[i * width + j] = a[i] === b[j] ? (length[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: " ", text: a[i] ?? "" });
      i++;
      j++;
    } else if (j >= b.length || (i < a.length && (length[(i + 1) * width + j] ?? 0) >= (length[i * width + j + 1] ?? 0))) {
      lines.push({ mark: "-", text: a[i] ?? "" });
      i++;
    } else {
      lines.push({ mark: "+", text: b[j] ?? "" });
      j++;
    }
  }
  return lines;
}

/** The changed lines with a little around them; what is left out between shows as one line. */
function near(lines: readonly DiffLine[]): readonly DiffLine[] {
  const keep = new Uint8Array(lines.length);
  lines.forEach((line, i) => {
    if (line.mark !== " ") keep.fill(1, Math.max(0, i - AROUND), i + AROUND + 1);
  });
  return lines.flatMap((line, i): DiffLine[] => {
    if (keep[i] === 1) return [line];
    return i > 0 && keep[i - 1] === 0 ? [] : [{ mark: " ", text: "…" }];
  });
}
