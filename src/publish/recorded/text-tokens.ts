/** An instruction of any compiler as pieces of text, distinguished by their shape alone. */

import type { Token } from "../../engine/api/types.ts";

const PIECE = /(@!?[\w$.]+)|(0x[\da-f]+|-?\d+(?:\.\d+)?)|([%$]?[A-Za-z_.$][\w.$]*)|(\s+|.)/giu;
const REGISTER = /^(?:U?R\d+|RD\d+|U?P\d+|U?RZ|U?PT|B\d+|[%$][\w.]+|v\d+)$/;

/** `labels`: names of blocks. The first word is what the instruction does. */
export function textTokens(text: string, labels: ReadonlySet<string>): Token[] {
  let first = true;
  return [...text.matchAll(PIECE)].map(([piece, guard, number, word]): Token => {
    const token = (kind: Token["kind"], regs: readonly string[] = []): Token => ({ text: piece, kind, operand: null, regs, def: false });
    if (guard !== undefined) return token("guard", [guard.replace(/^@!?/, "")]);
    if (number !== undefined) return token("number");
    if (word === undefined) return token("punct");
    if (labels.has(word)) return token("label");
    if (REGISTER.test(word)) return token(/^U?P[\dT]/.test(word) ? "pred" : "reg", [word]);
    if (!first) return token("text");
    first = false;
    return token("mnemonic");
  });
}
