/** The canonical text of modules, bodies and instructions: it parses back to the same IR. */

import type { Reg } from "../ir/ids.ts";
import { regName } from "../ir/reg.ts";
import { addressText } from "../ir/symbol-address.ts";
import type { Func, Guard, Inst, JumpTable, Module, SymbolAddress, Trivia } from "../ir/types.ts";
import { labelText, printOperand } from "./print-operand.ts";
import { SymbolTable } from "./symbols.ts";

/** Column (0-based) of trailing comments, when the line is short enough. */
const COMMENT_COLUMN = 47;

export interface FuncText {
  readonly text: string;
  /** For each line (index 0 = line 1): block id or -1, instruction id or -1. A block's lines are its label, its instructions and their comments. */
  readonly blockOfLine: Int32Array;
  readonly instOfLine: Int32Array;
}

export function printModule(module: Module): string {
  const out = new Lines();
  if (module.target !== null) out.line(`.target ${module.target}`, module.targetTrivia ?? null, "");
  const symbols = new SymbolTable();
  for (const { name, space, size, align, offset, init, addresses, trivia } of module.symbols) {
    // The offset is written only where it is not the one that the parser would assign.
    const at = symbols.nextOffset({ space, align }) === offset ? "" : ` offset=${offset}`;
    symbols.add({ name, space, size, align, init }, offset, null);
    out.line(
      `.symbol ${name} ${space} ${size} ${align}${at}${init === null ? "" : ` init=${init}`}${addressesText(addresses ?? [])}`,
      trivia ?? null,
      "",
    );
  }
  for (const fn of module.funcs) emitFunc(out, fn);
  for (const line of module.tail) out.comment(line, "");
  return out.text();
}

function addressesText(addresses: readonly SymbolAddress[]): string {
  const list = (key: string, bytes: SymbolAddress["bytes"]): string => {
    const own = addresses.filter((address) => address.bytes === bytes);
    return own.length === 0 ? "" : ` ${key}={${own.map(addressText).join(", ")}}`;
  };
  return list("addresses", 8) + list("addresses32", 4);
}

/** The module with a new version of one of its functions. */
export const withFunc = (module: Module, was: Func, now: Func): Module => ({
  ...module,
  funcs: module.funcs.map((fn) => (fn === was ? now : fn)),
});

export function printFunc(fn: Func): string {
  const out = new Lines();
  emitFunc(out, fn);
  return out.text();
}

/** The body's text and which block and instruction each line shows. */
export function printFuncWithMap(fn: Func): FuncText {
  const out = new Lines();
  emitFunc(out, fn);
  return { text: out.text(), blockOfLine: Int32Array.from(out.blocks), instOfLine: Int32Array.from(out.insts) };
}

/** One line, without indentation, comments or columns: `@P0 BRA BB4`. */
export function printInst(fn: Func, inst: Inst): string {
  const operands = operandsText(fn, inst);
  return `${inst.guard === null ? "" : `${guardText(inst.guard)} `}${mnemonicText(inst)}${operands === "" ? "" : ` ${operands}`}`;
}

export function guardText(guard: Guard): string {
  return `@${guard.neg ? "!" : ""}${regName(guard.reg)}`;
}

export function mnemonicText(inst: Inst): string {
  return inst.mods.length === 0 ? inst.op : `${inst.op}.${inst.mods.join(".")}`;
}

function operandsText(fn: Func, inst: Inst): string {
  let text = "";
  for (let i = 0; i < inst.ops.length; i++) text += i === 0 ? printOperand(fn, inst, 0) : `, ${printOperand(fn, inst, i)}`;
  return text;
}

/** Guard in the first four columns, then the mnemonic padded to 8, or to the next even width from 10. */
function instLine(fn: Func, inst: Inst): string {
  const guard = inst.guard === null ? "    " : `${guardText(inst.guard)} `.padEnd(4);
  const mnemonic = mnemonicText(inst);
  const operands = operandsText(fn, inst);
  if (operands === "") return guard + mnemonic;
  const width = mnemonic.length < 8 ? 8 : mnemonic.length + 2 - (mnemonic.length % 2);
  return guard + mnemonic.padEnd(width) + operands;
}

function emitFunc(out: Lines, fn: Func): void {
  out.block = -1;
  out.line(headerText(fn), fn.trivia, "");
  for (const table of fn.tables.values()) out.line(tableText(fn, table), table.trivia ?? null, "");
  for (const id of fn.layout) {
    const block = fn.blocks[id];
    if (block !== undefined && block.weight !== null) out.line(`.weight ${block.label} ${block.weight}`, null, "");
  }
  for (const id of fn.layout) {
    const block = fn.blocks[id];
    if (block === undefined) continue;
    out.block = id;
    out.line(`${block.label}:`, block.trivia, "");
    for (const inst of block.insts) {
      out.inst = inst.id;
      out.line(instLine(fn, inst), inst.trivia, "    ");
      out.inst = -1;
    }
  }
  out.block = -1;
}

/** `.kernel sum(n: R0) .reqntid 64, 1, 1`, `.func twice(x: R0) -> R1`. */
export function headerText(fn: Func): string {
  const params = fn.params.map((p) => `${p.name}: ${regName(p.reg)}`).join(", ");
  const size = fn.blockSize === null ? "" : ` .reqntid ${fn.blockSize.join(", ")}`;
  return `.${fn.kind} ${fn.name}(${params})${fn.returns.length === 0 ? "" : ` -> ${regList(fn.returns)}`}${size}`;
}

function regList(regs: readonly Reg[]): string {
  return regs.map(regName).join(", ");
}

function tableText(fn: Func, table: JumpTable): string {
  const fallback = table.default === null ? "" : ` default=${labelText(fn, table.default)}`;
  return `.table ${table.name} base=${table.base}${fallback} { ${table.entries.map((id) => labelText(fn, id)).join(", ")} }`;
}

/** Lines of text, and what each one shows. */
class Lines {
  block = -1;
  inst = -1;
  readonly blocks: number[] = [];
  readonly insts: number[] = [];
  private readonly lines: string[] = [];

  line(code: string, trivia: Trivia | null, indent: string): void {
    if (trivia === null) {
      this.push(code, this.inst);
      return;
    }
    const inst = this.inst;
    for (const comment of trivia.before) this.comment(comment, indent);
    this.push(
      trivia.after === "" ? code : `${code.length < COMMENT_COLUMN ? code.padEnd(COMMENT_COLUMN) : `${code} `}${trivia.after}`,
      inst,
    );
  }

  /** A comment of one line or more, or a blank line. */
  comment(text: string, indent: string): void {
    if (!text.includes("\n")) {
      this.push(text === "" ? "" : indent + text, -1);
      return;
    }
    // Lines after the first keep their own indentation.
    for (const [i, line] of text.split("\n").entries()) this.push(i === 0 ? indent + line : line, -1);
  }

  text(): string {
    return this.lines.length === 0 ? "" : `${this.lines.join("\n")}\n`;
  }

  private push(line: string, inst: number): void {
    this.lines.push(line);
    this.blocks.push(this.block);
    this.insts.push(inst);
  }
}
