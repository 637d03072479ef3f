/** A position in a journal with the state there; moves both ways, from the nearest key frame or from where it is. */

import { applyOp, cloneToStore, type FuncStore } from "../ir/edit-op.ts";
import type { Func } from "../ir/types.ts";
import type { Journal } from "./journal.ts";
import type { CellValue } from "./recorder.ts";

/** Entries between key frames: a seek applies at most half of them. */
const FRAME_DISTANCE = 16_384;

interface Frame {
  readonly position: number;
  readonly func: Func;
  /** Last write by cell; shorter than the number of cells when later ones did not exist. */
  readonly cells: Int32Array;
}

export class Cursor {
  private readonly journal: Journal;
  private readonly frames: Frame[];
  private readonly distance: number;
  private store: FuncStore;
  private current: Int32Array;
  private at = 0;

  constructor(journal: Journal, input: Func, distance = FRAME_DISTANCE) {
    this.journal = journal;
    this.distance = distance;
    this.current = new Int32Array(journal.cells).fill(-1);
    this.store = cloneToStore(input);
    this.frames = [{ position: 0, func: input, cells: new Int32Array(0) }];
  }

  get position(): number {
    return this.at;
  }

  /** The function at this position. Valid until the next move: take `snapshot` to keep it. */
  get func(): Func {
    return this.store.func;
  }

  /** The function at this position, to keep: shares what later moves do not touch. */
  snapshot(): Func {
    const kept = this.store.func;
    this.store = cloneToStore(kept);
    return kept;
  }

  cell(cell: number): CellValue | undefined {
    return this.journal.valueOf(this.current[cell] ?? -1);
  }

  /** Walks the whole journal once and keeps a frame at intervals. Call once, when nothing more is recorded. */
  buildFrames(): void {
    for (let next = this.distance; next < this.journal.length; next += this.distance) {
      this.step(next);
      this.frames.push({ position: next, func: this.snapshot(), cells: this.current.slice() });
    }
    this.step(this.journal.length);
  }

  /** Moves to a position (0 … journal length). */
  seek(position: number): void {
    const nearest = this.nearestFrame(position);
    if (nearest !== undefined && Math.abs(nearest.position - position) < Math.abs(this.at - position)) {
      this.store = cloneToStore(nearest.func);
      this.current.fill(-1);
      this.current.set(nearest.cells);
      this.at = nearest.position;
    }
    this.step(position);
  }

  private nearestFrame(position: number): Frame | undefined {
    const below = this.frames[Math.min(Math.floor(position / this.distance), this.frames.length - 1)];
    const above = this.frames[Math.ceil(position / this.distance)];
    if (below === undefined || above === undefined) return below;
    return above.position - position < position - below.position ? above : below;
  }

  private step(position: number): void {
    const { journal, current } = this;
    while (this.at < position) this.applyEntry(journal, current, this.at++, false);
    while (this.at > position) this.applyEntry(journal, current, --this.at, true);
  }

  private applyEntry(journal: Journal, current: Int32Array, entry: number, inverse: boolean): void {
    const op = journal.editAt(entry);
    if (op !== null) {
      applyOp(this.store, op, inverse);
      return;
    }
    const write = journal.writeAt(entry);
    current[journal.cellOfWrite(write)] = inverse ? journal.beforeWrite(write) : write;
  }
}
