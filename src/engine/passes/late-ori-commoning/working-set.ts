/** The working-set object and the two reused fields of register descriptors: representatives (+88) and chain slots (+92). */

import type { Reg } from "../../ir/ids.ts";
import { isConstantReg, isUniformReg, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defsOf, effectOf, isVolatileAccess, spaceOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type ClassMask, ClassTable, classMask, maskDigits } from "../../structures/class-mask.ts";
import type { RegisterRow, WorkingSetRow } from "./rows.ts";

export const reset = line("WS[7] = class table, one 64-bit mask a block; WS[9] = 0; every instruction's slot = hash -1, mask 0", {
  kind: "note",
  step: "{slots} {slots:slot|slots} in the class table, accumulator 0; {slotted} {slotted:instruction has|instructions have} no hash and no class yet",
});

interface Representative {
  readonly reg: Reg;
  /** The number that both registers had when the link was made; it is valid only while both still have it. */
  readonly number: number;
}

export class WorkingSet {
  /** WS[7], and WS[9] as its accumulator. */
  readonly classes: ClassTable;
  readonly view: ShownTable<WorkingSetRow>;
  readonly registers: ShownTable<RegisterRow>;
  private readonly remark: Remarks;
  private readonly representatives = new Map<Reg, Representative>();
  private readonly slots = new Map<Reg, number>();
  /** WS[2]: links made by MOVs since the chains were last shortened. */
  private chained: Reg[] = [];

  constructor(remark: Remarks, functionName: string, blocks: number) {
    this.remark = remark;
    this.view = remark.shown.table<WorkingSetRow>("ws", "Working set");
    this.registers = remark.shown.table<RegisterRow>("registers", "Register descriptors: representative (+88), chain slot (+92)");
    this.view.set("WS[0]", functionName);
    this.view.set("WS[2]", 0);
    this.view.set("WS[7]", "classes");
    this.view.set("WS[8]", blocks + 1);
    const observe = remark.observe("classes", "Class table WS[7], accumulator WS[9]", reset);
    this.classes = new ClassTable(blocks, observe, (accumulator) => this.view.set("WS[9]", maskDigits(accumulator)));
  }

  get linked(): number {
    return this.chained.length;
  }

  /** Puts back the accumulator of a dominator. */
  resume(mask: ClassMask): void {
    const { lo, hi } = this.classes.accumulator;
    if (lo === mask.lo && hi === mask.hi) return;
    this.classes.reset();
    if (mask.lo !== 0 || mask.hi !== 0) this.classes.accumulate(mask);
  }

  /** The register to read instead; itself if there is no link or it is no longer valid. */
  representative(r: Reg, read: (r: Reg) => number): Reg {
    const link = this.representatives.get(r);
    if (link === undefined) return r;
    return read(r) === link.number && read(link.reg) === link.number ? link.reg : r;
  }

  link(r: Reg, to: Reg, number: number, byMov: boolean): void {
    this.representatives.set(r, { reg: to, number });
    if (byMov) this.chained.push(r);
    this.showRegister(r);
    if (byMov) this.view.set("WS[2]", this.chained.length);
  }

  /** `sub_8F2CD0`: every register linked since the last time points at the end of its chain; how many did not before. */
  flush(read: (r: Reg) => number): number {
    let shortened = 0;
    for (const r of this.chained) {
      const link = this.representatives.get(r);
      if (link === undefined) continue;
      const end = this.representative(link.reg, read);
      if (end === link.reg || read(end) !== link.number) continue;
      this.representatives.set(r, { reg: end, number: link.number });
      this.showRegister(r);
      shortened++;
    }
    this.chained = [];
    this.view.set("WS[2]", 0);
    return shortened;
  }

  setSlot(r: Reg, order: number): void {
    this.slots.set(r, order);
    this.showRegister(r);
  }

  slot(r: Reg): number {
    return this.slots.get(r) ?? 0;
  }

  private showRegister(r: Reg): void {
    if (!this.remark.listening) return;
    const to = this.representatives.get(r);
    this.registers.set(regName(r), { representative: to === undefined ? 0 : regName(to.reg), chainSlot: this.slot(r) });
  }
}

/** Two-bit class of the address space; generic accesses share 3 with local ones. */
function spaceClass(inst: Inst): number {
  switch (spaceOf(inst)) {
    case "global":
      return 1;
    case "shared":
      return 2;
    case "local":
    case "generic":
      return 3;
    case "const":
    case null:
      return 0;
  }
}

/** `sub_74ED70`: the class mask of an instruction of the model. */
export function classOf(inst: Inst): ClassMask {
  const effect = effectOf(inst);
  const accesses = effect === "load" || effect === "store" || effect === "atomic";
  const isVolatile = isVolatileAccess(inst);
  const dest = defsOf(inst)[0];
  const address = inst.ops.find((o) => o.kind === "mem" || o.kind === "cbank");
  return classMask({
    eligible: effect === "pure",
    spaceClass: accesses ? spaceClass(inst) : 0,
    memoryAccess: accesses,
    uniformDest: dest !== undefined && isUniformReg(dest),
    nonVolatile: accesses && !isVolatile,
    varyingAddress: accesses && address !== undefined && baseOf(address),
    specificAddressing: address?.kind === "mem" && address.index !== null,
    predicated: inst.guard !== null && !isConstantReg(inst.guard.reg),
    volatileAccess: isVolatile,
  });
}

const baseOf = (operand: Operand): boolean => (operand.kind === "mem" || operand.kind === "cbank") && operand.base !== null;
