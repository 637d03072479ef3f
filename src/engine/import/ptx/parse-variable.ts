/** Declarations of variables and registers: `.shared .align 4 .b8 buf[1024];`, `.reg .b32 %r<10>;`, with initial values. */

import { AddressList } from "./address.ts";
import type { AddressAst, VariableAst, VarSpace } from "./ast.ts";
import { beginsConstant, parseConstant, parseCount, parseValue } from "./constant.ts";
import { TOKEN } from "./lexer.ts";
import { doubleBits, type Literal, singleBits } from "./literal.ts";
import { accept, complain, expectChar, found, here, type Parser } from "./parser.ts";
import { makeRegister, type Scope } from "./scopes.ts";
import { B8, B32, type PtxType, ptxType } from "./types.ts";

export const SPACES: Readonly<Record<string, VarSpace>> = {
  ".global": "global",
  ".const": "const",
  ".shared": "shared",
  ".local": "local",
  ".param": "param",
  ".tex": "global",
};

/** Initial bytes kept for one variable; more is cut with a message. */
const MAX_INIT_BYTES = 1 << 24;

/** What is between the space and the name. */
interface Attributes {
  type: PtxType | null;
  align: number;
  vector: number;
}

/**
 * Skips `.align 8 .b8 .v4 .ptr .global …` up to the first token that is not an attribute.
 * Spaces are accepted (`.ptr .global`), and unknown words, too: they do not affect the layout.
 */
export function parseAttributes(p: Parser): Attributes {
  const { lex } = p;
  const result: Attributes = { type: null, align: 0, vector: 1 };
  for (;;) {
    if (lex.is("[") && SPACES[p.lex.text.slice(lex.previousEnd - 6, lex.previousEnd)] !== undefined) {
      // `.const[2]`: a bank number of old texts.
      lex.next();
      parseConstant(p);
      accept(p, "]");
      continue;
    }
    if (!lex.at(TOKEN.dotted)) break;
    const word = lex.word;
    lex.next();
    if (word === ".align") {
      const value = parseConstant(p);
      if (value !== null && Number(value) > 0 && result.type === null) result.align = Number(value);
    } else if (word === ".attribute") {
      skipParentheses(p);
    } else if (word === ".v2" || word === ".v4" || word === ".v8") {
      result.vector = Number(word.slice(2));
    } else {
      const type = ptxType(word.slice(1));
      // `.param .u64 .ptr .align 8`: the first type is the variable's.
      if (type !== undefined) result.type ??= type;
    }
  }
  return result;
}

function skipParentheses(p: Parser): void {
  if (!accept(p, "(")) return;
  let open = 1;
  while (open > 0 && !p.lex.at(TOKEN.end) && !p.lex.is(";") && !p.lex.is("{")) {
    if (p.lex.is("(")) open++;
    else if (p.lex.is(")")) open--;
    p.lex.next();
  }
}

/** `[n][m]`: the number of elements, 0 for `[]`; null when there are no brackets. */
export function parseDimensions(p: Parser): number | null {
  let count: number | null = null;
  while (accept(p, "[")) {
    if (accept(p, "]")) {
      count ??= 0;
      continue;
    }
    const value = parseConstant(p);
    if (value === null || !expectChar(p, "]", "after the number of elements")) return count ?? 0;
    count = (count ?? 1) * Math.max(0, Number(value));
  }
  return count;
}

/** The declarations after a space word (which is consumed already), up to and with `;`. */
export function parseVariables(p: Parser, space: VarSpace, isExtern: boolean, scope: Scope, add: (variable: VariableAst) => void): void {
  const { lex } = p;
  const attributes = parseAttributes(p);
  const type = attributes.type ?? B8;
  const element = Math.max(1, type.bits >> 3) * attributes.vector;
  do {
    if (!lex.at(TOKEN.name)) {
      complain(p, `expected the name of a variable, found ${found(p)}`);
      lex.skipStatement();
      return;
    }
    const place = here(p);
    const name = lex.word;
    lex.next();
    // `.param .b32 %p<4>`-like lists of variables do not occur in real texts; the count is read and ignored.
    const dimensions = parseDimensions(p);
    let init: string | null = null;
    let addresses: readonly AddressAst[] = [];
    let size = element * (dimensions ?? 1);
    if (accept(p, "=")) {
      const read = parseInit(p, type, scope);
      if (read.bytes.length > size && dimensions === 0) size = read.bytes.length;
      init = toHex(read.bytes.subarray(0, size));
      addresses = read.addresses.filter(({ at, bytes }) => at + bytes <= size);
    }
    add({
      name,
      space,
      type,
      align: attributes.align > 0 ? attributes.align : element,
      size,
      isArray: dimensions !== null || attributes.vector > 1,
      isExtern,
      init,
      addresses,
      line: place.line,
      column: place.column,
    });
  } while (accept(p, ","));
  if (!expectChar(p, ";", "after the declaration")) lex.skipStatement();
}

/** `.reg` is consumed: type, then names, ranges and commas up to `;`. */
export function parseRegisters(p: Parser, scope: Scope): void {
  const { lex } = p;
  const attributes = parseAttributes(p);
  const type = attributes.type ?? B32;
  do {
    if (!lex.at(TOKEN.name)) {
      complain(p, `expected the name of a register, found ${found(p)}`);
      lex.skipStatement();
      return;
    }
    const place = here(p);
    const name = lex.word;
    lex.next();
    if (accept(p, "<")) {
      const count = parseCount(p);
      expectChar(p, ">", "after the number of registers");
      if (count !== null) scope.declareRange(name, count, type);
    } else {
      if (attributes.vector > 1) p.hasVectors = true;
      const before = scope.declare(name, makeRegister(name, type, attributes.vector));
      if (before !== null && (before.kind !== "register" || before.type !== type)) {
        p.sink.report("PTX022", place, `'${name}' was declared in this scope with another type`);
      }
    }
  } while (accept(p, ","));
  if (!expectChar(p, ";", "after the declaration")) lex.skipStatement();
}

/** An initial value as little-endian bytes, and the addresses among them, whose bytes are zero. */
function parseInit(p: Parser, type: PtxType, scope: Scope): { readonly bytes: Uint8Array; readonly addresses: readonly AddressAst[] } {
  const { lex } = p;
  const out = new ByteList();
  const addresses = new AddressList(p, type, scope);
  const width = Math.max(1, type.bits >> 3);
  let open = 0;
  let cut = false;
  for (;;) {
    if (lex.at(TOKEN.end) || lex.is(";")) break;
    if (lex.is("{")) {
      open++;
      lex.next();
      continue;
    }
    if (lex.is("}")) {
      if (open === 0) break;
      open--;
      lex.next();
      if (open === 0) break;
      continue;
    }
    if (lex.is(",")) {
      if (open === 0) break;
      lex.next();
      continue;
    }
    if (lex.at(TOKEN.string)) {
      for (const ch of unquote(lex.word)) out.push(BigInt(ch), 1);
      lex.next();
    } else if (addresses.begins()) {
      addresses.read(out.length);
      out.push(0n, width);
      if (!lex.at(TOKEN.end) && !lex.is(",") && !lex.is("}") && !lex.is(";")) {
        complain(p, `expected ',', '}' or ';' after the address, found ${found(p)}`);
        break;
      }
    } else if (beginsConstant(p)) {
      const bits = initValue(p, type);
      if (bits === null) break;
      out.push(bits, width);
    } else {
      p.sink.report("PTX021", here(p), `the initial value ${found(p)} is neither a constant nor an address; zero is used`);
      const line = lex.line;
      do lex.next();
      while (!lex.at(TOKEN.end) && !lex.is(",") && !lex.is("}") && !lex.is(";") && lex.line - line < 1000);
      out.push(0n, width);
    }
    if (out.length > MAX_INIT_BYTES && !cut) {
      cut = true;
      p.sink.report("PTX021", here(p), `more than ${MAX_INIT_BYTES} initial bytes; the rest is taken as zero`);
      break;
    }
  }
  return { bytes: out.bytes(), addresses: addresses.finish() };
}

function initValue(p: Parser, type: PtxType): bigint | null {
  const value = parseValue(p);
  return value === null ? null : initBits(value, type);
}

function initBits(literal: Literal, type: PtxType): bigint {
  switch (literal.kind) {
    case "f32":
      return BigInt(literal.bits);
    case "f64":
      return (BigInt(literal.hi) << 32n) | BigInt(literal.lo);
    case "int":
      if (type.kind !== "f") return BigInt(literal.value);
      return initBits({ kind: "real", value: Number(literal.value) }, type);
    case "real": {
      if (type.bits !== 64) return BigInt(singleBits(literal.value));
      const { hi, lo } = doubleBits(literal.value);
      return (BigInt(hi) << 32n) | BigInt(lo);
    }
  }
}

class ByteList {
  private data = new Uint8Array(64);
  length = 0;

  push(value: bigint, width: number): void {
    if (this.length + width > this.data.length) {
      const grown = new Uint8Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    let rest = Number(BigInt.asUintN(32, value));
    let high = width > 4 ? Number(BigInt.asUintN(32, value >> 32n)) : 0;
    for (let i = 0; i < width; i++) {
      this.data[this.length++] = rest & 255;
      rest >>>= 8;
      if (i === 3) {
        rest = high;
        high = 0;
      }
    }
  }

  bytes(): Uint8Array {
    return this.data.subarray(0, this.length);
  }
}

function unquote(word: string): number[] {
  const out: number[] = [];
  const body = word.slice(1, word.endsWith('"') && word.length > 1 ? -1 : undefined);
  for (let i = 0; i < body.length; i++) {
    let c = body.charCodeAt(i);
    if (c === 92 && i + 1 < body.length) {
      const escaped = body.charAt(++i);
      c = { n: 10, t: 9, r: 13, "0": 0 }[escaped] ?? escaped.charCodeAt(0);
    }
    out.push(c & 255);
  }
  return out;
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, "0"));

/** Bytes as hexadecimal digits; null when all are zero. */
function toHex(bytes: Uint8Array): string | null {
  if (bytes.every((b) => b === 0)) return null;
  const parts: string[] = [];
  for (const b of bytes) parts.push(HEX[b] ?? "00");
  return parts.join("");
}
