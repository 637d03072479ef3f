/** Phase 13, GeneralOptimizeEarly (variant A): second tests of one condition are decided, and predicates of known value are folded. */

import { type BundleConfig, CopyBundle, ROUND_LIMIT } from "../../analysis/copy-bundle.ts";
import { type BundleGate, tryGates } from "../../analysis/copy-gates.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { reachingDefs } from "../../analysis/reaching-defs.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import type { Budget } from "../../pipeline/knob-store.ts";
import { printInst } from "../../text/printer.ts";
import { NO_STRUCTURE, type StructureId } from "../../trace/recorder.ts";
import type { Pass, PassContext, PassOutcome } from "../pass.ts";
import { type Chain, followChain, type Test, testOf } from "./chain.ts";
import { Equivalence, type Verdict } from "./equivalence.ts";
import { LINE, PSEUDOCODE } from "./pseudocode.ts";

export const generalOptimizeEarly: Pass = {
  family: "general-optimize-early",
  ids: ["general-optimize-early"],
  summary: "Decides a second test of a condition by the edge it was reached on, and folds predicates of known value.",
  pseudocode: PSEUDOCODE,
  readsPolicy: true,
  settles: true,
  run: (ctx: PassContext): PassOutcome => {
    const { rec } = ctx;
    const closed = tryGates(rec, LINE.gates, [
      flagGate(ctx),
      { gate: "+1056", ok: true, sentence: "+1056 is null: the function was not processed before" },
    ]);
    if (closed !== null) return { matches: 0, rewrites: 0, why: closed };
    return new Early(ctx).run();
  },
};

/** What sets the bit is not known: it follows the level at which the phase runs. */
function flagGate({ level, policy }: PassContext): BundleGate {
  const from = policy === "measured" ? 1 : 2;
  const ok = level >= from;
  return { gate: "+1382 bit 2", ok, sentence: `bit 2 of +1382, set from -O${from} on, is ${ok ? "set" : "clear"}` };
}

/** Lines of the shared body; nothing is written here but predicates. */
const BUNDLE_LINES = {
  round: LINE.level2,
  setup: LINE.level2,
  knobs: LINE.level2,
  block: LINE.level2,
  use: LINE.level2,
  refuse: LINE.level2,
  anchor: LINE.level2,
  predicated: LINE.level2,
  select: LINE.level2,
  twoPass: LINE.level2,
  chain: LINE.level2,
  liveness: LINE.level2,
  fold: LINE.fold,
  simplify: LINE.fold,
  guard: LINE.level2,
  phi: LINE.level2,
  dce: LINE.dce,
} as const;

class Early {
  private readonly ctx: PassContext;
  private readonly bundle: CopyBundle;
  private readonly budget: Budget;
  private equivalence: Equivalence;
  private readonly state: StructureId;
  private matches = 0;
  private decided = 0;
  private spent = false;
  private readonly refusals = new Map<string, number>();

  constructor(ctx: PassContext) {
    const { edit, rec, knobs, level } = ctx;
    this.ctx = ctx;
    this.budget = knobs.budget("convergence-budget", LINE.budget);
    if (rec.on)
      rec.event("note", LINE.setup, "use-def chains of {blocks} {blocks:block|blocks}; no block has changed", {
        blocks: edit.func.layout.length,
      });
    this.equivalence = new Equivalence(edit, reachingDefs(edit.func), level);
    const config: BundleConfig = {
      lines: BUNDLE_LINES,
      commit: "predicates",
      copyProp: true,
      fold: true,
      dce: true,
      budget: this.budget,
    };
    this.bundle = new CopyBundle(ctx, config);
    this.state = rec.on ? rec.structure("table", "chain-state", "State of the chain matcher, state[0] to state[6]") : NO_STRUCTURE;
    if (rec.on) rec.cell(this.state, "state[0]", edit.func.name);
  }

  run(): PassOutcome {
    const { edit, rec } = this.ctx;
    const { totals, refusals } = this.bundle;
    let rounds = 0;
    let further: string | null = null;
    for (let again = true; again && rounds < ROUND_LIMIT; ) {
      rounds++;
      const before = edit.editCount;
      this.bundle.rounds.start(rounds);
      this.sweep();
      if (rec.on)
        rec.begin("round", LINE.level2, "level 2, round {round}: values followed through copies and constants", { round: rounds });
      this.bundle.round(rounds);
      if (rec.on) rec.end();
      // An edge or a definition that went may let a chain or a value through.
      again = edit.editCount !== before && !this.spent;
      further = again && rounds === ROUND_LIMIT ? `${rounds} rounds are the limit` : null;
    }
    const rewrites = this.decided + totals.folded + totals.simplified + totals.removed;
    if (rec.on && rewrites > 0)
      rec.event("note", LINE.finish, "{rewrites} {rewrites:rewrite|rewrites}: change tracking is reset", { rewrites });
    for (const [condition, n] of refusals) this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + n);
    return {
      matches: this.matches + totals.matches,
      rewrites,
      why: rewrites > 0 ? null : this.why(),
      further: this.bundle.further(this.refusals.has("convergence")) ?? further,
      figures: { rounds, decided: this.decided, folded: totals.folded + totals.simplified, removed: totals.removed },
    };
  }

  /** All blocks, until none has a second test left that an earlier one decides. */
  private sweep(): void {
    const { edit, level } = this.ctx;
    for (let again = true; again && !this.spent; ) {
      const before = this.decided;
      this.refusals.clear();
      // Definitions stay where they are while branches are decided.
      this.equivalence = new Equivalence(edit, reachingDefs(edit.func), level);
      for (const id of reversePostOrder(edit.func).order.slice()) {
        if (this.spent) break;
        this.convergeBlock(id);
      }
      again = this.decided > before;
    }
  }

  /** The fixed-point loop of one block. */
  private convergeBlock(id: BlockId): void {
    const { edit, rec } = this.ctx;
    let spans = 0;
    for (let again = true; again; ) {
      again = false;
      const test = testOf(edit, id);
      if (test === null) break;
      if (spans === 0) {
        spans++;
        if (rec.on) rec.begin("visit", LINE.block, "{block}", { block: edit.block(id).label }, { blocks: [id] });
      }
      if (rec.on) this.sayEntry(test);
      for (const taken of [true, false]) {
        const chain = followChain(edit, test, taken);
        if (typeof chain === "string") {
          this.sayChainEnd(test, taken, chain);
          continue;
        }
        if (!this.matchChain(chain)) continue;
        if (!this.budget.take(LINE.budget)) {
          this.spent = true;
          break;
        }
        this.apply(chain);
        again = true;
        break;
      }
      if (this.spent) break;
      if (rec.on && again) rec.event("visit", LINE.again, "look at {block} again", { block: edit.block(id).label }, { blocks: [id] });
    }
    if (spans > 0 && rec.on) rec.end();
  }

  private matchChain(chain: Chain): boolean {
    this.matches++;
    const { edit, rec } = this.ctx;
    if (rec.on) {
      const facts = { ...this.names(chain), edge: chain.taken ? "taken" : "other", length: chain.path.length };
      rec.event("visit", LINE.end, "the {edge} edge of {first} leads to the branch of {second}", facts, this.focus(chain, []));
    }
    const verdict = this.equivalence.sameCondition(chain);
    if (!verdict.equal) {
      this.refuse(chain, verdict.condition, verdict.line, verdict.why, verdict);
      return false;
    }
    const obstacle = this.bundle.rejoin.dropEdges(chain.second.block, decidedTerminators(chain));
    if (obstacle !== null) {
      this.refuse(chain, "convergence", LINE.convergence, obstacle.reason, verdict);
      return false;
    }
    if (!rec.on) return true;
    const cells = [
      printInst(edit.func, chain.first.branch),
      printInst(edit.func, chain.second.branch),
      verdict.defs[0] === undefined ? null : printInst(edit.func, verdict.defs[0]),
      edit.block(chain.first.block).label,
      verdict.defs[1] === undefined ? null : printInst(edit.func, verdict.defs[1]),
      edit.block(chain.second.block).label,
    ];
    for (const [i, value] of cells.entries()) rec.cell(this.state, `state[${i + 1}]`, value ?? undefined);
    rec.event(
      "match",
      verdict.line,
      "{second} tests what {first} has tested: {why}",
      { ...this.names(chain), why: verdict.why, step: verdict.condition, verdict: "yes" },
      this.focus(chain, verdict.defs),
    );
    rec.event(
      "note",
      LINE.state,
      "state[1] to state[6] hold the chain {path}",
      { path: chain.path.map((b) => edit.block(b).label) },
      {
        blocks: chain.path,
        nodes: ["chain-state/state[1]", "chain-state/state[2]"],
      },
    );
    return true;
  }

  private apply(chain: Chain): void {
    const { edit, rec } = this.ctx;
    const { second, taken } = chain;
    const target = taken ? second.taken : second.otherwise;
    this.decided++;
    this.bundle.count("structural equivalence");
    if (rec.on) {
      rec.begin(
        "rewrite",
        LINE.apply,
        "{second} is reached on the {edge} edge of {first} only: it always goes to {target}",
        { ...this.names(chain), edge: taken ? "taken" : "other", target: edit.block(target).label, verdict: "yes" },
        this.focus(chain, []),
      );
    }
    this.bundle.lost.add(second.guard.reg);
    edit.setTerminators(second.block, decidedTerminators(chain));
    if (rec.on) rec.end();
  }

  private refuse(chain: Chain, condition: string, line: number, why: string, verdict: Verdict): void {
    this.refusals.set(condition, (this.refusals.get(condition) ?? 0) + 1);
    const { rec } = this.ctx;
    if (!rec.on) return;
    const facts = { ...this.names(chain), why, verdict: "no", condition };
    rec.event("match", line, "{second} is not decided by {first}: {why}", facts, this.focus(chain, verdict.defs));
  }

  private sayEntry(test: Test): void {
    const { edit, rec } = this.ctx;
    const facts = { block: edit.block(test.block).label, inst: printInst(edit.func, test.branch) };
    rec.event("visit", LINE.entry, "{block} ends with '{inst}'", facts, { blocks: [test.block], insts: [test.branch.id] });
  }

  private sayChainEnd(test: Test, taken: boolean, end: string): void {
    const { edit, rec } = this.ctx;
    if (!rec.on) return;
    const to = taken ? test.taken : test.otherwise;
    const facts = { block: edit.block(test.block).label, to: edit.block(to).label, condition: end, verdict: "no", why: ENDS[end] ?? end };
    const line = end === "no-branch" || end === "cycle" ? LINE.end : LINE.chain;
    rec.event("match", line, "from {block} by way of {to} no second branch is found: {why}", facts, { blocks: [test.block, to] });
  }

  private names({ first, second }: Chain): { readonly first: string; readonly second: string } {
    const { edit } = this.ctx;
    return { first: edit.block(first.block).label, second: edit.block(second.block).label };
  }

  private focus({ first, second, path }: Chain, defs: readonly Inst[]) {
    return { blocks: path, insts: [first.branch.id, second.branch.id, ...defs.map((d) => d.id)] };
  }

  private why(): string {
    if (this.refusals.size === 0) return "no branch leads to another one along a chain, and no predicate is known";
    const reasons = [...this.refusals].map(([condition, times]) => (times > 1 ? `${condition} (${times} times)` : condition));
    return `every candidate was refused: ${reasons.join(", ")}`;
  }
}

const ENDS: Readonly<Record<string, string>> = {
  "several-predecessors": "a block on the way has several predecessors",
  "several-successors": "a block on the way ends with something else than a branch on one predicate",
  "no-branch": "the way ends",
  cycle: "the way leads back",
};

/** The second block's terminators once it is decided: a jump, or nothing where it falls through. */
function decidedTerminators({ second, taken }: Chain): readonly Inst[] {
  const { branch, explicit } = second;
  if (taken) return [{ ...branch, guard: null }];
  if (!explicit) return [];
  return [{ ...branch, guard: null, mods: [], ops: [{ kind: "label", block: second.otherwise }] }];
}
