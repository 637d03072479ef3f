/** A Bril program as plain data, from text or JSON, every name with its place. */

import type { Place } from "../../../engine/import/diagnostics.ts";

/** `int` 64 bit, `bool`, `float` (double), `char` (UTF-16 unit), or a pointer to cells of one of them. */
export type BrilType = "int" | "bool" | "float" | "char" | { readonly ptr: BrilType };

export type BrilValue =
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "char"; readonly code: number };

export interface BrilName {
  readonly text: string;
  readonly at: Place;
}

export interface BrilLabel {
  readonly kind: "label";
  readonly name: BrilName;
}

export interface BrilInst {
  readonly kind: "inst";
  readonly op: string;
  readonly dest: BrilName | null;
  readonly type: BrilType | null;
  readonly args: readonly BrilName[];
  readonly funcs: readonly BrilName[];
  readonly labels: readonly BrilName[];
  /** Of `const` only. */
  readonly value: BrilValue | null;
  /** The operation's name, or the whole object of JSON. */
  readonly at: Place;
}

export type BrilItem = BrilLabel | BrilInst;

export interface BrilParam {
  readonly name: BrilName;
  readonly type: BrilType;
}

export interface BrilFunction {
  readonly name: BrilName;
  readonly params: readonly BrilParam[];
  readonly type: BrilType | null;
  readonly items: readonly BrilItem[];
  /** Last line of its text. */
  readonly endLine: number;
}

export interface BrilProgram {
  readonly functions: readonly BrilFunction[];
}

const NOWHERE: Place = { line: 0, column: 0, length: 0 };

/** A name that no text contains. */
export const madeName = (text: string, at: Place = NOWHERE): BrilName => ({ text, at });

export interface InstParts {
  readonly dest?: BrilName | null;
  readonly type?: BrilType | null;
  readonly args?: readonly BrilName[];
  readonly funcs?: readonly BrilName[];
  readonly labels?: readonly BrilName[];
  readonly value?: BrilValue | null;
  readonly at?: Place;
}

export function brilInst(op: string, parts: InstParts = {}): BrilInst {
  const { dest = null, type = null, args = [], funcs = [], labels = [], value = null, at = NOWHERE } = parts;
  return { kind: "inst", op, dest, type, args, funcs, labels, value, at };
}

export function showType(type: BrilType): string {
  return typeof type === "string" ? type : `ptr<${showType(type.ptr)}>`;
}

export function sameType(a: BrilType, b: BrilType): boolean {
  let [x, y] = [a, b];
  while (typeof x !== "string" && typeof y !== "string") [x, y] = [x.ptr, y.ptr];
  return x === y;
}

export const isPointer = (type: BrilType): type is { readonly ptr: BrilType } => typeof type !== "string";

/** Instructions after which control does not continue with the next one. */
export const endsBrilBlock = (inst: BrilInst): boolean => inst.op === "jmp" || inst.op === "br" || inst.op === "ret";
