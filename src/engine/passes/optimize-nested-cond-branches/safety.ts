/** The conditions of a pair: its shape, the five safety conditions, and that no lanes reconverge earlier where an instruction notices. */

import { withGuard } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { Reg } from "../../ir/ids.ts";
import type { Effect } from "../../ir/opcodes.ts";
import { isConstantReg, isPredicateReg } from "../../ir/reg.ts";
import type { Block, Inst } from "../../ir/types.ts";
import { combinesNothing, defsOf, effectOf, isSpeculatable, phiInput, phisOf, sameOperand, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import { printInst } from "../../text/printer.ts";
import { literalText, type Pair } from "./pair.ts";
import type { NestedRegion } from "./regions.ts";
import type { EligibilityRow } from "./rows.ts";
import type { Round, State } from "./state.ts";

/** The frame of what keeps two conditions. */
export const STAYS = "{outer:block} and {inner:block} stay two conditions: {why}";

export const SAFETY = {
  inner: line("    for each successor B of A that ends with a condition:", {
    step: "{outer:block} leaves to {common:block} on {outerExit}, and {inner:block} below it on {innerExit}",
  }),
  onlyPred: line("      B has A as its only predecessor and no PHI", {
    missed: {
      "only-predecessor": { say: "{inner:block} can be entered from elsewhere than {outer:block}, or begins with a PHI" },
      "region-end": { say: "{outer:block} and {inner:block} stay two conditions: a BSSY names {inner:block} as its region's end" },
      "table-entry": {
        say: "{outer:block} and {inner:block} stay two conditions: a table names {inner:block} that no predecessor of it jumps through",
      },
    },
  }),
  commonTarget: line("      X = the block that A goes to when it does not go to B; condition 3: one of B's successors is X too", {
    missed: {
      "merge-point": {
        why: "3 common target",
        say: "no edge of {inner:block} leads to the other successor of {outer:block}",
      },
      convergence: {
        say: "{outer:block} and {inner:block} stay two conditions: {obstacle}",
        droppable: "lanes that left for X from A and from B reach it in one group",
      },
    },
  }),
  regions: line("      B opens a region of its own: A opens one around it, and nothing is between the ends of the two", {
    stays: STAYS,
    step: "{inner:block} opens the region of {own:reg} inside that of {around:reg}, and both end at one place: one region is enough",
    missed: {
      "no-outer-region": { say: "{inner:block} opens a region, and {outer:block} opens none around it right before" },
      "guarded-region": { say: "BSSY or BSYNC of one of the two regions is guarded" },
      "barrier-elsewhere": { say: "{barrier:reg} is named by other instructions than one BSSY and one BSYNC" },
      "ends-apart": { say: "there is something between the ends of the two regions" },
      "region-loop": { say: "a path returns to them before both regions end" },
      measured: { say: "ptxas was not seen to make one region of two" },
    },
    policy: "notes",
    source: "branch-and-switch: SIMT Divergence and Reconvergence",
  }),
  walk: line("      walk B's instructions backwards from its branch:", {
    step: "walk {inner:block} backwards from its branch: {count} {count:instruction|instructions}",
  }),
  condition1: line("        condition 1: no side effects: pure, never traps, no excluded opcode", {
    stays: STAYS,
    missed: {
      "side-effects": {
        code: "1 side effects",
        say: "'{inst}' is not pure, and would run on the other path too",
        droppable: "it happens on A's edge to X, too",
      },
      "excluded-opcode": { code: "1 excluded opcode", say: "'{inst}' is one of the excluded opcodes" },
    },
  }),
  condition2: line("        condition 2: what it writes is in B's kill set, or not live into X (a tombstone is dead everywhere)", {
    stays: STAYS,
    step: {
      killed: { kind: "liveness", say: "{result:reg} is in the kill set of {inner:block}: nothing after it reads it" },
      dead: { kind: "liveness", say: "{result:reg} is not in the kill set of {inner:block}, and not live into {common:block}" },
    },
    missed: {
      "live-out": {
        code: "2 live-out value",
        say: "'{inst}' writes {result:reg}, which is live in {common:block}",
        droppable: "on A's edge to X the register has what B computes",
      },
      "phi-input": {
        code: "2 PHI input",
        say: "'{inst}' takes different values on the two edges",
        droppable: "on B's edge to X the PHI takes A's value",
      },
    },
  }),
  condition4: line(
    "        condition 4: it does not write the predicate that A tests, and is not locked by a guard or a combined compare",
    {
      stays: STAYS,
      missed: {
        dependent: {
          code: "4 dependent predicates",
          say: "'{inst}' writes {result:reg}, which the outer branch tests",
          droppable: "the combination reads what B wrote there, not what A tested",
        },
        lock: { code: "4 predication lock", say: "'{inst}' has a guard" },
        "combined-compare": { code: "4 combined compare", say: "'{inst}' combines its result with a predicate already" },
      },
    },
  ),
  condition5: line("      condition 5: neither predicate comes from a PLOP3 that has three inputs already", {
    stays: STAYS,
    missed: {
      "three-inputs": { code: "5 three inputs", say: "{predicate:reg} comes from '{inst}', which has three inputs already" },
    },
  }),
};

/** What remarks about a pair share. */
export type AboutPair = ReturnType<typeof aboutPair>;

/** A decision is about the inner block: several may be merged into the outer one. */
export function aboutPair(edit: Editor, { outer, inner, common }: Pair) {
  return { outer, inner, common, blocks: [outer, inner], about: () => edit.block(inner).label };
}

/** What the steps about a pair show. */
export function describe(edit: Editor, pair: Pair) {
  const { outer, inner, common, outerExit, innerExit, outerBranch, innerBranch } = pair;
  return {
    ...aboutPair(edit, pair),
    outerExit: () => literalText(outerExit),
    innerExit: () => literalText(innerExit),
    blocks: [outer, inner, common],
    insts: [outerBranch, innerBranch],
  };
}

/** All conditions on the pair hold. `region`: the inner block's own, which is removed with it. */
export function mayFlatten(state: State, round: Round, pair: Pair, region: NestedRegion | null = null): boolean {
  const { edit, remark } = state;
  remark.step(SAFETY.inner, () => describe(edit, pair));
  remark.step(SAFETY.walk, () => ({ ...describe(edit, pair), count: edit.block(pair.inner).insts.length - 1 }));
  if (!mayCombine(state, round, pair, region?.opens.inst ?? null)) return false;
  // Lanes that left from the outer block and from the inner one reach the common target together afterwards.
  const obstacle = state.rejoin.shareBelow(pair.outer);
  const about = { ...aboutPair(edit, pair), inst: obstacle?.inst ?? null, obstacle: obstacle?.reason ?? "" };
  return remark.holds(SAFETY.commonTarget, "convergence", obstacle === null, about);
}

/** The five safety conditions. `opens`: the inner block's BSSY, which is removed with the rewrite. */
export function mayCombine(state: State, round: Round, pair: Pair, opens: Inst | null): boolean {
  const { edit, remark } = state;
  const about = aboutPair(edit, pair);
  const inner = edit.block(pair.inner);
  const named = state.named.reason(pair.inner);
  if (named !== null) return remark.fails(SAFETY.onlyPred, named, about);
  if (remark.listening) showEligibility(state, inner);
  for (let i = terminatorsOf(inner).at - 1; i >= 0; i--) {
    const inst = inner.insts[i] as Inst;
    if (inst !== opens && !mayRunAlways(state, round, pair, inst, about)) return false;
  }
  return !hasThreeInputs(state, pair, about) && phisAgree(state, pair, about);
}

/** The verdict of each rule on each instruction, from the branch upwards; replaces the rows of the previous block. */
function showEligibility({ edit, eligibility, eligible }: State, inner: Block): void {
  for (const key of eligible) eligibility.remove(key);
  eligible.clear();
  for (let i = terminatorsOf(inner).at - 1; i >= 0; i--) {
    const inst = inner.insts[i] as Inst;
    const key = `${inner.label} ${i}`;
    eligible.add(key);
    eligibility.set(key, eligibilityOf(inst, printInst(edit.func, inst)));
  }
}

/** Conditions 1, 2 and 4: the instruction of the inner block may run on the outer one's edge to the common target, too. */
function mayRunAlways({ edit, remark, strict }: State, { live, stages }: Round, pair: Pair, inst: Inst, about: AboutPair): boolean {
  const no = () => ({ ...about, inst });
  if (!remark.holds(SAFETY.condition1, "side-effects", isSpeculatable(inst), no)) return false;
  if (strict && EXCLUDED.has(inst.op)) return remark.fails(SAFETY.condition1, "excluded-opcode", no);
  const defs = defsOf(inst);
  // A tombstone is dead everywhere; anything else must be dead where the outer block leaves to.
  const kills = stages.kills.get(pair.inner);
  const dies = (r: Reg) => kills?.has(r) === true || !live.isLiveIn(pair.common, r);
  const written = stages.tombstones.has(inst.id) ? [] : defs;
  const seen = written.find((r) => !dies(r) || feedsPhi(edit, pair, r));
  for (const result of written)
    if (result !== seen) remark.step(SAFETY.condition2, kills?.has(result) ? "killed" : "dead", { ...about, result });
  if (!remark.holds(SAFETY.condition2, "live-out", seen === undefined, () => ({ ...no(), result: seen ?? null }))) return false;
  const tested = pair.outerExit.reg;
  if (!remark.holds(SAFETY.condition4, "dependent", !defs.includes(tested), () => ({ ...no(), result: tested }))) return false;
  if (!strict) return true;
  if (inst.guard !== null) return remark.fails(SAFETY.condition4, "lock", no);
  return !isCombinedCompare(inst) || remark.fails(SAFETY.condition4, "combined-compare", no);
}

/** The register is what a PHI of the common target takes from the outer block. */
function feedsPhi(edit: Editor, pair: Pair, r: Reg): boolean {
  return phisOf(edit.block(pair.common)).some((phi) => {
    const value = phiInput(phi, pair.outer);
    return value?.kind === "reg" && value.reg === r;
  });
}

function hasThreeInputs({ edit, remark }: State, pair: Pair, about: AboutPair): boolean {
  for (const [block, literal] of [
    [pair.outer, pair.outerExit],
    [pair.inner, pair.innerExit],
  ] as const) {
    const def = edit.block(block).insts.findLast((inst) => defsOf(inst).includes(literal.reg));
    if (def?.op !== "PLOP3" || plop3Inputs(def) < 3) continue;
    remark.missed(SAFETY.condition5, "three-inputs", { ...about, predicate: literal.reg, inst: def });
    return true;
  }
  return false;
}

/** Different predicates a PLOP3 reads. */
export function plop3Inputs(inst: Inst): number {
  return new Set(usesOf(withGuard(inst, null)).filter((r) => isPredicateReg(r) && !isConstantReg(r))).size;
}

function phisAgree({ edit, remark }: State, pair: Pair, about: AboutPair): boolean {
  const other = phisOf(edit.block(pair.common)).find((phi) => {
    const [a, b] = [phiInput(phi, pair.outer), phiInput(phi, pair.inner)];
    return a === null || b === null || !sameOperand(a, b);
  });
  return remark.holds(SAFETY.condition2, "phi-input", other === undefined, { ...about, inst: other ?? null });
}

// --- instruction eligibility -----------------------------------------------------------------------------------------------------

/** Opcodes that the reference excludes by name and that would otherwise pass (VOTE is not pure, BMOV is not modelled). */
const EXCLUDED: ReadonlySet<string> = new Set(["LEA"]);

/** Rules by opcode whose operand fields no page gives: 226 FSETP, 9 BRX, 315 DSETP. */
const BY_FIELDS: ReadonlySet<string> = new Set(["FSETP", "BRX", "DSETP"]);

/** An ISETP whose result depends on a predicate in addition to its two values. */
const isCombinedCompare = (inst: Inst): boolean => inst.op === "ISETP" && !combinesNothing(inst);

const CONVERGENT: ReadonlySet<Effect> = new Set(["sync", "barrier", "warp"]);

/** The rules of sub_A07940 on one instruction, side by side: only shown; the conditions above decide. */
export function eligibilityOf(inst: Inst, instruction: string): EligibilityRow {
  const rule = (refuses: boolean): string => (refuses ? "refuses" : "passes");
  return {
    instruction,
    convergence: rule(CONVERGENT.has(effectOf(inst))),
    effects: rule(!isSpeculatable(inst)),
    lock: rule(inst.guard !== null),
    // No result of an Ori instruction carries a negation.
    negated: rule(false),
    excluded: rule(EXCLUDED.has(inst.op)),
    combined: rule(isCombinedCompare(inst)),
    fields: BY_FIELDS.has(inst.op) ? "not described" : "passes",
  };
}
