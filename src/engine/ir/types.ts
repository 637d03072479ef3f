/** The Ori IR as plain data. Passes read it directly and change it only through `edit.ts`. */

import type { BlockId, InstId, Reg } from "./ids.ts";
import type { Opcode } from "./opcodes.ts";

/** What an OPAQUE instruction does, as phases see it. */
export type OpaqueEffect = "pure" | "load" | "store" | "barrier" | "call" | "warp";

/**
 * One operand, immutable.
 * - `reg`: a register with source modifiers: `neg` (-x; for a predicate: !p), `abs` (|x|), `not` (~x). `-|x|` has both neg and abs.
 * - `imm`: an integer as written, within ±2^53; a 32-bit reader takes it modulo 2^32, a 64-bit reader sign-extends.
 * - `imm64`: an integer outside ±2^53.
 * - `f32`: IEEE-754 single bits (unsigned); `f64`: double bits as two unsigned halves.
 * - `cbank`: `c[bank][offset]`, `c[bank][R4+offset]`.
 * - `mem`: `[base+offset]`; base null: absolute. `index`: a second register (`[R2+UR4+0x10]`).
 * - `sreg`: special register name (`SR_TID.X`). - `label`: a block. - `table`: a jump table by name.
 * - `vec`: `{R0, R1}`. - `list`: the defs or uses group of OPAQUE. - `text`: quoted text.
 * - `phi`: one input of a PHI: predecessor block and value.
 * - `sym`: an address symbol (`shared_array+8`) the importer kept; resolved by `Module.symbols`.
 */
export type Operand =
  | { readonly kind: "reg"; readonly reg: Reg; readonly neg: boolean; readonly abs: boolean; readonly not: boolean }
  | { readonly kind: "imm"; readonly value: number }
  | { readonly kind: "imm64"; readonly value: bigint }
  | { readonly kind: "f32"; readonly bits: number }
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
  | { readonly kind: "label"; readonly block: BlockId }
  | { readonly kind: "table"; readonly name: string }
  | { readonly kind: "vec"; readonly regs: readonly Reg[] }
  | { readonly kind: "list"; readonly regs: readonly Reg[] }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "sym"; readonly name: string; readonly offset: number }
  | { readonly kind: "phi"; readonly pred: BlockId; readonly value: Operand };

/** `@P0` or `@!P0`. A guard of PT is written and kept; `guard: null` means no guard. */
export interface Guard {
  readonly reg: Reg;
  readonly neg: boolean;
}

/** Comments and blank lines that belong to a line of text, so that unedited lines survive a round trip. */
export interface Trivia {
  /** Whole lines before (comments as written, "" for a blank line). */
  readonly before: readonly string[];
  /** Trailing comment on the line, "" when none. */
  readonly after: string;
}

/**
 * One instruction, immutable; an edit replaces it. `mods` are in canonical order. `ops` are in textual order, definitions included;
 * the opcode table says which ones are definitions, through `visit.ts`, the one reader of operands.
 * `line`: 1-based line of the source text it came from, 0 when a phase made it.
 */
export interface Inst {
  readonly id: InstId;
  readonly op: Opcode;
  readonly mods: readonly string[];
  readonly guard: Guard | null;
  readonly ops: readonly Operand[];
  readonly line: number;
  readonly trivia: Trivia | null;
}

/**
 * A basic block. `succs`: taken edge first, then else (fall-through) edge; for a table in table order with the default last; never repeated.
 * `preds`: mirrors, in the order in which the edges were made; never repeated.
 * The annotation fields are the block record of the reference (AnalyzeControlFlow, storage layout): journaled like everything else.
 */
export interface Block {
  readonly id: BlockId;
  readonly label: string;
  readonly insts: readonly Inst[];
  readonly succs: readonly BlockId[];
  readonly preds: readonly BlockId[];
  /** `.weight`: execution count of the profile, null when none. */
  readonly weight: number | null;
  /** +144: reverse post-order number from 1; 0 = unreachable or not analysed. */
  readonly rpo: number;
  /** +152: two uses, see docs/fidelity.md, phase 3. */
  readonly latchExit: number;
  /** +280: flag word, bits in `flags.ts`. */
  readonly flags: number;
  /** +292: second flag byte. */
  readonly flags2: number;
  /** +120 and +232. */
  readonly scratch120: number;
  readonly scratch232: number;
  /** Line of the label in the source text, 0 when a phase made the block. */
  readonly line: number;
  readonly trivia: Trivia | null;
}

/** The numeric annotation fields of a block that `Editor.setField` writes. */
export type BlockField = "rpo" | "latchExit" | "flags" | "flags2" | "scratch120" | "scratch232";

/** `.table JT0 base=-2 default=BB9 { … }`: entry i is the target for selector value base + i; JMX and BRX index it from 0. */
export interface JumpTable {
  readonly name: string;
  readonly base: number;
  readonly default: BlockId | null;
  readonly entries: readonly BlockId[];
  readonly line: number;
  readonly trivia?: Trivia | null;
}

export interface Param {
  readonly name: string;
  readonly reg: Reg;
}

/** Threads of a block along x, y and z. */
export type BlockSize = readonly [x: number, y: number, z: number];

/**
 * A kernel or function body. `blocks` is indexed by BlockId (undefined: deleted or never used); `layout` is program order, entry first.
 * `flags` are the function record's bits (`flags.ts`). `version` grows with every edit, `codeVersion` with every one but those of block
 * fields, weights and `flags`, `cfgVersion` with every edit of blocks or edges.
 */
export interface Func {
  readonly kind: "kernel" | "func";
  readonly name: string;
  readonly params: readonly Param[];
  /** Registers observed at RET (`.func … -> R2, P0`); empty for a kernel. */
  readonly returns: readonly Reg[];
  /** `.reqntid 64, 4, 1` of a kernel: each launch has blocks of this size, so that `SR_TID.X` is below 64; null when any size may come. */
  readonly blockSize: BlockSize | null;
  readonly blocks: readonly (Block | undefined)[];
  readonly layout: readonly BlockId[];
  readonly tables: ReadonlyMap<string, JumpTable>;
  readonly flags: number;
  readonly nextInst: number;
  /** Smallest unused register index of each class, indexed by class code (`reg & 7`). */
  readonly nextReg: readonly number[];
  readonly version: number;
  readonly codeVersion: number;
  readonly cfgVersion: number;
  readonly line: number;
  readonly trivia: Trivia | null;
}

/** The address of a symbol among the initial bytes of another one: its `bytes` lowest bytes, from byte `at` on. */
export interface SymbolAddress {
  readonly at: number;
  readonly bytes: 4 | 8;
  readonly name: string;
  readonly offset: number;
}

/** A named address space object an importer declared (`.shared .align 4 .b8 buf[1024]`). */
export interface ModuleSymbol {
  readonly name: string;
  /** `param`: a parameter of a kernel that stays in constant bank 0, named as `paramSymbol` says. `func`: a function whose address is taken. */
  readonly space: "global" | "shared" | "const" | "local" | "param" | "func";
  readonly size: number;
  readonly align: number;
  /** Byte offset within its space, assigned by the parser or importer. */
  readonly offset: number;
  /** Initial bytes as hex, or null for zero. */
  readonly init: string | null;
  /** Initial bytes that are addresses, over those of `init`. */
  readonly addresses?: readonly SymbolAddress[];
  /** Nothing declares it: only its name is known, and its address is our choice. */
  readonly inferred?: true;
  readonly trivia?: Trivia | null;
}

export interface Module {
  /** `.target sm_90` of the text, null when absent. */
  readonly target: string | null;
  /** Comments of the `.target` line. */
  readonly targetTrivia?: Trivia | null;
  readonly symbols: readonly ModuleSymbol[];
  readonly funcs: readonly Func[];
  /** Trivia after the last line. */
  readonly tail: readonly string[];
}
