/** Reads an instruction as a user's pass writes it: a line of text that names what the function has. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";
import type { Reg } from "../../../../engine/ir/ids.ts";
import { isConstantReg, REG_CLASSES, regClass, regIndex, regName } from "../../../../engine/ir/reg.ts";
import { symbolAddress } from "../../../../engine/ir/symbol-address.ts";
import type { Func, Module } from "../../../../engine/ir/types.ts";
import { type ReadInst, readInst } from "../../../../engine/text/read-inst.ts";

export const PHI_HEAD = "PHI";
/** A PHI of a block with many predecessors is long. */
const MOST_CHARACTERS = 100_000;

/** Throws with a sentence when the line is wrong, or names a register that the function never had. */
export function readLine(text: unknown, fn: Func, module: Module): ReadInst {
  if (typeof text !== "string") throw new PassError("An instruction must be a line of text.");
  if (text.length > MOST_CHARACTERS) throw new PassError(`An instruction of ${text.length} characters is too long.`);
  const found = readInst(text, {
    label: (name) => fn.layout.find((id) => fn.blocks[id]?.label === name) ?? null,
    labels: () => fn.layout.slice(0, 2000).flatMap((id) => fn.blocks[id]?.label ?? []),
    hasTable: (name) => fn.tables.has(name),
    symbol: (name) => {
      const symbol = module.symbols.find((s) => s.name === name);
      return symbol === undefined ? null : symbolAddress(symbol);
    },
  });
  if (typeof found === "string") throw new PassError(`'${text.length > 200 ? `${text.slice(0, 197)}…` : text}': ${found}`);
  for (const operand of found.ops) eachReg(operand, (r) => known(r, fn));
  if (found.guard !== null) known(found.guard.reg, fn);
  return found;
}

/** Whether the function has the register: it is in the text, or `freshReg` made it. */
export const hasReg = (fn: Func, r: Reg): boolean => regIndex(r) < (fn.nextReg[REG_CLASSES.indexOf(regClass(r))] ?? 0);

function known(r: Reg, fn: Func): void {
  if (isConstantReg(r)) return;
  if (hasReg(fn, r)) return;
  const cls = regClass(r);
  throw new PassError(`${regName(r)} is not a register of ${fn.name}: create a new one with fn.freshReg("${cls}").`);
}

function eachReg(operand: ReadInst["ops"][number], visit: (r: Reg) => void): void {
  switch (operand.kind) {
    case "reg":
      visit(operand.reg);
      return;
    case "vec":
    case "list":
      for (const r of operand.regs) visit(r);
      return;
    case "mem":
      if (operand.base !== null) visit(operand.base);
      if (operand.index !== null) visit(operand.index);
      return;
    case "cbank":
      if (operand.base !== null) visit(operand.base);
      return;
    case "phi":
      eachReg(operand.value, visit);
      return;
    default:
      return;
  }
}
