/** Calls: a `{ callseq }` group of st.param, call and ld.param becomes one CALL with register arguments and results. */

import { regOp } from "../../../ir/builder.ts";
import type { Reg } from "../../../ir/ids.ts";
import { RZ } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import { legalName } from "../../names.ts";
import type { InstStmt, OperandAst, Stmt } from "../ast.ts";
import { slotReadsOf } from "./body-facts.ts";
import type { Lowering } from "./context.ts";
import { homeOf, inferSlot, isWideSlot, type SlotHome } from "./homes.ts";

export interface CallForm {
  readonly results: readonly OperandAst[];
  readonly target: OperandAst & { readonly kind: "name" };
  readonly args: readonly OperandAst[];
  /** The name of a list of targets, or of a prototype. */
  readonly list: string | null;
}

/** `call (r), f, (a), list`: the parts; null when there is no target. */
export function callForm(stmt: InstStmt): CallForm | null {
  const { operands } = stmt;
  const [first] = operands;
  const hasResults = first?.kind === "list";
  const target = operands[hasResults ? 1 : 0];
  const args = operands[hasResults ? 2 : 1];
  const last = operands.at(-1);
  if (target?.kind !== "name") return null;
  return {
    results: hasResults ? first.items : [],
    target,
    args: args?.kind === "list" ? args.items : [],
    list: last?.kind === "name" && last !== target ? last.name : null,
  };
}

/** True for a direct call of a function that is declared `.noreturn`. */
export function isFinalCall(stmt: InstStmt, isNoreturn: (name: string) => boolean): boolean {
  if (stmt.op.root !== "call") return false;
  const form = callForm(stmt);
  return form !== null && isNoreturn(form.target.name);
}

/** Copies what st.param left waiting: something other than its call comes next. */
export function flushPending(c: Lowering, line: number) {
  for (const slot of c.pending) {
    const [target] = slot.regs;
    if (slot.pending !== null && target !== undefined) {
      c.out.emit("MOV", [regOp(target), regOp(slot.pending)], isWideSlot(slot) ? ["64"] : [], null, line);
    }
    slot.pending = null;
  }
  c.pending.length = 0;
}

/** True for the instructions that may be between a st.param and its call. */
export function keepsPending(stmt: InstStmt): boolean {
  return stmt.op.root === "call" || (stmt.op.root === "st" && stmt.op.mods.some((m) => m === "param" || m === "param::func"));
}

/**
 * Emits the CALL. `following` are the statements after it: loads of its results that take a whole result are folded in, and their indexes are added to
 * `consumed`.
 */
export function lowerCall(c: Lowering, stmt: InstStmt, following: readonly Stmt[], at: number, consumed: Set<number>) {
  const form = callForm(stmt);
  if (form === null) return c.fail();
  const meaning = c.meaning(form.target.name, form.target.part);
  // An address of 32 bits, as texts of 32-bit addresses have it, is not a target here.
  if (meaning.kind === "register" && meaning.register.type.bits !== 64) return c.fail();
  const args: Reg[] = [];
  const passed: SlotHome[] = [];
  for (const arg of form.args) for (const r of argumentRegs(c, arg, passed)) args.push(r);
  const slots = form.results.map((result) => resultHome(c, result, following, at));
  const results: Reg[] = [];
  for (const slot of slots) for (const r of slot) results.push(r);
  if (c.failed) return;
  for (const slot of passed) slot.pending = null;
  flushPending(c, stmt.line);
  if (c.guard === null) foldResults(c, form.results, results, following, at, consumed);
  const callee = meaning.kind === "register" ? null : c.text.callee(form.target.name, c.fn.unit);
  const target: Operand =
    meaning.kind === "register" ? regOp(c.reg(meaning.register)) : { kind: "sym", name: calleeName(c, form.target.name), offset: 0 };
  const lists: Operand[] = [target, { kind: "list", regs: results }, { kind: "list", regs: args }];
  const targets = target.kind === "reg" && form.list !== null ? stmt.scope.findTargets(form.list) : null;
  if (targets !== null) lists.push({ kind: "text", text: targets.list.labels.map((name) => calleeName(c, name)).join(", ") });
  c.emit("CALL", lists);
  if (callee?.noreturn === true) c.emit("KILL", []);
}

function calleeName(c: Lowering, name: string): string {
  return c.text.callee(name, c.fn.unit)?.name ?? legalName(name);
}

function slotOf(c: Lowering, o: OperandAst): SlotHome | null {
  if (o.kind !== "name") return null;
  const meaning = c.meaning(o.name, o.part);
  if (meaning.kind === "unknown") return c.inferredSlots.get(o.name) ?? null;
  if (meaning.kind !== "variable") return null;
  const home = homeOf(c, meaning.variable);
  return home?.kind === "slot" ? home : null;
}

/** An argument's registers; the slots it comes from go to `passed`, so that a copy that waits in one can be dropped when the call is made. */
function argumentRegs(c: Lowering, arg: OperandAst, passed: SlotHome[]): readonly Reg[] {
  const slot = slotOf(c, arg);
  if (slot !== null) {
    passed.push(slot);
    return slot.pending === null ? slot.regs : [slot.pending];
  }
  if (arg.kind === "sink") return [RZ];
  // Old texts pass registers and numbers.
  const register = c.registerOf(arg);
  if (register !== null) return [c.reg(register)];
  const wide = arg.kind === "f64";
  const value = c.value(wide ? "RD" : "R", "MOV", [wide ? c.read64(arg) : c.read32(arg)], wide ? ["64"] : []);
  return value.kind === "reg" ? [value.reg] : [];
}

function resultHome(c: Lowering, result: OperandAst, following: readonly Stmt[], at: number): readonly Reg[] {
  const slot = slotOf(c, result);
  if (slot !== null) return slot.regs;
  if (result.kind === "sink") return [RZ];
  const register = c.registerOf(result);
  if (register !== null) return [c.reg(register)];
  if (result.kind === "name" && !result.name.startsWith("%") && c.meaning(result.name, result.part).kind === "unknown") {
    // A filtered listing dropped the declaration; the load after the call gives the width.
    const next = following[at + 1];
    const wide = next?.kind === "inst" && next.op.types[0]?.bits === 64;
    return inferSlot(c, result.name, wide).regs;
  }
  c.fail();
  return [];
}

/** `ld.param.b32 %r1, [retval0];` right after the call: %r1 is the result. Only where nothing else reads the slot. */
function foldResults(c: Lowering, names: readonly OperandAst[], results: Reg[], stmts: readonly Stmt[], at: number, consumed: Set<number>) {
  const [name] = names;
  const next = stmts[at + 1];
  if (names.length !== 1 || name?.kind !== "name" || next?.kind !== "inst" || next.scope !== c.scope) return;
  const [to, from] = next.operands;
  const type = next.op.types[0];
  const isLoad = next.op.root === "ld" && next.op.mods.includes("param") && next.guard === null && next.op.vector === 1;
  if (!isLoad || type === undefined || type.bits < 32 || from?.kind !== "mem" || from.base !== name.name || from.offset !== 0) return;
  const meaning = c.meaning(name.name, "");
  const slot = slotOf(c, name);
  const register = c.registerOf(to);
  if (meaning.kind !== "variable" || slot === null || register === null || slot.regs.length !== 1 || slot.bytes * 8 !== type.bits) return;
  if (register.type.bits !== type.bits || slotReadsOf(c).get(meaning.variable) !== 1) return;
  results[0] = c.reg(register);
  consumed.add(at + 1);
}
