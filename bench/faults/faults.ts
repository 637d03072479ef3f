/**
 * Faults to plant: conditions taken for granted and lines of the analyses changed, all about lanes that are apart. A campaign on random programs must find each one;
 * `main.ts` tries them.
 */

interface Named {
  readonly name: string;
  /** Why no campaign finds it: it changes no result, or only one that no phase uses. */
  readonly unseen?: string;
}

/** A condition of a phase that is taken to hold. */
export interface Dropped extends Named {
  readonly kind: "drop";
  readonly phase: string;
  readonly reason: string;
}

/** A changed line of the sources. `from` occurs in the file once. */
export interface Edited extends Named {
  readonly kind: "edit";
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The only phase that uses it; left out, all that ask are run. */
  readonly phase?: string;
}

export type Fault = Dropped | Edited;

const drop = (phase: string, reason: string, unseen?: string): Dropped => ({
  kind: "drop",
  name: `${phase}/${reason}`,
  phase,
  reason,
  ...(unseen === undefined ? {} : { unseen }),
});

const edit = (name: string, file: string, from: string, to: string, more: { phase?: string; unseen?: string } = {}): Edited => ({
  kind: "edit",
  name,
  file: `src/engine/${file}`,
  from,
  to,
  ...more,
});

const MEETS_AGAIN = "In every program that was tried, the lanes meet again before anything that depends on their company.";
const REFUSED_TWICE = "Where it does not hold, another condition refuses as well.";

const CONDITIONS: readonly Dropped[] = [
  drop("branch-folding", "tail-sees-lanes"),
  drop("branch-folding", "tail-parts"),
  drop("branch-folding", "ways-join"),
  drop("branch-folding", "after-table"),
  drop("branch-folding", "parts-inside"),
  drop("branch-folding", "head-sees-lanes"),
  drop("ori-branch-opt", "lanes-meet-elsewhere"),
  drop("ori-branch-opt", "lanes-stay-together"),
  drop("do-switch-opt-first", "barrier-open"),
  drop("do-switch-opt-first", "barrier-used", REFUSED_TWICE),
  drop("do-switch-opt-first", "guarded-bssy", MEETS_AGAIN),
  drop("do-switch-opt-first", "guarded-bsync"),
  drop("do-switch-opt-first", "divergent-guard", MEETS_AGAIN),
  drop("do-switch-opt-first", "divergent-branch"),
  drop("do-switch-opt-first", "shared-bsync", REFUSED_TWICE),
  drop("do-switch-opt-first", "closes-others"),
  drop("do-switch-opt-first", "later-use"),
  drop("do-switch-opt-first", "convergence"),
  drop("do-switch-opt-first", "past-table"),
  drop("do-switch-opt-second", "convergence"),
  drop("optimize-nested-cond-branches", "convergence"),
  drop("merge-equivalent-conditional-flow", "sees-lanes", REFUSED_TWICE),
  drop("merge-equivalent-conditional-flow", "ends-apart"),
  drop("merge-equivalent-conditional-flow", "parts-in-one-block"),
  drop("ori-do-predication", "convergence"),
  drop("ori-linear-replacement", "convergence"),
  drop("late-ori-commoning", "active-lanes", REFUSED_TWICE),
  drop("general-optimize-early", "convergence"),
  drop("general-optimize", "convergence"),
  drop("general-optimize-mid", "convergence"),
];

const MEETS = "analysis/lane-meets.ts";
const UNIFORM = "analysis/uniformity.ts";
const VARYING = "analysis/varying-sources.ts";
const REGROUPING = "analysis/regrouping.ts";
const GUARD = "analysis/rejoin-guard.ts";

const LINES: readonly Edited[] = [
  edit("meets-by-post-dominator", MEETS, "if (open.top === null && open.sure) {", "if (true) {"),
  edit("meets-unsure", MEETS, "if (open.top === null && open.sure) {", "if (open.top === null) {"),
  edit(
    "leaks-disagree",
    MEETS,
    "for (let region = open.top; region !== null && region.depth > (head.top?.depth ?? 0); region = region.below.top) region.leaks = true;",
    "",
  ),
  edit(
    "leaks-leave",
    MEETS,
    "if (place !== null) for (let r = open.top; r !== null && r.depth >= end.depth; r = r.below.top) r.leaks = true;",
    "",
  ),
  edit("leaks-inner", MEETS, "for (let r = open.top; r !== null && r !== region; r = r.below.top) r.leaks = true;", ""),
  edit("leaks-two-ends", MEETS, "else if (region.join.block !== place.block || region.join.at !== place.at) region.leaks = true;", ""),
  edit("merge-sure", MEETS, "return { top: x, sure: false };", "return { top: x, sure: true };"),
  edit("left-sure", MEETS, 'if (region !== null && (guarded || inst.op !== "BSSY")) after = unsure(after);', ""),
  edit("gap-kept", MEETS, 'gap !== null && inst.op !== "BREAK" ? leave(gap) : open;', "open;"),
  edit("gap-sure", MEETS, 'if (region === null && gap !== null && inst.op !== "BREAK") after = unsure(after);', ""),
  edit(
    "guarded-open-sure",
    MEETS,
    "return guarded ? unsure(after) : this.push(after, inst, barrier);",
    "return this.push(after, inst, barrier);",
  ),
  edit(
    "guarded-sync-sure",
    MEETS,
    'if (inst.op === "BSYNC" && region !== null && !guarded) {',
    'if (inst.op === "BSYNC" && region !== null) {',
  ),
  edit(
    "break-as-branch",
    MEETS,
    'if (inst?.op !== "BREAK") return this.meetOf(open, block);',
    "if (true) return this.meetOf(open, block);",
  ),
  edit("closes-unsure", MEETS, "return inst !== null && open.sure && open.top?.barrier", "return inst !== null && open.top?.barrier", {
    phase: "do-switch-opt-first",
  }),
  edit("votes-agree", UNIFORM, "this.isApart(block.id, at));", "false);"),
  edit("parts-nowhere-inside", UNIFORM, "if (partsInside(inst, varying)) this.partInside(block.id, inst, at);", ""),
  edit("break-parts-nobody", UNIFORM, 'if (inst.op === "BREAK") return true;', 'if (inst.op === "BREAK") return false;'),
  edit("guards-part-nobody", UNIFORM, "return inst.guard !== null && varying.includes(inst.guard.reg);", "return false;"),
  edit("apart-nowhere-after", UNIFORM, "this.meets.spread(branch, (id, count) => this.setApart(id, count));", ""),
  edit("apart-not-here", UNIFORM, "if (at < (this.apartFrom[block] ?? NEVER)) this.apartFrom[block] = at;", ""),
  edit(
    "apart-not-after-inside",
    UNIFORM,
    "this.meets.walk(getBlock(this.fn, block).succs, meet, (id, count) => this.setApart(id, count));",
    "",
  ),
  edit(
    "joins-agree",
    UNIFORM,
    "if (region.joins.length > 0) for (const r of this.writtenIn(region.blocks)) this.mergeAtJoins(region, r);",
    "",
  ),
  edit("cycles-agree", UNIFORM, "for (const [from, to] of region.exits) this.leaveCycle(made, from, to);", ""),
  edit("guards-agree", UNIFORM, "const computed = guardVaries || computesVarying(", "const computed = computesVarying("),
  edit("vote-unasked", VARYING, 'return inst.op === "VOTE" || inst.op === "REDUX"', 'return inst.op === "REDUX"'),
  edit(
    "masks-agree",
    VARYING,
    "if (asksWhoIsThere(inst)) return apart;",
    'if (asksWhoIsThere(inst)) return inst.op === "ACTIVEMASK" ? false : apart;',
  ),
  edit(
    "sums-agree",
    VARYING,
    "if (asksWhoIsThere(inst)) return apart;",
    'if (asksWhoIsThere(inst)) return inst.op === "REDUX" ? false : apart;',
  ),
  edit("shuffles-agree", VARYING, '    case "SHFL":\n', ""),
  edit("matches-agree", VARYING, '    case "MATCH":\n', ""),
  edit(
    "regroups-in-regions",
    REGROUPING,
    'if (first.kind === "head" && branches.every((id) => !meets.isOpen(id))) return first;',
    'if (first.kind === "head") return first;',
  ),
  edit("regroups-to-first-end", REGROUPING, "return same ? first : NOWHERE;", "return first;"),
  edit("warps-unseen", REGROUPING, '    case "warp":\n', ""),
  edit("joins-ways", GUARD, "if (!succs.includes(from) || !succs.includes(to)) continue;", "continue;"),
  edit(
    "parts-unseen",
    GUARD,
    'return block.insts.find((inst) => (inst.op === "BSSY" || waitsForBlock(inst)) && inst.guard !== null) ?? null;',
    "return null;",
  ),
  edit(
    "drops-edges",
    GUARD,
    "if (at >= 0 && !uniform.inRegion(block) && !uniform.isApart(block, at)) return null;",
    "if (block >= 0) return null;",
  ),
  edit(
    "drops-edges-outside",
    GUARD,
    "if (at >= 0 && !uniform.inRegion(block) && !uniform.isApart(block, at)) return null;",
    "if (at >= 0 && !uniform.inRegion(block)) return null;",
  ),
  edit("drops-edges-of-guards", GUARD, "|| getBlock(fn, id).insts.some((inst) => mayPart(inst, uniform));", ";"),
  edit(
    "joins-branches",
    GUARD,
    "if (!this.before.layout.some((id) => uniform.isDivergent(id))) return null;",
    "if (uniform !== null) return null;",
  ),
  edit("together-anywhere", GUARD, "if (!this.spend(fn)) return LIMIT;\n    const found", "if (block >= 0) return null;\n    const found"),
];

export const FAULTS: readonly Fault[] = [...CONDITIONS, ...LINES];
