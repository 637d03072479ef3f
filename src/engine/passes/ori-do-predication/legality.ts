/** Which instructions a guard can carry, and how long an arm may be. */

import type { Arms } from "../../analysis/arms.ts";
import type { KnobReader } from "../../config/knob-store.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { isUniformReg } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, effectOf, isTerminator } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import { RULES } from "./rules.ts";

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
    if (!remark.holds(RULES.never, "guarded", inst.guard === null, about)) return false;
    const defs = defsOf(inst);
    if (!remark.holds(RULES.writesCondition, "writes-condition", !defs.includes(guard.reg), about)) return false;
    const never = neverGuarded(inst);
    if (never !== null) return remark.missed(RULES.never, never, about) !== null;
    if (!divergent) return true;
    // Under a guard it sees the lanes that the arm had: whether more of them are together is asked of the whole region by `RejoinGuard`.
    const effect = effectOf(inst);
    if (effect === "warp" || effect === "sync") return remark.missed(RULES.onlyUniform, "lanes", about) !== null;
    const uniform = defs.find(isUniformReg) ?? null;
    return uniform === null || remark.missed(RULES.onlyUniform, "uniform-result", { ...about, result: uniform }) !== null;
  });
}

/** What the real compiler puts under no guard, whatever the condition: not a question of what it would mean. */
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

/** An arm's length and whether it holds a load that lifts its limit. */
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

/** What an arm that stands alone may have at most. */
export function armLimit(knobs: KnobReader, { load }: ArmSize, divergent: boolean): number {
  if (load) return knobs.int("predication-arm-load", RULES.limit);
  return knobs.int(divergent ? "predication-arm-divergent" : "predication-arm-uniform", RULES.limit);
}

/** The length rules of the measured compiler; `Arms` with a missing arm are judged by the other one alone. */
export function fits(knobs: KnobReader, arms: Arms, taken: ArmSize, otherwise: ArmSize, divergent: boolean): Verdict {
  const plain = knobs.int(divergent ? "predication-arm-divergent" : "predication-arm-uniform", RULES.limit);
  const withLoad = knobs.int("predication-arm-load", RULES.limit);
  const limitOf = (size: ArmSize): number => (size.load ? withLoad : plain);
  if (arms.shape === "diamond" && taken.load !== otherwise.load) {
    const free = knobs.int("predication-coupled-free", RULES.coupled);
    const most = knobs.int("predication-coupled-max", RULES.coupled);
    const total = knobs.int("predication-coupled-total", RULES.coupled);
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
