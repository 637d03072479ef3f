/** One sample instruction for every opcode, form and modifier choice, made from the shape table. */

import { makeBlock, makeInst } from "../../ir/builder.ts";
import { blockId, instId } from "../../ir/ids.ts";
import { modGroupsOf, OPCODES, type Opcode, type Slot } from "../../ir/opcodes.ts";
import { reg } from "../../ir/reg.ts";
import { formProblem, literalKind, operandCounts, slotsFor, widthOf } from "../../ir/shape.ts";
import type { Block, Func, Inst, Operand } from "../../ir/types.ts";
import { computeSuccs } from "../../ir/visit.ts";

const plain = { neg: false, abs: false, not: false } as const;

/** Modifier lists of an opcode: every choice of each group once, the other groups at their first choice (required) or left out. */
function modLists(op: Opcode): string[][] {
  const groups = modGroupsOf(op);
  const base = groups.map((group) => (group.required ? (group.choices[0] ?? null) : null));
  const lists = [base];
  for (const [i, group] of groups.entries()) for (const choice of group.choices) lists.push(base.map((mod, k) => (k === i ? choice : mod)));
  return lists.map((list) => list.filter((mod) => mod !== null));
}

function operandsFor(op: Opcode, mods: readonly string[], slot: Slot, index: number, dest: Operand | undefined): Operand[] {
  const width = widthOf(op, mods, slot, index, dest);
  const at = index + 1;
  const r = (cls: "R" | "RD" | "P" | "B" | "UR", n = at): Operand => ({ kind: "reg", reg: reg(cls, n), ...plain });
  const general = (): Operand =>
    width === 128 ? { kind: "vec", regs: [0, 1, 2, 3].map((n) => reg("R", at * 4 + n)) } : width === 64 ? r("RD") : r("R");
  switch (slot.cls) {
    case "m":
      return [
        { kind: "mem", base: reg("RD", at), index: null, offset: 16 },
        { kind: "mem", base: reg("UR", 3), index: reg("R", 9), offset: -4 },
        { kind: "mem", base: null, index: null, offset: 64 },
      ];
    case "c":
      return [
        { kind: "cbank", bank: 3, base: reg("R", 4), offset: 8, neg: false, abs: false },
        { kind: "mem", base: reg("R", at), index: null, offset: 0 },
      ];
    case "L":
      return [{ kind: "label", block: blockId(1) }];
    case "T":
      return [{ kind: "table", name: "JT0" }];
    case "sym":
      return [{ kind: "sym", name: "callee.1", offset: 0 }];
    case "list":
      return [
        { kind: "list", regs: [] },
        { kind: "list", regs: [reg("R", at), reg("P", 2), reg("RD", 7)] },
      ];
    case "text":
      return [{ kind: "text", text: 'odd "text" \\ with\nlines\tand // marks' }];
    case "phi":
      return [{ kind: "phi", pred: blockId(0), value: dest?.kind === "reg" && (dest.reg & 7) === 1 ? r("RD") : r("R") }];
    case "I":
      return [
        { kind: "imm", value: 0xca },
        { kind: "imm", value: -1 },
      ];
    case "B":
      return [r("B")];
    case "S":
      return [{ kind: "sreg", name: "SR_TID.X" }];
    case "P":
      return slot.role === "def" ? [r("P")] : [r("P"), { kind: "reg", reg: reg("UP", 1), neg: true, abs: false, not: false }];
    case "PV":
      return [{ kind: "vec", regs: [reg("P", 0), reg("P", 5)] }];
    case "Y":
      return [r("R"), r("P")];
    default: {
      if (slot.role === "def") return slot.cls === "A" && width === 0 ? [r("R"), r("RD")] : [general()];
      const kind = literalKind(op, mods, slot);
      const samples: Operand[] = [general()];
      if (width === 128) return samples;
      if (kind === "f32")
        samples.push({ kind: "f32", bits: 0x3dcccccd }, { kind: "f32", bits: 0x7fc00000 }, { kind: "f32", bits: 0x80000000 });
      else if (kind === "f64") samples.push({ kind: "f64", hi: 0x3fb99999, lo: 0x9999999a }, { kind: "f64", hi: 0x7ff00000, lo: 0 });
      else samples.push({ kind: "imm", value: -70000 });
      if (kind === "bits") {
        samples.push(width === 64 ? { kind: "imm64", value: -(2n ** 60n) } : { kind: "f32", bits: 0x3fc00000 });
        samples.push({ kind: "cbank", bank: 0, base: null, offset: 0x160, neg: false, abs: false });
      }
      return samples;
    }
  }
}

/** Every opcode with every modifier choice, every number of operands and every kind of operand (one varied at a time). */
export function sampleInsts(): Inst[] {
  const insts: Inst[] = [];
  const make = (op: Opcode, ops: Operand[], mods: readonly string[]): void => {
    insts.push(
      makeInst(instId(insts.length), op, ops, {
        mods,
        guard: insts.length % 7 === 3 ? { reg: reg("P", 3), neg: insts.length % 2 === 0 } : null,
      }),
    );
  };
  for (const op of Object.keys(OPCODES) as Opcode[]) {
    const [min, max] = operandCounts(op);
    for (const mods of modLists(op)) {
      for (let count = min; count <= Math.min(max, op === "PHI" ? 2 : max); count++) {
        const slots = slotsFor(op, count);
        if (slots === null || formProblem(op, mods, count) !== null) continue;
        const isSetp = op.includes("SETP");
        const hasBool = mods.some((mod) => ["AND", "OR", "XOR"].includes(mod));
        if (isSetp && hasBool !== (count === 4)) continue;
        const choices: Operand[][] = [];
        for (const [i, slot] of slots.entries()) choices.push(operandsFor(op, mods, slot, i, choices[0]?.[0]));
        const first = choices.map((list) => list[0] as Operand);
        make(op, first, mods);
        for (const [i, list] of choices.entries())
          for (const other of list.slice(1))
            make(
              op,
              first.map((o, k) => (k === i ? other : o)),
              mods,
            );
      }
    }
  }
  return insts;
}

/** A function around one instruction: its own block, a block to jump to, and a table. */
export function around(inst: Inst): Func {
  const bb0 = makeBlock(blockId(0), "BB0", [inst]);
  const exit = (n: number): Inst => makeInst(instId(1_000_000 + n), "EXIT", []);
  const blocks: Block[] = inst.op === "PHI" ? [makeBlock(blockId(0), "BB0", [inst, exit(0)])] : [bb0];
  blocks.push(makeBlock(blockId(1), "BB1", [exit(1)]));
  const fn: Func = {
    kind: "kernel",
    name: "sample",
    params: [],
    returns: [],
    blockSize: null,
    blocks,
    layout: blocks.map((b) => b.id),
    tables: new Map(
      inst.op === "JMX" || inst.op === "BRX"
        ? [["JT0", { name: "JT0", base: -2, default: blockId(1), entries: [blockId(0), blockId(1)], line: 0 }]]
        : [],
    ),
    flags: 0,
    nextInst: 2_000_000,
    nextReg: [100, 100, 100, 100, 100, 100],
    version: 0,
    codeVersion: 0,
    cfgVersion: 0,
    line: 0,
    trivia: null,
  };
  for (const [i, block] of blocks.entries()) blocks[i] = { ...block, succs: computeSuccs(fn, block, blocks[i + 1]?.id ?? null) };
  for (const [i, block] of blocks.entries())
    blocks[i] = { ...block, preds: blocks.filter((b) => b.succs.includes(block.id)).map((b) => b.id) };
  return fn;
}
