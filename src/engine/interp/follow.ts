/** How marks of stand-ins pass through an instruction (`stand-ins.ts`). Decoded only for runs that follow them, and run before the instruction itself. */

import type { BlockId, Reg } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg } from "../ir/reg.ts";
import { isCounter } from "../ir/special-registers.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { effectOf, isNonCoherent, phiInput, regsOfOperand } from "../ir/visit.ts";
import { modOf, type PredRef } from "./builder.ts";
import { type FollowContext, FollowedInst, type Reader } from "./follow-inst.ts";
import { lanesOf } from "./lanes.ts";
import type { Frame, Machine } from "./machine.ts";
import { either, KNOWN, markAt, putMark, whyOf } from "./marks.ts";
import { COPY_BYTES, elementsOf } from "./ops-memory.ts";
import { sourceLane } from "./ops-warp.ts";
import { hasModel } from "./special-registers.ts";
import type { StandIns } from "./stand-ins.ts";

/** `mask`: the lanes that run it; `path`: those that reach it. */
export type Follow = (s: Frame, mask: number, machine: Machine, to: StandIns, path: number) => void;

/** How they pass along an edge, with its PHIs. */
export type FollowEdge = (s: Frame, mask: number) => void;

/** Without what its guard adds: for the lanes that run it. */
type Passing = (s: Frame, mask: number, machine: Machine, to: StandIns) => void;

/** The others only compute: what they define depends on what they read. */
const RULES: Readonly<Partial<Record<Opcode, (x: FollowedInst) => Passing>>> = {
  OPAQUE: opaque,
  TEX: texture,
  TLD: texture,
  S2R: special,
  CS2R: special,
  SEL: select,
  FSEL: select,
  SHFL: shuffle,
  VOTE: together,
  MATCH: together,
  REDUX: together,
  BRA: jump,
  JMX: jump,
  BRX: jump,
  BAR: (x) => x.decides("the barrier"),
  BARRED: ballot,
  // Arguments and results are moved by the scheduler.
  CALL: (x) => x.decides("the call", x.withConstants(x.of(x.inst.ops[0]))),
  LDG: load,
  LDS: load,
  LDL: load,
  LDC: load,
  LD: load,
  PHASECHK: phase,
  STG: store,
  STS: store,
  STL: store,
  ST: store,
  ATOM: update,
  ATOMS: update,
  RED: update,
  SYNCS: update,
  LDGSTS: copy,
};

export function followOf(context: FollowContext, inst: Inst): Follow {
  const x = new FollowedInst(context, inst);
  const own = (RULES[inst.op] ?? plain)(x);
  const { guard, defs } = x;
  if (guard === null) return own;
  const effect = effectOf(inst);
  const whetherItRuns = RULES[inst.op] === jump ? "the branch" : `whether ${inst.op} runs`;
  const doubt = effect === "pure" || effect === "load" ? guard : x.decides(whetherItRuns, guard);
  return (s, mask, machine, to, path) => {
    if (mask !== 0) own(s, mask, machine, to);
    const mark = doubt(s, path, machine, to);
    // The lanes that leave it out might have run it, and the other way round.
    if (mark.lanes !== 0) for (const d of defs) putMark(s.marks, d, mark.lanes, mark);
  };
}

/** The parallel copy of PHIs on one edge: all are read before any is written. */
export function followEdge({ places }: FollowContext, phis: readonly Inst[], pred: BlockId): FollowEdge {
  const moves = phis.flatMap((phi) => {
    const from = phiInput(phi, pred);
    const [to] = phi.ops;
    if (from === null || to?.kind !== "reg" || isConstantReg(to.reg)) return [];
    const [source] = regsOfOperand(from);
    return [{ to: places.of(to.reg), from: source === undefined ? -1 : places.of(source) }];
  });
  return ({ marks }, mask) => {
    const read = moves.map(({ from }) => markAt(marks, from, mask));
    for (const [i, { to }] of moves.entries()) putMark(marks, to, mask, read[i] ?? KNOWN);
  };
}

// --- registers, lanes and control ------------------------------------------------------------------------------------------

function plain(x: FollowedInst): Passing {
  return x.defines(x.all);
}

function opaque(x: FollowedInst): Passing {
  const { inst } = x;
  const text = inst.ops[2]?.kind === "text" ? inst.ops[2].text : "";
  const what = `the opaque instruction '${text}'`;
  const result = madeUp(x, what);
  if (!mayStore(inst, text)) return result;
  return (s, mask, machine, to) => {
    to.mayHaveStored(inst, x.source(what));
    result(s, mask, machine, to);
  };
}

function texture(x: FollowedInst): Passing {
  return madeUp(x, `the texture that ${[x.inst.op, ...x.inst.mods].join(".")} reads`);
}

function madeUp(x: FollowedInst, what: string): Passing {
  const source = x.source(what, "function");
  if (x.defs.length === 0) return () => {};
  return x.defines((_s, mask, _machine, to) => ({ lanes: mask, why: to.number(source) }));
}

function special(x: FollowedInst): Passing {
  const register = x.inst.ops[1];
  const name = register?.kind === "sreg" ? register.name : "";
  const source = x.source(`the special register ${name}`, isCounter(name) ? "function" : "value");
  return x.defines((_s, mask, machine, to) =>
    hasModel(name) || machine.specials.given.has(name) ? KNOWN : { lanes: mask, why: to.number(source) },
  );
}

/** A choice by a known predicate depends only on what is chosen. */
function select(x: FollowedInst): Passing {
  const [, yes, no, test] = x.inst.ops;
  const p: PredRef = x.context.b.srcP(test);
  const [ifYes, ifNo, chooser] = [x.of(yes), x.of(no), x.of(test)];
  const chosen: Reader = (s, mask, machine, to) => {
    const choose = (s.p[p.p] as number) ^ p.x;
    const mark = either(ifYes(s, mask & choose, machine, to), ifNo(s, mask & ~choose, machine, to));
    return either(chooser(s, mask, machine, to), mark);
  };
  return x.defines(x.withConstants(chosen));
}

function shuffle(x: FollowedInst): Passing {
  const { ops } = x.inst;
  const mode = modOf(x.inst, ["IDX", "UP", "DOWN", "BFLY"]) ?? "IDX";
  const [value, lane, clamp] = ops.slice(ops.length === 5 ? 2 : 1);
  // Which lane is meant is in a constant bank.
  if (lane?.kind === "cbank" || clamp?.kind === "cbank") return together(x);
  const [laneRow, clampRow] = [x.row(lane), x.row(clamp)];
  const [values, where] = [x.withConstants(x.of(value)), x.of(lane, clamp)];
  const absent = x.source("a shuffle from a lane that takes no part");
  return x.defines((s, mask, machine, to) => {
    const given = values(s, mask, machine, to);
    let found = where(s, mask, machine, to);
    for (const l of lanesOf(mask)) {
      const { from } = sourceLane(mode, l, s.r[laneRow + l] as number, s.r[clampRow + l] as number);
      const why = ((mask >>> from) & 1) === 0 ? to.number(absent) : whyOf(given, from);
      if (why !== 0) found = either(found, { lanes: 1 << l, why });
    }
    return found;
  });
}

/** Each lane's result depends on all of them. */
function together(x: FollowedInst): Passing {
  return x.defines((s, mask, machine, to) => {
    const { lanes, why } = x.all(s, mask, machine, to);
    return lanes === 0 ? KNOWN : { lanes: mask, why };
  });
}

function jump(x: FollowedInst): Passing {
  return x.decides("the branch");
}

/** The scheduler marks the result: it knows when all threads have come. */
function ballot(x: FollowedInst): Passing {
  return (s, mask, machine, to) => {
    const { lanes, why } = x.registers(s, mask, machine, to);
    if (lanes !== 0) to.voted = why;
  };
}

/** Instructions that an importer keeps for their order alone: they wait, or inform the hardware, and write no memory. */
const ONLY_ORDERS =
  /^(?:fence|membar|bar|barrier|griddepcontrol|setmaxnreg|elect|activemask|nanosleep|pmevent|createpolicy|prefetch|prefetchu|applypriority|wgmma|MEMBAR|ERRBAR|CCTL|BAR|WARPSYNC|DEPBAR|YIELD|NANOSLEEP|ACQBULK|USETMAXREG|UCGABAR_ARV|UCGABAR_WAIT|ELECT)\b/;

function mayStore(inst: Inst, text: string): boolean {
  const effect = effectOf(inst);
  return effect !== "pure" && effect !== "load" && effect !== "warp" && !ONLY_ORDERS.test(text);
}

// --- memory ------------------------------------------------------------------------------------------------------------------

function load(x: FollowedInst): Passing {
  if (isNonCoherent(x.inst)) return x.defines(x.registers);
  const { regs, bytes, each } = elementsOf(x.inst.ops[0], x.inst);
  return loadInto(x, regs, bytes, each);
}

function phase(x: FollowedInst): Passing {
  return loadInto(x, regsOfOperand(x.inst.ops[0]), 8, 8);
}

/** Registers of `each` bytes, side by side in memory. Of several sources the last lane's counts, and memory's before the address's. */
function loadInto(x: FollowedInst, regs: readonly Reg[], bytes: number, each: number): Passing {
  const places = regs.map((r) => (isConstantReg(r) ? -1 : x.context.places.of(r)));
  const address = x.defines(x.registers);
  const source = x.bytes(x.inst.ops[1], bytes);
  return (s, mask, machine, to) => {
    const unsure = address(s, mask, machine, to);
    source.each(s, mask & ~unsure.lanes, machine, to, (lane, marks, at) => {
      for (const [i, place] of places.entries()) {
        const why = place < 0 ? 0 : source.why(marks, at + i * each, each, to);
        if (why !== 0) putMark(s.marks, place, 1 << lane, { lanes: 1 << lane, why });
      }
    });
  };
}

/** Where it writes must be known. */
const decidesAddress = (x: FollowedInst, operand: Operand | undefined): Reader => x.decides(`the address of ${x.inst.op}`, x.of(operand));

function store(x: FollowedInst): Passing {
  const { inst } = x;
  const { regs, bytes, each } = elementsOf(inst.ops[1], inst);
  const address = decidesAddress(x, inst.ops[0]);
  const target = x.bytes(inst.ops[0], bytes);
  // What is stored may be a constant.
  const stored = regs.length === 0 ? [x.reading([])] : regs.map((r) => x.reading([r]));
  return (s, mask, machine, to) => {
    address(s, mask, machine, to);
    const values = stored.map((read) => read(s, mask, machine, to));
    target.each(s, mask, machine, to, (lane, marks, at) => {
      for (const [i, value] of values.entries()) marks.fill(whyOf(value, lane), at + i * each, at + (i + 1) * each);
    });
  };
}

/** Atomics and barrier objects: the old value is read, and what is written depends on it and on the operands. */
function update(x: FollowedInst): Passing {
  const { inst } = x;
  const at = inst.op === "RED" ? 0 : 1;
  const size = inst.op === "SYNCS" || modOf(inst, ["64", "F64"]) !== null ? 8 : 4;
  const address = decidesAddress(x, inst.ops[at]);
  const target = x.bytes(inst.ops[at], size);
  const operands = x.of(...inst.ops.slice(at + 1));
  const replaces = modOf(inst, ["EXCH", "INIT"]) !== null;
  return x.defines((s, mask, machine, to) => {
    let old = address(s, mask, machine, to);
    const given = operands(s, mask, machine, to);
    target.each(s, mask, machine, to, (lane, marks, from) => {
      const before = target.why(marks, from, size, to);
      if (before !== 0) old = either(old, { lanes: 1 << lane, why: before });
      marks.fill(replaces || before === 0 ? whyOf(given, lane) : before, from, from + size);
    });
    return old;
  });
}

/** The marks are moved as the bytes are: at the wait. */
function copy(x: FollowedInst): Passing {
  const [to, from, count] = x.inst.ops;
  const size = COPY_BYTES[modOf(x.inst, ["32", "64", "128"]) ?? "32"];
  const address = decidesAddress(x, to);
  const [target, source] = [x.bytes(to, size, "shared"), x.bytes(from, size, "global")];
  const countRow = count === undefined ? -1 : x.row(count);
  const copied = x.of(from, count);
  return (s, mask, machine, standIns) => {
    address(s, mask, machine, standIns);
    const doubt = copied(s, mask, machine, standIns);
    target.each(s, mask, machine, standIns, (lane, marks, at) => {
      const moved = new Uint8Array(size).fill(whyOf(doubt, lane));
      const wanted = countRow < 0 ? size : Math.min(size, s.r[countRow + lane] as number);
      if (wanted > 0 && whyOf(doubt, lane) === 0)
        source.each(s, 1 << lane, machine, standIns, (_lane, read, place) => moved.set(read.subarray(place, place + wanted)));
      machine.copies.begin(machine.thread(lane), () => marks.set(moved, at));
    });
  };
}
