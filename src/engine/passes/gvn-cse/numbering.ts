/** The def-chain builder: walks the dominator tree and gives every instruction its expression index (+144) and every result its version. */

import { copiedRegister, endsLaneEpoch, memoryState } from "../../analysis/commoning.ts";
import { expressionText, Numbers } from "../../analysis/expression-text.ts";
import { changedSpaces, readSpaces } from "../../analysis/memory-states.ts";
import { computeMerges, type Merges } from "../../analysis/merges.ts";
import { type DomWalk, domWalk, Environment } from "../../analysis/value-environment.ts";
import { withForm } from "../../ir/copies.ts";
import type { BlockId } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Func, Inst, Operand } from "../../ir/types.ts";
import { defsOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { type EligibilityRules, eligibility } from "./eligibility.ts";
import { NormalForms } from "./normal-form.ts";
import type { ValueNumberRow } from "./rows.ts";

/** The lines of the builder. */
export const NUMBERING = {
  defChains: line("build the def chains, along the dominator tree:", {
    step: {
      begin: { kind: "span", say: "build the def chains: {blocks} {blocks:block|blocks} in dominator order" },
      coarse: {
        kind: "budget",
        say: "too many values merge at joins to follow them one by one: every join makes all values new",
      },
    },
  }),
  number: line(
    "  number(I) = number over opcode, modifiers, operands' numbers (sorted where they commute), guard's number, memory version",
    {
      kind: "value-number",
      step: {
        value: "{reg:reg} gets the number {number}: '{inst}'",
        guarded: "{reg:reg} gets the number {number}, its expression {key}: '{inst}'",
      },
    },
  ),
};

export interface Numbering {
  readonly fn: Func;
  readonly numbers: Numbers;
  readonly walk: DomWalk;
  readonly merges: Merges;
  readonly merged: Map<BlockId, number[]>;
  /** By instruction id: the expression's index, -1 where there is none (the instruction is not eligible). */
  readonly key: Int32Array;
  /** By instruction id: the number of its (first) result after it, -1 for none. */
  readonly version: Int32Array;
  /** By instruction id: the value that a store leaves in memory, as the key that a load of it would have; -1 for none. Policy 'measured' only. */
  readonly forwarded: Int32Array;
  readonly view: ShownTable<ValueNumberRow>;
}

/** Numbers the whole function. Linear but for the sorting of operands and the merges. */
export function numberFunction(fn: Func, rules: EligibilityRules, remark: Remarks): Numbering {
  const numbers = new Numbers();
  const walk = domWalk(fn);
  const merges = computeMerges(fn, changedSpaces);
  const merged = new Map<BlockId, number[]>();
  const env = new Environment(fn, numbers, merges, walk, merged);
  const key = new Int32Array(fn.nextInst).fill(-1);
  const version = new Int32Array(fn.nextInst).fill(-1);
  const forwarded = new Int32Array(fn.nextInst).fill(-1);
  const parameters = fn.kind === "kernel" && rules.measured ? fn.params.map(({ reg }) => env.read(reg)) : [];
  const normal = rules.measured ? new NormalForms(numbers, new Set(parameters)) : null;
  const view = remark.shown.table<ValueNumberRow>("value-numbers", "Value numbers");
  /** By version of memory, the instruction that made it; for a trace only. */
  const makers = new Map<number, string>();
  remark.open(NUMBERING.defChains, "begin", { blocks: walk.order.length });
  if (merges.coarse) remark.step(NUMBERING.defChains, "coarse");
  for (const id of walk.order) {
    env.enter(id);
    // Changes of the active lanes inside the block: lane-dependent values on either side are different.
    let epoch = 0;
    for (const inst of fn.blocks[id]?.insts ?? []) {
      const verdict = eligibility(inst, rules);
      if (endsLaneEpoch(inst)) epoch++;
      const extra = verdict.laneDependent ? `!${id}.${epoch}` : memoryState(inst, env, rules.measured);
      const memory = remark.listening ? memoryText(inst, env, rules.measured, numbers, makers) : "";
      if (inst.op === "PHI") {
        version[inst.id] = env.phiNumber(id, inst.id, "");
      } else if (verdict.ok) {
        const source = copiedRegister(inst);
        const copied = source === null ? null : env.read(source);
        const n = copied ?? normal?.numberOf(inst, env.readReg) ?? numbers.intern(expressionText(inst, env.readReg, extra));
        key[inst.id] = n;
        // Under a guard the result may be the old value: the expression has a number, and the register a new version.
        version[inst.id] = inst.guard === null ? n : numbers.fresh();
      } else if (defsOf(inst).length > 0) {
        version[inst.id] = numbers.fresh();
      }
      for (const [i, r] of defsOf(inst).entries()) env.set(r, i === 0 ? (version[inst.id] ?? 0) : numbers.fresh());
      for (const space of changedSpaces(inst)) {
        const made = numbers.fresh();
        env.set(space, made);
        if (remark.listening) makers.set(made, `by '${printInst(fn, inst)}' in ${fn.blocks[id]?.label ?? ""}`);
      }
      if (normal !== null) forwarded[inst.id] = forwardedKey(inst, env, numbers);
      if (!remark.listening) continue;
      const [number, k] = [version[inst.id] ?? -1, key[inst.id] ?? -1];
      const expression = numbers.textOf(k < 0 ? number : k);
      say(remark, view, fn, id, inst, {
        number,
        key: k,
        ...(expression === null ? {} : { expression }),
        ...(memory === "" ? {} : { memory }),
      });
    }
    env.leave(id);
  }
  remark.close();
  return { fn, numbers, walk, merges, merged, key, version, forwarded, view };
}

/** The load that would read back what an unguarded word store wrote. */
function forwardedKey(inst: Inst, env: Environment, numbers: Numbers): number {
  const load = inst.op === "STG" ? "LDG" : inst.op === "STS" ? "LDS" : inst.op === "STL" ? "LDL" : null;
  const [address, value] = inst.ops;
  const narrow = inst.mods.some((m) => m !== "32" && m !== "64");
  if (
    load === null ||
    inst.guard !== null ||
    narrow ||
    address === undefined ||
    value?.kind !== "reg" ||
    value.neg ||
    value.abs ||
    value.not
  )
    return -1;
  const dest: Operand = value;
  const asLoad = withForm(inst, load, inst.mods, [dest, address]);
  return numbers.intern(expressionText(asLoad, env.readReg, memoryState(asLoad, env, true)));
}

/** The versions of memory that a load's number contains, each with what made it. */
function memoryText(inst: Inst, env: Environment, measured: boolean, numbers: Numbers, makers: ReadonlyMap<number, string>): string {
  return readSpaces(inst, measured)
    .map((space) => {
      const version = env.read(space);
      const text = numbers.textOf(version) ?? "";
      const maker = text.startsWith("in:") ? "the start" : text === "" ? "a loop header" : "a join";
      return `~${version} ${makers.get(version) ?? `from ${maker}`}`;
    })
    .join(", ");
}

function say(
  remark: Remarks,
  view: ShownTable<ValueNumberRow>,
  fn: Func,
  block: BlockId,
  inst: Inst,
  row: Omit<ValueNumberRow, "reg" | "block">,
): void {
  const regs = defsOf(inst);
  const [reg] = regs;
  if (reg === undefined) return;
  view.set(inst.id, { ...row, reg: regName(reg), block: fn.blocks[block]?.label ?? "" });
  const { number, key } = row;
  const name = key === number || key === -1 ? "value" : "guarded";
  remark.step(NUMBERING.number, name, { reg, number, key, inst, block, regs, node: view.node(inst.id) });
}
