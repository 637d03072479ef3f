/** Which instructions a guard can carry, and how long an arm may be. */

import type { Arms } from "../../analysis/arms.ts";
import type { KnobReader } from "../../config/knob-store.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";

/** The frame of what keeps a branch. */
export const STAYS = "{block} stays a branch: {why}";

export const GUARDS = {
  never: line("    never: atomics, fences, shuffles, barriers, calls, division, guarded or convergence instructions", {
    stays: STAYS,
    missed: {
      guarded: { say: "'{inst}' in {arm:block} is guarded already", droppable: "it would also run in lanes that its guard disables" },
      division: { say: "'{inst}' in {arm:block} is a division" },
      atomic: { say: "'{inst}' in {arm:block} is an atomic" },
      barrier: { say: "'{inst}' in {arm:block} is a barrier or a fence" },
      call: { say: "'{inst}' in {arm:block} calls" },
      volatile: { say: "'{inst}' in {arm:block} reads state that changes by itself" },
      region: { code: "convergence", say: "'{inst}' in {arm:block} opens or closes a convergence region" },
      shuffle: { say: "'{inst}' in {arm:block} exchanges values between lanes" },
    },
  }),
  onlyUniform: line("    only under a uniform condition: votes, matches, warp barriers, uniform results", {
    stays: STAYS,
    missed: {
      lanes: {
        code: "uniform-only",
        say: "'{inst}' in {arm:block} depends on which lanes are active, and the condition may differ within a warp",
      },
      "uniform-result": {
        code: "uniform-only",
        say: "'{inst}' in {arm:block} writes the uniform {result:reg}, and the condition may differ within a warp",
        fixed: "There is no such instruction: one that writes a uniform register cannot have a guard that differs between lanes.",
      },
      convergence: {
        say: "lanes diverge here, and {obstacle}",
        droppable: "lanes that ran an instruction in two groups would now run it together",
      },
    },
  }),
  writesCondition: line("  no arm writes P", {
    stays: STAYS,
    missed: {
      "writes-condition": {
        say: "'{inst}' in {arm:block} writes the condition",
        droppable: "the instructions after it would run under the new condition",
      },
    },
  }),
};

export const LENGTHS = {
  length: line("  arm length counts the jump (policy 'measured': not in an arm that loads from shared memory)", {
    kind: "cost",
    step: "arm lengths at {block}: taken {taken} of {takenLimit}, else {otherwise} of {otherLimit}",
  }),
  limit: line(
    "  limit = one for arms with a global or local load, one for a divergent and one for a uniform condition (knobs predication-arm-*)",
    {
      stays: STAYS,
      missed: { length: { say: "an arm has {length} {length:instruction|instructions}, the limit is {limit}" } },
    },
  ),
  coupled: line(
    "  a load in one arm only: a short other arm always fits, a longer one if both together are within a total (knobs predication-coupled-*)",
    {
      stays: STAYS,
      missed: {
        "coupled-length": {
          say: "one arm loads, and arms of {taken} and {otherwise} {otherwise:instruction|instructions} are too long together",
        },
      },
    },
  ),
};

/** Opcodes that the real compiler expands to a call or a loop. */
const DIVISIONS: ReadonlySet<string> = new Set(["IDIV", "IREM", "FDIV", "FSQRT", "FRCP", "DDIV", "DSQRT", "DRCP"]);

/** A guard can carry every instruction of the arm. */
export function canBeGuarded(
  ctx: Pick<PassContext, "edit" | "remark">,
  { head, guard }: Pick<Arms, "head" | "guard">,
  arm: BlockId | null,
  divergent: boolean,
): boolean {
  if (arm === null) return true;
  const { edit, remark } = ctx;
  return edit.block(arm).insts.every((inst) => {
    if (isTerminator(inst)) return true;
    const about = { inst, arm, block: head };
    if (!remark.holds(GUARDS.never, "guarded", inst.guard === null, about)) return false;
    const defs = defsOf(inst);
    if (!remark.holds(GUARDS.writesCondition, "writes-condition", !defs.includes(guard.reg), about)) return false;
    const never = neverGuarded(inst);
    if (never !== null) return remark.fails(GUARDS.never, never, about);
    if (!divergent) return true;
    // Under a guard it sees the lanes that the arm had: `RejoinGuard` examines whether more of them are together in the whole region.
    const effect = effectOf(inst);
    if (effect === "warp" || effect === "sync") return remark.fails(GUARDS.onlyUniform, "lanes", about);
    const uniform = defs.find(isUniformReg) ?? null;
    return uniform === null || remark.fails(GUARDS.onlyUniform, "uniform-result", { ...about, result: uniform });
  });
}

/** What the real compiler never guards, whatever the condition: no matter of meaning. */
function neverGuarded(inst: Inst): "division" | "atomic" | "barrier" | "call" | "volatile" | "region" | "shuffle" | null {
  if (DIVISIONS.has(inst.op)) return "division";
  const effect = effectOf(inst);
  switch (effect) {
    case "atomic":
    case "barrier":
    case "call":
    case "volatile":
      return effect;
    case "sync":
      return inst.op === "WARPSYNC" ? null : "region";
    case "warp":
      return inst.op === "SHFL" || inst.op === "REDUX" ? "shuffle" : null;
    case "pure":
    case "load":
    case "store":
    case "control":
      return null;
  }
}

/** An arm's length and whether it contains a load that lifts its limit. */
export interface ArmSize {
  readonly length: number;
  readonly load: boolean;
}

export function armSize(edit: Editor, arm: BlockId | null): ArmSize {
  const insts = arm === null ? [] : edit.block(arm).insts;
  return { length: insts.length, load: insts.some((inst) => inst.op === "LDG" || inst.op === "LDL" || inst.op === "LD") };
}

/** Policy 'measured': the jump of an arm that loads from shared memory alone does not count. */
export function measuredSize(edit: Editor, arm: BlockId | null): ArmSize {
  const size = armSize(edit, arm);
  const insts = arm === null ? [] : edit.block(arm).insts;
  const free = !size.load && insts.at(-1)?.op === "BRA" && insts.some((inst) => inst.op === "LDS");
  return free ? { ...size, length: size.length - 1 } : size;
}

export interface Verdict {
  readonly taken: boolean;
  readonly otherwise: boolean;
  readonly limits: readonly [taken: number, otherwise: number];
  readonly rule: "plain" | "loads" | "coupled";
}

/** What a single arm may have at most. */
export function armLimit(knobs: KnobReader, { load }: ArmSize, divergent: boolean): number {
  if (load) return knobs.int("predication-arm-load", LENGTHS.limit);
  return knobs.int(divergent ? "predication-arm-divergent" : "predication-arm-uniform", LENGTHS.limit);
}

/** The length rules of the measured compiler; `Arms` with a missing arm are judged by the other one alone. */
export function fits(knobs: KnobReader, arms: Arms, taken: ArmSize, otherwise: ArmSize, divergent: boolean): Verdict {
  const plain = knobs.int(divergent ? "predication-arm-divergent" : "predication-arm-uniform", LENGTHS.limit);
  const withLoad = knobs.int("predication-arm-load", LENGTHS.limit);
  const limitOf = (size: ArmSize): number => (size.load ? withLoad : plain);
  if (arms.shape === "diamond" && taken.load !== otherwise.load) {
    const free = knobs.int("predication-coupled-free", LENGTHS.coupled);
    const most = knobs.int("predication-coupled-max", LENGTHS.coupled);
    const total = knobs.int("predication-coupled-total", LENGTHS.coupled);
    const [loads, other] = taken.load ? [taken, otherwise] : [otherwise, taken];
    const ok = loads.length <= withLoad && (other.length <= free || (other.length <= most && loads.length + other.length <= total));
    return { taken: ok, otherwise: ok, limits: taken.load ? [withLoad, free] : [free, withLoad], rule: "coupled" };
  }
  const limits = [limitOf(taken), limitOf(otherwise)] as const;
  return {
    taken: taken.length <= limits[0],
    otherwise: otherwise.length <= limits[1],
    limits,
    rule: taken.load || otherwise.load ? "loads" : "plain",
  };
}
