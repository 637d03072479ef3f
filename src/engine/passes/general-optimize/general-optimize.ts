/** Phases 29, 46 and 65 (GeneralOptimize, GeneralOptimizeMid2, GeneralOptimizeLate2), and OriCopyProp alone. */

import type { Func } from "../../ir/types.ts";
import { line, pseudocodeOf, rules, sameLine } from "../../remark/rules.ts";
import { identityOf, type Pass, type PassContext, type PassOutcome } from "../pass.ts";
import { BRIEF } from "../shared/control-flow/control-flow-rules.ts";
import { callControlFlow } from "../shared/control-flow/control-flow-service.ts";
import { foldRule, selfCopyRule, simplifyRule } from "../shared/copies/constant-folding.ts";
import { useRule } from "../shared/copies/copy-propagation.ts";
import { deadRule } from "../shared/copies/dead-code.ts";
import { phiRule } from "../shared/copies/equal-phis.ts";
import type { Parts } from "../shared/copies/options.ts";
import { guardedRule, guardRule } from "../shared/copies/predicate-simplification.ts";
import { ROUND_LIMIT, Rounds } from "../shared/copies/rounds.ts";
import { ANCHOR, BLOCK, CHAIN, KNOBS, LIVENESS, PREDICATED, SELECT, SETUP, TWO_PASS, UNFIT, UNSEEN } from "../shared/copies/rules.ts";
import { ABOUT } from "./about.ts";
import { complementary, mergeComplementaryCopies } from "./complementary.ts";

const RULES = rules({
  gates: line("gates of the instance: option bytes, function, backend slot", {
    gates: {
      "config+33192": {
        open: "option 461 decides, and it lets the phase pass",
        shut: "the configuration does not let the phase pass",
      },
      level: {
        open: "the optimization level is {level}, above {least}",
        shut: "the optimization level is {level}, not above {least}",
      },
      function: { open: "{func} has instructions to examine", shut: "{func} has nothing but terminators" },
    },
    kind: "gate",
    step: {
      marking: "{backend} lets results be marked under a predicate",
      "no-marking": "{backend} lets nothing be marked under a predicate: copies under a guard stay",
    },
  }),
  records: line(
    "AnalyzeControlFlow, full rebuild; again, without force, when a block is left with a stale record // sub_781F80, force = 1",
    BRIEF,
  ),
  knobs: line("read the knobs of copy propagation; tier = 1 under limit-fold-fp, else 0 // +1379", {
    ...KNOBS,
    gates: {
      "no-phase": {
        open: "OriCopyProp is not switched off by --no-phase",
        shut: "--no-phase skips OriCopyProp: no copies are propagated",
      },
    },
  }),
  setup: line("set-up: definitions that reach each block; every block is to be looked at", SETUP),
  complementary,
  round: line("repeat until a round edits nothing; at most 64 times; knob 464 limits the folds of 29 and 46:", {
    step: {
      round: { kind: "round", say: "round {round}" },
      limit: { kind: "budget", say: "{rounds} {rounds:round is|rounds are} the limit" },
    },
  }),
  block: line("  for each block in RPO that is to be looked at: copy_seen = on, def_ctx = the block; for each instruction:", BLOCK),
  use: useRule("      for each register it reads: the copy that made the value, if its source still holds it here"),
  unseen: line("        keep the register if source or destination may be written between, or the operand cannot take the source", UNSEEN),
  unfit: sameLine(UNFIT),
  anchor: line("      anchor, a copy without guard: def_ctx = it, copy_seen = on // opcode 97", ANCHOR),
  predicated: line("      predicated copy: eligible: copy_seen = off; mark 0x400 where the target can // opcode 18", PREDICATED),
  select: line("      conditional select: eligible, tier 0: mark 0x100 // opcode 124", SELECT),
  twoPass: line(
    "        tier 1 to 7: forward pass, then backward pass for its predicate, with hit and partial; a float select: mark 0x201",
    TWO_PASS,
  ),
  chain: line("        copy seen and no predicate marking: follow the chain through the single predecessor to the next copy", CHAIN),
  liveness: line("      anything else, after a predicated copy: copy_seen = its status has live uses // 0xC", LIVENESS),
  fold: foldRule("      level 2: all inputs constant: evaluate; compare of a value with itself: known"),
  selfCopy: selfCopyRule(),
  simplify: simplifyRule("      level 2: a select marked 0x100 with known predicate or equal sources; predicates combined with constants"),
  guard: guardRule("      a guard that is known: drop it, or the instruction; a branch: decide it"),
  guarded: guardedRule(),
  phi: phiRule("    a PHI with one value: deferred cleanup; it becomes a copy at the end of the round // 0x200"),
  dead: deadRule("  check_liveness on what lost a reader: remove what is dead"),
  alone: line("OriCopyProp alone: one walk, nothing is folded or removed", { kind: "round", step: "OriCopyProp alone: one walk" }),
});

export const generalOptimize: Pass = {
  ...identityOf(ABOUT),
  rules: RULES,
  pseudocode: pseudocodeOf(RULES),
  records: RULES.records,
  readsPolicy: true,
  settles: true,
  unmet: [
    {
      ids: ["general-optimize", "general-optimize-mid2", "ori-copy-prop"],
      conditions: ["read-between", "predicate-redefined", "destination-redefined"],
      why: "Only phase 65 looks for complementary copies, so this phase never checks it.",
    },
    {
      ids: ["general-optimize-late2", "ori-copy-prop"],
      conditions: ["convergence"],
      why: "This phase decides no branch, so it never checks it.",
    },
  ],
  run,
};

interface Instance {
  readonly fold: boolean;
  readonly dce: boolean;
  readonly iterate: boolean;
  /** Knob 464 where the instance reads it. */
  readonly capped: boolean;
}

/** What each instance runs (general-optimize, Sub-Pass Selection; for 46 and 65 docs/fidelity.md). */
function instanceOf(id: string): Instance {
  switch (id) {
    case "general-optimize-late2":
      return { fold: false, dce: true, iterate: true, capped: false };
    case "ori-copy-prop":
      return { fold: false, dce: false, iterate: false, capped: false };
    default:
      return { fold: true, dce: true, iterate: true, capped: true };
  }
}

function run(ctx: PassContext): PassOutcome {
  const { id, edit, remark, knobs, skipped } = ctx;
  const closed = closedGate(ctx);
  if (closed !== null) return remark.outcome({ why: closed });
  callControlFlow(ctx, RULES.records, true);
  const { fold, dce, iterate, capped } = instanceOf(id);
  const foldBudget = capped ? knobs.budget("convergence-budget", RULES.round) : null;
  const copyProp = id === "ori-copy-prop" || !skipped.has("ori-copy-prop");
  if (!copyProp) remark.gate(RULES.knobs, "no-phase", false);
  const parts: Parts = { commit: "all", copyProp, fold, dce, foldBudget };
  const rounds = new Rounds(ctx, RULES, parts);
  if (id === "general-optimize-late2" && knobs.flag("late-copy-prop-compl-pred", RULES.complementary)) {
    mergeComplementaryCopies({ edit, remark, lost: rounds.run.work.lost });
  }
  const { times, further } = iterate ? untilNothingChanges(ctx, rounds) : once(ctx, rounds);
  return remark.outcome({
    none: "no use sees a copy or a constant, and nothing can be folded",
    further: rounds.further(rounds.keptBranches) ?? further,
    figures: { rounds: times, ...rounds.figures },
  });
}

interface Walks {
  readonly times: number;
  readonly further: string | null;
}

function untilNothingChanges({ remark }: PassContext, rounds: Rounds): Walks {
  let times = 0;
  for (let changed = true; changed; ) {
    if (times === ROUND_LIMIT) {
      remark.step(RULES.round, "limit", { rounds: times });
      return { times, further: `${times} rounds are the limit` };
    }
    times++;
    changed = remark.span(RULES.round, "round", { round: times }, () => rounds.round(times) > 0 && rounds.hasMore && !remark.over);
  }
  return { times, further: null };
}

function once({ remark }: PassContext, rounds: Rounds): Walks {
  remark.span(RULES.alone, {}, () => rounds.round(1));
  return { times: 1, further: rounds.hasMore ? "one walk is all it makes, and blocks were left to look at again" : null };
}

/**
 * The sentence of the first gate that is shut, in the order of the reference (general-optimize, Gate Conditions); null when all are open. Values of bytes that the
 * reference does not give are chosen: docs/fidelity.md.
 */
function closedGate({ id, edit, remark, level, target, policy }: PassContext): string | null {
  const least = policy === "measured" ? 0 : 1;
  const own =
    id === "general-optimize"
      ? remark.closed(RULES.gates, "config+33192", true)
      : id === "general-optimize-late2"
        ? remark.closed(RULES.gates, "level", level > least, { level, least })
        : null;
  const closed = own ?? remark.closed(RULES.gates, "function", hasWork(edit.func), { func: edit.func.name });
  if (closed !== null) return closed;
  const { capabilities, id: backend } = target.backend;
  remark.step(RULES.gates, capabilities.archPred ? "marking" : "no-marking", { backend, also: { gate: "predicate-marking", ok: true } });
  return null;
}

function hasWork(fn: Func): boolean {
  return fn.layout.some((id) => (fn.blocks[id]?.insts ?? []).some((inst) => inst.op !== "EXIT" && inst.op !== "RET" && inst.op !== "NOP"));
}
