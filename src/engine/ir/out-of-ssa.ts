/** Out of SSA: every PHI becomes copies on the edges into its block. A service for code that needs a function without PHIs; no phase does it. */

import { inPlaceOf } from "./copies.ts";
import { Editor } from "./edit.ts";
import type { BlockId, Reg } from "./ids.ts";
import { type Copy, sequentialCopies } from "./parallel-copy.ts";
import { isPredicateReg, regClass } from "./reg.ts";
import type { Block, Func, Inst, Operand, Trivia } from "./types.ts";
import { fallsThrough, isUnconditional, phisOf, tableName, terminatorsOf } from "./visit.ts";

export interface OutOfSsa {
  readonly fn: Func;
  readonly phis: number;
  readonly copies: number;
  /** Labels of blocks made for the copies of one edge. */
  readonly edgeBlocks: readonly string[];
  /** Registers made: to open cycles of copies, and to carry values where an edge could get no block. */
  readonly fresh: readonly Reg[];
  /** Labels of blocks whose values are carried in fresh registers. */
  readonly carried: readonly string[];
}

/**
 * The function without PHIs; the given one is unchanged. The values of all PHIs of a block are read together on each edge into it, so the copies of an edge
 * are a parallel copy put in sequence (`parallel-copy.ts`: the swap problem). They are where only that edge passes: at the end of a predecessor that has
 * no other successor, at the head of a block with one predecessor, else in a new block on the edge (critical edges are split: the lost-copy problem).
 * An edge through a jump table that other jumps use cannot get its own block: there each predecessor writes fresh registers, which the block's head copies.
 */
export function outOfSsa(fn: Func): OutOfSsa {
  const edit = new Editor(fn);
  const work = new Taker(edit);
  for (const id of fn.layout) if (fn.blocks[id]?.insts[0]?.op === "PHI") work.take(id);
  return { fn: edit.func, ...work.done() };
}

interface Way {
  readonly pred: BlockId;
  readonly copies: readonly Copy[];
}

class Taker {
  private readonly edit: Editor;
  private readonly tableUsers = new Map<string, number>();
  private readonly cycleRegs = new Map<string, Reg>();
  private readonly edgeBlocks: string[] = [];
  private readonly fresh: Reg[] = [];
  private readonly carried: string[] = [];
  private phis = 0;
  private copies = 0;
  /** Of the current block. */
  private firstCopy: { readonly block: BlockId; readonly at: number } | null = null;

  constructor(edit: Editor) {
    this.edit = edit;
    for (const id of edit.func.layout) {
      for (const inst of terminatorsOf(edit.block(id)).insts) {
        const name = tableName(inst);
        if (name !== null) this.tableUsers.set(name, (this.tableUsers.get(name) ?? 0) + 1);
      }
    }
  }

  done(): Omit<OutOfSsa, "fn"> {
    const { phis, copies, edgeBlocks, fresh, carried } = this;
    return { phis, copies, edgeBlocks, fresh, carried };
  }

  take(id: BlockId): void {
    const { edit } = this;
    const { label, preds } = edit.block(id);
    const phis = phisOf(edit.block(id));
    this.phis += phis.length;
    const byPred = copiesByPred(phis);
    const ways = preds.map((pred) => ({ pred, copies: byPred.get(pred) ?? [] }));
    const comments = phis.flatMap(commentsOf);
    this.firstCopy = null;
    edit.sweep(id, (inst) => inst.op === "PHI");
    const [only] = ways;
    if (ways.length === 1 && only !== undefined) {
      this.insert(id, 0, this.sequence(only.copies));
    } else if (ways.some(({ pred }) => this.cannotSplit(pred, id))) {
      this.carry(id, ways);
      this.carried.push(label);
    } else {
      for (const { pred, copies } of ways) this.onWay(pred, id, this.sequence(copies));
    }
    if (comments.length > 0) this.keepComments(id, comments);
  }

  private sequence(copies: readonly Copy[]): readonly Copy[] {
    return sequentialCopies(copies, (like) => {
      const cls = regClass(like);
      let found = this.cycleRegs.get(cls);
      if (found === undefined) {
        found = this.edit.freshReg(cls);
        this.fresh.push(found);
        this.cycleRegs.set(cls, found);
      }
      return found;
    });
  }

  private insert(id: BlockId, at: number, copies: readonly Copy[]): void {
    if (copies.length === 0) return;
    const { edit } = this;
    const made = copies.map(({ dest, value }) => edit.make(isPredicateReg(dest) ? "PMOV" : "MOV", [plain(dest), value]));
    edit.replaceTail(id, at, [...made, ...edit.block(id).insts.slice(at)]);
    this.copies += copies.length;
    this.firstCopy ??= { block: id, at };
  }

  private onWay(pred: BlockId, id: BlockId, copies: readonly Copy[]): void {
    if (copies.length === 0) return;
    const { edit } = this;
    if (goesOn(edit.block(pred))) {
      this.insert(pred, terminatorsOf(edit.block(pred)).at, copies);
      return;
    }
    const fallen = fallsThrough(edit.block(pred)) && edit.next(pred) === id;
    const before = edit.func.layout[edit.position(id) - 1];
    // Before the block if nothing falls through to there; else at the end of the function, where nothing falls through.
    const inFront = fallen || before === undefined || !fallsThrough(edit.block(before));
    const at = inFront ? edit.position(id) : edit.func.layout.length;
    const jump = inFront ? [] : [edit.make("BRA", [{ kind: "label", block: id }])];
    const made = edit.addBlock(`${edit.block(pred).label}.to.${edit.block(id).label}`, at, jump);
    edit.redirect(pred, id, made);
    this.insert(made, 0, copies);
    this.edgeBlocks.push(edit.block(made).label);
  }

  private cannotSplit(pred: BlockId, id: BlockId): boolean {
    return terminatorsOf(this.edit.block(pred)).insts.some((inst) => {
      const name = tableName(inst);
      const table = name === null ? undefined : this.edit.func.tables.get(name);
      if (name === null || table === undefined || (this.tableUsers.get(name) ?? 0) < 2) return false;
      return table.default === id || table.entries.includes(id);
    });
  }

  /** Two steps instead of one: nothing else reads or writes the fresh registers, so what a predecessor writes harms none of its other edges. */
  private carry(id: BlockId, ways: readonly Way[]): void {
    const { edit } = this;
    const carriers = new Map<Reg, Reg>();
    for (const { dest } of ways.flatMap((way) => way.copies)) {
      if (carriers.has(dest)) continue;
      const carrier = edit.freshReg(regClass(dest));
      this.fresh.push(carrier);
      carriers.set(dest, carrier);
    }
    for (const { pred, copies } of ways) {
      const carried = copies.map(({ dest, value }) => ({ dest: carriers.get(dest) ?? dest, value }));
      this.insert(pred, terminatorsOf(edit.block(pred)).at, this.sequence(carried));
    }
    this.insert(
      id,
      0,
      [...carriers].map(([dest, carrier]) => ({ dest, value: plain(carrier) })),
    );
  }

  /** Comments on the PHIs move to the instruction after them, else to the first copy made for them. */
  private keepComments(id: BlockId, comments: readonly string[]): void {
    const { edit } = this;
    const place = edit.block(id).insts.length > 0 ? { block: id, at: 0 } : this.firstCopy;
    const inst = place === null ? undefined : edit.block(place.block).insts[place.at];
    if (place === null || inst === undefined) return;
    const trivia: Trivia = { before: [...comments, ...(inst.trivia?.before ?? [])], after: inst.trivia?.after ?? "" };
    edit.replace(place.block, place.at, inPlaceOf({ id: inst.id, line: inst.line, trivia }, inst));
  }
}

/** The block has one successor for any register values, and nothing is observed at its end: no terminator, or one jump. */
function goesOn(block: Block): boolean {
  const { insts } = terminatorsOf(block);
  const [first] = insts;
  return first === undefined || (insts.length === 1 && first.op === "BRA" && isUnconditional(first));
}

function copiesByPred(phis: readonly Inst[]): ReadonlyMap<BlockId, readonly Copy[]> {
  const found = new Map<BlockId, Copy[]>();
  for (const phi of phis) {
    const dest = phi.ops[0];
    if (dest?.kind !== "reg") continue;
    for (const operand of phi.ops) {
      if (operand.kind !== "phi") continue;
      const copy = { dest: dest.reg, value: operand.value };
      const known = found.get(operand.pred);
      if (known === undefined) found.set(operand.pred, [copy]);
      else known.push(copy);
    }
  }
  return found;
}

function plain(reg: Reg): Operand {
  return { kind: "reg", reg, neg: false, abs: false, not: false };
}

function commentsOf(phi: Inst): string[] {
  if (phi.trivia === null) return [];
  return [...phi.trivia.before, ...(phi.trivia.after === "" ? [] : [phi.trivia.after])];
}
