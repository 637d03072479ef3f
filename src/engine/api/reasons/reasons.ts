/** Why a rewrite was made: its conditions in words, and the evidence in the program. */

import type { BlockId } from "../../ir/ids.ts";
import type { LineSpec, RuleTable } from "../../remark/rules.ts";
import { formatSentence } from "../../trace/event.ts";
import type { Trace } from "../../trace/trace.ts";
import { decisionAt } from "./decision.ts";
import { type Reason, whyDead, whySame, whyUnnamed, whyUnreached } from "./evidence.ts";

/** Limit on the steps searched forwards for the deletion that a change prepares. */
const AHEAD = 40;
/** Steps between a candidate and its rewrite. */
const NEAR = 8;

/** The reasons of the rewrite that a step makes or belongs to, the nearest first; empty where it rewrites nothing. */
export function reasonsAt(trace: Trace, table: RuleTable | null, step: number): readonly Reason[] {
  const decision = decisionAt(trace, step);
  if (decision === null) return [];
  const { said, edits } = decision;
  const [found] = said;
  const reasons: Reason[] = trace.editOf(step) === null ? [] : ofEdit(trace, step);
  for (const s of said) {
    const sentence = table === null ? null : becauseOf(trace, table, s);
    if (sentence !== null) reasons.push({ sentence, step: s === step ? null : s });
  }
  reasons.push(...ofLeader(trace, said, edits));
  // A budget check may come between the candidate and its rewrite.
  const candidate = reasons.length === 0 && found !== undefined ? candidateBefore(trace, found) : null;
  if (candidate !== null) reasons.push({ sentence: sentenceAt(trace, candidate), step: candidate });
  // A rewrite that only deletes: what makes its objects useless is the reason.
  if (reasons.length === 0) for (const s of edits.length > 0 ? edits : later(trace, said)) reasons.push(...ofEdit(trace, s));
  if (found !== undefined && found !== step && (reasons.length === 0 || said.length > 1))
    reasons.push({ sentence: sentenceAt(trace, found), step: found });
  if (reasons.length === 0 && found !== undefined) reasons.push({ sentence: sentenceAt(trace, found), step: null });
  return distinct(reasons);
}

/** The candidate that a rewrite was announced as. */
function candidateBefore(trace: Trace, rewrite: number): number | null {
  const { tape } = trace;
  if (tape.kindOf(rewrite) !== "rewrite") return null;
  for (let s = rewrite - 1; s >= 0 && s > rewrite - NEAR; s--) {
    if (tape.parents.get(s) !== tape.parents.get(rewrite) || trace.editOf(s) !== null) continue;
    if (tape.kindOf(s) === "match") return trace.fact(s, "verdict") === "yes" ? s : null;
  }
  return null;
}

const sentenceAt = (trace: Trace, step: number): string => trace.event(step).sentence;

/** What the rule's table gives as the reason of its sentence. */
function becauseOf(trace: Trace, table: RuleTable, step: number): string | null {
  const template = trace.tape.template(step);
  const line = trace.tape.lines.get(step);
  for (const rule of Object.values(table)) {
    if (rule.line !== line) continue;
    const because: LineSpec["because"] = rule.spec.because;
    if (because === undefined) continue;
    for (const [name, saying] of [...rule.founds, ...rule.dones, ...rule.steps]) {
      if (saying.template.text !== template) continue;
      const text = typeof because === "string" ? because : because[name];
      if (text !== undefined) return formatSentence(text, trace.facts(step));
    }
  }
  return null;
}

/** What a change needs: a block that nothing leads to, an instruction whose results are not read. */
function ofEdit(trace: Trace, step: number): Reason[] {
  const op = trace.editOf(step);
  if (op?.op === "block-remove") return [whyUnreached(trace, step, op.block.id)];
  if (op?.op === "succs" && op.after.length === 0 && isDeleted(trace, step, op.block)) return [whyUnreached(trace, step, op.block)];
  if (op?.op === "table" && op.after === null) return [whyUnnamed(op.name)];
  if (op?.op !== "insts" || op.inserted.length > 0) return [];
  return op.removed.flatMap((inst) => whyDead(trace, step, inst) ?? []);
}

/** A block loses its edges right before it is deleted; of a part without a way in, all blocks lose theirs first. */
function isDeleted(trace: Trace, step: number, block: BlockId): boolean {
  for (let s = step + 1; s < trace.steps; s++) {
    const op = trace.editOf(s);
    if (op === null && s >= step + AHEAD) return false;
    if (op?.op === "block-remove" && op.block.id === block) return true;
  }
  return false;
}

/** Where a value was computed that a rewrite takes instead of computing it again. */
function ofLeader(trace: Trace, said: readonly number[], edits: readonly number[]): Reason[] {
  const [at] = said;
  const leader = at === undefined ? undefined : trace.fact(at, "leader");
  const inst = edits.map((s) => trace.editOf(s)).find((op) => op?.op === "insts");
  if (typeof leader !== "string" || inst?.op !== "insts" || inst.removed[0] === undefined || edits[0] === undefined) return [];
  const same = whySame(trace, edits[0], inst.removed[0], leader);
  return same === null ? [] : [same];
}

/** The changes that carry out later what was only announced: those of the same instructions. */
function later(trace: Trace, said: readonly number[]): number[] {
  const [at] = said;
  const wanted = at === undefined ? [] : (trace.focus(at).insts ?? []);
  if (at === undefined || wanted.length === 0) return [];
  for (let s = at + 1; s < trace.steps; s++) {
    const op = trace.editOf(s);
    if (op?.op === "insts" && op.removed.some(({ id }) => id === wanted[0])) return [s];
  }
  return [];
}

function distinct(reasons: readonly Reason[]): readonly Reason[] {
  const seen = new Set<string>();
  return reasons.filter(({ sentence }) => !seen.has(sentence) && seen.add(sentence));
}
