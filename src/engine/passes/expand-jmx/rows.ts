/** The rows of the structures that the phase shows. */

/** Rows of `jump-table-bytes` that are in the text; row `inst/<id>` is a LEA or BRX. */
export type CodeRow = { readonly address: number; readonly op: string; readonly block: string; readonly table: string };

/** Row `<table>`: a whole table; `inline`: after its BRX, not at the end of the text. */
export type TableRow = { readonly address: number; readonly entries: number; readonly bytes: number; readonly inline: boolean };

/** Row `<table>/<entry>`: one word. */
export type EntryRow = {
  readonly address: number;
  readonly offset: number;
  readonly bytes: string;
  readonly value: number;
  readonly target: string;
  readonly fill: "case" | "default";
};

/** Row `relocs`: the record that names the tables. */
export type RelocsRow = {
  readonly attribute: string;
  readonly code: number;
  readonly section: string;
  readonly offsets: readonly number[];
  readonly bytes: string;
};

/** Structure `jump-table-bytes`, a table. */
export type JumpTableRow = CodeRow | TableRow | EntryRow | RelocsRow;
