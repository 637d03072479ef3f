/** A recorder for tests: keeps every event and a journal of cell writes, and can undo them. */

import { type Facts, type Focus, formatSentence } from "../../trace/event.ts";
import type { EventKind } from "../../trace/kinds.ts";
import type { CellValue, Recorder, StructureId, StructureType } from "../../trace/recorder.ts";

export interface SeenEvent {
  readonly kind: EventKind;
  readonly line: number;
  readonly sentence: string;
  readonly facts: Facts;
  readonly focus: Focus;
  /** Cell writes made before this event. */
  readonly position: number;
}

interface Write {
  readonly structure: number;
  readonly key: string;
  readonly before: CellValue | undefined;
}

export class MirrorRecorder implements Recorder {
  readonly on = true;
  readonly events: SeenEvent[] = [];
  readonly names: string[] = [];
  readonly types: StructureType[] = [];
  private readonly journal: Write[] = [];
  private readonly cells: Map<string, CellValue>[] = [];

  event(kind: EventKind, line: number, template: string, facts: Facts = {}, focus: Focus = {}): void {
    const sentence = formatSentence(template, facts);
    this.events.push({ kind, line, sentence, facts, focus, position: this.journal.length });
  }

  begin(kind: EventKind, line: number, template: string, facts?: Facts, focus?: Focus): void {
    this.event(kind, line, template, facts, focus);
  }

  end(): void {}
  at(): void {}
  edit(): void {}

  beginRewrite(): void {}

  endRewrite(): void {}

  structure(type: StructureType, name: string): StructureId {
    this.names.push(name);
    this.types.push(type);
    return (this.cells.push(new Map()) - 1) as StructureId;
  }

  cell(structure: StructureId, key: string | number, value: CellValue | undefined): void {
    const map = this.cells[structure]!;
    this.journal.push({ structure, key: String(key), before: map.get(String(key)) });
    if (value === undefined) map.delete(String(key));
    else map.set(String(key), value);
  }

  get position(): number {
    return this.journal.length;
  }

  /** The mirrored cells of the first structure, as plain data with sorted keys. */
  state(structure = 0): Record<string, CellValue> {
    return sorted(this.cells[structure]!);
  }

  /** Takes back cell writes until `position` are left. */
  undoTo(position: number): void {
    while (this.journal.length > position) {
      const write = this.journal.pop()!;
      if (write.before === undefined) this.cells[write.structure]!.delete(write.key);
      else this.cells[write.structure]!.set(write.key, write.before);
    }
  }

  /** The `op` facts of the events from `from` on. */
  ops(from = 0): string[] {
    return this.events.slice(from).map((e) => String(e.facts.op));
  }
}

export function sorted(cells: Iterable<readonly [string, CellValue]>): Record<string, CellValue> {
  return Object.fromEntries([...cells].sort(([a], [b]) => (a < b ? -1 : 1)));
}
