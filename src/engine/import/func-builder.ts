/** Builds a function out of a planned list of blocks: ids are known before the first instruction, edges are made at the end. */

import { makeBlock, makeInst } from "../ir/builder.ts";
import type { MutableBlock } from "../ir/edit-op.ts";
import { type BlockId, blockId, instId, type Reg } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg, type RegClass, reg, regIndex } from "../ir/reg.ts";
import type { BlockSize, Func, Guard, Inst, JumpTable, Operand, Param } from "../ir/types.ts";
import { computeSuccs, fallsThrough } from "../ir/visit.ts";

const CLASS_CODE: Readonly<Record<RegClass, number>> = { R: 0, RD: 1, P: 2, UR: 3, UP: 4, B: 5 };

/** A block to come: its label and the line it starts at. */
export interface PlannedBlock {
  readonly label: string;
  readonly line: number;
}

export interface FuncHead {
  readonly kind: Func["kind"];
  readonly name: string;
  readonly params: readonly Param[];
  readonly returns: readonly Reg[];
  readonly blockSize?: BlockSize | null;
  readonly line: number;
}

/** Fills planned blocks in layout order. `mark`/`rollback` undo the instructions of an attempt that failed. */
export class FuncBuilder {
  private readonly insts: Inst[][];
  private readonly plan: readonly PlannedBlock[];
  private readonly tables = new Map<string, JumpTable>();
  private readonly nextReg = [0, 0, 0, 0, 0, 0, 0, 0];
  private nextInst = 0;
  private current: Inst[];

  constructor(plan: readonly PlannedBlock[]) {
    this.plan = plan;
    this.insts = plan.map(() => []);
    this.current = this.insts[0] ?? [];
  }

  /** Instructions go to the block with this index from now on. */
  select(index: number): void {
    this.current = this.insts[index] ?? [];
  }

  emit(op: Opcode, ops: readonly Operand[], mods: readonly string[], guard: Guard | null, line: number): void {
    this.current.push(makeInst(instId(this.nextInst++), op, ops, { mods, guard, line }));
  }

  freshReg(cls: RegClass): Reg {
    const code = CLASS_CODE[cls];
    const index = this.nextReg[code] ?? 0;
    this.nextReg[code] = index + 1;
    return reg(cls, index);
  }

  /** Takes a register that the source names itself, so that fresh ones never collide with it. Constant registers have indices far above: they take none. */
  reserve(r: Reg): void {
    if (isConstantReg(r)) return;
    const code = r & 7;
    this.nextReg[code] = Math.max(this.nextReg[code] ?? 0, regIndex(r) + 1);
  }

  addTable(table: JumpTable): void {
    this.tables.set(table.name, table);
  }

  mark(): number {
    return this.current.length;
  }

  rollback(mark: number): void {
    this.current.length = mark;
  }

  /** The instructions since `mark`, for a last change before they are final. */
  since(mark: number): Inst[] {
    return this.current.slice(mark);
  }

  replaceSince(mark: number, insts: readonly Inst[]): void {
    this.current.length = mark;
    for (const inst of insts) this.current.push(inst);
  }

  /** A new instruction with a fresh id that is not yet in a block. */
  make(op: Opcode, ops: readonly Operand[], mods: readonly string[], guard: Guard | null, line: number): Inst {
    return makeInst(instId(this.nextInst++), op, ops, { mods, guard, line });
  }

  /**
   * The function. Blocks that would fall off the end get `end` (EXIT or RET): the last one, and no other, may. Linear in blocks, edges and instructions.
   */
  finish(head: FuncHead, end: Opcode): Func {
    const blocks: MutableBlock[] = this.plan.map((b, i) => makeBlock(blockId(i), b.label, this.insts[i] ?? [], b.line));
    const layout = blocks.map((b) => b.id);
    const last = blocks[blocks.length - 1];
    if (last !== undefined && fallsThrough(last)) {
      const tail = this.insts[blocks.length - 1];
      tail?.push(this.make(end, [], [], null, 0));
    }
    const func = {
      kind: head.kind,
      name: head.name,
      params: head.params,
      returns: head.returns,
      blockSize: head.blockSize ?? null,
      blocks,
      layout,
      tables: this.tables,
      flags: 0,
      nextInst: this.nextInst,
      nextReg: this.nextReg.slice(),
      version: 0,
      codeVersion: 0,
      cfgVersion: 0,
      line: head.line,
      trivia: null,
    } satisfies Func;
    connect(func, blocks);
    return func;
  }
}

function connect(func: Func, blocks: readonly MutableBlock[]): void {
  const preds: BlockId[][] = blocks.map(() => []);
  for (const [i, block] of blocks.entries()) {
    block.succs = computeSuccs(func, block, func.layout[i + 1] ?? null);
    for (const succ of block.succs) preds[succ]?.push(block.id);
  }
  for (const block of blocks) block.preds = preds[block.id] ?? [];
}
