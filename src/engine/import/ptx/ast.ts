/** The PTX syntax tree: what was written, names unresolved, every statement with its place. */

import type { BlockSize } from "../../ir/types.ts";
import type { Named, Scope } from "./scopes.ts";
import type { OpSpelling } from "./spelling.ts";
import type { PtxType } from "./types.ts";

/**
 * - `name`: register, symbol, label, function or special register; `part` is `.x`, `.y`, … or empty; `offset` from `symbol+8`.
 * - `neg`: `-%r1` (met in old texts only). - `not`: `!%p1`. - `sink`: `_`.
 * - `vec`: `{a, b}`. - `list`: `(a, b)`. - `pair`: `a|b`.
 * - `mem`: `[base+offset]`, base a name or null; `coords`: what follows a comma inside the brackets (textures).
 */
export type OperandAst =
  | NameAst
  | { readonly kind: "int"; readonly value: number | bigint }
  | { readonly kind: "f32"; readonly bits: number }
  | { readonly kind: "f64"; readonly hi: number; readonly lo: number }
  | { readonly kind: "real"; readonly value: number }
  | { readonly kind: "neg"; readonly of: OperandAst }
  | { readonly kind: "not"; readonly of: OperandAst }
  | { readonly kind: "sink" }
  | { readonly kind: "vec"; readonly items: readonly OperandAst[] }
  | { readonly kind: "list"; readonly items: readonly OperandAst[] }
  | { readonly kind: "pair"; readonly first: OperandAst; readonly second: OperandAst }
  | MemoryAst;

export interface NameAst {
  readonly kind: "name";
  readonly name: string;
  readonly part: string;
  readonly offset: number;
  /** The meaning of the name, once it was looked up in its scope: see `namedOf`. */
  named: Named | null;
}

export interface MemoryAst {
  readonly kind: "mem";
  readonly base: string | null;
  readonly part: string;
  readonly offset: number;
  readonly coords: readonly OperandAst[];
  /** Of the base, as above. */
  named: Named | null;
}

export interface InstStmt {
  readonly kind: "inst";
  readonly op: OpSpelling;
  readonly guard: { readonly name: string; readonly neg: boolean } | null;
  readonly operands: readonly OperandAst[];
  /** An operand could not be read: it and those after it are missing. */
  readonly isBroken: boolean;
  readonly scope: Scope;
  readonly line: number;
  readonly column: number;
  /** Extent in the text, from the opcode to before the `;`. */
  readonly start: number;
  readonly end: number;
}

/** A label of a body. `targeted` is set when a branch or a list of targets that a branch names leads to it. */
export interface LabelStmt {
  readonly kind: "label";
  readonly name: string;
  readonly line: number;
  readonly column: number;
}

export type Stmt = InstStmt | LabelStmt;

/** `L: .branchtargets A, B;`, or the functions of `L: .calltargets f, g;` */
export interface TargetList {
  readonly name: string;
  readonly labels: readonly string[];
  readonly line: number;
  readonly column: number;
}

export type VarSpace = "global" | "shared" | "const" | "local" | "param";

export interface AddressAst {
  /** Where in the variable it begins, and how many bytes of it there are. */
  readonly at: number;
  readonly bytes: 4 | 8;
  readonly name: string;
  /** Null: no variable of that name is declared before. It may be a function. */
  readonly variable: VariableAst | null;
  readonly offset: number;
  readonly generic: boolean;
  readonly line: number;
  readonly column: number;
}

export interface VariableAst {
  readonly name: string;
  readonly space: VarSpace;
  readonly type: PtxType;
  readonly align: number;
  /** Bytes; 0 for `name[]` without a value. */
  readonly size: number;
  readonly isArray: boolean;
  readonly isExtern: boolean;
  readonly init: string | null;
  /** Initial bytes that are addresses. */
  readonly addresses: readonly AddressAst[];
  readonly line: number;
  readonly column: number;
}

/** A formal parameter or result: `.param` memory, or a register in old `.func` lists. */
export interface ParamAst {
  readonly name: string;
  readonly type: PtxType;
  readonly align: number;
  readonly size: number;
  readonly isArray: boolean;
  readonly isReg: boolean;
  readonly line: number;
}

export interface FunctionAst {
  readonly kind: "entry" | "func";
  readonly name: string;
  readonly params: readonly ParamAst[];
  readonly returns: readonly ParamAst[];
  readonly noreturn: boolean;
  /** `.reqntid`. */
  readonly blockSize: BlockSize | null;
  /** Null for a declaration, and again once it is lowered: a large text's statements need not all be kept until the end. */
  body: readonly Stmt[] | null;
  /** Outermost scope of the body. */
  readonly scope: Scope;
  /** Variables of the body, in any scope. */
  readonly variables: readonly VariableAst[];
  readonly line: number;
  readonly column: number;
  /** Errors in its head and body. */
  readonly errors: number;
  /** Which of the text's modules it is from. */
  readonly unit: number;
}

/** One `.version` … of a text; most texts have one. */
export interface UnitAst {
  readonly version: string | null;
  readonly target: string | null;
  readonly addressSize: number;
}

export interface TextAst {
  readonly units: readonly UnitAst[];
  /** Module-level variables with the unit they belong to. */
  readonly variables: readonly { readonly variable: VariableAst; readonly unit: number; readonly scope: Scope }[];
  readonly functions: readonly FunctionAst[];
  /** Registers were declared outside of functions: the first function that names one numbers it for all. */
  readonly sharesRegisters: boolean;
}
