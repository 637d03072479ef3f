/** The JSON that `export` prints. Others build on it: fields may be added, none may change or be removed. */

/** `export --json` */
export interface ExportJson {
  /** What is printed without `--json`. */
  readonly text: string;
  readonly phases: number;
  readonly steps: number;
  /** What was left out. */
  readonly notes: readonly string[];
}
