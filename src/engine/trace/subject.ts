/** Which steps touch a block, edge, instruction, register or structure node: by what the event is about, and by what it edited or wrote. */

import type { EditOp } from "../ir/edit-op.ts";
import { parseReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, usesOf } from "../ir/visit.ts";
import type { FocusVisitor } from "./tape.ts";
import { blocksOf, instsOf, type Trace } from "./trace.ts";

/** Something that can be followed, by name: the facade's `Subject` has this shape. */
export type TraceSubject =
  | { readonly kind: "block"; readonly id: number }
  | { readonly kind: "edge"; readonly from: number; readonly to: number }
  | { readonly kind: "inst"; readonly id: number }
  | { readonly kind: "reg"; readonly name: string }
  | { readonly kind: "node"; readonly name: string };

export type StepTest = (step: number) => boolean;

/** A test for 'this step touches the subject', cheap enough for every step of a long trace. */
export function touches(trace: Trace, subject: TraceSubject): StepTest {
  let hit = false;
  const found = (): void => {
    hit = true;
  };
  const matcher = matcherOf(trace, subject, found);
  const { tape, journal } = trace;
  return (step) => {
    hit = false;
    tape.visitFocus(step, matcher.visitor);
    if (hit) return true;
    const end = trace.position(step);
    for (let entry = trace.position(step - 1); entry < end; entry++) {
      const op = journal.editAt(entry);
      if (op === null ? matcher.cell(journal.cellOfWrite(journal.writeAt(entry))) : matcher.op(op)) return true;
    }
    return false;
  };
}

interface Matcher {
  readonly visitor: FocusVisitor;
  readonly op: (op: EditOp) => boolean;
  readonly cell: (cell: number) => boolean;
}

const never = (): boolean => false;

function matcherOf(trace: Trace, subject: TraceSubject, found: () => void): Matcher {
  switch (subject.kind) {
    case "block": {
      const { id } = subject;
      return {
        visitor: { block: (b) => b === id && found(), edge: (from, to) => (from === id || to === id) && found() },
        op: (op) => blocksOf(op).some((b) => b === id),
        cell: never,
      };
    }
    case "edge": {
      const { from, to } = subject;
      return {
        visitor: { edge: (a, b) => a === from && b === to && found() },
        op: (op) => op.op === "succs" && op.block === from && op.before.some((s) => s === to) !== op.after.some((s) => s === to),
        cell: never,
      };
    }
    case "inst": {
      const { id } = subject;
      return {
        visitor: { inst: (i) => i === id && found(), operand: (i) => i === id && found() },
        op: (op) => instsOf(op).includes(id),
        cell: never,
      };
    }
    case "reg": {
      const wanted = parseReg(subject.name);
      const names = (inst: Inst): boolean => defsOf(inst).some((r) => r === wanted) || usesOf(inst).some((r) => r === wanted);
      return {
        visitor: { reg: (r) => r === wanted && found() },
        op: (op) => {
          if (op.op === "insts") return op.removed.some(names) || op.inserted.some(names);
          return op.op === "move" && names(op.inst);
        },
        cell: never,
      };
    }
    case "node": {
      const name = trace.tape.names.find(subject.name);
      const cell = trace.journal.findCell(subject.name);
      return { visitor: { node: (n) => n === name && found() }, op: never, cell: (c) => c === cell };
    }
  }
}
