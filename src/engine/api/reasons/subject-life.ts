/** The life of a block, edge, instruction or register: the phases that changed it, a sentence each, with the reason. */

import { parseReg } from "../../ir/reg.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { defsOf, getBlock, usesOf } from "../../ir/visit.ts";
import type { PositionRun } from "../../pipeline/run.ts";
import { printInst } from "../../text/printer.ts";
import type { EventKind } from "../../trace/kinds.ts";
import { touches } from "../../trace/subject.ts";
import type { Trace } from "../../trace/trace.ts";
import type { Diagnostic, Subject } from "../types.ts";
import { reasonsAt } from "./reasons.ts";

export interface LifeStage {
  readonly run: number;
  readonly phase: string;
  readonly what: "created" | "changed" | "deleted";
  /** The sentence of the most informative step; null if the trace was cut before it, or steps were not requested. */
  readonly at: { readonly step: number; readonly kind: EventKind; readonly sentence: string; readonly because: string | null } | null;
  /** Number of its other changes in the phase. */
  readonly more: number;
}

export interface SubjectLife {
  /** It is in the program as the first phase got it. */
  readonly written: boolean;
  /** Phases that ran. */
  readonly ran: number;
  /** Those that changed it, in their order. */
  readonly stages: readonly LifeStage[];
}

type Run = PositionRun<Diagnostic>;

/** null: a row of a table has no life of this kind. */
export function subjectLife(runs: readonly Run[], traceOf: (run: Run) => Trace | null, subject: Subject): SubjectLife | null {
  if (subject.kind === "node") return null;
  const [first] = runs;
  const stages = runs.flatMap((run): LifeStage[] => {
    if (!run.changed) return [];
    const [before, after] = [pictureOf(run.before, subject), pictureOf(run.after, subject)];
    if (before === after) return [];
    const what = before === null ? "created" : after === null ? "deleted" : "changed";
    return [{ run: run.run, phase: run.planned.id, what, ...told(run, traceOf(run), subject, what === "deleted") }];
  });
  return {
    written: first !== undefined && pictureOf(first.before, subject) !== null,
    ran: runs.filter((run) => run.ran).length,
    stages,
  };
}

/** Everything about a subject that a phase may change, as text; null: it is not in the function. */
function pictureOf(fn: Func, subject: Exclude<Subject, { kind: "node" }>): string | null {
  switch (subject.kind) {
    case "block": {
      const block = fn.blocks[subject.id];
      if (block === undefined || !fn.layout.includes(block.id)) return null;
      return [...block.insts.map((inst) => printInst(fn, inst)), `→ ${block.succs.join(" ")}`].join("\n");
    }
    case "edge": {
      const block = fn.blocks[subject.from];
      if (block === undefined || !fn.layout.includes(block.id)) return null;
      return block.succs.some((to) => to === subject.to) ? "" : null;
    }
    case "inst":
      return textOf(fn, (inst) => inst.id === subject.id);
    case "reg": {
      const reg = parseReg(subject.name);
      return reg === null ? null : textOf(fn, (inst) => defsOf(inst).includes(reg) || usesOf(inst).includes(reg));
    }
  }
}

function textOf(fn: Func, wanted: (inst: Inst) => boolean): string | null {
  const found = fn.layout.flatMap((id) =>
    getBlock(fn, id)
      .insts.filter(wanted)
      .map((inst) => `${inst.id} ${id} ${printInst(fn, inst)}`),
  );
  return found.length === 0 ? null : found.join("\n");
}

const CODE: ReadonlySet<string> = new Set(["insts", "move", "succs", "block-add", "block-remove"]);

/** The rewrite that is about the subject, else the first change of it (the last one where that deletes it); and how many more changes there are. */
function told(run: Run, trace: Trace | null, subject: Subject, deleted: boolean): Pick<LifeStage, "at" | "more"> {
  if (trace === null) return { at: null, more: 0 };
  const test = touches(trace, subject);
  const wanted = (step: number): boolean => CODE.has(trace.editOf(step)?.op ?? "");
  let rewrite: number | null = null;
  let change: number | null = null;
  let changes = 0;
  for (let step = 0; step < trace.steps; step++) {
    const edits = wanted(step);
    if ((!edits && (rewrite !== null || trace.tape.kindOf(step) !== "rewrite")) || !test(step)) continue;
    if (!edits) rewrite = step;
    else if (changes++ === 0 || deleted) change = step;
  }
  const step = deleted ? change : (rewrite ?? change);
  if (step === null) return { at: null, more: 0 };
  const { kind, sentence } = trace.event(step);
  const [reason] = reasonsAt(trace, run.pass?.rules ?? null, change ?? step);
  const because = reason === undefined || reason.sentence === sentence ? null : reason.sentence;
  return { at: { step, kind, sentence, because }, more: Math.max(0, changes - 1) };
}
