/** cicc's BranchFolding: tail merging, branch optimization and hoisting of common code to a fixed point. */

import { loopInfo } from "../../analysis/loops.ts";
import { RejoinGuard } from "../../analysis/rejoin-guard.ts";
import type { Func } from "../../ir/types.ts";
import { getBlock, phisOf, tableName } from "../../ir/visit.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { hoistCommonCode } from "./hoist.ts";
import { LoopEntries } from "./loop-entries.ts";
import { Observed } from "./observed.ts";
import { optimizeBranches } from "./optimize-branches.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";
import type { State } from "./state.ts";
import { tailMergeBlocks } from "./tail-merge.ts";

export const branchFolding: Pass = {
  family: "branch-folding",
  ids: ["branch-folding"],
  summary: "Merges common tails of blocks, simplifies branches, hoists common heads, until nothing changes (cicc, before PTX is written).",
  pseudocode: PSEUDOCODE,
  run,
  neverLonger: true,
};

// Each round that is followed by another took away an instruction or a block, or moved one to the end; far more rounds than that never happen.
const ROUND_LIMIT = 10_000;

function run(ctx: PassContext): PassOutcome {
  const { edit, rec } = ctx;
  const phis = countPhis(edit.func);
  if (phis > 0) {
    const why = `declined: the NoPHIs property is required, and the function has ${phis} PHI${phis === 1 ? "" : "s"}`;
    if (rec.on) rec.event("gate", LINE.noPhis, "{why}", { why, gate: "NoPHIs", ok: false, phis });
    return { matches: 0, rewrites: 0, why, figures: { phis } };
  }
  sayPlacement(ctx);
  const state = makeState(ctx);
  const reducibleBefore = loopInfo(edit.func).irreducible.length === 0;
  let rounds = 0;
  for (let changed = true; changed && rounds < ROUND_LIMIT; ) {
    rounds++;
    if (rec.on) rec.begin("round", LINE.round, "round {round}", { round: rounds });
    changed = mergeTails(ctx, state);
    changed = span(ctx, LINE.optimize, "OptimizeBranches", () => optimizeBranches(state)) || changed;
    if (state.hoist) changed = span(ctx, LINE.hoist, "HoistCommonCode", () => hoistCommonCode(state)) || changed;
    if (rec.on) rec.end();
  }
  removeDeadTables(ctx);
  const reducible = loopInfo(edit.func).irreducible.length === 0;
  if (rec.on) {
    rec.event("note", LINE.round, "the graph was {before} before and is {after} now", {
      before: reducibleBefore ? "reducible" : "irreducible",
      after: reducible ? "reducible" : "irreducible",
    });
  }
  return {
    matches: state.matches,
    rewrites: state.rewrites,
    why: state.rewrites > 0 ? null : sayWhyNot(state),
    figures: {
      rounds,
      merges: state.merges,
      hoisted: state.hoisted,
      reducibleBefore: Number(reducibleBefore),
      reducible: Number(reducible),
    },
  };
}

function countPhis(fn: Func): number {
  return fn.layout.reduce((n, id) => n + phisOf(getBlock(fn, id)).length, 0);
}

/** The option belongs to block placement, which comes first and is not modelled: it is shown with what it says, and changes nothing here. */
function sayPlacement({ knobs, rec }: PassContext): void {
  const on = knobs.flag("branch-fold-placement", LINE.round);
  if (!rec.on) return;
  const said = on
    ? "branch-fold-placement is on: block placement folds branches in a run of its own before this one; placement is not modelled, so the blocks are taken as they are"
    : "branch-fold-placement is off: block placement, which comes before, folds nothing; this run is the same";
  rec.event("gate", LINE.round, "{said}", { said, gate: "branch-fold-placement", ok: on });
}

function makeState({ edit, rec, knobs }: PassContext): State {
  const upstream = knobs.flag("upstream-llvm20");
  const wish = knobs.int("enable-tail-merge");
  const structured = upstream && !knobs.flag("disable-nvptx-require-structured-cfg");
  return {
    edit,
    rec,
    minTail: knobs.int("tail-merge-size"),
    threshold: knobs.int("tail-merge-threshold"),
    nvidia: !upstream,
    tailMergeOff:
      structured && wish !== 1 ? "LLVM 20 does not merge tails for a target that requires a structured control-flow graph" : null,
    hoist: knobs.flag("enable-hoist-common-code"),
    rejoin: new RejoinGuard(edit.func, edit),
    entries: new LoopEntries(edit),
    observed: new Observed(rec),
    matches: 0,
    rewrites: 0,
    merges: 0,
    hoisted: 0,
    refusals: new Map(),
  };
}

function mergeTails(ctx: PassContext, state: State): boolean {
  const { rec } = ctx;
  const off =
    ctx.knobs.int("enable-tail-merge") === 0 ? "enable-tail-merge is off" : state.threshold <= 0 ? "tail-merge-threshold is 0" : null;
  if (off !== null) {
    state.refusals.set(off, 1);
    if (rec.on) rec.event("gate", LINE.tailMerge, "no tail merging: {why}", { why: off, gate: "tail-merge", ok: false });
    return false;
  }
  return span(ctx, LINE.tailMerge, "TailMergeBlocks", () => tailMergeBlocks(state));
}

function span({ rec }: PassContext, line: number, name: string, work: () => boolean): boolean {
  if (rec.on) rec.begin("span", line, "{name}", { name });
  const changed = work();
  if (rec.on) rec.end();
  return changed;
}

function removeDeadTables({ edit, rec }: PassContext): void {
  const named = new Set<string>();
  for (const id of edit.func.layout) {
    for (const inst of edit.block(id).insts) {
      const name = tableName(inst);
      if (name !== null) named.add(name);
      for (const operand of inst.ops) if (operand.kind === "table") named.add(operand.name);
    }
  }
  for (const name of [...edit.func.tables.keys()]) {
    if (named.has(name)) continue;
    if (rec.on) rec.event("note", LINE.tables, "no instruction names the table {table} any more: it goes", { table: name });
    edit.removeTable(name);
  }
}

function sayWhyNot(state: State): string {
  if (state.matches === 0 && state.refusals.size === 0) return "no two blocks end or begin alike, and no branch can be simplified";
  const reasons = [...state.refusals].map(([condition, count]) => (count > 1 ? `${condition} (${count} times)` : condition));
  return `every candidate was refused: ${reasons.join(", ")}`;
}
