/** How a data structure shows its cells and steps to a recorder; costs one boolean test when nothing is recorded. */

import { type About, focusOf } from "../remark/holes.ts";
import { type Line, lineOf } from "../remark/rules.ts";
import type { Observe } from "../remark/shown.ts";
import type { Facts, Focus } from "../trace/event.ts";
import type { EventKind } from "../trace/kinds.ts";
import type { CellValue, Recorder, StructureId, StructureType } from "../trace/recorder.ts";
import { NO_RECORDER, NO_STRUCTURE } from "../trace/recorder.ts";

/**
 * A structure's end of the recorder. Every structure has one as `obs`.
 * A pass says where it is with `obs.at(line, focus)`; all events of the structure carry that line and focus until the next call.
 * Guard every call that builds an object by `obs.on`.
 */
export class Observation {
  readonly on: boolean;
  readonly rec: Recorder;
  readonly name: string;
  private readonly id: StructureId;
  private line: number;
  private focus: Focus = {};

  constructor(type: StructureType, observe: Observe | undefined) {
    this.on = observe?.rec.on ?? false;
    this.rec = observe?.rec ?? NO_RECORDER;
    this.name = observe?.name ?? "";
    this.line = observe?.line ?? 1;
    this.id = observe !== undefined && this.on ? this.rec.structure(type, observe.name, observe.title) : NO_STRUCTURE;
  }

  /** Sets the line, and what the pass is working on, for the events to come. */
  at(line: Line, about: About = {}): void {
    if (!this.on) return;
    this.line = lineOf(line);
    this.focus = focusOf(about);
  }

  /** Mirrors one cell; `undefined` removes it. */
  cell(key: string, value: CellValue | undefined): void {
    this.rec.cell(this.id, key, value);
  }

  /** Emits one event; `cells` are the keys of this structure's cells that it is about. */
  emit(kind: EventKind, template: string, facts: Facts, cells: readonly string[]): void {
    const prefix = this.name;
    this.rec.event(kind, this.line, template, facts, { ...this.focus, nodes: cells.map((c) => `${prefix}/${c}`) });
  }
}
