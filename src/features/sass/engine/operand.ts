/** Operands of one instruction: text to data. Everything here is bounded by the length of the text. */

import { parseReg, regIndex } from "../../../engine/ir/reg.ts";
import type { AddressPart, SassOperand } from "./ast.ts";

/** More operands than any instruction has. */
const MOST_OPERANDS = 24;
/** Registers end well below this on every target. */
const MOST_REGISTERS = 256;

/** True when something was left out. */
export interface OperandList {
  readonly operands: readonly SassOperand[];
  readonly cut: boolean;
}

/** Reads `R0, -R2.reuse, c[0x0] [0x160], [R4.64+0x8]`. `spaced`: blanks separate operands, too (`BRX R2 -0x100`). */
export function parseOperands(text: string, spaced: boolean): OperandList {
  const operands: SassOperand[] = [];
  const pieces = splitOperands(text.replace(/\]\s+\[/g, "]["), spaced);
  let cut = pieces.length > MOST_OPERANDS;
  for (const piece of pieces.slice(0, MOST_OPERANDS)) {
    const operand = parseOperand(piece);
    if (operand === null) cut = true;
    else operands.push(operand);
  }
  return { operands, cut };
}

function splitOperands(text: string, spaced: boolean): string[] {
  const pieces: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === "[" || c === "(" || c === "{") depth++;
    else if (c === "]" || c === ")" || c === "}") depth = Math.max(0, depth - 1);
    const ends = c === undefined || (depth === 0 && (c === "," || (spaced && (c === " " || c === "\t"))));
    if (!ends) continue;
    const piece = text.slice(start, i).trim();
    if (piece !== "") pieces.push(piece);
    start = i + 1;
    if (pieces.length > MOST_OPERANDS) break;
  }
  return pieces;
}

const REGISTER = /^(?:UR|UP|R|P|B)(?:\d{1,3}|Z|T)(?=$|\.)/;

/** Null for a register that no instruction can name. */
export function parseOperand(written: string): SassOperand | null {
  let text = written.replace(/\.reuse\b/g, "");
  let neg = false;
  let not = false;
  let inv = false;
  let abs = false;
  // Numbers keep their sign; for anything else prefixes come off one by one.
  const number = parseNumber(text);
  if (number !== null) return number;
  for (let more = true; more; ) {
    more = true;
    if (text.startsWith("-")) neg = !neg;
    else if (text.startsWith("~")) not = true;
    else if (text.startsWith("!")) inv = true;
    else more = text.startsWith("+");
    if (more) text = text.slice(1).trim();
  }
  if (text.startsWith("|")) {
    abs = true;
    text = text.replace(/\|/g, "").trim();
  }
  const name = REGISTER.exec(text)?.[0];
  if (name !== undefined) {
    const part = addressPart(text);
    return part === null ? null : { kind: "reg", reg: part.reg, neg, abs, not, inv, suffix: part.suffix };
  }
  if (text.startsWith("`")) return { kind: "target", name: text.slice(1).replace(/^\(+|(?<!\))\)+$/g, "") };
  if (text.startsWith("(") && text.endsWith(")")) return { kind: "target", name: text.slice(1, -1).trim() };
  if (text.startsWith(".")) return { kind: "target", name: text };
  const bank = /^cx?\[([^\]]*)\](?:\[([^\]]*)\])?/.exec(text);
  if (bank !== null) {
    const first = address(bank[1] ?? "");
    const second = address(bank[2] ?? "");
    const byNumber = first.parts.length === 0;
    const { parts, offset } = second;
    const suffix = text
      .slice(bank[0].length)
      .split(".")
      .filter((s) => s !== "" && s !== "|");
    return { kind: "cbank", bank: byNumber ? first.offset : null, bankRegs: first.parts, parts, offset, neg, abs, not, suffix };
  }
  const mem = /^(g?desc|idesc|g?tmem)?(?:\[([^\]]*)\])(?:\[([^\]]*)\])?/.exec(text);
  if (mem !== null) {
    const first = address(mem[2] ?? "");
    if (mem[3] !== undefined) return { kind: "mem", ...address(mem[3]), desc: first.parts, gdesc: false };
    return { kind: "mem", ...first, desc: [], gdesc: mem[1] === "gdesc" };
  }
  const number2 = parseNumber(text);
  if (number2 !== null) return number2;
  return { kind: "word", text: written };
}

const INTEGER = /^[+-]?\s*(?:0[xX][0-9a-fA-F]{1,16}|\d{1,20})$/;
const FLOAT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,5})?$/;

function parseNumber(text: string): SassOperand | null {
  if (INTEGER.test(text)) {
    const bare = text.replace(/^[+-]\s*/, "");
    const value = Number(bare);
    return { kind: "num", value: text.startsWith("-") ? -value : value, hex: /^0[xX]/.test(bare), integer: true };
  }
  if (text.length < 64 && FLOAT.test(text)) return { kind: "num", value: Number(text), hex: false, integer: false };
  switch (text) {
    case "INF":
    case "+INF":
      return { kind: "num", value: Number.POSITIVE_INFINITY, hex: false, integer: false };
    case "-INF":
      return { kind: "num", value: Number.NEGATIVE_INFINITY, hex: false, integer: false };
    default:
      return null;
  }
}

function address(text: string): { readonly parts: readonly AddressPart[]; readonly offset: number } {
  const parts: AddressPart[] = [];
  let offset = 0;
  for (const piece of text.split("+").slice(0, MOST_OPERANDS)) {
    const word = piece.trim();
    const part = addressPart(word);
    if (part !== null) parts.push(part);
    else if (INTEGER.test(word)) {
      const bare = word.replace(/^-\s*/, "");
      offset += word.startsWith("-") ? -Number(bare) : Number(bare);
    }
  }
  return { parts, offset: Number.isSafeInteger(offset) ? offset : 0 };
}

function addressPart(word: string): AddressPart | null {
  const name = REGISTER.exec(word)?.[0];
  const reg = name === undefined ? null : parseReg(name);
  if (name === undefined || reg === null) return null;
  // RZ and PT have their own index, far above.
  if (!/[ZT]$/.test(name) && regIndex(reg) >= MOST_REGISTERS) return null;
  return {
    reg,
    suffix: word
      .slice(name.length + 1)
      .split(".")
      .filter((s) => s !== "" && s !== "reuse"),
  };
}
