/** Structures that a pass shows while it runs, with typed rows: the page imports the row's type and draws by it. */

import type { CellValue, Recorder, StructureId, StructureType } from "../trace/recorder.ts";
import { NO_STRUCTURE } from "../trace/recorder.ts";

/** What a described structure takes to be watched: `name` is unique within the trace, `title` is for people. */
export interface Observe {
  readonly rec: Recorder;
  readonly name: string;
  readonly title: string;
  /** Line of the first events; move it with `Observation.at`. Default 1. */
  readonly line?: number;
}

/** A shown structure. Rows are plain data (declare them with `type`, not `interface`); without a listener every method returns immediately. */
export class ShownTable<Row extends CellValue> {
  private readonly rec: Recorder | null;
  private readonly name: string;
  private readonly id: StructureId;

  /** `rec` null: nothing is shown. */
  constructor(rec: Recorder | null, type: StructureType, name: string, title: string) {
    this.rec = rec;
    this.name = name;
    this.id = rec === null ? NO_STRUCTURE : rec.structure(type, name, title);
  }

  set(key: string | number, row: Row | (() => Row)): void {
    if (this.rec?.on === true) this.rec.cell(this.id, key, typeof row === "function" ? row() : row);
  }

  remove(key: string | number): void {
    this.rec?.cell(this.id, key, undefined);
  }

  /** How a remark refers to a row: `{ node: table.node(key) }`. */
  node(key: string | number): string {
    return this.rec === null ? "" : `${this.name}/${key}`;
  }
}

/** Makes shown structures. `name` is unique within the trace and is how the page chooses a drawing; `title` is for people. */
export class Shown {
  private readonly rec: Recorder | null;

  constructor(rec: Recorder | null) {
    this.rec = rec;
  }

  table<Row extends CellValue>(name: string, title: string): ShownTable<Row> {
    return new ShownTable<Row>(this.rec, "table", name, title);
  }

  matrix<Row extends CellValue>(name: string, title: string): ShownTable<Row> {
    return new ShownTable<Row>(this.rec, "matrix", name, title);
  }

  worklist<Row extends CellValue>(name: string, title: string): ShownTable<Row> {
    return new ShownTable<Row>(this.rec, "worklist", name, title);
  }

  ring<Row extends CellValue>(name: string, title: string): ShownTable<Row> {
    return new ShownTable<Row>(this.rec, "ring", name, title);
  }
}
