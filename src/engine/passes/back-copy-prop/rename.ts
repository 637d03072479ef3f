/** A copy whose source is computed only to be copied: the definition writes the copy's destination itself. */

import { withOps, withReg } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";

export interface State {
  readonly edit: Editor;
  readonly remark: Remarks;
  /** How often each register is read. */
  readonly uses: Map<Reg, number>;
  /** The function's parameters and results. */
  readonly fixed: ReadonlySet<Reg>;
}

/** A copy, and where it is. */
export interface Copy {
  readonly inst: Inst;
  readonly block: BlockId;
  readonly at: number;
  readonly dest: Reg;
  readonly source: Reg;
}

const STAYS = "'{inst}' in {block} stays: {why}";

export const GUARDS = {
  definition: line("    D = the definition of Rs that reaches I: in the same block, unguarded", {
    stays: STAYS,
    missed: { definition: { say: "{source:reg} is not defined in the same block before it" } },
  }),
  guard1: line("    guard 1: this copy is the only use of Rs", {
    stays: STAYS,
    missed: {
      "other-uses": {
        code: "guard 1",
        say: "{source:reg} is read in {count} {count:place|places}",
        droppable: "the other readers of Rs find nothing there",
      },
    },
  }),
  guard2: line("    guard 2: D can write Rd instead: same class, no other result is Rd, neither is part of the interface", {
    stays: STAYS,
    missed: {
      "fixed-register": {
        code: "guard 2",
        say: "{source:reg} is a parameter or a result of the function",
        droppable: "the function's caller reads Rs and finds nothing there",
      },
      guarded: {
        code: "guard 2",
        say: "'{def:inst}' has a guard and may leave the old value",
        droppable: "lanes whose guard is false keep an old value of Rd instead of one of Rs",
      },
      phi: { code: "guard 2", say: "'{def:inst}' is a PHI" },
      "fixed-results": { code: "guard 2", say: "'{def:inst}' has results that cannot be moved" },
      class: { code: "guard 2", say: "'{def:inst}' writes another kind of register than {dest:reg}" },
      vector: { code: "guard 2", say: "'{def:inst}' writes {source:reg} as part of a vector" },
      "second-result": { code: "guard 2", say: "'{def:inst}' has {dest:reg} as another result" },
      "reads-itself": { code: "guard 2", say: "'{def:inst}' reads {source:reg} itself" },
    },
  }),
  guard3: line("    guard 3: nothing between D and I writes Rd", {
    stays: STAYS,
    missed: {
      "written-between": {
        code: "guard 3",
        say: "'{writer:inst}' in between writes {dest:reg}",
        droppable: "Rd has what was written in between, not the value of Rs",
      },
    },
  }),
  reads: line("      nor reads it (not stated in the reference)", {
    stays: STAYS,
    missed: {
      "read-between": {
        code: "guard 3 (read)",
        say: "'{reader:inst}' in between reads {dest:reg}",
        droppable: "what reads Rd in between gets the new value",
      },
    },
  }),
  budget: line("    the budget (knob 808) has one left, or stop", {
    stays: STAYS,
    missed: { budget: { say: "the budget is spent" } },
  }),
};

const remove = line("    delete I");

const rename = rule<State, Copy>()({
  line: "    D writes Rd instead of Rs",
  done: "'{def:inst}' writes {dest:reg} instead of {source:reg}, and '{copy:inst}' is removed",
  because: "{source} is computed only to be copied by '{copy}', so '{def}' can write {dest} itself",
  match(state, { inst, block, at, dest, source }) {
    const about = { inst, block, dest, source };
    const { insts } = state.edit.block(block);
    const defAt = definition(state, insts, at, about);
    const def = defAt === null ? undefined : insts[defAt];
    if (defAt === null || def === undefined || !canWrite(state, def, about)) return null;
    return { def, copy: inst, dest, source, block, insts: [inst, def], regs: [dest, source], at, defAt };
  },
  apply({ edit, remark, uses }, { def, dest, source, block, at, defAt }) {
    const ops = def.ops.map((operand) => (operand.kind === "reg" && operand.reg === source ? withReg(operand, dest) : operand));
    edit.replace(block, defAt, withOps(def, ops));
    remark.at(remove);
    edit.remove(block, at);
    uses.set(source, 0);
  },
});

export const REWRITE = { rename, remove };

type AboutCopy = Omit<Copy, "at">;

/** The index of the source's definition in the copy's block, if nothing between it and the copy prevents the renaming. */
function definition({ remark, uses, fixed }: State, insts: readonly Inst[], at: number, copy: AboutCopy): number | null {
  const { dest, source } = copy;
  const count = uses.get(source) ?? 0;
  if (!remark.holds(GUARDS.guard1, "other-uses", count === 1, { ...copy, count })) return null;
  if (!remark.holds(GUARDS.guard2, "fixed-register", !fixed.has(source), copy)) return null;
  let reader: Inst | null = null;
  for (let i = at - 1; i >= 0; i--) {
    const inst = insts[i] as Inst;
    if (defsOf(inst).includes(source)) {
      return remark.holds(GUARDS.reads, "read-between", reader === null, { ...copy, reader }) ? i : null;
    }
    if (!remark.holds(GUARDS.guard3, "written-between", !defsOf(inst).includes(dest), { ...copy, writer: inst })) return null;
    if (usesOf(inst).includes(dest)) reader = inst;
  }
  return remark.missed(GUARDS.definition, "definition", copy);
}

/** Guard 2, for the definition. */
function canWrite({ remark }: State, def: Inst, copy: AboutCopy): boolean {
  const about = { ...copy, def };
  if (!remark.holds(GUARDS.guard2, "guarded", def.guard === null, about)) return false;
  const obstacle = obstacleIn(def, copy);
  if (obstacle !== null) remark.missed(GUARDS.guard2, obstacle, about);
  return obstacle === null;
}

function obstacleIn(def: Inst, { dest, source }: AboutCopy) {
  if (def.op === "PHI") return "phi";
  const effect = effectOf(def);
  if (effect === "sync" || effect === "call" || def.op === "OPAQUE") return "fixed-results";
  if (regClass(source) !== regClass(dest)) return "class";
  const [first, ...more] = def.ops.filter((operand) => operand.kind === "reg" && operand.reg === source);
  if (first === undefined) return "vector";
  const defs = defsOf(def);
  if (defs.filter((r) => r === source).length !== 1 || defs.includes(dest)) return "second-result";
  // `Rs = op(Rs)`: renaming the result must not rename what it reads; the only use of Rs is the copy, so there is none.
  return more.length > 0 ? "reads-itself" : null;
}

/** An unguarded copy of a whole register into another one. */
export function copyOf(inst: Inst): Pick<Copy, "dest" | "source"> | null {
  if (inst.guard !== null || (inst.op !== "MOV" && inst.op !== "PMOV")) return null;
  const [dest, source] = inst.ops;
  if (dest?.kind !== "reg" || source?.kind !== "reg" || source.neg || source.abs || source.not) return null;
  if (isConstantReg(dest.reg) || isConstantReg(source.reg) || dest.reg === source.reg) return null;
  return { dest: dest.reg, source: source.reg };
}
