/** One function of a listing as an Ori function: rows where Ori has the opcode, OPAQUE with exact registers elsewhere, every edge of the control flow. */

import { plural } from "../../../../base/plural.ts";
import { liveness } from "../../../../engine/analysis/liveness.ts";
import type { DiagnosticSink } from "../../../../engine/import/diagnostics.ts";
import { FuncBuilder } from "../../../../engine/import/func-builder.ts";
import { legalName } from "../../../../engine/import/names.ts";
import { labelOp, regOp } from "../../../../engine/ir/builder.ts";
import { type BlockId, blockId, type Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, isPredicateReg, PT, RZ, reg, regClass, regIndex, regName } from "../../../../engine/ir/reg.ts";
import type { Func, Guard, Operand, Param } from "../../../../engine/ir/types.ts";
import { defsOf, GUARD_INDEX, mapUses } from "../../../../engine/ir/visit.ts";
import { undefinedReads } from "../../../../engine/verify/undefined-reads.ts";
import type { SassFunction, SassInst } from "../ast.ts";
import { type BlockPlan, isIndirect, planBlocks } from "../cfg.ts";
import type { SassCode } from "../codes.ts";
import { effectOfInst, isKnownRoot } from "../effects.ts";
import { isControl, neverRuns } from "../functions.ts";
import { type Accesses, accessesOf } from "../registers.ts";
import { type Accepted, accept } from "./check.ts";
import { carryOf } from "./older.ts";
import { predSource } from "./operands.ts";
import { rowOf } from "./rows.ts";
import { wideForms } from "./wide.ts";

/** What a caller must know of a function. */
export interface Signature {
  readonly name: string;
  readonly params: readonly Reg[];
  readonly results: readonly Reg[];
}

/** What lowering shares over the functions of a text. */
export interface TextContext {
  readonly sink: DiagnosticSink<SassCode>;
  /** The callee of a call: its signature, or its name alone when it is not in the text (or not known yet). */
  readonly callee: (fn: SassFunction, inst: SassInst) => Signature | { readonly name: string } | null;
  /** Opcodes reported once each. */
  readonly reported: Set<string>;
}

export interface LoweredFunction {
  readonly func: Func;
  readonly signature: Signature;
  readonly instructions: number;
  readonly opaque: number;
  readonly inexact: number;
}

interface Lowering {
  readonly text: TextContext;
  readonly fn: SassFunction;
  readonly plan: BlockPlan;
  readonly out: FuncBuilder;
  readonly kind: Func["kind"];
  /** Before sm_70. */
  readonly old: boolean;
  /** Its lanes diverge and reconverge by a stack that is not modelled: only branches are read, since no run would match the machine. */
  readonly stacked: boolean;
  /** The carry flag of targets before sm_70. */
  carry: Reg | null;
  readonly accesses: readonly Accesses[];
  readonly written: ReadonlySet<Reg>;
  /** Registers written in the text so far. */
  readonly before: Set<Reg>;
  tables: number;
  /** The table of all branches whose targets the listing does not name. */
  guessed: string | null;
  opaque: number;
  inexact: number;
}

/** The stack of the divergence of targets before sm_70. */
const STACK = new Set(["SSY", "SYNC", "PBK", "BRK", "PCNT", "CONT", "PRET", "CAL", "JCAL"]);
const OLD_ROOTS = new Set([...STACK, "XMAD", "MOV32I", "ISCADD"]);
/** Opcodes that mean something else there: a shift to the left gives the upper word, an addend has no pair. */
const ELSEWISE = new Set(["SHF", "LEA", "IMAD"]);

/** Linear in the instructions; liveness once for a function that is called. */
export function lowerFunction(text: TextContext, fn: SassFunction, name: string): LoweredFunction {
  const plan = planBlocks(fn, text.sink);
  const accesses = allAccesses(fn);
  const out = new FuncBuilder(plan.blocks);
  const written = new Set<Reg>();
  for (const { defs, uses } of accesses) {
    for (const r of defs) {
      out.reserve(r);
      written.add(r);
    }
    for (const r of uses) out.reserve(r);
  }
  const sm = Number.parseInt(fn.target?.slice(3) ?? "", 10);
  const old = sm < 70 || fn.insts.some((i) => OLD_ROOTS.has(i.root));
  const stacked = old && fn.insts.some((i) => STACK.has(i.root));
  if (stacked && !text.reported.has("old")) {
    text.reported.add("old");
    text.sink.report(
      "SASS010",
      { line: fn.line, column: 1, length: 0 },
      `'${fn.name}' is for a target before sm_70 and lets lanes diverge by the SSY/SYNC stack; every instruction but control stays opaque`,
    );
  }
  const kind = fn.isEntry === true || (fn.isEntry === null && !fn.insts.some((i) => i.root === "RET")) ? "kernel" : "func";
  const c: Lowering = {
    text,
    fn,
    plan,
    out,
    kind,
    old,
    stacked,
    carry: null,
    accesses,
    written,
    before: new Set(),
    tables: 0,
    guessed: null,
    opaque: 0,
    inexact: 0,
  };
  for (const [i, inst] of fn.insts.entries()) {
    if (plan.starts[i] === 1) out.select(plan.blockOf[i] ?? 0);
    lowerInst(c, inst, i);
    for (const r of accesses[i]?.defs ?? []) if (isData(r)) c.before.add(r);
  }
  const { func, signature } = finish(c, name);
  return { func, signature, instructions: fn.insts.length, opaque: c.opaque, inexact: c.inexact };
}

/**
 * Accesses with hidden uses: on sm_80 to sm_89 every global access reads the descriptor pair that an ULDC.64 of c[0x0][0x118] loaded, which its text does not show.
 */
function allAccesses(fn: SassFunction): Accesses[] {
  let descriptor: readonly Reg[] = [];
  return fn.insts.map((inst) => {
    const isGlobal = /^(?:LDG?|STG?|ATOMG?|RED|LDGSTS|CCTL)$/.test(inst.root) && inst.mods.includes("E");
    const accesses = accessesOf(inst, isGlobal ? descriptor : []);
    const [d, s] = inst.operands;
    if (inst.root === "ULDC" && inst.mods.includes("64") && d?.kind === "reg" && s?.kind === "cbank" && s.bank === 0 && s.offset === 0x118)
      descriptor = accesses.defs;
    return accesses;
  });
}

function lowerInst(c: Lowering, inst: SassInst, index: number): void {
  const access = c.accesses[index] ?? { defs: [], uses: [], exact: false };
  if (!access.exact) {
    c.inexact++;
    reportInexact(c, inst);
  }
  if (neverRuns(inst)) {
    // A filler between matrix products has nothing to keep.
    if (/^U?IADD3$/.test(inst.root)) {
      c.out.emit("NOP", [], [], null, inst.line);
      return;
    }
    c.out.emit("OPAQUE", [list([]), list([]), { kind: "text", text: inst.text }], ["pure"], inst.guard, inst.line);
    return;
  }
  if (isControl(inst)) {
    lowerControl(c, inst, access);
    return;
  }
  if (inst.root === "CALL" || inst.root === "JCAL" || inst.root === "CAL") {
    lowerCall(c, inst);
    return;
  }
  if (inst.root === "BSSY" && lowerRegion(c, inst)) return;
  const unread = c.stacked || (c.old && ELSEWISE.has(inst.root) && inst.mods.length > 0);
  const forms = unread ? null : acceptedForms(c, inst);
  if (forms === null) emitOpaque(c, inst, access);
  else for (const form of forms) c.out.emit(form.op, form.ops, form.mods, inst.guard, inst.line);
}

/** One Ori instruction where there is one, else several. */
function acceptedForms(c: Lowering, inst: SassInst): readonly Accepted[] | null {
  const single = accept(rowOf(inst.root)?.(inst) ?? null);
  if (single !== null) return [single];
  const forms = wideForms(inst, (cls) => freshReg(c, cls))?.map(accept);
  return forms?.every((form) => form !== null) ? forms : null;
}

/** Registers of a listing end at R254 and P6: what the importer makes itself begins after them, whatever a callee names. */
function freshReg(c: Lowering, cls: "R" | "RD" | "P" | "CC"): Reg {
  if (cls === "CC") {
    c.carry ??= freshReg(c, "P");
    return c.carry;
  }
  if (cls !== "RD") c.out.reserve(reg(cls, cls === "R" ? FIRST_OWN_R - 1 : FIRST_OWN_P - 1));
  return c.out.freshReg(cls);
}

const FIRST_OWN_R = 256;
const FIRST_OWN_P = 7;

const list = (regs: readonly Reg[]): Operand => ({ kind: "list", regs });

function emitOpaque(c: Lowering, inst: SassInst, access: Accesses): void {
  c.opaque++;
  const uses = access.uses.filter((r) => r !== inst.guard?.reg || isUsedBesidesGuard(inst, r));
  const flag = c.old ? carryOf(inst) : { sets: false, reads: false };
  const carry = flag.sets || flag.reads ? [freshReg(c, "CC")] : [];
  const defs = flag.sets ? [...access.defs, ...carry] : access.defs;
  if (flag.reads) uses.push(...carry);
  c.out.emit("OPAQUE", [list(defs), list(uses), { kind: "text", text: inst.text }], [effectOfInst(inst)], inst.guard, inst.line);
}

function isUsedBesidesGuard(inst: SassInst, r: Reg): boolean {
  return accessesOf({ ...inst, guard: null }).uses.includes(r);
}

function reportInexact(c: Lowering, inst: SassInst): void {
  if (c.text.reported.has(inst.root)) return;
  c.text.reported.add(inst.root);
  const place = { line: inst.line, column: inst.column, length: inst.root.length };
  if (isKnownRoot(inst.root)) c.text.sink.report("SASS012", place, `the registers of '${inst.root}' are known only in part`);
  else c.text.sink.report("SASS011", place, `there is no instruction '${inst.root.slice(0, 40)}'; it stays opaque and may do anything`);
}

// --- control -----------------------------------------------------------------------------------------------------------------

function lowerControl(c: Lowering, inst: SassInst, access: Accesses): void {
  const { out, plan } = c;
  const { guard, line } = inst;
  switch (inst.root) {
    case "EXIT":
    case "KILL":
      out.emit(inst.root, [], [], endGuard(c, inst), line);
      return;
    case "RET":
      out.emit(c.kind === "kernel" ? "EXIT" : "RET", [], [], guard, line);
      return;
    default:
      break;
  }
  if (isIndirect(inst)) {
    lowerTable(c, inst, access);
    return;
  }
  const block = plan.branch(inst);
  if (block === null) {
    out.emit("KILL", [], [], guard, line);
    return;
  }
  const label = labelOp(blockId(block));
  if (inst.operands.length < 2) {
    out.emit("BRA", [label], inst.mods.includes("U") ? ["U"] : [], guard, line);
    return;
  }
  const condition = inst.operands.length === 2 ? predSource(inst.operands[0]) : null;
  if (condition !== null && condition.kind === "reg") {
    out.emit("BRA", [condition, label], inst.mods.includes("U") ? ["U"] : [], guard, line);
    return;
  }
  // BRA.DIV and BRA.CONV test the warp: the result is a new predicate.
  const answer = out.freshReg("P");
  c.opaque++;
  const asked = guard === null || isConstantReg(guard.reg) ? "" : `@${guard.neg ? "!" : ""}${regName(guard.reg)} `;
  out.emit("OPAQUE", [list([answer]), list(access.uses), { kind: "text", text: asked + inst.text }], ["barrier"], null, line);
  out.emit("BRA", [label], [], { reg: answer, neg: false }, line);
}

/** `@P0 EXIT P1` ends the threads for which both hold. */
function endGuard(c: Lowering, { guard, operands, line }: SassInst): Guard | null {
  const condition = predSource(operands[0]);
  if (condition?.kind !== "reg" || (isConstantReg(condition.reg) && !condition.neg)) return guard;
  if (guard === null) return { reg: condition.reg, neg: condition.neg };
  const both = freshReg(c, "P");
  const and: Operand = { kind: "imm", value: 0xc0 };
  c.out.emit("PLOP3", [regOp(both), regOp(guard.reg, { neg: guard.neg }), condition, regOp(PT), and], [], null, line);
  return { reg: both, neg: false };
}

function lowerTable(c: Lowering, inst: SassInst, access: Accesses): void {
  const { out, plan } = c;
  const place = { line: inst.line, column: inst.column, length: inst.text.length };
  const entries: BlockId[] = plan.table(inst).map(blockId);
  if (entries.length === 0) {
    c.text.sink.report("SASS009", place, "nothing in the listing can be a target of this branch; the thread ends here");
    out.emit("KILL", [], [], inst.guard, inst.line);
    return;
  }
  if (inst.targets === null)
    c.text.sink.report(
      "SASS008",
      place,
      `the listing does not name the targets; ${plural(entries.length, "block without a predecessor is", "blocks without a predecessor are")} taken`,
    );
  const isGuess = inst.targets === null;
  const name = isGuess && c.guessed !== null ? c.guessed : `JT${c.tables++}`;
  if (!isGuess || c.guessed === null) out.addTable({ name, base: 0, default: null, entries, line: inst.line });
  if (isGuess) c.guessed = name;
  const index = access.uses.find((r) => r !== inst.guard?.reg && !isPredicateReg(r) && regClass(r) !== "B") ?? RZ;
  out.emit("BRX", [regOp(index), { kind: "table", name }], [], inst.guard, inst.line);
}

function lowerRegion(c: Lowering, inst: SassInst): boolean {
  const block = c.plan.holding(inst);
  const barrier = inst.operands.find((o) => o.kind === "reg" && regClass(o.reg) === "B");
  if (block === null || barrier?.kind !== "reg" || c.old) {
    c.text.sink.report(
      "SASS014",
      { line: inst.line, column: inst.column, length: inst.text.length },
      `the end of the region of '${inst.text}' is not in '${c.fn.name}'`,
    );
    return false;
  }
  c.out.emit("BSSY", [regOp(barrier.reg), labelOp(blockId(block))], [], inst.guard, inst.line);
  return true;
}

// --- calls -------------------------------------------------------------------------------------------------------------------

function lowerCall(c: Lowering, inst: SassInst): void {
  const callee = c.text.callee(c.fn, inst);
  const place = { line: inst.line, column: inst.column, length: inst.text.length };
  if (callee !== null && "params" in callee) {
    // What this function never writes cannot matter to the callee; a kernel would read it undefined.
    const args = callee.params.map((r) => (c.kind === "func" || c.written.has(r) ? r : isPredicateReg(r) ? PT : RZ));
    for (const r of [...callee.results, ...args]) c.out.reserve(r);
    c.out.emit("CALL", [{ kind: "sym", name: callee.name, offset: 0 }, list(callee.results), list(args)], [], inst.guard, inst.line);
    return;
  }
  c.inexact++;
  const name = callee?.name ?? null;
  if (!c.text.reported.has(`call ${name}`)) {
    c.text.reported.add(`call ${name}`);
    c.text.sink.report("SASS013", place, name === null ? "a call through a register may lead anywhere" : `'${name}' is not in the listing`);
  }
  const defs = [...c.written].filter((r) => isData(r) && r !== STACK_POINTER);
  const uses = [...c.before];
  if (name !== null)
    c.out.emit("CALL", [{ kind: "sym", name: legalName(name), offset: 0 }, list(defs), list(uses)], [], inst.guard, inst.line);
  else {
    c.opaque++;
    c.out.emit("OPAQUE", [list(defs), list(uses), { kind: "text", text: inst.text }], ["call"], inst.guard, inst.line);
  }
}

const STACK_POINTER = reg("R", 1);

function isData(r: Reg): boolean {
  return regClass(r) !== "B";
}

/**
 * A kernel has neither parameters nor results. A function returns every register it writes and receives those that it reads, or may leave unchanged: so a call shows
 * exactly what the callee does to the caller's registers. The return address counts as read.
 */
function finish(c: Lowering, name: string): { readonly func: Func; readonly signature: Signature } {
  const head = { kind: c.kind, name, params: [], line: c.fn.line };
  if (c.kind === "kernel") {
    const func = withoutUndefinedArguments(c.out.finish({ ...head, returns: [] }, "EXIT"));
    return { func, signature: { name, params: [], results: [] } };
  }
  const bare = c.out.finish({ ...head, returns: [] }, "RET");
  const results = new Set<Reg>();
  for (const block of bare.blocks)
    for (const inst of block?.insts ?? []) for (const r of defsOf(inst)) if (isData(r) && !isPrivate(c, r)) results.add(r);
  const withResults: Func = { ...bare, returns: [...results].sort(byName) };
  const live = liveness(withResults);
  const [entry] = withResults.layout;
  const params = new Set<Reg>(entry === undefined ? [] : live.liveIn(entry).filter((r) => isData(r) && !isPrivate(c, r)));
  for (const [i, inst] of c.fn.insts.entries())
    if (inst.root === "RET") for (const r of c.accesses[i]?.uses ?? []) if (r !== inst.guard?.reg) params.add(r);
  const sorted = [...params].sort(byName);
  const nextReg = bare.nextReg.slice();
  const func: Func = { ...withResults, nextReg, params: sorted.map((r): Param => ({ name: regName(r).toLowerCase(), reg: r })) };
  return { func, signature: { name, params: sorted, results: func.returns } };
}

/** Rounds of the search below: each one finds every register of some call. */
const MOST_ROUNDS = 8;

/**
 * A callee that may leave a register as it was takes it as an argument; where the kernel has not written it by then its value cannot matter, so RZ is passed.
 */
function withoutUndefinedArguments(func: Func): Func {
  let current = func;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const missing = new Map<number, Set<Reg>>();
    for (const { inst, reg: r } of undefinedReads(current)) {
      if (inst.op !== "CALL") continue;
      const regs = missing.get(inst.id) ?? new Set();
      missing.set(inst.id, regs.add(r));
    }
    if (missing.size === 0) break;
    const blocks = current.blocks.map((block) => {
      if (block === undefined || !block.insts.some((inst) => missing.has(inst.id))) return block;
      const insts = block.insts.map((inst) => {
        const regs = missing.get(inst.id);
        return regs === undefined
          ? inst
          : mapUses(inst, (r, operand) => (operand !== GUARD_INDEX && regs.has(r) ? (isPredicateReg(r) ? PT : RZ) : r));
      });
      return { ...block, insts };
    });
    current = { ...current, blocks };
  }
  return current;
}

/** A register that the importer made itself: no other function knows it. */
function isPrivate(c: Lowering, r: Reg): boolean {
  switch (regClass(r)) {
    case "RD":
      return true;
    case "R":
      return regIndex(r) >= FIRST_OWN_R && !c.written.has(r);
    case "P":
      return regIndex(r) >= FIRST_OWN_P && !c.written.has(r);
    default:
      return false;
  }
}

const byName = (a: Reg, b: Reg): number => (a & 7) - (b & 7) || a - b;
