/** What the rules of `follow.ts` see of an instruction: where marks come from, registers and memory, and where they are put. */

import type { Reg } from "../ir/ids.ts";
import type { Space } from "../ir/opcodes.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { defsOf, regsOfOperand, spaceOf, usesOf } from "../ir/visit.ts";
import type { Builder } from "./builder.ts";
import { lanesOf } from "./lanes.ts";
import type { Frame, Machine } from "./machine.ts";
import { either, KNOWN, type Mark, type MarkPlaces, putMark, UNWRITTEN } from "./marks.ts";
import { addressOf, lastPlace } from "./ops-memory.ts";
import { type StandInSource, type StandIns, unwritten } from "./stand-ins.ts";

/** Of the function that is decoded. */
export interface FollowContext {
  readonly b: Builder;
  readonly fn: Func;
  readonly places: MarkPlaces;
  /** Symbols of which only the name is known. */
  readonly undeclared: ReadonlySet<string>;
}

/** The marks of something that an instruction reads, for the lanes of a mask. */
export type Reader = (s: Frame, mask: number, machine: Machine, to: StandIns) => Mark;

const nothing: Reader = () => KNOWN;

/** Places and rows are made here, before the first run. */
export class FollowedInst {
  readonly inst: Inst;
  readonly context: FollowContext;
  /** Null where the instruction always runs. */
  readonly guard: Reader | null;
  /** All registers that are read but the guard. */
  readonly registers: Reader;
  /** Operands in constant banks and addresses of undeclared symbols. */
  readonly constants: Reader;
  /** Both. */
  readonly all: Reader;
  /** Places of what it may define. */
  readonly defs: readonly number[];

  constructor(context: FollowContext, inst: Inst) {
    this.context = context;
    this.inst = inst;
    const { guard } = inst;
    const isGuarded = guard !== null && !isConstantReg(guard.reg);
    this.guard = isGuarded ? this.reading([guard.reg]) : null;
    this.registers = this.reading(usesOf(inst).slice(isGuarded ? 1 : 0));
    this.constants = this.readingConstants();
    this.all = this.withConstants(this.registers);
    this.defs = defsOf(inst).map((r) => context.places.of(r));
  }

  /** Registers. The first reader of one that nothing has written becomes the source. */
  reading(regs: readonly Reg[]): Reader {
    const uses = regs.filter((r) => !isConstantReg(r)).map((r) => ({ r, place: this.context.places.of(r) }));
    return ({ marks }, mask, _machine, to) => {
      let found = KNOWN;
      for (const { r, place } of uses) {
        const lanes = (marks.lanes[place] as number) & mask;
        if (lanes === 0) continue;
        if (marks.why[place] === UNWRITTEN) marks.why[place] = to.number(this.source(unwritten(r)));
        found = either(found, { lanes, why: marks.why[place] as number });
      }
      return found;
    };
  }

  /** The registers of some operands. */
  of(...operands: readonly (Operand | undefined)[]): Reader {
    return this.reading(operands.flatMap((operand) => (operand === undefined ? [] : regsOfOperand(operand))));
  }

  withConstants(reader: Reader): Reader {
    const { constants } = this;
    if (constants === nothing) return reader;
    return (s, mask, machine, to) => either(reader(s, mask, machine, to), constants(s, mask, machine, to));
  }

  private readingConstants(): Reader {
    const { ops } = this.inst;
    const unknown = ops.find((o) => o.kind === "sym" && this.context.undeclared.has(o.name));
    if (unknown?.kind === "sym") {
      const source = this.source(`the address of ${unknown.name}, which is not declared`);
      return (_s, mask, _machine, to) => ({ lanes: mask, why: to.number(source) });
    }
    const banks = ops.filter((o) => o.kind === "cbank").map((o) => this.bytes(o, 4, "const"));
    if (banks.length === 0) return nothing;
    return (s, mask, machine, to) => {
      let found = KNOWN;
      for (const { each, why } of banks)
        each(s, mask, machine, to, (lane, marks, at) => {
          const source = why(marks, at, 4, to);
          if (source !== 0) found = either(found, { lanes: 1 << lane, why: source });
        });
      return found;
    };
  }

  /** The `size` bytes at the address that each lane forms. */
  bytes(operand: Operand | undefined, size: number, space: Space = spaceOf(this.inst) ?? "generic"): FollowedBytes {
    const locate = addressOf(this.context.b, operand, space);
    const nothingWrote = this.source(unwrittenMemory(space, operand));
    return {
      each: ({ r }, mask, machine, to, visit) => {
        for (const lane of lanesOf(mask)) {
          const view = locate(machine, r, lane, size);
          const marks = view === null ? null : to.of(view);
          if (marks !== null) visit(lane, marks, lastPlace());
        }
      },
      why: (marks, from, count, to) => {
        for (let at = from; at < from + count; at++) {
          const why = marks[at] as number;
          if (why !== 0) return why === UNWRITTEN ? to.number(nothingWrote) : why;
        }
        return 0;
      },
    };
  }

  /** The row of a word that is read as it is. */
  row(operand: Operand | undefined): number {
    const { b } = this.context;
    return operand?.kind === "reg" ? b.row(operand.reg) : b.constant(operand?.kind === "imm" ? operand.value : 0);
  }

  /** A stand-in that this instruction makes. */
  source(what: string, kind: StandInSource["kind"] = "value"): StandInSource {
    return { kind, what, func: this.context.fn.name, line: this.inst.line };
  }

  /** Everything that it defines depends on what is read. */
  defines(reader: Reader): Reader {
    return (s, mask, machine, to) => {
      const mark = reader(s, mask, machine, to);
      for (const d of this.defs) putMark(s.marks, d, mask, mark);
      return mark;
    };
  }

  /** What is read decides the path of the run or what it does. */
  decides(what: string, reader: Reader = this.all): Reader {
    const { inst, context } = this;
    return (s, mask, machine, to) => {
      const mark = reader(s, mask, machine, to);
      if (mark.lanes !== 0) to.decide(what, context.fn.name, inst.line, mark.why);
      return mark;
    };
  }
}

/** Memory that an instruction accesses, a byte's mark at `marks[at]`. */
export interface FollowedBytes {
  /** Visits the lanes whose bytes have marks. Those with a wrong address are left out: the instruction itself traps. */
  readonly each: (
    s: Frame,
    mask: number,
    machine: Machine,
    to: StandIns,
    visit: (lane: number, marks: Uint8Array, at: number) => void,
  ) => void;
  /** The source of the first marked byte; 0: all are known. */
  readonly why: (marks: Uint8Array, from: number, count: number, to: StandIns) => number;
}

function unwrittenMemory(space: Space, operand: Operand | undefined): string {
  if (space !== "const") return `${space === "generic" ? "" : `${space} `}memory that nothing has written`;
  const isDirect = operand?.kind === "cbank" && operand.base === null;
  return `${isDirect ? `c[0x${operand.bank.toString(16)}][0x${operand.offset.toString(16)}]` : "a constant bank"}, which has no value`;
}
