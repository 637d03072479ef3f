/** The lines of an algorithm: what they say, and which are folded away. */

/** Lines (1-based) hidden by folds: everything indented deeper than a folded line, up to the next that is not. */
export function foldedLines(pseudocode: readonly string[], folds: readonly number[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  for (const fold of folds) {
    const own = indentOf(pseudocode[fold - 1] ?? "");
    for (let line = fold + 1; line <= pseudocode.length && indentOf(pseudocode[line - 1] ?? "") > own; line++) hidden.add(line);
  }
  return hidden;
}

/** Lines (1-based) that no step is at, nor at a line below them: what this run does not use of the algorithm. */
export function unusedLines(pseudocode: readonly string[], steps: ArrayLike<number>): ReadonlySet<number> {
  const unused = new Set<number>();
  for (let line = pseudocode.length; line > 0; line--) {
    const below = foldedLines(pseudocode, [line]);
    if ((steps[line] ?? 0) === 0 && [...below].every((each) => unused.has(each))) unused.add(line);
  }
  return unused;
}

/** A line that others are below. */
export function opensAt(pseudocode: readonly string[], line: number): boolean {
  return line < pseudocode.length && indentOf(pseudocode[line] ?? "") > indentOf(pseudocode[line - 1] ?? "");
}

export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** What a line says, and after `//` what the binary has there: addresses, offsets, opcodes. */
export function readLine(line: string): { readonly text: string; readonly binary: string | null } {
  const [text = "", binary = null] = line.split(" // ");
  return { text, binary };
}
