/** LateCopyPropComplPred: `@P r = s` and `@!P r = s` in one block are `r = s`. */

import type { Editor } from "../ir/edit.ts";
import type { Reg } from "../ir/ids.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf, sameOperand, usesOf } from "../ir/visit.ts";
import type { Recorder } from "../trace/recorder.ts";
import type { CopyBundle } from "./copy-bundle.ts";
import { printInst } from "./copy-text.ts";
import { copySource } from "./copy-values.ts";
import { reversePostOrder } from "./order.ts";

/** How many instructions may stand between the two copies. */
const WINDOW = 16;

/** Merges such pairs: the first copy loses its guard, the second goes. Returns how many. Source: copy-propagation-and-cse, Controlling Knobs. */
export function mergeComplementaryCopies(edit: Editor, rec: Recorder, line: number, bundle: CopyBundle): number {
  let merged = 0;
  for (const id of reversePostOrder(edit.func).order) {
    for (let at = 0; at < edit.block(id).insts.length; at++) {
      const { insts } = edit.block(id);
      const first = insts[at];
      if (first === undefined || first.guard === null || isConstantReg(first.guard.reg) || copySource(first) === null) continue;
      const second = partnerOf(insts, at, first);
      if (typeof second === "string") {
        if (second !== "none") {
          bundle.refuse(second);
          if (rec.on) {
            const facts = { verdict: "no", condition: second, inst: printInst(edit.func, first), why: REASONS[second] ?? second };
            rec.event("match", line, "'{inst}' and the copy under the complement stay two: {why}", facts, {
              blocks: [id],
              insts: [first.id],
            });
          }
        }
        continue;
      }
      merged++;
      const other = insts[second] as Inst;
      if (rec.on) {
        const facts = { verdict: "yes", rule: "complementary", inst: printInst(edit.func, first), other: printInst(edit.func, other) };
        rec.begin("rewrite", line, "'{inst}' and '{other}' write the same under complementary guards: one copy without a guard", facts, {
          blocks: [id],
          insts: [first.id, other.id],
        });
      }
      bundle.lost.add(first.guard.reg);
      edit.remove(id, second);
      edit.replace(id, at, { ...first, guard: null });
      if (rec.on) rec.end();
    }
  }
  return merged;
}

const REASONS: Readonly<Record<string, string>> = {
  "read-between": "the register is read in between",
  "predicate-redefined": "the predicate is written in between",
  "source-redefined": "the source is written in between",
  "destination-redefined": "the destination is written in between",
};

/** Index of the copy under the complement; what is in the way; or 'none'. */
function partnerOf(insts: readonly Inst[], at: number, first: Inst): number | string {
  const [dest] = first.ops;
  const source = copySource(first);
  if (dest?.kind !== "reg" || source === null || first.guard === null) return "none";
  const sourceReg: Reg | null = source.kind === "reg" && !isConstantReg(source.reg) ? source.reg : null;
  let problem: string | null = null;
  for (let i = at + 1; i < Math.min(insts.length, at + 1 + WINDOW); i++) {
    const inst = insts[i];
    if (inst === undefined) break;
    const other = copySource(inst);
    const target = inst.ops[0];
    if (
      inst.op === first.op &&
      inst.guard?.reg === first.guard.reg &&
      inst.guard.neg !== first.guard.neg &&
      other !== null &&
      target?.kind === "reg" &&
      target.reg === dest.reg &&
      sameOperand(other, source)
    ) {
      return problem ?? i;
    }
    const defs = defsOf(inst);
    if (usesOf(inst).includes(dest.reg)) problem ??= "read-between";
    if (defs.includes(first.guard.reg)) problem ??= "predicate-redefined";
    if (sourceReg !== null && defs.includes(sourceReg)) problem ??= "source-redefined";
    if (defs.includes(dest.reg)) problem ??= "destination-redefined";
  }
  return "none";
}
