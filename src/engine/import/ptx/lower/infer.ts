/** The type of an undeclared register, by its name: listings without declarations keep the compilers' naming. */

import { type PtxType, ptxType } from "../types.ts";

const INFERRED_TYPES: readonly (readonly [prefix: string, type: string])[] = [
  ["%rs", "b16"],
  ["%rh", "b16"],
  ["%rd", "b64"],
  ["%rl", "b64"],
  ["%rc", "b16"],
  ["%rq", "b128"],
  ["%r", "b32"],
  ["%fd", "f64"],
  ["%f", "f32"],
  ["%hh", "b32"],
  ["%h", "b16"],
  ["%p", "pred"],
];

/** Undefined when the name follows no compiler's custom. `addressBits`: width of the stack pointers. */
export function inferType(name: string, addressBits: 32 | 64): PtxType | undefined {
  if (name === "%SP" || name === "%SPL") return ptxType(addressBits === 64 ? "b64" : "b32");
  const known = INFERRED_TYPES.find(([prefix]) => name.startsWith(prefix) && /^\d/.test(name.slice(prefix.length)));
  return known === undefined ? undefined : ptxType(known[1]);
}
