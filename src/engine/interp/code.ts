/** A decoded function as data: one closure an instruction, dense block numbers, operands as rows, PHIs as copies on edges. `decode.ts` makes it. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import type { BankWord } from "./builder.ts";
import type { Follow, FollowEdge } from "./follow.ts";
import type { Exec } from "./machine.ts";

/** What the scheduler does with a step; `Plain` steps only run. */
export const Kind = {
  Plain: 0,
  Branch: 1,
  Table: 2,
  Exit: 3,
  Return: 4,
  Call: 5,
  Open: 6,
  Sync: 7,
  Break: 8,
  Barrier: 9,
  Phase: 10,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** A reduction over the threads of a block, and where it puts its result. */
export interface BlockReduction extends Place {
  readonly kind: "POPC" | "AND" | "OR";
}

/** One instruction. Which of the fields beyond the guard mean something depends on `kind`. */
export interface Step {
  readonly kind: Kind;
  readonly inst: Inst;
  /** Guard predicate, -1 for none, and the mask to xor it with. */
  readonly guard: number;
  readonly guardXor: number;
  /** Plain: what to do. Phase: asks, and writes `pred`. Barrier and Table: operand modifiers to apply first. */
  readonly run: Exec | null;
  /** How marks of stand-ins pass through it, before it runs; null where the run does not follow them. */
  readonly follow: Follow | null;
  /** Branch: predicate operand. Phase: the result. */
  readonly pred: number;
  readonly predXor: number;
  /** Branch: target block. */
  readonly target: number;
  /** Branch and Table: the block that the lanes go to which it does not send anywhere; -1 where other instructions decide that. */
  readonly falls: number;
  /** Table: register row; Barrier: row of the barrier's number. */
  readonly row: number;
  /** Barrier: row of the thread count, -1 for all. */
  readonly countRow: number;
  readonly table: CodeTable | null;
  /** Barrier: how the predicates (`pred`) of all arriving threads are combined; null for one that only waits. */
  readonly reduce: BlockReduction | null;
  readonly call: CallSite | null;
  /** Open, Sync, Break: the convergence barrier. */
  readonly barrier: Reg | -1;
}

export interface CodeTable {
  readonly entries: readonly number[];
  readonly default: number;
  readonly address: number;
  readonly indexOnly: boolean;
}

export interface CallSite {
  /** Null: the function whose address `row` has. */
  readonly callee: string | null;
  readonly row: number;
  readonly args: readonly Place[];
  readonly results: readonly Place[];
}

/** Where a register's value is. */
export interface Place {
  readonly reg: Reg;
  readonly predicate: boolean;
  readonly wide: boolean;
  /** Row of the register, or the predicate. */
  readonly at: number;
  /** Where its marks are; -1 where it has none. */
  readonly mark: number;
}

export interface CodeBlock {
  readonly id: BlockId;
  readonly label: string;
  readonly steps: readonly Step[];
  /** Block after it in the layout, -1 at the end. */
  readonly next: number;
  /** Immediate post-dominator, -1 for none. */
  readonly ipdom: number;
  /** True when some block's immediate post-dominator is this one. */
  readonly rejoins: boolean;
  /** Copies to make on entry from a block, by that block's id; null without PHIs. */
  readonly edges: ReadonlyMap<number, Exec> | null;
  readonly followEdges: ReadonlyMap<number, FollowEdge> | null;
}

export interface Code {
  readonly fn: Func;
  /** Indexed by block id. */
  readonly blocks: readonly (CodeBlock | undefined)[];
  readonly entry: number;
  readonly words: number;
  readonly preds: number;
  /** Initial register file: zero but for the rows of constants. */
  readonly template: Uint32Array;
  readonly bankWords: readonly BankWord[];
  readonly params: readonly Place[];
  readonly returns: readonly Place[];
  readonly usesBarriers: boolean;
  /** Some instruction, not of what it calls, reads global memory as it was at launch. */
  readonly readsLaunched: boolean;
  /** Some instruction, not of what it calls, depends on all that the thread has stored. */
  readonly readsStored: boolean;
  readonly calls: boolean;
  /** Places of marks that an activation needs. */
  readonly marks: number;
  /** By place. */
  readonly markedRegs: readonly Reg[];
}
