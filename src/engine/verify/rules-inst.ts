/** Rules about single instructions and about the function's counters. */

import { plural } from "../../base/plural.ts";
import type { InstId, Reg } from "../ir/ids.ts";
import { areModsCanonical } from "../ir/mods.ts";
import { isOpcode } from "../ir/opcodes.ts";
import { isConstantReg, isPredicateReg, REG_CLASSES, regName } from "../ir/reg.ts";
import { formProblem, operandProblem, slotsFor } from "../ir/shape.ts";
import type { Inst } from "../ir/types.ts";
import { visitRegs } from "../ir/visit.ts";
import type { Rule } from "./context.ts";

export const opcodeRule: Rule = {
  id: "VER021",
  severity: "error",
  doc: "Every opcode is in the table.",
  fatal: true,
  byBlock: true,
  check({ blocks, report }) {
    for (const block of blocks) {
      for (const inst of block.insts) if (!isOpcode(inst.op)) report(`unknown opcode ${String(inst.op)}`, { block, inst });
    }
  },
};

export const operandRule: Rule = {
  id: "VER009",
  severity: "error",
  doc: "Every operand fits its place: number, kind, class and width (with .64: 64-bit registers).",
  byBlock: true,
  check({ blocks, report }) {
    for (const block of blocks) {
      for (const inst of block.insts) {
        const problem = instProblem(inst);
        if (problem !== null) report(problem, { block, inst });
      }
    }
  },
};

function instProblem(inst: Inst): string | null {
  const slots = slotsFor(inst.op, inst.ops.length);
  if (slots === null) return `${inst.op} has ${plural(inst.ops.length, "operand")}`;
  const form = formProblem(inst.op, inst.mods, inst.ops.length);
  if (form !== null) return form;
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i];
    const operand = inst.ops[i];
    if (slot === undefined || operand === undefined) return `${inst.op} has a hole in its operands`;
    const problem = operandProblem(inst.op, inst.mods, slot, i, operand, inst.ops[0]);
    if (problem !== null) return `${inst.op} operand ${i + 1}: ${problem}`;
  }
  return null;
}

export const modifierRule: Rule = {
  id: "VER010",
  severity: "error",
  doc: "Modifiers are legal for the opcode, complete and in canonical order; a comparison has .AND, .OR or .XOR exactly when it combines with a predicate.",
  byBlock: true,
  check({ blocks, report }) {
    const known = new Set<string>();
    for (const block of blocks) {
      for (const inst of block.insts) {
        const spelling = [inst.op, ...inst.mods].join(".");
        if (!known.has(spelling)) {
          if (areModsCanonical(inst.op, inst.mods)) known.add(spelling);
          else report(`${spelling} is not a legal combination in canonical order`, { block, inst });
        }
        if (COMPARISONS.has(inst.op) && inst.mods.some((mod) => BOOLS.has(mod)) !== (inst.ops.length === 4)) {
          report(`${spelling} with ${plural(inst.ops.length, "operand")}: .AND, .OR or .XOR goes with a fourth one`, { block, inst });
        }
      }
    }
  },
};

const COMPARISONS: ReadonlySet<string> = new Set(["ISETP", "FSETP", "DSETP", "HSETP2"]);
const BOOLS: ReadonlySet<string> = new Set(["AND", "OR", "XOR"]);

export const guardRule: Rule = {
  id: "VER011",
  severity: "error",
  doc: "A guard is a predicate.",
  byBlock: true,
  check({ blocks, report }) {
    for (const block of blocks) {
      for (const inst of block.insts) {
        if (inst.guard !== null && !isPredicateReg(inst.guard.reg))
          report(`${inst.op} is guarded by ${regName(inst.guard.reg)}`, { block, inst });
      }
    }
  },
};

export const instIdRule: Rule = {
  id: "VER012",
  severity: "error",
  doc: "Instruction ids are unique and below the counter of the next one.",
  check({ fn, blocks, report }) {
    const seen = new Set<InstId>();
    for (const block of blocks) {
      for (const inst of block.insts) {
        if (seen.has(inst.id)) report(`the id ${inst.id} of ${inst.op} is used twice`, { block, inst });
        if (inst.id >= fn.nextInst) report(`the id ${inst.id} of ${inst.op} is not below the counter ${fn.nextInst}`, { block, inst });
        seen.add(inst.id);
      }
    }
  },
};

export const regCounterRule: Rule = {
  id: "VER013",
  severity: "error",
  doc: "The register counters are above every register named.",
  check({ fn, blocks, report }) {
    const max = REG_CLASSES.map(() => -1);
    const note = (r: Reg): void => {
      if (!isConstantReg(r) && r >> 3 > (max[r & 7] ?? -1)) max[r & 7] = r >> 3;
    };
    for (const param of fn.params) note(param.reg);
    for (const r of fn.returns) note(r);
    for (const block of blocks) for (const inst of block.insts) visitRegs(inst, note);
    for (const [code, cls] of REG_CLASSES.entries()) {
      const index = max[code] ?? -1;
      const next = fn.nextReg[code] ?? 0;
      if (index >= next) report(`${cls}${index} is used, but the next free ${cls} register is recorded as ${next}`);
    }
  },
};

export const paramRule: Rule = {
  id: "VER014",
  severity: "error",
  doc: "Parameters have distinct names and registers; a kernel has no results.",
  check({ fn, report }) {
    const names = new Set<string>();
    const regs = new Set<Reg>();
    for (const { name, reg } of fn.params) {
      if (names.has(name)) report(`two parameters have the name ${name}`);
      if (regs.has(reg)) report(`two parameters are in ${regName(reg)}`);
      if (isConstantReg(reg)) report(`the parameter ${name} is in the constant ${regName(reg)}`);
      names.add(name);
      regs.add(reg);
    }
    if (fn.kind === "kernel" && fn.returns.length > 0) report("a kernel has no results");
  },
};

export const symbolRule: Rule = {
  id: "VER015",
  severity: "error",
  doc: "Symbols used as values are declared in the module.",
  byBlock: true,
  check({ module, blocks, report }) {
    if (module === null) return;
    const known = new Set(module.symbols.map((s) => s.name));
    for (const block of blocks) {
      for (const inst of block.insts) {
        // CALL names a function, which may be in another module.
        if (inst.op === "CALL") continue;
        for (const operand of inst.ops)
          if (operand.kind === "sym" && !known.has(operand.name)) report(`there is no symbol ${operand.name}`, { block, inst });
      }
    }
  },
};

export const weightRule: Rule = {
  id: "VER016",
  severity: "error",
  doc: "Weights are numbers of 0 or more.",
  check({ blocks, report }) {
    for (const block of blocks) {
      if (block.weight !== null && !(Number.isFinite(block.weight) && block.weight >= 0))
        report(`the weight is ${block.weight}`, { block });
    }
  },
};
