/** A message about a place in a text; what every reader, checker and importer reports. */

/** A located message. `line` and `column` are 1-based; `length` in characters (0: a point). */
export interface Diagnostic {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly severity: "error" | "warning" | "info";
  /** Stable code: `ORI012`, `PTX003`, `VER007`, … . */
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | null;
}
