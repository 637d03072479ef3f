/** What the names of an instruction mean: registers, variables, functions; and what those become that nothing declares. */

import type { Reg } from "../../../ir/ids.ts";
import type { Guard, ModuleSymbol } from "../../../ir/types.ts";
import type { Place, Reporter } from "../../diagnostics.ts";
import type { FuncBuilder } from "../../func-builder.ts";
import type { FunctionAst, InstStmt, MemoryAst, NameAst, OperandAst, VariableAst } from "../ast.ts";
import type { Since } from "../check.ts";
import type { PtxCode } from "../codes.ts";
import type { SymbolPlaces } from "../layout.ts";
import { makeRegister, type Named, namedOf, type PtxRegister, type Scope } from "../scopes.ts";
import { isSpecialName, type SpecialRegister, specialRegister } from "../sregs.ts";
import { B32, PRED, type PtxType } from "../types.ts";
import { inferType } from "./infer.ts";

/** What all functions of a text share. */
export interface TextContext {
  readonly sink: Reporter<PtxCode>;
  readonly layout: SymbolPlaces;
  /** Some register of the text is a vector. */
  readonly hasVectors: boolean;
  /** Functions by PTX name within a unit: what a call needs to know. */
  readonly callee: (name: string, unit: number) => { readonly name: string; readonly noreturn: boolean } | null;
  /** Version and target that the text names. */
  readonly since: Since;
  /** The text has its header: it is not a cut-out, whose declarations may be missing. */
  readonly isWhole: boolean;
  /** Offset of the first kernel parameter in constant bank 0. */
  readonly paramBase: number;
  readonly addressBits: 32 | 64;
}

/** What a name means at a place. */
export type Meaning =
  | { readonly kind: "register"; readonly register: PtxRegister }
  | { readonly kind: "special"; readonly special: SpecialRegister }
  | { readonly kind: "variable"; readonly variable: VariableAst }
  | { readonly kind: "function" | "unknown" };

export type ValueClass = "R" | "RD" | "P";

const UNKNOWN: Meaning = { kind: "unknown" };

/** The names of one function, as the current statement has them. */
export class Names {
  readonly text: TextContext;
  readonly fn: FunctionAst;
  readonly out: FuncBuilder;
  /** The scope in which names are looked up; before the first statement the function's. */
  scope: Scope;
  /** The statement's opcode in the text; before the first statement the function's line. */
  protected at: Place;
  /** PTX registers and the Ori registers they became, in order of appearance. */
  readonly registers: { readonly ptx: PtxRegister; readonly reg: Reg }[] = [];
  /** The function declares its registers: one that is missing is a mistake, not left out by a filter. */
  private readonly declares: boolean;
  /** An undeclared register was met. */
  private hasInferred = false;

  constructor(text: TextContext, fn: FunctionAst, out: FuncBuilder) {
    this.text = text;
    this.fn = fn;
    this.out = out;
    this.scope = fn.scope;
    this.at = { line: fn.line, column: 1, length: 0 };
    this.declares = text.isWhole && fn.scope.hasRegisters();
  }

  meaning(name: string, part: string): Meaning {
    return this.meaningAs(this.scope.find(name), name, part);
  }

  /** Of an operand's name, or its base. */
  meaningOf(o: NameAst | MemoryAst): Meaning {
    return this.meaningAs(namedOf(this.scope, o), o.kind === "name" ? o.name : (o.base ?? ""), o.part);
  }

  private meaningAs(named: Named | null, name: string, part: string): Meaning {
    if (named !== null) {
      if (named.kind === "variable") return { kind: "variable", variable: named.variable };
      if (named.inferred && this.declares) this.reportUndeclared(name);
      const register = part === "" ? named : named.parts?.get(part);
      return register === undefined ? UNKNOWN : { kind: "register", register };
    }
    if (name.charCodeAt(0) === 37) {
      if (isSpecialName(name)) {
        const special = specialRegister(name, part);
        return special === undefined ? UNKNOWN : { kind: "special", special };
      }
      return part === "" ? { kind: "register", register: this.inferRegister(name) } : UNKNOWN;
    }
    return this.text.callee(name, this.fn.unit) === null ? UNKNOWN : { kind: "function" };
  }

  /** A register without a declaration: its name implies its type, as in listings without declarations. */
  private inferRegister(name: string): PtxRegister {
    const { sink } = this.text;
    const type = inferType(name, this.text.addressBits);
    if (this.declares) {
      this.reportUndeclared(name);
    } else if (type === undefined) {
      sink.report("PTX014", this.place, `register '${name}' is not declared and its name does not say its type; taken as 32 bit`);
    } else if (!this.hasInferred) {
      sink.report(
        "PTX013",
        this.place,
        `'${name}' and perhaps other registers of '${this.fn.name}' are not declared; their types are taken from their names`,
      );
    }
    this.hasInferred = true;
    const made = makeRegister(name, type ?? B32, 1, true);
    this.fn.scope.declare(name, made);
    return made;
  }

  private get place(): Place {
    return { ...this.at, length: 0 };
  }

  /** An error in a text that is whole; a cut-out may have lost the declaration. */
  reportUndeclared(name: string) {
    if (this.text.isWhole) this.text.sink.report("PTX029", this.at, `'${name}' is not declared`);
  }

  /** The Ori register of a PTX register, given at its first use. */
  reg(register: PtxRegister): Reg {
    if (register.reg === null) {
      register.reg = this.out.freshReg(classOf(register.type));
      this.registers.push({ ptx: register, reg: register.reg });
    }
    return register.reg;
  }

  /** The PTX register an operand names; null when it is anything else. */
  registerOf(o: OperandAst | undefined): PtxRegister | null {
    if (o?.kind !== "name") return null;
    const plain = this.plainRegister(o);
    if (plain !== null) return plain;
    const meaning = this.meaningOf(o);
    return meaning.kind === "register" ? meaning.register : null;
  }

  /** A declared register as a whole, which nearly every name is. */
  protected plainRegister(o: NameAst): PtxRegister | null {
    const named = namedOf(this.scope, o);
    return named?.kind === "register" && !named.inferred && o.part === "" ? named : null;
  }

  protected guardOf(guard: NonNullable<InstStmt["guard"]>): Guard {
    const meaning = this.meaning(guard.name, "");
    if (meaning.kind === "register" && meaning.register.type.kind === "pred") return { reg: this.reg(meaning.register), neg: guard.neg };
    // A guard that is not a predicate register: it becomes a new predicate, so that the text stays readable.
    this.text.sink.report("PTX014", this.place, `the guard '${guard.name}' is not a declared predicate`);
    const made = makeRegister(guard.name, PRED);
    this.scope.declare(guard.name, made);
    return { reg: this.reg(made), neg: guard.neg };
  }

  inferSymbol(name: string, space: ModuleSymbol["space"]): ModuleSymbol {
    const { symbol, isNew } = this.text.layout.infer(name, space);
    this.reportUndeclared(name);
    if (isNew && !this.text.isWhole) {
      const message = `'${name}' is not declared; taken as an address in ${space} memory, which is a stand-in`;
      this.text.sink.report("PTX017", this.place, message);
    }
    return symbol;
  }
}

/** The register class of a PTX type: predicates in P, more than 32 bits in RD, the rest in R. */
export function classOf(type: PtxType): ValueClass {
  if (type.kind === "pred") return "P";
  return type.bits > 32 ? "RD" : "R";
}
