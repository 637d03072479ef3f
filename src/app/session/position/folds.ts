/** The lines of an algorithm: their text, and which are folded. */

/** Lines (1-based) hidden by folds: everything indented deeper than a folded line, up to the next that is not. */
export function foldedLines(pseudocode: readonly string[], folds: readonly number[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const fold of folds) {
    const own = indentOf(pseudocode[fold - 1] ?? "");
    for (let line = fold + 1; line <= pseudocode.length && indentOf(pseudocode[line - 1] ?? "") > own; line++) hidden.add(line);
  }
  return hidden;
}

/** Lines (1-based) with no step, neither at the line nor below it: the part of the algorithm that this run does not use. */
export function unusedLines(pseudocode: readonly string[], steps: ArrayLike<number>): ReadonlySet<number> {
  const used = new Uint8Array(pseudocode.length + 1);
  const parent = new Uint16Array(pseudocode.length + 1);
  const around: number[] = [];
  for (let line = 1; line <= pseudocode.length; line++) {
    const own = indentOf(pseudocode[line - 1] ?? "");
    while (around.length > 0 && indentOf(pseudocode[(around.at(-1) ?? 0) - 1] ?? "") >= own) around.pop();
    parent[line] = around.at(-1) ?? 0;
    around.push(line);
  }
  for (let line = pseudocode.length; line > 0; line--) {
    if ((steps[line] ?? 0) > 0) used[line] = 1;
    if (used[line] === 1) used[parent[line] ?? 0] = 1;
  }
  return new Set(pseudocode.flatMap((_, i) => (used[i + 1] === 1 ? [] : [i + 1])));
}

/** What the user folded (true) and unfolded, by line. */
export type FoldChoices = Readonly<Record<number, boolean>>;

/** The folded lines: those that the user folded, and those of `others` that the user did not unfold. */
export function foldsOf(choices: FoldChoices, others: Iterable<number> = []): readonly number[] {
  const chosen = Object.keys(choices).map(Number);
  return [...chosen.filter((line) => choices[line]), ...[...others].filter((line) => choices[line] === undefined)];
}

/** A line with others nested below it. */
export function opensAt(pseudocode: readonly string[], line: number): boolean {
  return line < pseudocode.length && indentOf(pseudocode[line] ?? "") > indentOf(pseudocode[line - 1] ?? "");
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The text of a line of a built-in pass, and after `//` the names in the reference: addresses, offsets, opcodes, marks. */
export function readLine(line: string): { readonly text: string; readonly binary: string | null } {
  const at = line.indexOf(" // ");
  return at < 0 ? { text: line, binary: null } : { text: line.slice(0, at), binary: line.slice(at + 4) };
}
