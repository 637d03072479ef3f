/**
 * Level 1 of constant handling: the rolling state of algorithm B (copy-propagation-and-cse, OriCopyProp, Algorithm): copy_seen, def_ctx, the two-pass
 * simplifier and the transitive chain. It marks destinations and changes no instruction.
 */

import { needsConservativeFold } from "../../../config/targets.ts";
import type { BlockId } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Inst } from "../../../ir/types.ts";
import { usesOf } from "../../../ir/visit.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import { printInst } from "../../../text/printer.ts";
import { copySource } from "./copy-values.ts";
import { LIVE_USES, statusOf } from "./dead-code.ts";
import { copyClass, MARK, predicatedProblem, selectProblem } from "./marks.ts";
import type { CopyOptions } from "./options.ts";
import type { CopyStateRow } from "./rows.ts";
import { SEARCH_LIMIT, TwoPass, type TwoPassTables } from "./two-pass.ts";
import type { Walk } from "./walk.ts";

type SelectStep = "tier-0" | "forward" | "backward" | "free" | "chain";

export class OperandMarking {
  private readonly walk: Pick<Walk, "edit" | "remark" | "rules" | "options" | "marks" | "reach">;
  private readonly state: ShownTable<CopyStateRow>;
  private readonly tables: TwoPassTables;
  private copySeen = true;
  private context: { readonly block: BlockId; readonly at: number } | null = null;
  private shown = "";

  constructor(walk: OperandMarking["walk"], state: ShownTable<CopyStateRow>, tables: TwoPassTables) {
    this.walk = walk;
    this.state = state;
    this.tables = tables;
  }

  enter(block: BlockId): void {
    this.copySeen = true;
    this.context = { block, at: -1 };
    this.show(block, null);
  }

  /** Examines one instruction, its uses already replaced; marks its destination where the tests allow. */
  visit(block: BlockId, inst: Inst, at: number): void {
    switch (copyClass(inst)) {
      case "anchor":
        this.copySeen = true;
        this.context = { block, at };
        this.show(block, inst);
        return;
      case "predicated":
        this.predicated(block, inst);
        return;
      case "select":
        this.select(block, inst, at);
        return;
      case "other":
        if (!this.copySeen) this.other(block, inst);
    }
  }

  private predicated(block: BlockId, inst: Inst): void {
    const { remark, rules, options, marks } = this.walk;
    const problem = predicatedProblem(inst, marks.of(inst), options);
    if (problem === "already-marked") return;
    if (remark.listening && problem !== "operand-type") {
      for (const r of usesOf(inst))
        if (!isConstantReg(r)) remark.step(rules.predicated, "constraint", { inst, block, ...options.constraints.look(r) });
    }
    if (problem !== null) {
      remark.missed(rules.predicated, problem, { inst, block });
      return;
    }
    this.copySeen = false;
    this.show(block, null);
    const { capabilities, id: backend } = options.target.backend;
    // The mark lets readers of a copy under a guard see through it. A compare has no such readers: nothing would test its mark.
    if (copySource(inst) === null) return;
    if (capabilities.archPred) {
      const said = marks.set(block, inst, MARK.UNDER_PREDICATE);
      if (said !== null) remark.step(rules.predicated, "mark", said);
    } else remark.missed(rules.predicated, "no-predicate-marking", { inst, block, backend });
  }

  private select(block: BlockId, inst: Inst, at: number): void {
    const { remark, rules, options, marks } = this.walk;
    const problem = selectProblem(inst, marks.of(inst), options);
    if (problem === "already-marked") return;
    if (problem !== null) {
      remark.missed(rules.select, problem, { inst, block });
      return;
    }
    const tier = tierOf(options, inst);
    const known = (tier & 7) === 0 ? "tier-0" : this.conservative(block, inst, at, tier);
    if (known === null) return;
    if (known !== "unknown") {
      this.mark(block, inst, known);
      return;
    }
    // An integer select keeps its type.
    const said = inst.op === "SEL" ? null : marks.set(block, inst, MARK.DEFERRED);
    if (said !== null) remark.step(rules.select, "deferred", said);
    if (!this.copySeen || options.target.backend.capabilities.archPred) this.mark(block, inst, "free");
    else if (this.chain(block)) this.mark(block, inst, "chain");
    else remark.missed(rules.chain, "chain", { inst, block });
  }

  /** Tiers 1 to 7: which pass finds the predicate, or that what is around the select decides; null when it stays unmarked. */
  private conservative(block: BlockId, inst: Inst, at: number, tier: number): "forward" | "backward" | "unknown" | null {
    const { remark, rules, options } = this.walk;
    const asks = needsConservativeFold(options.target.backend.capabilities);
    if (inst.op === "SEL") return asks ? "unknown" : remark.missed(rules.select, "architecture", { inst, block });
    if (asks && (tier & 0x1b) === 0) return "unknown";
    const p = inst.ops[3];
    if (p?.kind !== "reg") return remark.missed(rules.twoPass, "no-match", { inst, block });
    const passes = new TwoPass(this.walk, this.tables, { block, at }, inst, p.reg);
    const forward = passes.run("forward", this.context);
    if (forward.hit) return "forward";
    if (forward.partial) return "unknown";
    const backward = passes.run("backward", this.context);
    if (backward.hit) return "backward";
    return backward.partial ? "unknown" : remark.missed(rules.twoPass, "no-match", { inst, block });
  }

  private mark(block: BlockId, inst: Inst, name: SelectStep): void {
    const said = this.walk.marks.set(block, inst, MARK.PROPAGATED);
    if (said !== null) this.walk.remark.step(this.walk.rules.select, name, said);
  }

  /** The transitive chain: through the single predecessor of def_ctx's block, up to the next copy that is eligible. */
  private chain(block: BlockId): boolean {
    const { edit, marks, options, reach } = this.walk;
    const preds = edit.block(this.context?.block ?? block).preds;
    const link = preds.length === 1 ? preds[0] : undefined;
    if (link === undefined) return false;
    let steps = 0;
    for (const inst of edit.block(link).insts) {
      const cls = copyClass(inst);
      if (cls === "predicated") return predicatedProblem(inst, marks.of(inst), options) === null;
      if (cls === "select") return selectProblem(inst, marks.of(inst), options) === null;
      if (++steps > SEARCH_LIMIT || (statusOf(inst, reach) & LIVE_USES) !== 0) return false;
    }
    return false;
  }

  private other(block: BlockId, inst: Inst): void {
    const { remark, rules, reach } = this.walk;
    this.copySeen = (statusOf(inst, reach) & LIVE_USES) !== 0;
    this.show(block, null);
    const said = this.copySeen ? { uses: "live uses", seen: "on" } : { uses: "no live uses", seen: "off" };
    remark.step(rules.liveness, { inst, ...said, block, node: this.state.node("copy_seen") });
  }

  private show(block: BlockId, anchor: Inst | null): void {
    const { edit, remark, rules } = this.walk;
    if (!remark.listening) return;
    const context = anchor !== null ? printInst(edit.func, anchor) : this.context?.at === -1 ? edit.block(block).label : null;
    const shown = `${this.copySeen}/${context ?? ""}`;
    if (shown === this.shown) return;
    this.shown = shown;
    this.state.set("copy_seen", this.copySeen);
    if (context !== null) this.state.set("def_ctx", context);
    if (anchor !== null) remark.step(rules.anchor, { inst: anchor, block, node: this.state.node("def_ctx") });
  }
}

/** Byte +1379 as the select sees it: limit-fold-fp is about floats, and an integer select keeps the tier that is set. */
const tierOf = ({ tier, limitFp }: CopyOptions, inst: Inst): number => (limitFp && inst.op === "FSEL" ? tier | 1 : tier);
