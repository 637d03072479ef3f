/** A lab cut into sections: the text up to a task, with that task; what follows the last task is a last section. */

import type { DeskPart } from "../engine/desk.ts";

export interface Section {
  readonly parts: readonly DeskPart[];
  /** null: text alone. */
  readonly task: string | null;
}

export function sectionsOf(parts: readonly DeskPart[]): readonly Section[] {
  const sections: Section[] = [];
  let open: DeskPart[] = [];
  for (const part of parts) {
    open.push(part);
    if (part.kind !== "task") continue;
    sections.push({ parts: open, task: part.id });
    open = [];
  }
  return open.length === 0 ? sections : [...sections, { parts: open, task: null }];
}
