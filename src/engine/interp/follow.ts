/** How marks of stand-ins pass through an instruction (`stand-ins.ts`). Decoded only for runs that follow them, and run before the instruction itself. */

import type { Reg } from "../ir/ids.ts";
import { opcodeInfo } from "../ir/opcodes.ts";
import { isConstantReg, isPredicateReg, regClass } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { defsOf, effectOf, isNonCoherent, spaceOf, usesOf } from "../ir/visit.ts";
import type { Builder, PredRef } from "./builder.ts";
import type { Frame, Machine } from "./machine.ts";
import { ACCESS_BYTES, addressOf, COPY_BYTES, lastPlace } from "./ops-memory.ts";
import { sourceLane } from "./ops-warp.ts";
import { hasModel, isClock } from "./special-registers.ts";
import { type Marks, type StandIns, UNWRITTEN, unwritten } from "./stand-ins.ts";

/** `mask`: the lanes that run it; `path`: those that reach it. */
export type Follow = (s: Frame, mask: number, path: number, machine: Machine, to: StandIns) => void;

/** How they pass along an edge, with its PHIs. */
export type FollowEdge = (s: Frame, mask: number) => void;

/** The marks' places in an activation, by register; made as they are needed. */
export class MarkPlaces {
  private readonly places = new Map<Reg, number>();

  of(r: Reg): number {
    let place = this.places.get(r);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(r, place);
    }
    return place;
  }

  get size(): number {
    return this.places.size;
  }

  regs(): readonly Reg[] {
    return [...this.places.keys()];
  }
}

/** What one step needs to know. */
export interface FollowContext {
  readonly b: Builder;
  readonly fn: Func;
  readonly places: MarkPlaces;
  /** Symbols of which only the name is known. */
  readonly undeclared: ReadonlySet<string>;
}

/** A register that is read, and where its marks are. */
interface Use {
  readonly r: Reg;
  readonly place: number;
}

/** Marks of the registers that an instruction reads, for the lanes of a mask. */
interface Read {
  readonly lanes: number;
  readonly why: number;
}

const NONE: Read = { lanes: 0, why: 0 };
const either = (a: Read, b: Read): Read =>
  a.lanes === 0 ? b : b.lanes === 0 ? a : { lanes: a.lanes | b.lanes, why: a.why === 0 ? b.why : a.why };
const lanesOf = (mask: number): number[] => {
  const lanes: number[] = [];
  for (let m = mask; m !== 0; m &= m - 1) lanes.push(31 - Math.clz32(m & -m));
  return lanes;
};

export function followOf(c: FollowContext, inst: Inst): Follow {
  const step = new Step(c, inst);
  const own = step.own();
  const guard = inst.guard === null || isConstantReg(inst.guard.reg) ? null : inst.guard.reg;
  if (guard === null) return own;
  const hasEffect = effectOf(inst) !== "pure" && effectOf(inst) !== "load";
  const defs = defsOf(inst).map((r) => c.places.of(r));
  const guarding = step.usesOf([guard]);
  return (s, mask, path, machine, to) => {
    if (mask !== 0) own(s, mask, path, machine, to);
    const doubt = step.read(s, guarding, path, to);
    if (doubt.lanes === 0) return;
    if (hasEffect) to.decide(step.whatIfGuarded(), c.fn.name, inst.line, doubt.why);
    // The lanes that leave it out might have run it, and the other way round.
    for (const d of defs) put(s.marks, d, doubt.lanes, doubt);
  };
}

class Step {
  private readonly c: FollowContext;
  private readonly inst: Inst;
  private readonly uses: readonly Use[];
  private readonly defs: readonly number[];

  constructor(c: FollowContext, inst: Inst) {
    this.c = c;
    this.inst = inst;
    const all = usesOf(inst);
    this.uses = this.usesOf(inst.guard === null || isConstantReg(inst.guard.reg) ? all : all.slice(1));
    this.defs = defsOf(inst).map((r) => c.places.of(r));
  }

  own(): Follow {
    const { inst } = this;
    switch (inst.op) {
      case "OPAQUE":
      case "TEX":
      case "TLD":
        return this.opaque();
      case "S2R":
      case "CS2R":
        return this.special();
      case "SEL":
      case "FSEL":
        return this.select();
      case "SHFL":
        return this.shuffle();
      case "VOTE":
      case "MATCH":
      case "REDUX":
        return this.together();
      case "LDG":
      case "LDS":
      case "LDL":
      case "LDC":
      case "LD":
        return this.load();
      case "STG":
      case "STS":
      case "STL":
      case "ST":
        return this.store();
      case "ATOM":
      case "ATOMS":
      case "RED":
      case "SYNCS":
        return this.update();
      case "LDGSTS":
        return this.copy();
      case "PHASECHK":
        return this.load();
      case "BRA":
      case "JMX":
      case "BRX":
        return this.decides("the branch");
      case "BAR":
        return this.decides("the barrier");
      case "BARRED":
        return this.ballot();
      case "CALL":
        // Arguments and results are moved by the scheduler.
        return this.decides("the call", this.of(inst.ops[0]));
      default:
        return this.plain();
    }
  }

  /** Places are made here, before the first run. */
  usesOf(regs: readonly Reg[]): readonly Use[] {
    return regs.filter((r) => !isConstantReg(r)).map((r) => ({ r, place: this.c.places.of(r) }));
  }

  private of(operand: Operand | undefined): readonly Use[] {
    return this.usesOf(regsOf(operand));
  }

  whatIfGuarded(): string {
    const { op } = this.inst;
    return op === "BRA" || op === "JMX" || op === "BRX" ? "the branch" : `whether ${op} runs`;
  }

  /** What registers have, where the first reader of an unwritten one becomes the source. */
  read(s: Frame, uses: readonly Use[], mask: number, to: StandIns): Read {
    let found = NONE;
    for (const { r, place } of uses) {
      const lanes = (s.marks.lanes[place] as number) & mask;
      if (lanes === 0) continue;
      if (s.marks.why[place] === UNWRITTEN) s.marks.why[place] = this.number(to, unwritten(r));
      found = either(found, { lanes, why: s.marks.why[place] as number });
    }
    return found;
  }

  private number(to: StandIns, what: string): number {
    return to.number({ kind: "value", what, func: this.c.fn.name, line: this.inst.line });
  }

  private write(s: Frame, mask: number, read: Read): void {
    for (const d of this.defs) put(s.marks, d, mask, read);
  }

  /** Of a word that is read as it is. */
  private row(operand: Operand | undefined): number {
    const { b } = this.c;
    return operand?.kind === "reg" ? b.row(operand.reg) : b.constant(operand?.kind === "imm" ? operand.value : 0);
  }

  private plain(): Follow {
    const constants = this.constants();
    return (s, mask, _path, machine, to) => {
      const read = this.read(s, this.uses, mask, to);
      this.write(s, mask, constants === null ? read : either(read, constants(s, mask, machine, to)));
    };
  }

  /** Operands in constant banks and addresses of undeclared symbols. */
  private constants(): ((s: Frame, mask: number, machine: Machine, to: StandIns) => Read) | null {
    const { ops } = this.inst;
    const unknown = ops.find((o) => o.kind === "sym" && this.c.undeclared.has(o.name));
    if (unknown?.kind === "sym")
      return (_s, mask, _machine, to) => ({ lanes: mask, why: this.number(to, `the address of ${unknown.name}, which is not declared`) });
    const banks = ops.filter((o) => o.kind === "cbank");
    if (banks.length === 0) return null;
    const readers = banks.map((o) => this.memoryReader(o, "const", 4));
    return (s, mask, machine, to) => readers.reduce((sum, reader) => either(sum, reader(s, mask, machine, to)), NONE);
  }

  private opaque(): Follow {
    const { inst } = this;
    const text = inst.op === "OPAQUE" ? textOf(inst) : [inst.op, ...inst.mods].join(".");
    const what = inst.op === "OPAQUE" ? `the opaque instruction '${text}'` : `the texture that ${text} reads`;
    const stores = inst.op === "OPAQUE" && mayStore(inst, text);
    return (s, mask, _path, _machine, to) => {
      const source = { kind: "function", what, func: this.c.fn.name, line: inst.line } as const;
      if (stores) to.mayHaveStored(inst, { ...source, kind: "value" });
      if (this.defs.length > 0) this.write(s, mask, { lanes: mask, why: to.number(source) });
    };
  }

  private special(): Follow {
    const source = this.inst.ops[1];
    const name = source?.kind === "sreg" ? source.name : "";
    const kind = isClock(name) ? "function" : "value";
    const what = `the special register ${name}`;
    return (s, mask, _path, machine, to) => {
      const madeUp = !hasModel(name) && !machine.specials.given.has(name);
      this.write(s, mask, madeUp ? { lanes: mask, why: to.number({ kind, what, func: this.c.fn.name, line: this.inst.line }) } : NONE);
    };
  }

  /** A choice by a known predicate depends only on what is chosen. */
  private select(): Follow {
    const p: PredRef = this.c.b.srcP(this.inst.ops[3]);
    const q = this.of(this.inst.ops[3]);
    const [x, y] = [this.of(this.inst.ops[1]), this.of(this.inst.ops[2])];
    const constants = this.constants();
    return (s, mask, _path, machine, to) => {
      const choose = (s.p[p.p] as number) ^ p.x;
      const chosen = either(this.read(s, x, mask & choose, to), this.read(s, y, mask & ~choose, to));
      const both = either(this.read(s, q, mask, to), chosen);
      this.write(s, mask, constants === null ? both : either(both, constants(s, mask, machine, to)));
    };
  }

  private shuffle(): Follow {
    const { ops, mods } = this.inst;
    const first = ops.length === 5 ? 1 : 0;
    const mode = (["IDX", "UP", "DOWN", "BFLY"] as const).find((m) => mods.includes(m)) ?? "IDX";
    const [value, lane, clamp] = [ops[first + 1], ops[first + 2], ops[first + 3]];
    const [laneRow, clampRow] = [this.row(lane), this.row(clamp)];
    const where = [...this.of(lane), ...this.of(clamp)];
    const values = this.of(value);
    return (s, mask, _path, _machine, to) => {
      const given = this.read(s, values, mask, to);
      let found = this.read(s, where, mask, to);
      for (const l of lanesOf(mask)) {
        const { from } = sourceLane(mode, l, s.r[laneRow + l] as number, s.r[clampRow + l] as number);
        if (((mask >>> from) & 1) === 0) {
          const why = this.number(to, "a shuffle from a lane that takes no part");
          found = either(found, { lanes: 1 << l, why });
        } else if (((given.lanes >>> from) & 1) !== 0) found = either(found, { lanes: 1 << l, why: given.why });
      }
      this.write(s, mask, found);
    };
  }

  /** Each lane sees what all of them hold. */
  private together(): Follow {
    return (s, mask, _path, _machine, to) => {
      const read = this.read(s, this.uses, mask, to);
      this.write(s, mask, read.lanes === 0 ? NONE : { lanes: mask, why: read.why });
    };
  }

  private decides(what: string, uses: readonly Use[] = this.uses): Follow {
    const constants = this.constants();
    return (s, mask, _path, machine, to) => {
      const registers = this.read(s, uses, mask, to);
      const read = constants === null ? registers : either(registers, constants(s, mask, machine, to));
      if (read.lanes !== 0) to.decide(what, this.c.fn.name, this.inst.line, read.why);
    };
  }

  /** The scheduler marks the result: it knows when all threads have come. */
  private ballot(): Follow {
    return (s, mask, _path, _machine, to) => {
      const read = this.read(s, this.uses, mask, to);
      if (read.lanes !== 0) to.voted = read.why;
    };
  }

  // --- memory ------------------------------------------------------------------------------------------------------------

  /** Registers of the data operand and the bytes of each. */
  private data(operand: Operand | undefined): { readonly regs: readonly Reg[]; readonly each: number } {
    const regs = operand?.kind === "vec" ? operand.regs : operand?.kind === "reg" ? [operand.reg] : [];
    const wide = regs.some((r) => !isConstantReg(r) && !isPredicateReg(r) && regClass(r) === "RD");
    const named = this.inst.mods.find((m): m is keyof typeof ACCESS_BYTES => m in ACCESS_BYTES);
    const count = Math.max(1, regs.length);
    return { regs, each: named === undefined ? (wide ? 8 : 4) : ACCESS_BYTES[named] / count };
  }

  /** The marks of `size` bytes at an address that each lane forms. */
  private memoryReader(
    operand: Operand | undefined,
    space: Parameters<typeof addressOf>[2],
    size: number,
  ): (s: Frame, mask: number, machine: Machine, to: StandIns) => Read {
    const at = addressOf(this.c.b, operand, space);
    const what = unwrittenMemory(space, operand);
    return (s, mask, machine, to) => {
      let found = NONE;
      for (const l of lanesOf(mask)) {
        const view = at(machine, s.r, l, size);
        const marks = view === null ? null : to.of(view);
        if (marks === null) continue;
        const why = whyOf(marks, lastPlace(), size);
        if (why !== 0) found = either(found, { lanes: 1 << l, why: why === UNWRITTEN ? this.number(to, what) : why });
      }
      return found;
    };
  }

  private load(): Follow {
    const { inst } = this;
    const asks = inst.op === "PHASECHK";
    const space = asks ? "generic" : (opcodeInfo(inst.op).space ?? "generic");
    const { regs, each } = asks ? { regs: regsOf(inst.ops[0]), each: 8 } : this.data(inst.ops[0]);
    const { uses } = this;
    const places = regs.map((r) => (isConstantReg(r) ? -1 : this.c.places.of(r)));
    const size = each * Math.max(1, asks ? 1 : regs.length);
    const at = addressOf(this.c.b, inst.ops[1], space);
    const launched = isNonCoherent(inst);
    return (s, mask, _path, machine, to) => {
      const address = this.read(s, uses, mask, to);
      for (const d of places) if (d >= 0) put(s.marks, d, mask, address);
      if (launched) return;
      for (const l of lanesOf(mask & ~address.lanes)) {
        const view = at(machine, s.r, l, size);
        const marks = view === null ? null : to.of(view);
        if (marks === null) continue;
        const place = lastPlace();
        for (const [i, d] of places.entries()) {
          const why = whyOf(marks, place + (asks ? 0 : i * each), each);
          if (why === 0 || d < 0) continue;
          const known = why === UNWRITTEN ? this.number(to, unwrittenMemory(space, inst.ops[1])) : why;
          put(s.marks, d, 1 << l, { lanes: 1 << l, why: known });
        }
      }
    };
  }

  private store(): Follow {
    const { inst } = this;
    const { regs, each } = this.data(inst.ops[1]);
    const size = each * Math.max(1, regs.length);
    const at = addressOf(this.c.b, inst.ops[0], opcodeInfo(inst.op).space ?? "generic");
    const address = this.of(inst.ops[0]);
    const stored = regs.map((r) => this.usesOf([r]));
    return (s, mask, _path, machine, to) => {
      const unsure = this.read(s, address, mask, to);
      if (unsure.lanes !== 0) to.decide(`the address of ${inst.op}`, this.c.fn.name, inst.line, unsure.why);
      const values = stored.map((uses) => this.read(s, uses, mask, to));
      for (const l of lanesOf(mask)) {
        const view = at(machine, s.r, l, size);
        const marks = view === null ? null : to.of(view);
        if (marks === null) continue;
        const place = lastPlace();
        for (let i = 0; i < Math.max(1, values.length); i++) {
          const { lanes, why } = values[i] ?? NONE;
          marks.fill(((lanes >>> l) & 1) === 0 ? 0 : why, place + i * each, place + (i + 1) * each);
        }
      }
    };
  }

  /** Atomics and barrier objects: the old value is read, and what is written depends on it and on the operands. */
  private update(): Follow {
    const { inst } = this;
    const isObject = inst.op === "SYNCS";
    const at = inst.op === "RED" ? 0 : 1;
    const size = isObject || inst.mods.some((m) => m === "64" || m === "F64") ? 8 : 4;
    const space = isObject ? "generic" : (spaceOf(inst) ?? "generic");
    const locate = addressOf(this.c.b, inst.ops[at], space);
    const address = this.of(inst.ops[at]);
    const operands = inst.ops.slice(at + 1).flatMap((o) => this.of(o));
    const replaces = inst.mods.includes("EXCH") || inst.mods.includes("INIT");
    return (s, mask, _path, machine, to) => {
      const unsure = this.read(s, address, mask, to);
      if (unsure.lanes !== 0) to.decide(`the address of ${inst.op}`, this.c.fn.name, inst.line, unsure.why);
      const given = this.read(s, operands, mask, to);
      let old: Read = unsure;
      for (const l of lanesOf(mask)) {
        const view = locate(machine, s.r, l, size);
        const marks = view === null ? null : to.of(view);
        if (marks === null) continue;
        const place = lastPlace();
        const found = whyOf(marks, place, size);
        const before = found === UNWRITTEN ? this.number(to, unwrittenMemory(space)) : found;
        if (before !== 0) old = either(old, { lanes: 1 << l, why: before });
        const operand = ((given.lanes >>> l) & 1) === 0 ? 0 : given.why;
        marks.fill(replaces ? operand : before === 0 ? operand : before, place, place + size);
      }
      this.write(s, mask, old);
    };
  }

  /** The marks are moved as the bytes are: at the wait. */
  private copy(): Follow {
    const { inst } = this;
    const size = COPY_BYTES[(["32", "64", "128"] as const).find((m) => inst.mods.includes(m)) ?? "32"];
    const target = addressOf(this.c.b, inst.ops[0], "shared");
    const source = addressOf(this.c.b, inst.ops[1], "global");
    const count = inst.ops[2] === undefined ? null : this.row(inst.ops[2]);
    const where = this.of(inst.ops[0]);
    const from = [...this.of(inst.ops[1]), ...this.of(inst.ops[2])];
    return (s, mask, _path, machine, to) => {
      const unsure = this.read(s, where, mask, to);
      if (unsure.lanes !== 0) to.decide(`the address of ${inst.op}`, this.c.fn.name, inst.line, unsure.why);
      const doubt = this.read(s, from, mask, to);
      for (const l of lanesOf(mask)) {
        const view = target(machine, s.r, l, size);
        const marks = view === null ? null : to.of(view);
        if (marks === null) continue;
        const at = lastPlace();
        const wanted = count === null ? size : Math.min(size, s.r[count + l] as number);
        const sourceView = wanted === 0 ? null : source(machine, s.r, l, size);
        const sourceMarks = sourceView === null ? null : to.of(sourceView);
        const place = lastPlace();
        const moved = new Uint8Array(size);
        if (((doubt.lanes >>> l) & 1) !== 0) moved.fill(doubt.why);
        else if (sourceMarks !== null) moved.set(sourceMarks.subarray(place, place + wanted));
        machine.copies.begin(machine.thread(l), () => marks.set(moved, at));
      }
    };
  }
}

function put(marks: Marks, place: number, mask: number, { lanes, why }: Read): void {
  marks.lanes[place] = ((marks.lanes[place] as number) & ~mask) | (lanes & mask);
  if ((lanes & mask) !== 0) marks.why[place] = why;
}

function whyOf(marks: Uint8Array, at: number, size: number): number {
  for (let i = at; i < at + size; i++) if (marks[i] !== 0) return marks[i] as number;
  return 0;
}

function unwrittenMemory(space: string, operand?: Operand): string {
  if (space !== "const") return `${space === "generic" ? "" : `${space} `}memory that nothing has written`;
  const isDirect = operand?.kind === "cbank" && operand.base === null;
  return `${isDirect ? `c[0x${operand.bank.toString(16)}][0x${operand.offset.toString(16)}]` : "a constant bank"}, which has no value`;
}

function regsOf(operand: Operand | undefined): readonly Reg[] {
  switch (operand?.kind) {
    case "reg":
      return isConstantReg(operand.reg) ? [] : [operand.reg];
    case "vec":
      return operand.regs.filter((r) => !isConstantReg(r));
    case "mem":
      return [operand.base, operand.index].filter((r): r is Reg => r !== null && !isConstantReg(r));
    case "cbank":
      return operand.base === null || isConstantReg(operand.base) ? [] : [operand.base];
    default:
      return [];
  }
}

function textOf(inst: Inst): string {
  const text = inst.ops[2];
  return text?.kind === "text" ? text.text : "";
}

/** Instructions that an importer keeps for their order alone: they wait, or tell the hardware something, and write no memory. */
const ONLY_ORDERS =
  /^(?:fence|membar|bar|barrier|griddepcontrol|setmaxnreg|elect|activemask|nanosleep|pmevent|createpolicy|prefetch|prefetchu|applypriority|wgmma|MEMBAR|ERRBAR|CCTL|BAR|WARPSYNC|DEPBAR|YIELD|NANOSLEEP|ACQBULK|USETMAXREG|UCGABAR_ARV|UCGABAR_WAIT|ELECT)\b/;

function mayStore(inst: Inst, text: string): boolean {
  const effect = effectOf(inst);
  return effect !== "pure" && effect !== "load" && effect !== "warp" && !ONLY_ORDERS.test(text);
}

/** The parallel copy of PHIs on one edge: all are read before any is written. */
export function followEdge(c: FollowContext, copies: readonly { readonly to: Reg; readonly from: Operand }[]): FollowEdge {
  const moves = copies
    .filter(({ to }) => !isConstantReg(to))
    .map(({ to, from }) => {
      const [source] = regsOf(from);
      return { to: c.places.of(to), from: source === undefined ? -1 : c.places.of(source) };
    });
  return (s, mask) => {
    const read = moves.map(({ from }) =>
      from < 0 ? NONE : { lanes: (s.marks.lanes[from] as number) & mask, why: s.marks.why[from] as number },
    );
    for (const [i, { to }] of moves.entries()) put(s.marks, to, mask, read[i] ?? NONE);
  };
}
