/**
 * What a user's pass did in its sandbox, as plain data to be replayed. Blocks and instructions are numbered by their places in the program
 * that the pass was given; those that it made continue the numbering.
 */

import type { BlockId, InstId } from "../../../../engine/ir/ids.ts";
import type { Func } from "../../../../engine/ir/types.ts";

/** The parts of a focus: block numbers, instruction numbers, registers, pairs of blocks. */
export interface ScriptFocus {
  readonly blocks?: readonly number[];
  readonly insts?: readonly number[];
  readonly regs?: readonly string[];
  readonly edges?: readonly (readonly [number, number])[];
}

/** PHI inputs of new edges: those for another predecessor, or the requested values, in their order. */
export type ScriptPhi = { readonly like: number } | { readonly values: readonly string[] } | null;

/** A value in a table. */
export type ScriptValue = string | number | boolean | null | readonly ScriptValue[] | { readonly [key: string]: ScriptValue };

export const STRUCTURE_KINDS = ["table", "set", "tree"] as const;
export type StructureKind = (typeof STRUCTURE_KINDS)[number];

/** One thing that the pass did; the number after its name is the line of the source. */
export type ScriptEntry =
  | readonly ["lines", readonly number[]]
  | readonly ["step", number, string, ScriptFocus]
  | readonly ["because", number, string, ScriptFocus]
  | readonly ["refuse", number, reason: string, string, ScriptFocus]
  | readonly ["span", number, string, ScriptFocus]
  | readonly ["permit", number, string, ScriptFocus, granted: boolean]
  /** Followed by its edits and an `end` when it was granted. */
  | readonly ["rewrite", number, string, ScriptFocus, granted: boolean]
  | readonly ["end"]
  | readonly ["insert", number, block: number, at: number, text: string]
  | readonly ["append", number, block: number, text: string, ScriptPhi]
  | readonly ["remove", number, inst: number, ScriptPhi]
  | readonly ["replace", number, inst: number, text: string, ScriptPhi]
  | readonly ["move", number, inst: number, block: number, at: number]
  | readonly ["terminators", number, block: number, texts: readonly string[], ScriptPhi]
  | readonly ["redirect", number, block: number, from: number, to: number, ScriptPhi]
  | readonly ["add-block", number, label: string, after: number, texts: readonly string[], ScriptPhi]
  | readonly ["make-jump", number, block: number]
  | readonly ["split", number, inst: number, label: string]
  | readonly ["remove-block", number, block: number, ScriptPhi]
  | readonly ["table", number, name: string, base: number, entries: readonly number[], otherwise: number | null, ScriptPhi]
  | readonly ["remove-table", number, name: string]
  | readonly ["fresh", cls: string]
  | readonly ["structure", StructureKind, title: string]
  | readonly ["write", number, structure: number, key: string, value: ScriptValue]
  | readonly ["erase", number, structure: number, key: string]
  | readonly ["why", string];

/** Translates between identities and numbers. */
export class Numbering {
  private readonly blockNumbers = new Map<BlockId, number>();
  private readonly instNumbers = new Map<InstId, number>();
  private readonly blockIds: readonly BlockId[];
  private readonly instIds: readonly InstId[];
  private readonly firstBlock: number;
  private readonly firstInst: number;

  /** `fn`: as the pass was given it. */
  constructor(fn: Func) {
    // A copy: the editor changes the layout in place.
    this.blockIds = [...fn.layout];
    this.instIds = fn.layout.flatMap((id) => fn.blocks[id]?.insts.map((inst) => inst.id) ?? []);
    for (const [n, id] of this.blockIds.entries()) this.blockNumbers.set(id, n);
    for (const [n, id] of this.instIds.entries()) this.instNumbers.set(id, n);
    this.firstBlock = fn.blocks.length;
    this.firstInst = fn.nextInst;
  }

  blockNumber(id: BlockId): number {
    return this.blockNumbers.get(id) ?? this.blockIds.length + id - this.firstBlock;
  }

  instNumber(id: InstId): number {
    return this.instNumbers.get(id) ?? this.instIds.length + id - this.firstInst;
  }

  /** The caller checks whether the block exists. */
  blockId(number: number): BlockId {
    return this.blockIds[number] ?? ((number - this.blockIds.length + this.firstBlock) as BlockId);
  }

  instId(number: number): InstId {
    return this.instIds[number] ?? ((number - this.instIds.length + this.firstInst) as InstId);
  }
}
