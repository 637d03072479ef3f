/** Conditions that the reference does not state, but without which the program's meaning would change. */

import { seesOrder } from "../../analysis/regrouping.ts";
import { line } from "../../remark/rules.ts";
import { chain } from "./lower-chain.ts";
import {
  droppedTargets,
  LOWERING,
  type LoweringPlan,
  lostDefinition,
  MAX_LOWERED_LINKS,
  MAX_TABLE_ENTRIES,
  phiValues,
  tableKeepsGroups,
} from "./lowering.ts";
import type { Said, State } from "./state.ts";
import { type Choice, switchFacts } from "./strategy.ts";

/** The lines of the conditions. */
export const ALLOWED = {
  phi: line("    a PHI that takes two values over what becomes one edge: the compares stay", {
    missed: {
      "phi-conflict": {
        say: "the PHI of {phi:reg} takes two values over what would be one edge, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of one case get the PHI's value for another",
      },
      "lost-definition": {
        say: "only a repeated value leads to {block:block} with a definition of {register:reg}, which is read there (not stated in the reference)",
        fixed:
          "No lane takes the edge of a repeated value, and if its definition was the only one, the register was already undefined on another path.",
      },
    },
  }),
  convergence: line("    lanes would reach code that depends on which lanes are together in other groups: the compares stay", {
    missed: {
      "too-large": { say: "the code after {head:block} is too large to prove that its lanes may be regrouped" },
      "depends-on-order": {
        code: "convergence",
        say: "{op} in {sees:block} depends on the order in which lanes arrive, so the compares of {head:block} stay (not stated in the reference)",
        fixed: "The order of the lanes is a race: where it matters, no result is the correct one.",
      },
      convergence: {
        say: "{op} in {sees:block} depends on which lanes arrive together, so the compares of {head:block} stay (not stated in the reference)",
        droppable: "lanes of two cases come to it together that came one group after the other",
      },
      "dropped-target": {
        say: "only a repeated value leads to {target:block}; without it the lanes could reconverge earlier (not stated in the reference)",
        droppable: "lanes reconverge before code that depends on which lanes are together",
      },
    },
  }),
};

/** Whether a choice may be applied. */
export function isAllowed(state: State, plan: LoweringPlan, choice: Choice, said: Said): boolean {
  const { edit, remark } = state;
  const fn = edit.func;
  const { range } = switchFacts(plan.cases.map((c) => c.value));
  if (choice.strategy === "table" && range > MAX_TABLE_ENTRIES) {
    remark.missed(LOWERING.table, "table-too-large", { ...said, range, most: MAX_TABLE_ENTRIES });
    return false;
  }
  if (plan.links.length > MAX_LOWERED_LINKS) {
    remark.missed(chain, "chain-too-long", { ...said, cases: plan.links.length, most: MAX_LOWERED_LINKS });
    return false;
  }
  const phi = phiValues(fn, plan).conflict?.ops[0];
  if (phi?.kind === "reg" && !remark.holds(ALLOWED.phi, "phi-conflict", false, { ...said, phi: phi.reg })) return false;
  const lost = lostDefinition(fn, plan);
  if (lost !== null) {
    const where = { ...said, block: lost.target, register: lost.reg, blocks: [...said.blocks, lost.target] };
    remark.missed(ALLOWED.phi, "lost-definition", where);
    return false;
  }
  return !state.regrouping.matters || mayRegroup(state, plan, choice, said);
}

function mayRegroup({ remark, policy, regrouping }: State, plan: LoweringPlan, choice: Choice, said: Said): boolean {
  const blocks = plan.links.map((link) => link.block);
  const same = choice.strategy === "table" && tableKeepsGroups(plan, policy === "measured") && regrouping.sameEnd(blocks);
  const obstacle = regrouping.obstacle(blocks, same);
  if (obstacle === "capped") {
    remark.missed(ALLOWED.convergence, "too-large", said);
    return false;
  }
  if (obstacle !== null) {
    const { inst, block: sees } = obstacle;
    const where = { ...said, op: inst.op, sees, blocks: [...said.blocks, sees] };
    if (seesOrder(inst)) return remark.fails(ALLOWED.convergence, "depends-on-order", where);
    if (!remark.holds(ALLOWED.convergence, "convergence", false, where)) return false;
  }
  const [target] = droppedTargets(plan);
  // Without that edge, lanes may reconverge earlier than before, anywhere outside.
  if (target === undefined) return true;
  return remark.holds(ALLOWED.convergence, "dropped-target", false, { ...said, target, blocks: [...said.blocks, target] });
}
