/** Reads one operand as written: its kind by its own look, without knowing the instruction. */

import { closest } from "../../base/closest.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, parseReg, RDZ, regIndex } from "../ir/reg.ts";
import type { Operand } from "../ir/types.ts";
import type { OriCode } from "./codes.ts";
import { type Lexer, TK } from "./lexer.ts";
import { type Decimal, readNumber, readQuoted } from "./literals.ts";
import { clip } from "./mnemonic.ts";

/** An operand before its slot is known: names are still `sym`, groups still `list`, decimal floats without a width. */
export type RawOperand = Operand | Decimal | RawPhi;

/** `[BB1: R1]`: the predecessor's name is resolved when the body is complete. */
export interface RawPhi {
  readonly kind: "raw-phi";
  readonly label: string;
  readonly labelStart: number;
  readonly value: Operand | Decimal;
}

/** Reports at offsets `start` to `end` of the current line. */
export type Report = (code: OriCode, start: number, end: number, message: string, suggestion?: string | null) => void;

const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
const BAR = 124;
const MINUS = 45;
const PLUS = 43;
const TILDE = 126;
const BANG = 33;
const COMMA = 44;
const COLON = 58;

/** What the reader needs to know from the module: where a declared symbol is (null: not declared). */
export type SymbolOffset = (name: string) => number | null;

export class OperandReader {
  /** Smallest unused register index by class code, over all registers read since `startBody`. */
  nextReg: number[] = [0, 0, 0, 0, 0, 0, 0, 0];
  private readonly lexer: Lexer;
  private readonly report: Report;
  private readonly symbol: SymbolOffset;
  private readonly regs = new Map<string, Operand>();

  constructor(lexer: Lexer, report: Report, symbol: SymbolOffset) {
    this.lexer = lexer;
    this.report = report;
    this.symbol = symbol;
  }

  startBody(): void {
    this.nextReg = [0, 0, 0, 0, 0, 0, 0, 0];
  }

  /** One operand at the current token; null after a report. */
  read(): RawOperand | null {
    const { lexer } = this;
    switch (lexer.kind) {
      case TK.IDENT:
        return this.word(false, false);
      case TK.NUMBER:
        return this.number(false);
      case TK.STRING: {
        const text = readQuoted(lexer.slice());
        lexer.advance();
        return { kind: "text", text };
      }
      case OPEN_BRACKET:
        return this.bracket();
      case OPEN_BRACE:
        return this.group();
      case MINUS:
        lexer.advance();
        if (this.is(TK.NUMBER)) return this.number(true);
        return this.is(BAR) ? this.bars(true) : this.word(true, false);
      case BAR:
        return this.bars(false);
      case TILDE: {
        lexer.advance();
        const { start, end } = lexer;
        const inner = this.word(false, false);
        if (inner === null) return null;
        if (inner.kind === "reg" && !isPredicateReg(inner.reg)) return { ...inner, not: true };
        this.report("ORI015", start, end, "Expected a general register after '~'.");
        return null;
      }
      case BANG: {
        lexer.advance();
        const { start, end } = lexer;
        const inner = this.word(false, false);
        if (inner === null) return null;
        if (inner.kind === "reg" && isPredicateReg(inner.reg)) return { ...inner, neg: true };
        this.report("ORI015", start, end, "Expected a predicate after '!'.");
        return null;
      }
      default:
        return this.unexpected("an operand");
    }
  }

  /** The register named at the current token; null after a report. */
  register(): Reg | null {
    const { lexer } = this;
    if (!this.is(TK.IDENT)) return this.unexpected("a register");
    const operand = this.regOperand(lexer.slice());
    if (operand?.kind !== "reg") {
      this.unknownRegister(lexer.slice());
      return null;
    }
    lexer.advance();
    return operand.reg;
  }

  /** Reports the current token, where `what` was expected. */
  unexpected(what: string): null {
    const { lexer } = this;
    if (lexer.kind === TK.BAD) return null;
    const found =
      lexer.kind === TK.EOF ? "the end of the text" : lexer.kind === TK.NEWLINE ? "the end of the line" : `'${clip(lexer.slice())}'`;
    this.report("ORI015", lexer.start, lexer.end, `Expected ${what}, found ${found}.`);
    return null;
  }

  private is(kind: number): boolean {
    return this.lexer.kind === kind;
  }

  private expect(kind: number, what: string): boolean {
    if (!this.is(kind)) {
      this.unexpected(what);
      return false;
    }
    this.lexer.advance();
    return true;
  }

  private regOperand(name: string): Operand | null {
    const known = this.regs.get(name);
    const operand = known ?? this.newRegOperand(name);
    if (operand?.kind !== "reg") return null;
    const code = operand.reg & 7;
    const index = regIndex(operand.reg);
    if (index >= (this.nextReg[code] ?? 0) && !isConstantReg(operand.reg)) this.nextReg[code] = index + 1;
    return operand;
  }

  private newRegOperand(name: string): Operand | null {
    const r = name === "RDZ" ? RDZ : parseReg(name.endsWith(".reuse") ? name.slice(0, -6) : name);
    if (r === null) return null;
    const operand: Operand = { kind: "reg", reg: r, neg: false, abs: false, not: false };
    this.regs.set(name, operand);
    return operand;
  }

  private unknownRegister(name: string): void {
    const { lexer } = this;
    if (/^(R|RD|UR|P|UP|B)[0-9]+$/.test(name)) {
      this.report("ORI018", lexer.start, lexer.end, `The register ${clip(name)} is beyond the largest index, or has a leading zero.`);
      return;
    }
    const wide = /^(R)([0-9]+)\.64$/.exec(name);
    const upper = name.toUpperCase();
    const guess = wide !== null ? `RD${wide[2]}` : parseReg(upper) !== null ? upper : closest(name, ["RZ", "URZ", "PT", "UPT"]);
    this.report("ORI018", lexer.start, lexer.end, `'${clip(name)}' is not a register.`, guess);
  }

  /** A register, a constant bank or a name; `-` and `|` were read before it. */
  private word(neg: boolean, abs: boolean): Operand | null {
    const { lexer } = this;
    if (!this.is(TK.IDENT)) return this.unexpected("a register or a constant");
    const { start, end } = lexer;
    const name = lexer.slice();
    const found = this.regOperand(name);
    if (found?.kind === "reg") {
      lexer.advance();
      if (!neg && !abs) return found;
      if (isPredicateReg(found.reg)) {
        this.report("ORI015", start, end, "A predicate is negated with '!'.", abs ? null : `!${name}`);
        return null;
      }
      return { ...found, neg, abs };
    }
    lexer.advance();
    if (name === "c" && this.is(OPEN_BRACKET)) return this.constant(neg, abs);
    if (neg || abs) {
      this.report("ORI015", start, end, `Expected a register or a constant, found '${clip(name)}'.`);
      return null;
    }
    return { kind: "sym", name, offset: this.optionalOffset() };
  }

  private bars(neg: boolean): Operand | null {
    this.lexer.advance();
    const inner = this.word(neg, true);
    return inner !== null && this.expect(BAR, "'|'") ? inner : null;
  }

  private number(negative: boolean): Operand | Decimal | null {
    const { lexer } = this;
    const operand = readNumber(lexer.slice(), negative);
    if (operand === null)
      this.report("ORI003", lexer.start, lexer.end, `'${clip(lexer.slice())}' is not a number, or does not fit 64 bits.`);
    else lexer.advance();
    return operand;
  }

  /** `+8`, `-8` after a name, when there is one. */
  private optionalOffset(): number {
    if (!this.is(PLUS) && !this.is(MINUS)) return 0;
    return this.offset() ?? 0;
  }

  /** A sum of signed integers: `0x10`, `+0x10`, `-8`, `+-8`. Null after a report. */
  private offset(): number | null {
    const { lexer } = this;
    let negative = false;
    while (this.is(PLUS) || this.is(MINUS)) {
      if (this.is(MINUS)) negative = !negative;
      lexer.advance();
    }
    if (!this.is(TK.NUMBER)) return this.unexpected("an integer offset");
    const { start, end } = lexer;
    const operand = this.number(negative);
    if (operand === null) return null;
    if (operand.kind === "imm") return operand.value;
    this.report("ORI003", start, end, "Expected an integer offset.");
    return null;
  }

  /** `c[0x0][0x160]`, `c[0x0][R4+0x10]`, after the `c`. */
  private constant(neg: boolean, abs: boolean): Operand | null {
    const { lexer } = this;
    lexer.advance();
    const bank = this.offset();
    if (bank === null || !this.expect(CLOSE_BRACKET, "']'") || !this.expect(OPEN_BRACKET, "'['")) return null;
    let base: Reg | null = null;
    let offset = 0;
    if (this.is(TK.IDENT)) {
      base = this.register();
      if (base === null) return null;
      offset = this.optionalOffset();
    } else {
      const read = this.offset();
      if (read === null) return null;
      offset = read;
    }
    return this.expect(CLOSE_BRACKET, "']'") ? { kind: "cbank", bank, base, offset, neg, abs } : null;
  }

  /** `[R4]`, `[RD2+UR4+0x10]`, `[buf+8]`, `[0x10]` or a PHI input `[BB1: R1]`. */
  private bracket(): RawOperand | null {
    const { lexer } = this;
    lexer.advance();
    let base: Reg | null = null;
    let index: Reg | null = null;
    let offset = 0;
    if (this.is(TK.IDENT)) {
      const { start } = lexer;
      const name = lexer.slice();
      const found = this.regOperand(name);
      if (found?.kind === "reg") {
        base = found.reg;
        lexer.advance();
        if (this.is(COLON)) return this.phi(name, start);
      } else {
        const { end } = lexer;
        lexer.advance();
        if (this.is(COLON)) return this.phi(name, start);
        const at = this.symbol(name);
        if (at === null) {
          const wide = /^R([0-9]+)\.64$/.exec(name);
          if (wide !== null) this.report("ORI018", start, end, "64-bit values live in RD registers.", `RD${wide[1]}`);
          else
            this.report(
              "ORI026",
              start,
              end,
              `'${clip(name)}' is neither a register nor a symbol.`,
              parseReg(name.toUpperCase()) === null ? null : name.toUpperCase(),
            );
          return null;
        }
        offset = at;
      }
      while (this.is(PLUS) || this.is(MINUS)) {
        const negative = this.is(MINUS);
        if (!negative) lexer.advance();
        if (!negative && this.is(TK.IDENT)) {
          if (index !== null) return this.unexpected("']'");
          index = this.register();
          if (index === null) return null;
          continue;
        }
        const read = this.offset();
        if (read === null) return null;
        offset += read;
      }
    } else {
      const read = this.offset();
      if (read === null) return null;
      offset = read;
    }
    return this.expect(CLOSE_BRACKET, "']'") ? { kind: "mem", base, index, offset } : null;
  }

  private phi(label: string, labelStart: number): RawPhi | null {
    const { lexer } = this;
    lexer.advance();
    // Inputs do not nest, and so the reader does not recurse.
    if (this.is(OPEN_BRACKET)) return this.unexpected("a value");
    const value = this.read();
    if (value === null || value.kind === "raw-phi" || !this.expect(CLOSE_BRACKET, "']'")) return null;
    return { kind: "raw-phi", label, labelStart, value };
  }

  private group(): Operand | null {
    const { lexer } = this;
    lexer.advance();
    const regs: Reg[] = [];
    while (!this.is(CLOSE_BRACE)) {
      if (regs.length > 0 && !this.expect(COMMA, "',' or '}'")) return null;
      const r = this.register();
      if (r === null) return null;
      regs.push(r);
    }
    lexer.advance();
    return { kind: "list", regs };
  }
}

/** Stands for a label until the body is complete. */
export const UNRESOLVED = -1 as BlockId;

/** True for `PT` and `UPT` as a plain operand. */
export function isTruePredicate(operand: RawOperand | undefined): boolean {
  return operand?.kind === "reg" && operand.reg === PT && !operand.neg;
}
