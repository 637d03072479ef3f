/** What a branch implies about a value: on the fall-through of `setp.ne x, c` + `@p`, x is c (ptxas-facts, Branch clean-up; policy 'measured' only). */

import { analyzeEnding } from "../../../analysis/block-ending.ts";
import type { Editor } from "../../../ir/edit.ts";
import type { BlockId, Reg } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import { RegNumbers } from "../../../ir/reg-numbers.ts";
import type { Func, Inst, Operand } from "../../../ir/types.ts";
import { defsOf, getBlock, usesOf } from "../../../ir/visit.ts";
import type { CopyValues, SeenCopy } from "./copy-values.ts";

interface EdgeFact {
  readonly reg: Reg;
  readonly value: Operand;
  readonly compare: Inst;
}

const NONE: readonly EdgeFact[] = [];

/** Facts carried down one chain; the oldest are dropped. */
const FACT_LIMIT = 16;

/** Facts of edges as the walk over blocks carries them down chains of single predecessors. */
export class EdgeFacts {
  private readonly edit: Editor;
  private readonly byBlock = new Map<BlockId, readonly EdgeFact[]>();
  /** Of the current block. */
  private here: readonly EdgeFact[] = NONE;

  private readonly parameters: ReadonlySet<Reg>;

  constructor(edit: Editor) {
    this.edit = edit;
    this.parameters = parameterRegisters(edit.func);
  }

  /** The facts at the head of a block. */
  enter(id: BlockId): void {
    const { preds } = this.edit.block(id);
    const pred = preds.length === 1 && id !== this.edit.func.layout[0] ? preds[0] : undefined;
    const inherited = pred === undefined ? NONE : (this.byBlock.get(pred) ?? NONE);
    const found = factOnEntry(this.edit, id);
    const fresh = found === null || this.parameters.has(found.reg) ? null : found;
    this.here = fresh === null ? inherited : [...inherited.filter((f) => f.reg !== fresh.reg), fresh].slice(-FACT_LIMIT);
    this.byBlock.set(id, this.here);
  }

  /** At the end of a block: facts about registers that it wrote are over. */
  leave(id: BlockId, values: CopyValues): void {
    if (!this.here.some((f) => values.writtenHere(f.reg))) return;
    this.byBlock.set(
      id,
      this.here.filter((f) => !values.writtenHere(f.reg)),
    );
  }

  /** No branch implies anything about what the instruction reads. */
  saysNothingOf(inst: Inst): boolean {
    if (this.here.length === 0) return true;
    const uses = usesOf(inst);
    for (let i = 0; i < uses.length; i++) if (this.here.some((f) => f.reg === uses[i])) return false;
    return true;
  }

  /** A register's value at the current place by a fact; null if there is none. */
  about(r: Reg, block: BlockId, values: CopyValues): SeenCopy | null {
    if (this.here.length === 0 || values.writtenHere(r)) return null;
    const fact = this.here.find((f) => f.reg === r);
    if (fact === undefined) return null;
    return { copy: fact.compare, block, at: -1, source: fact.value, global: true, guarded: false, doubts: [] };
  }
}

/**
 * Registers that contain only a kernel's parameter: parameters, and copies of them. They are words of a constant bank in the real machine, about which a branch
 * implies nothing.
 */
function parameterRegisters(fn: Func): ReadonlySet<Reg> {
  const found = new Set<Reg>(fn.kind === "kernel" ? fn.params.map(({ reg }) => reg) : []);
  if (found.size === 0) return found;
  // What is written at all, and what the only write of a register copies.
  const writes = new RegNumbers(fn);
  const sources = new Map<Reg, Reg>();
  for (const id of fn.layout) {
    const { insts } = getBlock(fn, id);
    for (let at = 0; at < insts.length; at++) {
      const inst = insts[at] as Inst;
      const defs = defsOf(inst);
      for (let i = 0; i < defs.length; i++) {
        const r = defs[i] as Reg;
        const first = !writes.has(r);
        writes.set(r, 1);
        if (!first) sources.delete(r);
        else if (inst.op === "MOV" && inst.guard === null) {
          const source = inst.ops[1];
          if (source?.kind === "reg" && !source.neg && !source.abs && !source.not) sources.set(r, source.reg);
        }
      }
    }
  }
  for (const r of [...found]) if (writes.has(r)) found.delete(r);
  for (const r of sources.keys()) {
    const seen = new Set<Reg>();
    let at: Reg | null = r;
    while (at !== null && !found.has(at) && !seen.has(at)) {
      seen.add(at);
      at = sources.get(at) ?? null;
    }
    if (at !== null && found.has(at)) for (const copy of seen) found.add(copy);
  }
  return found;
}

/** The fact that holds in a block because its only predecessor falls through into it; null when there is none. */
function factOnEntry(edit: Editor, block: BlockId): EdgeFact | null {
  const { preds } = edit.block(block);
  const pred = preds.length === 1 ? preds[0] : undefined;
  if (pred === undefined || block === edit.func.layout[0]) return null;
  const ending = analyzeEnding(edit.block(pred), edit.next(pred));
  if (ending.kind !== "cond" || !ending.reversible || ending.otherwise !== block || ending.taken === block) return null;
  const guard = ending.branch.guard;
  if (guard === null || guard.neg) return null;
  const { insts } = edit.block(pred);
  const at = insts.findLastIndex((inst) => defsOf(inst).includes(guard.reg));
  const compare = insts[at];
  if (compare === undefined || compare.op !== "ISETP" || compare.guard !== null || compare.ops.length !== 3) return null;
  if (!compare.mods.includes("NE")) return null;
  const [, x, c] = compare.ops;
  const [value, literal] = x?.kind === "reg" && !isConstantReg(x.reg) ? [x, c] : [c, x];
  if (value?.kind !== "reg" || isConstantReg(value.reg) || value.neg || value.not || value.abs) return null;
  if (literal?.kind !== "imm" && literal?.kind !== "imm64") return null;
  if (insts.slice(at + 1).some((inst) => defsOf(inst).includes(value.reg))) return null;
  return { reg: value.reg, value: literal, compare };
}
