/** Lowers one PTX function to an Ori function: parameters, blocks, then every instruction through the table or as OPAQUE. */

import { regOp } from "../../../ir/builder.ts";
import { withGuard } from "../../../ir/copies.ts";
import type { Reg } from "../../../ir/ids.ts";
import { paramSymbol } from "../../../ir/param-symbol.ts";
import { regName } from "../../../ir/reg.ts";
import type { Func, ModuleSymbol, Param } from "../../../ir/types.ts";
import { defsOf } from "../../../ir/visit.ts";
import { FuncBuilder } from "../../func-builder.ts";
import { NamePool } from "../../names.ts";
import type { FunctionAst, InstStmt, ParamAst } from "../ast.ts";
import { operandNames, planBlocks } from "../cfg.ts";
import { checkStatement } from "../check.ts";
import { alignUp } from "../layout.ts";
import { emitOpaque, isPtxRoot, sourceText } from "../opaque.ts";
import { flushPending, isFinalCall, keepsPending, lowerCall } from "./call.ts";
import { Lowering } from "./context.ts";
import { lowerControl, type Tables } from "./control.ts";
import { type Home, makeSlot } from "./homes.ts";
import type { TextContext } from "./names.ts";
import { placeStack } from "./stack.ts";
import { rowOf } from "./table.ts";
import { withComponents } from "./vectors.ts";

export interface LoweredFunction {
  readonly func: Func;
  /** PTX instructions read, and how many of them stayed opaque. */
  readonly instructions: number;
  readonly opaque: number;
  /** PTX register names and the Ori registers they became, in order of appearance. */
  readonly registers: readonly { readonly ptx: string; readonly ori: string }[];
  /** Parameters that stay in the constant bank. */
  readonly inBank: readonly ModuleSymbol[];
}

/** `name` is the function's unique Ori name. */
export function lowerFunction(text: TextContext, fn: FunctionAst, name: string, source: string): LoweredFunction {
  const stmts = fn.body ?? [];
  const isFinal = (stmt: InstStmt): boolean => isFinalCall(stmt, (callee) => text.callee(callee, fn.unit)?.noreturn === true);
  const plan = planBlocks(fn, isFinal, text.sink);
  const out = new FuncBuilder(plan.blocks);
  const c = new Lowering(text, fn, out);
  const head = placeParams(c, fn);
  if (!plan.entryIsTarget) placeStack(c);
  const tables: Tables = new Map();
  const consumed = new Set<number>();
  let instructions = 0;
  let opaque = 0;
  for (let i = 0; i < stmts.length; i++) {
    const written = stmts[i];
    if (written?.kind !== "inst") continue;
    const stmt = text.hasVectors ? withComponents(written) : written;
    const start = plan.starts[i] ?? -1;
    if (c.pending.length > 0 && (start >= 0 || !keepsPending(stmt))) flushPending(c, stmt.line);
    if (start >= 0) out.select(start);
    instructions++;
    if (consumed.has(i)) continue;
    c.begin(stmt);
    const complaint = stmt.isBroken ? null : checkStatement(written, text.since);
    if (complaint !== null) {
      text.sink.report(complaint.code, { line: stmt.line, column: stmt.column, length: stmt.op.text.length }, complaint.message);
    }
    const mark = out.mark();
    if (lowerControl(c, plan, tables, stmt)) continue;
    const row = rowOf(stmt.op.root);
    if (stmt.isBroken) c.fail();
    else if (stmt.op.root === "call") lowerCall(c, stmt, stmts, i, consumed);
    else if (row === undefined) c.fail();
    else row(c, stmt.op, stmt.operands);
    if (!c.failed) c.finishResults();
    if (c.failed) {
      opaque++;
      out.rollback(mark);
      flushPending(c, stmt.line);
      emitOpaque(c, stmt, sourceText(source, stmt));
      if (!stmt.isBroken && complaint === null) reportOpaque(c, stmt, row !== undefined || stmt.op.root === "call");
    } else if (c.guard !== null) {
      keepGuard(c, mark, stmt.line);
    }
  }
  flushPending(c, fn.line);
  const func = out.finish(
    {
      kind: fn.kind === "entry" ? "kernel" : "func",
      name,
      params: head.params,
      returns: head.returns,
      blockSize: fn.kind === "entry" ? fn.blockSize : null,
      line: fn.line,
    },
    fn.kind === "entry" ? "EXIT" : "RET",
  );
  const registers = c.registers.map(({ ptx, reg: r }) => ({ ptx: ptx.name, ori: regName(r) }));
  const inBank = head.inBank.map((param) => paramSymbol(name, param.name, param));
  return { func, instructions, opaque, registers, inBank };
}

/** Each spelling once in a text. */
function reportOpaque(c: Lowering, stmt: InstStmt, isKnown: boolean) {
  const { root, text } = stmt.op;
  const place = { line: stmt.line, column: stmt.column, length: text.length };
  const [code, message] = !isPtxRoot(root)
    ? (["PTX024", `there is no instruction '${clip(text)}'; it stays opaque and may do anything`] as const)
    : isKnown
      ? (["PTX016", `'${clip(text)}' has no Ori form with these operands; it stays opaque`] as const)
      : (["PTX015", `'${clip(text)}' is not modelled; it stays opaque`] as const);
  c.text.sink.report(code, place, message, null, `opaque ${text}`);
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/**
 * A guarded instruction that became several, one of which writes the guard before the last: all of them read a copy of the guard instead.
 */
function keepGuard(c: Lowering, mark: number, line: number) {
  const { guard, out } = c;
  const insts = out.since(mark);
  if (guard === null || insts.length < 2) return;
  const writes = insts.slice(0, -1).some((inst) => defsOf(inst).includes(guard.reg));
  if (!writes) return;
  const copy = out.freshReg("P");
  const saved = out.make("PMOV", [regOp(copy), regOp(guard.reg)], [], null, line);
  out.replaceSince(mark, [saved, ...insts.map((inst) => (inst.guard === null ? inst : withGuard(inst, { reg: copy, neg: guard.neg })))]);
}

// --- parameters ------------------------------------------------------------------------------------------------------------

interface Head {
  readonly params: readonly Param[];
  readonly returns: readonly Reg[];
  readonly inBank: readonly { readonly name: string; readonly size: number; readonly align: number; readonly offset: number }[];
}

/**
 * A kernel's scalar parameters are live-in registers; aggregates, and whatever has its address taken, stay in the constant bank at their real offset. A
 * function's parameters and results are registers throughout.
 */
function placeParams(c: Lowering, fn: FunctionAst): Head {
  const params: Param[] = [];
  const returns: Reg[] = [];
  const inBank: Head["inBank"][number][] = [];
  const names = new NamePool();
  const taken = fn.kind === "entry" && fn.params.length > 0 ? addressesTaken(fn) : new Set<string>();
  let offset = c.text.paramBase;
  for (const param of fn.params) {
    offset = alignUp(offset, Math.min(Math.max(1, param.align), 256));
    const home: Home | null =
      fn.kind === "entry" && (param.isArray || param.size > 8 || taken.has(param.name)) ? { kind: "bank", offset } : null;
    if (home !== null) inBank.push({ name: param.name, size: param.size, align: alignOf(param.align), offset });
    for (const p of placeParam(c, fn, param, home)) params.push({ name: names.claim(p.name), reg: p.reg });
    offset += param.size;
  }
  for (const result of fn.returns) for (const p of placeParam(c, fn, result, null)) returns.push(p.reg);
  return { params, returns, inBank };
}

/** As declarations of symbols have it: a power of two. */
const alignOf = (align: number): number => (align >= 1 && align <= 1024 && (align & (align - 1)) === 0 ? align : 1);

function placeParam(c: Lowering, fn: FunctionAst, param: ParamAst, given: Home | null): readonly Param[] {
  const named = fn.scope.find(param.name);
  if (named?.kind === "register") {
    const parts = named.parts === null ? [named] : new Set(named.parts.values());
    return [...parts].map((part) => ({ name: part.name.replace(".", "_"), reg: c.reg(part) }));
  }
  if (named?.kind !== "variable") return [];
  const home = given ?? makeSlot(param.size, param.isArray, (cls) => c.temp(cls));
  if (home === null) return [];
  c.homes.set(named.variable, home);
  if (home.kind === "bank") return [];
  return home.regs.map((r, i) => ({ name: i === 0 ? param.name : `${param.name}_${i * 4}`, reg: r }));
}

/** Parameters that are named anywhere but as the address of an ld.param. */
function addressesTaken(fn: FunctionAst): Set<string> {
  const params = new Set(fn.params.map((p) => p.name));
  const taken = new Set<string>();
  const take = (name: string): void => {
    if (params.has(name)) taken.add(name);
  };
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    for (const o of stmt.operands) {
      // Most operands: registers, and what is loaded.
      if (o.kind === "name" && o.name.charCodeAt(0) === 37) continue;
      if (o.kind !== "mem" || !loadsParam(stmt)) operandNames(o, take);
    }
  }
  return taken;
}

function loadsParam({ op }: InstStmt): boolean {
  return op.root === "ld" && (op.mods.includes("param") || op.mods.includes("param::entry"));
}
