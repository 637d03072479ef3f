/** Decodes a function: each instruction by its opcode family (`ops-*.ts`), the PHIs of a block by edge. */

import { postDominators } from "../analysis/dominators.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg, isPredicateReg, regClass } from "../ir/reg.ts";
import { symbolAddress } from "../ir/symbol-address.ts";
import type { Block, Func, Inst, Module, Operand } from "../ir/types.ts";
import { branchTarget, isUnconditional, nextInLayout, phiInput, phisOf, tableName, waitsForBlock } from "../ir/visit.ts";
import { type Build, Builder, compose, copyRows, modOf, type PredRef, Unsupported } from "./builder.ts";
import { type BlockReduction, type CallSite, type Code, type CodeBlock, type CodeTable, Kind, type Place, type Step } from "./code.ts";
import { type Follow, followEdge, followOf } from "./follow.ts";
import type { FollowContext } from "./follow-inst.ts";
import { lowestLane, setPredicate } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import { MarkPlaces } from "./marks.ts";
import { CONVERT_OPS } from "./ops-convert.ts";
import { FLOAT_OPS } from "./ops-float.ts";
import { INTEGER_OPS } from "./ops-integer.ts";
import { askPhase, MBARRIER_OPS } from "./ops-mbarrier.ts";
import { MEMORY_OPS } from "./ops-memory.ts";
import { OPAQUE_OPS } from "./ops-opaque.ts";
import { PREDICATE_OPS } from "./ops-predicate.ts";
import { WARP_OPS } from "./ops-warp.ts";
import { finish, lanesWith } from "./shapes.ts";

const nothing: Exec = () => {};

const trapping =
  (message: string): Exec =>
  (_s, mask, m) =>
    m.trap(message, lowestLane(mask));

/** Opcodes that only run. The rest are the scheduler's, or a PHI. */
const PLAIN = {
  ...INTEGER_OPS,
  ...PREDICATE_OPS,
  ...FLOAT_OPS,
  ...CONVERT_OPS,
  ...MEMORY_OPS,
  ...MBARRIER_OPS,
  ...WARP_OPS,
  ...OPAQUE_OPS,
  // One warp at a time runs, and each lane's accesses are in program order: nothing is left to order.
  MEMBAR: () => nothing,
  NOP: () => nothing,
  NANOSLEEP: () => nothing,
  // The convergence model has its own rejoin points; waiting for a mask would only add deadlocks that it alone has.
  WARPSYNC: () => nothing,
  BPT: () => trapping("BPT.TRAP was reached"),
} satisfies Readonly<Record<Exclude<Opcode, SchedulerOp>, Build>>;

type SchedulerOp =
  | "BRA"
  | "JMX"
  | "BRX"
  | "EXIT"
  | "KILL"
  | "RET"
  | "CALL"
  | "BSSY"
  | "BSYNC"
  | "BREAK"
  | "BAR"
  | "BARRED"
  | "PHASECHK"
  | "PHI";

type Cache = WeakMap<Func, { readonly version: number; readonly module: Module; readonly code: Code }>;

const plainCode: Cache = new WeakMap();
const followedCode: Cache = new WeakMap();

/** Decodes a function, or returns what an earlier call made of the same state of it. `follow`: for runs that follow stand-ins. */
export function codeOf(fn: Func, module: Module, follow = false): Code {
  const cache = follow ? followedCode : plainCode;
  const known = cache.get(fn);
  if (known !== undefined && known.version === fn.version && known.module === module) return known.code;
  const code = decode(fn, module, follow);
  cache.set(fn, { version: fn.version, module, code });
  return code;
}

function decode(fn: Func, module: Module, follow: boolean): Code {
  const tables = new Map([...fn.tables.keys()].map((name, i) => [name, i] as const));
  const symbols = new Map(module.symbols.map((s) => [s.name, symbolAddress(s)] as const));
  const b = new Builder(tables, (name) => symbols.get(name) ?? null);
  const places = new MarkPlaces();
  const undeclared = new Set(module.symbols.filter((s) => s.inferred === true).map((s) => s.name));
  const context: FollowContext | null = follow ? { b, fn, places, undeclared } : null;
  const ipdom = postDominators(fn).idom;
  const rejoins = new Set<number>(ipdom);
  const blocks: (CodeBlock | undefined)[] = new Array(fn.blocks.length).fill(undefined);
  let usesBarriers = false;
  let calls = false;
  for (let i = 0; i < fn.layout.length; i++) {
    const id = fn.layout[i] as BlockId;
    const block = fn.blocks[id];
    if (block === undefined) continue;
    const steps: Step[] = [];
    for (const inst of block.insts) {
      if (inst.op === "PHI") continue;
      if (waitsForBlock(inst)) usesBarriers = true;
      if (inst.op === "CALL") calls = true;
      steps.push(decodeStep(b, fn, inst, context));
    }
    const next = nextInLayout(fn, id, i) ?? -1;
    blocks[id] = {
      id,
      label: block.label,
      steps: withElse(steps, next),
      next,
      ipdom: ipdom[id] ?? -1,
      rejoins: rejoins.has(id),
      edges: byEdge(block, (phis, pred) => parallelCopy(b, phis, pred, block)),
      followEdges: context === null ? null : byEdge(block, (phis, pred) => followEdge(context, phis, pred)),
    };
  }
  const place = (r: Reg): Place => placeOf(b, r, false, context);
  const params = fn.params.map((p) => placeOf(b, p.reg, true, context));
  const returns = fn.returns.map(place);
  const template = new Uint32Array(b.rowWords);
  for (const { row, value } of b.splats) template.fill(value, row, row + LANES);
  return {
    fn,
    blocks,
    entry: fn.layout[0] ?? -1,
    words: b.rowWords,
    preds: b.predCount,
    template,
    bankWords: b.bankWords,
    params,
    returns,
    usesBarriers,
    readsLaunched: b.readsLaunched,
    readsStored: b.readsStored,
    calls,
    marks: places.size,
    markedRegs: places.regs(),
  };
}

/** The steps with the else block of the jumps that close the block: of the last step, or of the one before a plain jump. */
function withElse(steps: readonly Step[], next: number): readonly Step[] {
  const last = steps.at(-1);
  if (last === undefined || (last.kind !== Kind.Branch && last.kind !== Kind.Table)) return steps;
  const before = steps.at(-2);
  const plain = last.kind === Kind.Branch && isUnconditional(last.inst);
  if (!plain) return [...steps.slice(0, -1), { ...last, falls: next }];
  if (before?.kind !== Kind.Branch && before?.kind !== Kind.Table) return steps;
  return [...steps.slice(0, -2), { ...before, falls: last.target }, last];
}

function placeOf(b: Builder, r: Reg, defines: boolean, follow: FollowContext | null): Place {
  const predicate = isPredicateReg(r);
  const at = predicate ? (isConstantReg(r) && defines ? 1 : b.predIndex(r)) : defines ? b.dstReg(r) : b.row(r);
  return { reg: r, predicate, wide: regClass(r) === "RD", at, mark: follow === null || isConstantReg(r) ? -1 : follow.places.of(r) };
}

function decodeStep(b: Builder, fn: Func, inst: Inst, follow: FollowContext | null): Step {
  const guard = inst.guard;
  const base = {
    inst,
    kind: Kind.Plain as Kind,
    guard: guard === null ? -1 : b.predIndex(guard.reg),
    guardXor: guard?.neg === true ? -1 : 0,
    run: null as Exec | null,
    follow: null as Follow | null,
    pred: 0,
    predXor: 0,
    target: -1,
    falls: -1,
    row: -1,
    countRow: -1,
    table: null as CodeTable | null,
    reduce: null as BlockReduction | null,
    call: null as CallSite | null,
    barrier: -1 as Reg | -1,
  };
  b.pre = [];
  try {
    const parts = decodeParts(b, fn, inst, follow);
    return { ...base, ...parts, follow: follow === null ? null : followOf(follow, inst) };
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    b.pre = [];
    return { ...base, run: trapping(`${inst.op} cannot be run: ${error.message}`) };
  }
}

function decodeParts(b: Builder, fn: Func, inst: Inst, follow: FollowContext | null): Partial<Step> {
  switch (inst.op) {
    case "BRA": {
      const target = branchTarget(inst);
      if (target === null) throw new Unsupported("its target is missing");
      const p = b.srcP(inst.ops.length === 2 ? inst.ops[0] : undefined);
      return { kind: Kind.Branch, target, pred: p.p, predXor: p.x };
    }
    case "JMX":
    case "BRX": {
      const name = tableName(inst);
      const table = name === null ? undefined : fn.tables.get(name);
      if (name === null || table === undefined) throw new Unsupported("its table is missing");
      const row = b.src32(inst.ops[0]);
      const code = {
        entries: table.entries,
        default: table.default ?? -1,
        address: b.tableAddress(name),
        indexOnly: inst.op === "JMX",
      };
      return { kind: Kind.Table, row, table: code, run: finish(b, nothing) };
    }
    case "EXIT":
    case "KILL":
      return { kind: Kind.Exit };
    case "RET":
      return { kind: Kind.Return };
    case "CALL": {
      const [name, results, args] = inst.ops;
      if (results?.kind !== "list" || args?.kind !== "list" || (name?.kind !== "sym" && name?.kind !== "reg"))
        throw new Unsupported("it needs a name or a register, and two lists");
      return {
        kind: Kind.Call,
        call: {
          callee: name.kind === "sym" ? name.name : null,
          row: name.kind === "sym" ? -1 : b.src64(name),
          results: results.regs.map((r) => placeOf(b, r, true, follow)),
          args: args.regs.map((r) => placeOf(b, r, false, follow)),
        },
      };
    }
    case "BSSY":
      return { kind: Kind.Open, barrier: b.regOf(inst.ops[0]) };
    case "BSYNC":
      return { kind: Kind.Sync, barrier: b.regOf(inst.ops[0]) };
    case "BREAK":
      return { kind: Kind.Break, barrier: b.regOf(inst.ops[0]) };
    case "BAR": {
      const row = b.src32(inst.ops[0]);
      const countRow = inst.ops[1] === undefined ? -1 : b.src32(inst.ops[1]);
      return { kind: Kind.Barrier, row, countRow, run: finish(b, nothing) };
    }
    case "BARRED": {
      const [to, number, count] = inst.ops;
      const kind = modOf(inst, ["POPC", "AND", "OR"]);
      if (to?.kind !== "reg" || kind === null) throw new Unsupported("it needs a result and an operation");
      const row = b.src32(number);
      const countRow = inst.ops.length === 4 ? b.src32(count) : -1;
      const p = b.srcP(inst.ops.at(-1));
      const reduce = { kind, ...placeOf(b, to.reg, true, follow) };
      return { kind: Kind.Barrier, row, countRow, pred: p.p, predXor: p.x, reduce, run: finish(b, nothing) };
    }
    case "PHASECHK":
      return { kind: Kind.Phase, pred: b.dstP(inst.ops[0]), run: askPhase(b, inst) };
    case "PHI":
      throw new Unsupported("it comes after another instruction");
    default:
      return { run: PLAIN[inst.op](b, inst) };
  }
}

/** What the PHIs of a block become on each incoming edge; null without PHIs. */
function byEdge<T>(block: Block, make: (phis: readonly Inst[], pred: BlockId) => T): ReadonlyMap<number, T> | null {
  const phis = phisOf(block);
  return phis.length === 0 ? null : new Map(block.preds.map((pred) => [pred, make(phis, pred)]));
}

/** All inputs are read before any register is written. */
function parallelCopy(b: Builder, phis: readonly Inst[], pred: BlockId, block: Block): Exec {
  b.pre = [];
  const first: Exec[] = [];
  const second: Exec[] = [];
  // Reading all before writing any takes scratch rows; they are only needed when a PHI reads what another one defines.
  const defined = new Set(phis.map((phi) => (phi.ops[0]?.kind === "reg" ? phi.ops[0].reg : -1)));
  const clash = phis.some((phi) => {
    const value = phiInput(phi, pred);
    return value?.kind === "reg" && defined.has(value.reg);
  });
  try {
    for (const phi of phis) {
      const value = phiInput(phi, pred);
      const target = phi.ops[0];
      if (value === null || target?.kind !== "reg") throw new Unsupported(`PHI in ${block.label} has no input for the edge taken`);
      copyValue(b, target, value, clash, first, second);
    }
  } catch (error) {
    if (!(error instanceof Unsupported)) throw error;
    b.pre = [];
    return trapping(error.message);
  }
  return finish(b, compose([...first, ...second], nothing));
}

function copyValue(b: Builder, target: Operand & { kind: "reg" }, value: Operand, clash: boolean, first: Exec[], second: Exec[]): void {
  if (isPredicateReg(target.reg)) {
    const d = b.dstP(target);
    const source = b.srcP(value);
    const via = clash ? b.tempPred() : d;
    first.push(copyPred(via, source));
    if (clash) second.push(copyPred(d, { p: via, x: 0 }));
    return;
  }
  const wide = regClass(target.reg) === "RD";
  const source = b.src(value, wide);
  const d = b.dstReg(target.reg);
  const via = clash ? b.temp(wide) : d;
  first.push(copyRows(via, source, wide));
  if (clash) second.push(copyRows(d, via, wide));
}

function copyPred(d: number, from: PredRef): Exec {
  return (s, mask) => setPredicate(s.p, d, mask, lanesWith(s, from));
}
