/** Which line of the CUDA source a line of PTX came from, by `.loc` and `.file`. */

export interface SourcePosition {
  readonly file: string;
  readonly line: number;
}

/** Answers by PTX line: the last `.loc` at or before it within the same function. */
export interface LineMap {
  readonly files: readonly string[];
  /** Position of a PTX line, null when no `.loc` covers it. Logarithmic. */
  find(ptxLine: number): SourcePosition | null;
  /** Number of `.loc` marks. */
  readonly marks: number;
}

/** Collects `.file` and `.loc` while the text is parsed. */
export class LocTable {
  private readonly names = new Map<number, string>();
  private readonly rows: number[] = [];

  addFile(index: number, name: string): void {
    this.names.set(index, name);
  }

  /** From `ptxLine` on, code is from line `line` of file `file`; line 0 ends the reach of what came before. */
  addLoc(ptxLine: number, file: number, line: number): void {
    this.rows.push(ptxLine, file, line);
  }

  finish(): LineMap {
    const { rows, names } = this;
    const files = [...names.values()];
    const find = (ptxLine: number): SourcePosition | null => {
      let low = 0;
      let high = rows.length / 3;
      while (low < high) {
        const mid = (low + high) >> 1;
        if ((rows[mid * 3] ?? 0) <= ptxLine) low = mid + 1;
        else high = mid;
      }
      if (low === 0) return null;
      const file = names.get(rows[low * 3 - 2] ?? -1);
      const line = rows[low * 3 - 1] ?? 0;
      return line === 0 ? null : { file: file ?? `file ${rows[low * 3 - 2]}`, line };
    };
    return { files, find, marks: rows.length / 3 };
  }
}
