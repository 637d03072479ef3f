/** The split of an opcode's spelling into root, modifiers and types. */

import { type Form, formsOf } from "./forms.ts";
import { type PtxType, ptxType } from "./types.ts";

/** An opcode's spelling, taken apart once: `setp.lt.and.s32` is root `setp`, mods `lt and`, types `s32`. */
export interface OpWords {
  readonly text: string;
  readonly root: string;
  /** Dotted words that are not types, in order, without dots. */
  readonly mods: readonly string[];
  readonly types: readonly PtxType[];
  /** Number of vector elements: 1, 2, 4 or 8. */
  readonly vector: number;
}

export interface OpSpelling extends OpWords {
  /** The forms of the language that these words fit; null: not checked. */
  readonly forms: readonly Form[] | null;
}

const VECTORS: Readonly<Record<string, number>> = { v1: 1, v2: 2, v4: 4, v8: 8 };

/** Splits `root.word.word::part`. */
export function splitOpcode(text: string): OpSpelling {
  const parts = text.split(".");
  const mods: string[] = [];
  const types: PtxType[] = [];
  let vector = 1;
  for (const part of parts.slice(1)) {
    const type = ptxType(part);
    const width = VECTORS[part];
    if (type !== undefined) types.push(type);
    else if (width !== undefined) vector = width;
    else mods.push(part);
  }
  const words = { text, root: parts[0] ?? "", mods, types, vector };
  return { ...words, forms: formsOf(words) };
}
