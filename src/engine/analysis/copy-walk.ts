/** The rolling state of algorithm B (copy-propagation-and-cse, OriCopyProp, Algorithm): copy_seen, def_ctx, the two-pass simplifier and the transitive chain. */

import type { Editor } from "../ir/edit.ts";
import type { BlockId, InstId } from "../ir/ids.ts";
import { isConstantReg, regName } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import { needsConservativeFold } from "../pipeline/targets.ts";
import { printInst } from "../text/printer.ts";
import { NO_STRUCTURE, type Recorder, type StructureId } from "../trace/recorder.ts";
import { copyClass, ineligible, MARK, type MarkContext, type OperandMarks } from "./copy-marks.ts";
import { copySource } from "./copy-values.ts";

/** Pseudocode lines of what this walk says. */
export interface WalkLines {
  readonly anchor: number;
  readonly predicated: number;
  readonly select: number;
  readonly twoPass: number;
  readonly chain: number;
  readonly liveness: number;
}

/** Status bits of `sub_7DF3A0`: has live uses. */
export const LIVE_USES = 0xc;

export interface WalkInput {
  readonly edit: Editor;
  readonly rec: Recorder;
  readonly marks: OperandMarks;
  readonly context: MarkContext;
  readonly lines: WalkLines;
  /** The status byte of an instruction. */
  readonly status: (inst: Inst) => number;
}

/** Instructions that one backward or transitive search looks at. */
const SEARCH_LIMIT = 256;

export class CopyWalk {
  private readonly input: WalkInput;
  private readonly state: StructureId;
  private copySeen = true;
  private context: { readonly block: BlockId; readonly at: number } | null = null;
  private shown = "";

  constructor(input: WalkInput) {
    this.input = input;
    this.state = input.rec.on ? input.rec.structure("table", "copy-state", "copy_seen and def_ctx") : NO_STRUCTURE;
  }

  enter(block: BlockId): void {
    this.copySeen = true;
    this.context = { block, at: -1 };
    this.show(block, null);
  }

  /** Looks at one instruction, its uses already replaced; marks its destination where the tests allow. */
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
        if (this.copySeen) return;
        this.copySeen = (this.input.status(inst) & LIVE_USES) !== 0;
        this.show(block, null);
        this.sayStatus(block, inst);
    }
  }

  private predicated(block: BlockId, inst: Inst): void {
    const { context, marks, lines } = this.input;
    const { capabilities, id } = context.target.backend;
    const no = ineligible(inst, marks.of(inst), context);
    if (no !== null) {
      if (no !== "already-under-predicate") this.refuse(block, inst, lines.predicated, no);
      return;
    }
    this.copySeen = false;
    this.show(block, null);
    if (capabilities.archPred) {
      marks.set(block, inst, MARK.UNDER_PREDICATE, lines.predicated, "it holds only while its guard does");
    } else if (inst.guard !== null) {
      this.refuse(block, inst, lines.predicated, "no-predicate-marking", `${id} cannot mark results under a predicate`);
    }
  }

  private select(block: BlockId, inst: Inst, at: number): void {
    const { context, marks, lines } = this.input;
    const no = ineligible(inst, marks.of(inst), context);
    if (no !== null) {
      if (no !== "already-marked") this.refuse(block, inst, lines.select, no);
      return;
    }
    const { tier } = context;
    if ((tier & 7) === 0) {
      marks.set(block, inst, MARK.PROPAGATED, lines.select, "tier 0 marks it at once");
      return;
    }
    const asks = needsConservativeFold(context.target.backend.capabilities);
    if (inst.op === "SEL") {
      if (!asks) {
        this.refuse(block, inst, lines.select, "architecture", "the target is of none of the three classes that allow it");
        return;
      }
    } else if (!asks || (tier & 0x1b) !== 0) {
      const forward = this.simplify(block, inst, at, true);
      if (forward.hit) {
        this.mark(block, inst, "the forward pass found its predicate");
        return;
      }
      if (!forward.partial) {
        const backward = this.simplify(block, inst, at, false);
        if (backward.hit) {
          this.mark(block, inst, "the backward pass found its predicate");
          return;
        }
        if (!backward.partial) {
          this.refuse(block, inst, lines.twoPass, "no-match", "neither pass found what its predicate is");
          return;
        }
      }
    }
    marks.set(block, inst, MARK.DEFERRED, lines.select, "its word becomes a register's with cleanup to follow");
    if (!this.copySeen || context.target.backend.capabilities.archPred) this.mark(block, inst, "no copy stands in the way");
    else if (this.chain(block)) this.mark(block, inst, "the chain behind it ends in a copy that is eligible itself");
    else this.refuse(block, inst, lines.chain, "chain", "the chain behind it ends without a copy");
  }

  private mark(block: BlockId, inst: Inst, why: string): void {
    this.input.marks.set(block, inst, MARK.PROPAGATED, this.input.lines.select, why);
  }

  /** `sub_908A60`: looks for the definition of the select's predicate, forwards from the anchor or backwards through single predecessors. */
  private simplify(block: BlockId, inst: Inst, at: number, forward: boolean): { readonly hit: boolean; readonly partial: boolean } {
    const { edit, rec, context, lines } = this.input;
    const partialByTarget = needsConservativeFold(context.target.backend.capabilities) && (context.tier & 0x1b) === 0;
    const p = inst.ops[3];
    if (p?.kind !== "reg") return { hit: false, partial: false };
    const found = isConstantReg(p.reg) ? true : forward ? this.scan(block, at, p.reg) : this.scanPredecessors(block, p.reg);
    const result = { hit: found === true, partial: partialByTarget || found === false };
    if (rec.on) {
      const facts = {
        direction: forward ? "forward" : "backward",
        inst: printInst(edit.func, inst),
        pred: regName(p.reg),
        hit: result.hit,
        partial: result.partial,
        verdict: result.hit ? "yes" : "no",
        condition: result.hit ? null : "predicate",
      };
      rec.event("match", lines.twoPass, "{direction} pass for {pred} of '{inst}': hit {hit}, partial {partial}", facts, {
        blocks: [block],
        insts: [inst.id],
      });
    }
    return result;
  }

  /** In the block from the anchor to the select: true: the predicate is a known constant; false: defined, but not known; null: not found. */
  private scan(block: BlockId, at: number, p: number): boolean | null {
    const { insts } = this.input.edit.block(block);
    const from = this.context?.block === block ? this.context.at : -1;
    let found: boolean | null = null;
    for (let i = Math.max(from, 0); i < at && i < from + SEARCH_LIMIT; i++) {
      const inst = insts[i];
      if (inst !== undefined && defsOf(inst).some((r) => r === p)) found = isKnownPredicate(inst);
    }
    return found;
  }

  private scanPredecessors(block: BlockId, p: number): boolean | null {
    const { edit } = this.input;
    const visited = new Set<InstId>();
    const seen = new Set<BlockId>();
    for (let id: BlockId | undefined = block; id !== undefined && !seen.has(id); ) {
      seen.add(id);
      const current = edit.block(id);
      if (id !== block) {
        for (const inst of current.insts.toReversed()) {
          if (visited.size >= SEARCH_LIMIT) return null;
          visited.add(inst.id);
          if (defsOf(inst).some((r) => r === p)) return isKnownPredicate(inst);
        }
      }
      id = current.preds.length === 1 ? current.preds[0] : undefined;
    }
    return null;
  }

  /** The transitive chain: through the single predecessor of def_ctx's block, up to the next copy that is eligible. */
  private chain(block: BlockId): boolean {
    const { edit, marks, context, status } = this.input;
    const preds = edit.block(this.context?.block ?? block).preds;
    const link = preds.length === 1 ? preds[0] : undefined;
    if (link === undefined) return false;
    let steps = 0;
    for (const inst of edit.block(link).insts) {
      const cls = copyClass(inst);
      if (cls === "predicated" || cls === "select") return ineligible(inst, marks.of(inst), context) === null;
      if (++steps > SEARCH_LIMIT || (status(inst) & LIVE_USES) !== 0) return false;
    }
    return false;
  }

  private sayStatus(block: BlockId, inst: Inst): void {
    const { rec, edit, lines } = this.input;
    if (!rec.on) return;
    const facts = {
      inst: printInst(edit.func, inst),
      seen: this.copySeen ? "on" : "off",
      uses: this.copySeen ? "live uses" : "no live uses",
    };
    rec.event("visit", lines.liveness, "'{inst}' has {uses}: copy_seen is {seen}", facts, {
      blocks: [block],
      insts: [inst.id],
      nodes: ["copy-state/copy_seen"],
    });
  }

  private refuse(block: BlockId, inst: Inst, line: number, condition: string, why?: string): void {
    const { rec, edit } = this.input;
    if (!rec.on) return;
    const facts = { inst: printInst(edit.func, inst), verdict: "no", condition, why: why ?? REASONS[condition] ?? condition };
    rec.event("match", line, "'{inst}' is not marked: {why}", facts, { blocks: [block], insts: [inst.id] });
  }

  private show(block: BlockId, anchor: Inst | null): void {
    const { rec, edit, lines } = this.input;
    if (!rec.on) return;
    const label = edit.block(block).label;
    const context = anchor === null ? (this.context?.at === -1 ? label : null) : printInst(edit.func, anchor);
    const shown = `${this.copySeen}/${context ?? ""}`;
    if (shown === this.shown) return;
    this.shown = shown;
    rec.cell(this.state, "copy_seen", this.copySeen);
    if (context !== null) rec.cell(this.state, "def_ctx", context);
    if (anchor === null) return;
    const facts = { inst: context ?? "", block: label };
    rec.event("visit", lines.anchor, "'{inst}' in {block} is the definition that later decisions refer to", facts, {
      blocks: [block],
      insts: [anchor.id],
      nodes: ["copy-state/def_ctx"],
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  "modifier-bits": "a source carries a sign, absolute or complement modifier",
  "constraint-bits": "its word has constraint bits set, and the target is newer than the encoding boundary 20479",
  "register-constraint": "a register it reads is constrained",
  "operand-type": "its operand type is never foldable",
};

function isKnownPredicate(inst: Inst): boolean {
  const source = copySource(inst);
  return inst.guard === null && source?.kind === "reg" && isConstantReg(source.reg);
}
