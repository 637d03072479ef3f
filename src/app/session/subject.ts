/** Subjects (what can be selected): comparing them, naming them, finding them in an event's focus. */

import type { Subject } from "../../engine/api/types.ts";
import type { Focus } from "../../engine/trace/event.ts";
import type { MomentState } from "./moment.ts";

export function subjectKey(subject: Subject): string {
  switch (subject.kind) {
    case "block":
      return `block:${subject.id}`;
    case "edge":
      return `edge:${subject.from}>${subject.to}`;
    case "inst":
      return `inst:${subject.id}`;
    case "reg":
      return `reg:${subject.name}`;
    case "node":
      return `node:${subject.name}`;
  }
}

export function sameSubject(a: Subject | null, b: Subject | null): boolean {
  return a === b || (a !== null && b !== null && subjectKey(a) === subjectKey(b));
}

/** The subject's name for people. Blocks and instructions that no longer exist are named by number. */
export function subjectTitle(subject: Subject, moment: MomentState | null): string {
  const label = (id: number): string => moment?.blocks.get(id)?.label ?? `block #${id}`;
  switch (subject.kind) {
    case "block":
      return label(subject.id);
    case "edge":
      return `${label(subject.from)} → ${label(subject.to)}`;
    case "inst": {
      for (const block of moment?.blocks.values() ?? []) {
        const inst = block.insts.find((i) => i.id === subject.id);
        if (inst !== undefined) return inst.text;
      }
      return `instruction #${subject.id}`;
    }
    case "reg":
      return subject.name;
    case "node":
      return subject.name;
  }
}

/** What an event is about, most specific first: the subject to select when the user follows the event. */
export function subjectsOfFocus(focus: Focus): readonly Subject[] {
  const subjects: Subject[] = [];
  for (const id of focus.insts ?? []) subjects.push({ kind: "inst", id });
  for (const [id] of focus.operands ?? []) subjects.push({ kind: "inst", id });
  for (const [from, to] of focus.edges ?? []) subjects.push({ kind: "edge", from, to });
  for (const id of focus.blocks ?? []) subjects.push({ kind: "block", id });
  for (const name of focus.nodes ?? []) subjects.push({ kind: "node", name });
  return subjects;
}
