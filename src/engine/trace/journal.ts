/** The journal of a trace: every edit and every cell write in order, with what is needed to take each of them back. */

import type { EditOp } from "../ir/edit-op.ts";
import { int32Column } from "./column.ts";
import type { CellValue, StructureType } from "./recorder.ts";

export interface StructureInfo {
  readonly name: string;
  readonly type: StructureType;
  readonly title: string;
}

/**
 * Entries are numbered from 0. A *position* is a number of entries: the state at position p is the input with the first p entries applied.
 * Cells are numbered over all structures in the order of their first write.
 */
export class Journal {
  readonly structures: StructureInfo[] = [];
  /** Edit operation, or (negative) the complement of a write's number. */
  private readonly entries = int32Column();
  private readonly ops: EditOp[] = [];
  private readonly writeCell = int32Column();
  /** The write of the same cell before this one; -1: the cell did not exist. */
  private readonly writeBefore = int32Column();
  private readonly writeValue: (CellValue | undefined)[] = [];
  private readonly cellStructure = int32Column();
  private readonly cellKeys: string[] = [];
  /** Last write of each cell, -1 after its removal never occurs: a removal is a write of `undefined`. */
  private readonly lastWrite = int32Column();
  private readonly cellIds: Map<string, number>[] = [];
  private readonly usedNames = new Set<string>();

  get length(): number {
    return this.entries.length;
  }

  get cells(): number {
    return this.cellKeys.length;
  }

  addStructure(type: StructureType, name: string, title: string): number {
    let unique = name;
    for (let n = 2; this.usedNames.has(unique); n++) unique = `${name} ${n}`;
    this.usedNames.add(unique);
    this.cellIds.push(new Map());
    return this.structures.push({ name: unique, type, title }) - 1;
  }

  addEdit(op: EditOp): number {
    return this.entries.push(this.ops.push(op) - 1);
  }

  addWrite(structure: number, key: string, value: CellValue | undefined): void {
    const ids = this.cellIds[structure];
    if (ids === undefined) return;
    let cell = ids.get(key);
    if (cell === undefined) {
      if (value === undefined) return;
      cell = this.cellKeys.push(key) - 1;
      ids.set(key, cell);
      this.cellStructure.push(structure);
      this.lastWrite.push(-1);
    }
    const write = this.writeValue.push(value) - 1;
    this.writeCell.push(cell);
    this.writeBefore.push(this.lastWrite.get(cell));
    this.lastWrite.set(cell, write);
    this.entries.push(~write);
  }

  /** The edit at an entry; null when it is a write. */
  editAt(entry: number): EditOp | null {
    const code = this.entries.get(entry);
    return code < 0 ? null : (this.ops[code] ?? null);
  }

  /** The write at an entry; -1 when it is an edit. */
  writeAt(entry: number): number {
    const code = this.entries.get(entry);
    return code < 0 ? ~code : -1;
  }

  cellOfWrite(write: number): number {
    return this.writeCell.get(write);
  }

  beforeWrite(write: number): number {
    return this.writeBefore.get(write);
  }

  /** The value a write left; -1: a cell that was not written yet. */
  valueOf(write: number): CellValue | undefined {
    return write < 0 ? undefined : this.writeValue[write];
  }

  structureOfCell(cell: number): number {
    return this.cellStructure.get(cell);
  }

  keyOfCell(cell: number): string {
    return this.cellKeys[cell] ?? "";
  }

  /** The cells that a structure ever has, by their keys. */
  cellsOf(structure: number): ReadonlyMap<string, number> {
    return this.cellIds[structure] ?? new Map();
  }

  /** The number of a cell by `structure/key`; -1 when it was never written. */
  findCell(name: string): number {
    // A structure's name may itself contain a slash.
    for (let slash = name.indexOf("/"); slash >= 0; slash = name.indexOf("/", slash + 1)) {
      const structure = this.structures.findIndex((s) => s.name === name.slice(0, slash));
      const cell = structure < 0 ? undefined : this.cellIds[structure]?.get(name.slice(slash + 1));
      if (cell !== undefined) return cell;
    }
    return -1;
  }

  trim(): void {
    for (const column of [this.entries, this.writeCell, this.writeBefore, this.cellStructure, this.lastWrite]) column.trim();
  }
}
