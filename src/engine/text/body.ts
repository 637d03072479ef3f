/** Collects the lines of one body and turns them into a function: splits blocks, names them, resolves labels and tables, makes the edges. */

import { closest } from "../../base/closest.ts";
import { makeBlock } from "../ir/builder.ts";
import type { MutableBlock } from "../ir/edit-op.ts";
import type { Reg } from "../ir/ids.ts";
import { type BlockId, blockId, instId } from "../ir/ids.ts";
import type { BlockSize, Func, Inst, JumpTable, Operand, Param, Trivia } from "../ir/types.ts";
import { computeSuccs, isTerminator, isUnconditional } from "../ir/visit.ts";
import type { Diagnostics } from "./diagnostics.ts";
import type { NameUse, RawInst } from "./instruction.ts";
import { clip } from "./mnemonic.ts";

const MAX_CANDIDATES = 2000;

/** A name and its place. */
export interface Named {
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

/** The place of an instruction. `lineStart`: offset at which its line begins; null when it runs over lines. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly lineStart: number | null;
}

export interface RawTable {
  readonly at: Named;
  readonly base: number;
  readonly default: Named | null;
  readonly entries: readonly Named[];
  readonly trivia: Trivia | null;
}

export interface Header {
  readonly kind: "kernel" | "func";
  readonly name: Named;
  readonly params: readonly Param[];
  readonly returns: readonly Reg[];
  readonly blockSize: BlockSize | null;
  readonly trivia: Trivia | null;
}

interface RawBlock {
  /** Null: split off, or before the first label; named at the end. */
  label: string | null;
  readonly line: number;
  readonly column: number;
  trivia: Trivia | null;
  readonly insts: Inst[];
}

interface PendingName {
  readonly use: NameUse;
  readonly inst: Inst;
  readonly block: RawBlock;
  readonly column: number;
  readonly length: number;
}

/** `Operand` with the block open for writing, while the body is being read. */
type Patch = { kind: string; block?: BlockId; pred?: BlockId };

export class BodyBuilder {
  readonly header: Header;
  private readonly diagnostics: Diagnostics;
  private readonly blocks: RawBlock[] = [];
  private readonly labels = new Map<string, number>();
  private readonly pending: PendingName[] = [];
  private readonly tables = new Map<string, RawTable>();
  private readonly weights: { readonly at: Named; readonly weight: number }[] = [];
  private current: RawBlock | null = null;
  /** The current block ends with a conditional BRA: one unconditional BRA may still join it. */
  private awaitsElse = false;
  private insts = 0;
  /** The last line was dropped because of an error: what it would have done is unknown. */
  private lastDropped = false;
  private phi: Inst | null = null;
  private readonly phiPreds = new Set<BlockId>();

  constructor(header: Header, diagnostics: Diagnostics) {
    this.header = header;
    this.diagnostics = diagnostics;
  }

  get isEmpty(): boolean {
    return this.blocks.length === 0;
  }

  label(at: Named, trivia: Trivia | null): void {
    const block: RawBlock = { label: at.name, line: at.line, column: at.column, trivia, insts: [] };
    if (this.labels.has(at.name)) {
      this.diagnostics.add(
        "ORI021",
        at.line,
        at.column,
        at.name.length,
        `The label ${clip(at.name)} is defined twice in ${clip(this.header.name.name)}.`,
      );
      block.label = null;
    } else {
      this.labels.set(at.name, this.blocks.length);
    }
    this.blocks.push(block);
    this.current = block;
    this.awaitsElse = false;
    this.lastDropped = false;
  }

  /** Joins comments after a label to it. */
  labelTrivia(trivia: Trivia): void {
    const block = this.current;
    if (block === null) return;
    const old = block.trivia;
    block.trivia =
      old === null
        ? trivia
        : { before: [...old.before, ...trivia.before], after: old.after === "" ? trivia.after : `${old.after} ${trivia.after}` };
  }

  instruction(raw: RawInst, at: Place, trivia: Trivia | null): void {
    const { line, column, lineStart } = at;
    const inst: Inst = { id: instId(this.insts++), op: raw.op, mods: raw.mods, guard: raw.guard, ops: raw.ops, line, trivia };
    const joins = this.awaitsElse && inst.op === "BRA" && isUnconditional(inst);
    let block = this.current;
    if (block === null || (this.awaitsElse && !joins)) {
      block = { label: null, line, column, trivia: null, insts: [] };
      this.blocks.push(block);
      this.current = block;
    }
    block.insts.push(inst);
    for (const use of raw.names)
      this.pending.push({
        use,
        inst,
        block,
        column: lineStart === null ? column : use.start - lineStart + 1,
        length: lineStart === null ? 0 : use.name.length,
      });
    this.lastDropped = false;
    this.awaitsElse = false;
    if (!isTerminator(inst)) return;
    if (!joins && inst.op === "BRA" && !isUnconditional(inst)) this.awaitsElse = true;
    else this.current = null;
  }

  /** A line that could not be read: it still keeps the body from being called unfinished. */
  dropped(): void {
    this.lastDropped = true;
  }

  table(table: RawTable): void {
    const { at } = table;
    if (this.tables.has(at.name)) {
      this.diagnostics.add("ORI023", at.line, at.column, at.name.length, `The table ${clip(at.name)} is defined twice.`);
      return;
    }
    if (table.entries.length === 0) {
      this.diagnostics.add("ORI023", at.line, at.column, at.name.length, `The table ${clip(at.name)} has no entries.`);
    }
    this.tables.set(at.name, table);
  }

  weight(at: Named, weight: number): void {
    this.weights.push({ at, weight });
  }

  /** The function; null when it is empty (there is a diagnostic). */
  finish(nextReg: readonly number[]): Func | null {
    const { name, line, column } = this.header.name;
    if (this.blocks.length === 0) {
      if (!this.lastDropped) this.diagnostics.add("ORI007", line, column, name.length, `${clip(name)} has no instructions.`);
      return null;
    }
    this.nameBlocks();
    this.resolveNames();
    const tables = this.resolveTables();
    const blocks: MutableBlock[] = this.blocks.map((raw, i) => makeBlock(blockId(i), raw.label ?? "", raw.insts, raw.line, raw.trivia));
    this.resolveWeights(blocks);
    this.checkEnd();
    // A body whose name could not be read was read for its errors only.
    if (name === "") return null;
    const fn: Func = {
      kind: this.header.kind,
      name,
      params: this.header.params,
      returns: this.header.returns,
      blockSize: this.header.blockSize,
      blocks,
      layout: blocks.map((block) => block.id),
      tables,
      flags: 0,
      nextInst: this.insts,
      nextReg: nextReg.slice(),
      version: 0,
      codeVersion: 0,
      cfgVersion: 0,
      line,
      trivia: this.header.trivia,
    };
    makeEdges(fn, blocks);
    return fn;
  }

  /** Split blocks take the name of the label above and a number. */
  private nameBlocks(): void {
    let base: string | null = null;
    let n = 1;
    for (let i = 0; i < this.blocks.length; i++) {
      const block = this.blocks[i];
      if (block === undefined) continue;
      if (block.label !== null) {
        base = block.label;
        n = 1;
        continue;
      }
      if (base === null) {
        block.label = ["BB0", "ENTRY"].find((label) => !this.labels.has(label)) ?? null;
        base = block.label ?? "ENTRY";
      }
      while (block.label === null) {
        const label = `${base}.${n++}`;
        if (!this.labels.has(label)) block.label = label;
      }
      this.labels.set(block.label, i);
    }
  }

  private resolveNames(): void {
    const dropped = new Map<RawBlock, Set<Inst>>();
    for (const pending of this.pending) {
      const { use, inst, block } = pending;
      const operand = inst.ops[use.operand];
      if (operand === undefined) continue;
      const ok = use.kind === "table" ? this.checkTable(pending) : this.patchLabel(operand, pending);
      if (ok) continue;
      const set = dropped.get(block) ?? new Set();
      dropped.set(block, set.add(inst));
    }
    // One pass over a block however many of its lines are bad.
    for (const [block, bad] of dropped) block.insts.splice(0, block.insts.length, ...keep(block.insts, bad));
    this.lastDropped ||= dropped.size > 0;
  }

  private checkTable({ use, inst, column, length }: PendingName): boolean {
    if (this.tables.has(use.name)) return true;
    const guess = this.diagnostics.open ? closest(use.name, some(this.tables.keys())) : null;
    this.diagnostics.add("ORI022", inst.line, column, length, `There is no table ${clip(use.name)}.`, guess);
    return false;
  }

  private patchLabel(operand: Operand, { use, inst, column, length }: PendingName): boolean {
    const id = this.labelId(use.name, inst.line, column, length);
    if (id === null) return false;
    // The operand was made by the reader for this instruction alone.
    const patch = operand as Patch;
    if (operand.kind === "phi") patch.pred = id;
    else patch.block = id;
    if (operand.kind === "phi" && !this.firstInput(inst, id)) {
      this.diagnostics.add("ORI027", inst.line, column, length, `The PHI has two inputs for ${clip(use.name)}.`);
      return false;
    }
    return true;
  }

  /** Whether a PHI has no input for the predecessor so far. Its inputs are resolved one after the other. */
  private firstInput(inst: Inst, pred: BlockId): boolean {
    if (this.phi !== inst) {
      this.phi = inst;
      this.phiPreds.clear();
    }
    const first = !this.phiPreds.has(pred);
    this.phiPreds.add(pred);
    return first;
  }

  private labelId(name: string, line: number, column: number, length = name.length): BlockId | null {
    const at = this.labels.get(name);
    if (at !== undefined) return blockId(at);
    const guess = this.diagnostics.open ? closest(name, some(this.labels.keys())) : null;
    this.diagnostics.add("ORI020", line, column, length, `There is no label ${clip(name)} in ${clip(this.header.name.name)}.`, guess);
    return null;
  }

  private resolveTables(): Map<string, JumpTable> {
    const used = new Set<string>();
    for (const { use } of this.pending) if (use.kind === "table") used.add(use.name);
    const tables = new Map<string, JumpTable>();
    for (const { at, base, default: fallback, entries, trivia } of this.tables.values()) {
      const { name, line, column } = at;
      if (!used.has(name)) {
        this.diagnostics.add("ORI024", line, column, name.length, `No instruction names the table ${clip(name)}.`, null, "warning");
      }
      const ids: BlockId[] = [];
      for (const entry of entries) {
        const id = this.labelId(entry.name, entry.line, entry.column);
        if (id !== null) ids.push(id);
      }
      const otherwise = fallback === null ? null : this.labelId(fallback.name, fallback.line, fallback.column);
      tables.set(name, { name, base, default: otherwise, entries: ids, line, ...(trivia === null ? {} : { trivia }) });
    }
    return tables;
  }

  private resolveWeights(blocks: readonly MutableBlock[]): void {
    for (const { at, weight } of this.weights) {
      const id = this.labelId(at.name, at.line, at.column);
      const block = id === null ? undefined : blocks[id];
      if (id === null || block === undefined) continue;
      if (block.weight !== null)
        this.diagnostics.add("ORI030", at.line, at.column, at.name.length, `${clip(at.name)} already has a weight.`);
      else block.weight = weight;
    }
  }

  private checkEnd(): void {
    const last = this.blocks[this.blocks.length - 1];
    if (last === undefined || this.lastDropped) return;
    const inst = last.insts[last.insts.length - 1];
    if (inst !== undefined && isTerminator(inst) && isUnconditional(inst)) return;
    this.diagnostics.add(
      "ORI025",
      inst?.line ?? last.line,
      inst === undefined ? last.column : 1,
      inst === undefined ? (last.label ?? "").length : 0,
      `${clip(this.header.name.name)} does not end.`,
      `Add ${this.header.kind === "kernel" ? "EXIT" : "RET"} after its last instruction.`,
    );
  }
}

/** The first names: a suggestion is not worth comparing with more. */
function some(names: Iterable<string>): string[] {
  const list: string[] = [];
  for (const name of names) {
    if (list.length === MAX_CANDIDATES) break;
    list.push(name);
  }
  return list;
}

function keep(insts: readonly Inst[], bad: ReadonlySet<Inst>): Inst[] {
  return insts.filter((inst) => !bad.has(inst));
}

/** Successors by the terminators, predecessors in layout order. */
function makeEdges(fn: Func, blocks: readonly MutableBlock[]): void {
  const preds: BlockId[][] = blocks.map(() => []);
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (block === undefined) continue;
    const next = i + 1 < blocks.length ? blockId(i + 1) : null;
    const succs = computeSuccs(fn, block, next);
    block.succs = succs;
    for (const succ of succs) preds[succ]?.push(block.id);
  }
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i];
    if (block !== undefined) block.preds = preds[i] ?? [];
  }
}
