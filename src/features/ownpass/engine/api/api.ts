/**
 * What a user's pass sees: `import { definePass } from "oriscope/pass"`. Version 1. Types only, and no import: the page's editor reads this
 * very file (`scripts/generate/passes.ts`).
 *
 * The program that you are given is live: after an edit, `fn`, its blocks and its instructions show the new state. An instruction keeps its
 * identity wherever it is, so you may keep one across edits; `inst.block` is null once it is removed. Lists (`fn.blocks`, `block.insts`)
 * show the state at which you read them.
 *
 * A wrong call (for an instruction that was removed, or a register that the function does not have) throws an error with a sentence that
 * names the line. There is no clock, no randomness and no network: the same program always gives the same result.
 */

/** A register's name as in the text: `R4` (32 bit), `RD2` (64 bit), `P0` (predicate), `UR3`, `UP1`, `B0`; constants `RZ`, `URZ`, `PT`, `UPT`. */
export type Reg = string;

/** R 32 bit, RD 64 bit, P predicate, UR uniform 32 bit, UP uniform predicate, B convergence barrier. */
export type RegClass = "R" | "RD" | "P" | "UR" | "UP" | "B";

/**
 * What an instruction does in addition to its results. `pure`: nothing. `load` and `store`: memory. `atomic`: both at once. `barrier`:
 * waits for other threads or orders memory. `warp`: reads what other lanes do. `sync`: opens, closes or waits at a convergence region.
 * `volatile`: reads what can change at any time. `control`: transfers control.
 */
export type Effect = "pure" | "load" | "store" | "atomic" | "barrier" | "warp" | "sync" | "volatile" | "call" | "control";

/** One operand, plain data. `text` of an instruction shows how each is written. */
export type Operand =
  /** `neg` is -x (for a predicate !p), `abs` |x|, `not` ~x. */
  | { readonly kind: "reg"; readonly reg: Reg; readonly neg: boolean; readonly abs: boolean; readonly not: boolean }
  | { readonly kind: "imm"; readonly value: number | bigint }
  /** Bits of an IEEE single, unsigned. */
  | { readonly kind: "f32"; readonly bits: number }
  /** Bits of an IEEE double, as two unsigned halves. */
  | { readonly kind: "f64"; readonly hi: number; readonly lo: number }
  | {
      readonly kind: "cbank";
      readonly bank: number;
      readonly base: Reg | null;
      readonly offset: number;
      readonly neg: boolean;
      readonly abs: boolean;
    }
  | { readonly kind: "mem"; readonly base: Reg | null; readonly index: Reg | null; readonly offset: number }
  | { readonly kind: "sreg"; readonly name: string }
  | { readonly kind: "label"; readonly block: Block }
  | { readonly kind: "table"; readonly name: string }
  | { readonly kind: "vec"; readonly regs: readonly Reg[] }
  | { readonly kind: "list"; readonly regs: readonly Reg[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sym"; readonly name: string; readonly offset: number }
  /** One input of a PHI: the predecessor and the value that comes from it. */
  | { readonly kind: "phi"; readonly from: Block; readonly value: Operand };

/** An instruction. Reading is O(1) unless said otherwise. */
export interface Inst {
  /** Unique in the function; never reused. */
  readonly id: number;
  /** `IADD`, `BRA`, …, without modifiers. */
  readonly op: string;
  /** Modifiers in their order: `["GE", "U32"]`. */
  readonly mods: readonly string[];
  /** `@P0` is `{ reg: "P0", neg: false }`. An instruction whose guard is false does nothing, so a guarded definition may leave the old value. */
  readonly guard: { readonly reg: Reg; readonly neg: boolean } | null;
  /** As written, definitions included. */
  readonly operands: readonly Operand[];
  /** Operands without the definitions. */
  readonly sources: readonly Operand[];
  /** Those as written: `-R5`, `0x10`, `[RD2+4]`. */
  readonly sourceTexts: readonly string[];
  /** The order of its first two sources does not matter. */
  readonly commutative: boolean;
  /** Registers that it may write, constants (RZ, PT) left out. */
  readonly defs: readonly Reg[];
  /** Registers that it reads: guard first, PHI inputs included, repeats kept, constants left out. What RET returns is in `fn.returns`. */
  readonly uses: readonly Reg[];
  /** Canonical text, without label and comment: `@P0 IADD R4, R4, 1`. */
  readonly text: string;
  readonly effect: Effect;
  /** It always writes its results when it is reached: no guard, or `@PT`. */
  readonly alwaysWrites: boolean;
  /** It has no effect but its results, so it may be removed if nothing reads them. Volatile accesses and stores are not removable. */
  readonly removable: boolean;
  /** It may run where it did not run before: pure, and cannot trap. */
  readonly speculatable: boolean;
  readonly volatile: boolean;
  readonly isPhi: boolean;
  /** BRA, JMX, BRX, RET, EXIT, KILL. */
  readonly isTerminator: boolean;
  /** Control never continues after it. */
  readonly isUnconditional: boolean;
  /** The target of a BRA; null for everything else. */
  readonly target: Block | null;
  /** The table that a JMX or BRX jumps through; null for everything else. */
  readonly table: JumpTable | null;
  /** null: it was removed. */
  readonly block: Block | null;
  /** Position in its block, from 0; -1: it was removed. O(instructions of the block). */
  readonly index: number;
}

/** A basic block. */
export interface Block {
  readonly id: number;
  readonly label: string;
  readonly insts: readonly Inst[];
  /** PHIs at the head. */
  readonly phis: readonly Inst[];
  /** 0 to 2 branches at the end. */
  readonly terminators: readonly Inst[];
  /** Taken edge first, then the fall-through; for a table in its order. Without repetition. */
  readonly succs: readonly Block[];
  readonly preds: readonly Block[];
  /** Control can run off its end into `next`. */
  readonly fallsThrough: boolean;
  /** Neighbours in the layout; null at the ends. */
  readonly next: Block | null;
  readonly previous: Block | null;
  /** False: it was removed. */
  readonly exists: boolean;
}

/** A jump table. Instructions name it; a block that is one of its entries or its default cannot be removed. */
export interface JumpTable {
  readonly name: string;
  /** Entry i is taken for the selector's value `base` + i. */
  readonly base: number;
  readonly entries: readonly Block[];
  /** Taken for every other value; null: there is none. */
  readonly default: Block | null;
  /** Instructions that jump through it. O(instructions). */
  readonly users: readonly Inst[];
  /** False: it was removed. */
  readonly exists: boolean;
}

export type Order = "layout" | "preorder" | "postorder" | "reverse-postorder";

export interface Dominators {
  /** null for the entry and for unreachable blocks. */
  idom(block: Block): Block | null;
  /** Every reachable block dominates itself. O(1). */
  dominates(a: Block, b: Block): boolean;
  children(block: Block): readonly Block[];
  /** The dominance frontier: blocks just outside of those that `block` dominates. */
  frontier(block: Block): readonly Block[];
}

export interface Loop {
  readonly header: Block;
  readonly latches: readonly Block[];
  /** In reverse post-order. */
  readonly blocks: readonly Block[];
  /** Its header dominates its latches. */
  readonly natural: boolean;
  /** 1: outermost; 0: not natural. */
  readonly depth: number;
}

export interface Liveness {
  liveIn(block: Block): ReadonlySet<Reg>;
  /** Live after the last instruction; what a PHI of a successor reads from here is live here. */
  liveOut(block: Block): ReadonlySet<Reg>;
}

/** A definition that reaches a point of the program; `inst` null: the value at the function's entry (a parameter, else 0 or false). */
export interface Definition {
  readonly reg: Reg;
  readonly inst: Inst | null;
  readonly block: Block;
}

export interface ReachingDefinitions {
  /** Definitions of `reg` that may reach the instruction. */
  at(inst: Inst, reg: Reg): readonly Definition[];
  /** Instructions that read a register, each once. */
  usesOf(reg: Reg): readonly Inst[];
  /** All instructions that define it. */
  defsOf(reg: Reg): readonly Inst[];
}

export interface Uniformity {
  /** Lanes of one warp may leave the block on different edges. */
  isDivergent(block: Block): boolean;
  /** The instruction's result may differ between lanes. */
  resultVaries(inst: Inst): boolean;
  /** Some lanes of the warp may be elsewhere while this block runs. */
  inRegion(block: Block): boolean;
}

/** PHI inputs for a new edge: those for another predecessor, or one by one. */
export type PhiInputs = { readonly like: Block } | ((phi: Inst) => string);

export interface EdgeOptions {
  /** Needed when the edit makes an edge into a block with PHIs. */
  readonly phi?: PhiInputs;
}

/** The parts of a table that change. */
export interface TableParts {
  readonly base?: number;
  readonly entries?: readonly Block[];
  readonly default?: Block | null;
}

/**
 * The function, and the only way to change it. An instruction to insert is a line of text, as in the editor: `IADD R4, R4, 1`,
 * `@!P0 BRA BB3`, `PHI R3, [BB1: R1], [BB2: 0]`. Every edit updates edges, predecessors and PHI inputs. Request a new register (`freshReg`)
 * before you name it. Edits return nothing or what they made; each is O(size of the block) unless said otherwise.
 */
export interface Fn {
  readonly name: string;
  readonly kind: "kernel" | "func";
  readonly params: readonly { readonly name: string; readonly reg: Reg }[];
  /** Registers observed at RET; empty for a kernel. */
  readonly returns: readonly Reg[];
  readonly entry: Block;
  /** In layout order. */
  readonly blocks: readonly Block[];
  /** The block with that label; null: there is none. O(blocks). */
  block(label: string): Block | null;
  /** Jump tables, in the order of the text. */
  readonly tables: readonly JumpTable[];
  /** `layout` has every block, the others only reachable ones. O(blocks and edges), kept until the graph changes. */
  order(order: Order): readonly Block[];

  /** Each is computed for the function as it is now, and does not follow later edits. */
  dominators(): Dominators;
  loops(): readonly Loop[];
  liveness(): Liveness;
  reachingDefinitions(): ReachingDefinitions;
  uniformity(): Uniformity;

  /** A register that the function does not name. */
  freshReg(cls: RegClass): Reg;

  remove(inst: Inst, options?: EdgeOptions): void;
  insertBefore(inst: Inst, text: string): Inst;
  insertAfter(inst: Inst, text: string): Inst;
  /** At the end, before the branches; a branch itself at the very end. */
  append(block: Block, text: string, options?: EdgeOptions): Inst;
  /** At the head; a PHI first of all, everything else after the PHIs. */
  prepend(block: Block, text: string): Inst;
  /** The instruction keeps its identity and gets another text. */
  replace(inst: Inst, text: string, options?: EdgeOptions): void;
  /** Maps every register that it reads, none that it writes. Returns whether anything changed. */
  mapUses(inst: Inst, map: (reg: Reg) => Reg): boolean;
  /** Maps every register that it writes, none that it reads. Returns whether anything changed. */
  mapDefs(inst: Inst, map: (reg: Reg) => Reg): boolean;
  /** Moves before another instruction, or to the end of a block before its branches. Not for branches. */
  move(inst: Inst, to: { readonly before: Inst } | { readonly endOf: Block }): void;
  /** Replaces the branches at the end; none: the block falls through. */
  setTerminators(block: Block, texts: readonly string[], options?: EdgeOptions): void;
  /** Makes every edge from `block` to `from` lead to `to`. A table that the block jumps through changes for all that use the table. */
  redirect(block: Block, from: Block, to: Block, options?: EdgeOptions): void;
  /** Adds a block right after `after` in the layout. If `after` falls through, it falls into the new block. */
  addBlock(label: string, after: Block, texts?: readonly string[], options?: EdgeOptions): Block;
  /** A block that falls through gets a BRA instead, so that the layout may change after it. */
  makeJump(block: Block): void;
  /** Moves the rest of a block, from `inst` on, to a new block that it falls through into. */
  split(inst: Inst, label: string): Block;
  /** Changes the entries, the default or the base of a table; what is left out is unchanged. At least one entry is needed. O(blocks). */
  setTable(table: JumpTable, parts: TableParts, options?: EdgeOptions): void;
  /** No instruction may jump through it any more. O(instructions). */
  removeTable(table: JumpTable): void;
  /** No instruction and no table may name it any more. O(instructions). */
  removeBlock(block: Block, options?: EdgeOptions): void;
}

/** What a sentence is about: shown in the graph and the text. */
export interface Focus {
  readonly block?: Block;
  readonly inst?: Inst;
  readonly reg?: Reg;
  readonly blocks?: readonly Block[];
  readonly insts?: readonly Inst[];
  readonly regs?: readonly Reg[];
  readonly edges?: readonly (readonly [Block, Block])[];
}

/** A value to show: blocks, instructions and registers print as their names. */
export type Shown = string | number | boolean | null | bigint | Block | Inst | readonly Shown[] | { readonly [key: string]: Shown };

/** A table that is shown while the pass runs, and is restored when you step back. */
export interface Table {
  set(key: Shown, value: Shown): void;
  delete(key: Shown): void;
}

/** A set that is drawn while the pass runs. */
export interface ObservedSet {
  /** False: it was in already. */
  add(value: Shown): boolean;
  delete(value: Shown): boolean;
  has(value: Shown): boolean;
  clear(): void;
  readonly size: number;
}

/** A tree that is drawn while the pass runs. */
export interface Tree {
  /** `parent` null: a root. */
  set(key: Shown, parent: Shown, value?: Shown): void;
  delete(key: Shown): void;
}

/** How a pass reports steps and requests rewrites. A step costs almost nothing while nothing is recorded. */
export interface Ctx {
  /** A step of the trace. */
  step(sentence: string, focus?: Focus): void;
  /** Groups the steps inside `body`. */
  span<T>(sentence: string, focus: Focus, body: () => T): T;
  /** A candidate meets all conditions. */
  because(sentence: string, focus?: Focus): void;
  /** A candidate is refused: `reason` is a word or two, for the summary. Always returns false, so that you can return the call. */
  refuse(reason: string, sentence: string, focus?: Focus): false;
  /**
   * One rewrite: the smallest change that keeps the meaning by itself. Requests it first (fuel and skipped rewrites are refused here), then
   * runs `edits`. False: it was refused, and nothing was done. A refused candidate (same line, same focus) is not requested again. An edit
   * outside a rewrite is a separate rewrite; if it is refused, the pass ends there.
   */
  rewrite(sentence: string, focus: Focus, edits: () => void): boolean;
  /** Requests a later `rewrite` on the same line with the same focus, for rewrites that depend on each other. */
  permit(sentence: string, focus: Focus): boolean;
  /** The reason to show if nothing changed. Left out: the refusals. */
  why(sentence: string): void;
  table(title: string): Table;
  set(title: string): ObservedSet;
  tree(title: string): Tree;
}

export interface PassDefinition {
  /** A few words. */
  readonly name: string;
  /** One sentence: what it does. */
  readonly summary?: string;
  run(fn: Fn, ctx: Ctx): void;
}

/** What an analysis reports for each block: a set of registers or of labels, a label or null, or a number. */
export type AnalysisResult = ReadonlyMap<Block, ReadonlySet<Shown> | readonly Shown[] | Shown>;

/** The built-in analysis to compare with; null: none. */
export type AnalysisKind = "live-in" | "live-out" | "idom" | "dominators" | "frontier" | "rpo" | "loop-depth" | null;

export interface AnalysisDefinition {
  readonly name: string;
  readonly summary?: string;
  readonly of: AnalysisKind;
  run(fn: Fn, ctx: Ctx): AnalysisResult;
}

/** A test of an analysis has no options: it requires that the analysis agrees with the built-in one on the program. */
export interface TestOptions {
  /** The program afterwards; names of registers and labels do not count. */
  readonly after?: string;
  /** The pass changes nothing. */
  readonly unchanged?: boolean;
}

/** What `definePass` returns. */
export interface OwnPass extends PassDefinition {
  readonly kind: "pass";
}

/** What `defineAnalysis` returns. */
export interface OwnAnalysis extends AnalysisDefinition {
  readonly kind: "analysis";
}

/** Defines a pass; it is the file's default export. */
export declare function definePass(definition: PassDefinition): OwnPass;

/** Defines an analysis, which changes nothing; it is the file's default export. */
export declare function defineAnalysis(definition: AnalysisDefinition): OwnAnalysis;

/**
 * A test inside a pass's file: the page runs it while you type, and `oriscope check --pass` runs it, too. It does nothing where something
 * else imports the file. `program` is Ori text; the line that names the kernel may be left out.
 */
export declare function test(name: string, program: string, options?: TestOptions): void;

/** Whether two programs are the same but for the names of registers and labels. O(instructions). */
export declare function sameUpToNames(a: string, b: string): boolean;

/** The version of these types: the second part grows when something is added, the first when something changes. */
export declare const PASS_API_VERSION: string;
