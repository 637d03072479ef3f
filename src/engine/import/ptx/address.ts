/** Addresses in initial values: `name`, `name+8`, `generic(name)+8`, and one byte of an address by a mask, `0xff00(name)`. */

import type { AddressAst } from "./ast.ts";
import { parseConstant } from "./constant.ts";
import { TOKEN } from "./lexer.ts";
import { accept, expectChar, here, type Parser } from "./parser.ts";
import type { Scope } from "./scopes.ts";
import { predefinedConstant } from "./sregs.ts";
import type { PtxType } from "./types.ts";

/** The masks that PTX has, each of one byte. */
const MASK = /^0[xX][fF][fF](?:00){0,7}$/;

type Address = Omit<AddressAst, "at" | "bytes">;

interface MaskedByte {
  readonly at: number;
  /** Which byte of the address. */
  readonly byte: number;
  readonly address: Address;
}

/** The addresses of one initial value. */
export class AddressList {
  private readonly whole: AddressAst[] = [];
  private readonly masked: MaskedByte[] = [];
  private readonly p: Parser;
  private readonly type: PtxType;
  private readonly scope: Scope;

  constructor(p: Parser, type: PtxType, scope: Scope) {
    this.p = p;
    this.type = type;
    this.scope = scope;
  }

  /** True where an address can begin. */
  begins(): boolean {
    const { lex } = this.p;
    if (lex.at(TOKEN.name)) return predefinedConstant(lex.word) === undefined;
    return lex.at(TOKEN.number) && lex.peek() === "(";
  }

  /** One address, or one byte of it, which is the value from byte `at` on. */
  read(at: number): void {
    const { p, type } = this;
    const place = here(p);
    if (p.lex.at(TOKEN.number)) {
      const mask = p.lex.word;
      p.lex.next();
      p.lex.next();
      const address = this.address();
      if (address === null || !expectChar(p, ")", "after the address")) return;
      if (!MASK.test(mask)) p.sink.report("PTX026", place, `'${mask}' is not a mask of one byte of an address, such as 0xff00`);
      else if (type.kind !== "u") p.sink.report("PTX026", place, `the bytes of an address need the type .u8, not .${type.name}`);
      else this.masked.push({ at, byte: (mask.length - 4) / 2, address });
      return;
    }
    const address = this.address();
    if (address === null) return;
    if (type.kind !== "u" || type.bits < 32) p.sink.report("PTX026", place, `an address needs the type .u64 or .u32, not .${type.name}`);
    else this.whole.push({ ...address, at, bytes: type.bits === 64 ? 8 : 4 });
  }

  private address(): Address | null {
    const { p, scope } = this;
    const { lex } = p;
    const generic = lex.at(TOKEN.name) && lex.word === "generic" && lex.peek() === "(";
    if (generic) {
      lex.next();
      lex.next();
    }
    const { line, column } = here(p);
    const name = lex.word;
    if (!lex.at(TOKEN.name)) {
      expectChar(p, "a name", "in the address");
      return null;
    }
    lex.next();
    if (generic && !expectChar(p, ")", "after the name")) return null;
    const offset = accept(p, "+") ? parseConstant(p) : 0;
    if (offset === null) return null;
    const named = scope.find(name);
    return { name, variable: named?.kind === "variable" ? named.variable : null, offset: Number(offset), generic, line, column };
  }

  /** Bytes of one address that follow each other are the address. */
  finish(): readonly AddressAst[] {
    const { masked, p } = this;
    for (let i = 0; i < masked.length; ) {
      const first = masked[i] as MaskedByte;
      let n = 1;
      while (n < 8 && follows(first, masked[i + n], n)) n++;
      if (first.byte === 0 && (n === 4 || n === 8)) this.whole.push({ ...first.address, at: first.at, bytes: n });
      else {
        const { name, line, column } = first.address;
        p.sink.report(
          "PTX021",
          { line, column, length: name.length },
          `only some bytes of the address of '${name}' are here; zero is used`,
        );
      }
      i += n;
    }
    return this.whole;
  }
}

function follows(first: MaskedByte, next: MaskedByte | undefined, n: number): boolean {
  if (next === undefined || next.at !== first.at + n || next.byte !== first.byte + n) return false;
  const [a, b] = [first.address, next.address];
  return a.name === b.name && a.offset === b.offset && a.generic === b.generic;
}
