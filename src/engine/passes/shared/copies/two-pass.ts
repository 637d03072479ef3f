/**
 * `sub_908A60`, the two-pass predicate simplifier (general-optimize, Two-Pass Predicate Simplifier): scans the instructions before a select for the
 * definition of its predicate, forwards from the anchor, then backwards from it. A pass dispatches on the class of each instruction that it reaches, and
 * ends where a copy or select in the chain is not eligible itself.
 */

import type { BlockId, InstId, Reg } from "../../../ir/ids.ts";
import { isConstantReg } from "../../../ir/reg.ts";
import type { Inst } from "../../../ir/types.ts";
import { defsOf, isTerminator } from "../../../ir/visit.ts";
import type { ShownTable } from "../../../remark/shown.ts";
import { printInst } from "../../../text/printer.ts";
import { copySource } from "./copy-values.ts";
import { LIVE_USES, statusOf } from "./dead-code.ts";
import { copyClass, predicatedProblem, selectProblem } from "./marks.ts";
import type { TrackingRow, VisitedRow } from "./rows.ts";
import type { Walk } from "./walk.ts";

/** Instructions that one pass examines. */
export const SEARCH_LIMIT = 256;

/** `hit`: the predicate is a known constant. `partial`: its definition was reached, and is none. */
export interface PassResult {
  readonly hit: boolean;
  readonly partial: boolean;
}

interface Place {
  readonly block: BlockId;
  readonly at: number;
}

type Direction = "forward" | "backward";
/** What one instruction means for the scan: it continues, the chain ends, or the predicate's definition is reached, known or not. */
type Verdict = "on" | "ends" | "known" | "unknown";

/** The structures that the scans of a phase show; the scans of a later select write over them. */
export class TwoPassTables {
  readonly record: ShownTable<TrackingRow>;
  readonly visited: ShownTable<VisitedRow>;
  readonly rows = new Set<string>();

  constructor(remark: Walk["remark"]) {
    this.record = remark.shown.table("tracking-record", "The simplifier's tracking record, 24 bytes");
    this.visited = remark.shown.table("visited-instructions", "Instructions that the simplifier has visited for this select");
  }
}

/** The passes for one select. */
export class TwoPass {
  private readonly walk: Pick<Walk, "edit" | "remark" | "rules" | "options" | "marks" | "reach">;
  private readonly tables: TwoPassTables;
  private readonly place: Place;
  private readonly select: Inst;
  private readonly pred: Reg;
  /** The hash set of `sub_767240`: the backward pass does not examine what the forward pass has seen. */
  private readonly visited = new Set<InstId>();

  /** `anchor`: def_ctx, where both passes begin; -1 is the block's head. */
  constructor(walk: TwoPass["walk"], tables: TwoPassTables, place: Place, select: Inst, pred: Reg) {
    this.walk = walk;
    this.tables = tables;
    this.place = place;
    this.select = select;
    this.pred = pred;
    for (const row of tables.rows) tables.visited.remove(row);
    tables.rows.clear();
  }

  run(direction: Direction, anchor: Place | null): PassResult {
    const { remark, rules } = this.walk;
    const { block } = this.place;
    const from = anchor?.block === block ? anchor.at : -1;
    this.track("context", from < 0 ? `head of ${this.walk.edit.block(block).label}` : this.text(block, from));
    this.track("verdict", "nothing found");
    const found = isConstantReg(this.pred) ? "known" : direction === "forward" ? this.forward(from) : this.backward(from);
    const result = { hit: found === "known", partial: found === "unknown" };
    this.track("verdict", result.hit ? "hit" : result.partial ? "partial" : "nothing found");
    const said = { direction, pred: this.pred, inst: this.select, ...result, block, node: this.tables.record.node("+16") };
    if (result.hit) remark.matched(rules.twoPass, said);
    else remark.missed(rules.twoPass, "predicate", said);
    return result;
  }

  /** From the anchor down to the select: the last definition between them counts. */
  private forward(from: number): Verdict {
    const { block, at } = this.place;
    let found: Verdict = "on";
    for (let i = Math.max(from, 0); i < at && i < from + SEARCH_LIMIT; i++) {
      const verdict = this.visit("forward", block, i);
      if (verdict === "ends") return verdict;
      if (verdict !== "on") found = verdict;
    }
    return found;
  }

  /** From the anchor up, through single predecessors: the first definition between them counts. */
  private backward(from: number): Verdict {
    const { edit, remark, rules } = this.walk;
    const blocks = new Set<BlockId>();
    for (let id: BlockId | undefined = this.place.block, looked = 0; id !== undefined && !blocks.has(id); ) {
      blocks.add(id);
      const { insts, preds } = edit.block(id);
      for (let i = id === this.place.block ? from : insts.length - 1; i >= 0; i--) {
        if (++looked > SEARCH_LIMIT) return "ends";
        const verdict = this.visit("backward", id, i);
        if (verdict !== "on") return verdict;
      }
      const next: BlockId | undefined = preds.length === 1 ? preds[0] : undefined;
      if (next === undefined) remark.step(rules.twoPass, "boundary", { block: id });
      else remark.step(rules.twoPass, "linked", { block: id, next });
      id = next;
    }
    return "on";
  }

  /** One instruction of a scan: the dispatch on its class. */
  private visit(direction: Direction, block: BlockId, at: number): Verdict {
    const { edit, remark, rules, options, marks, reach } = this.walk;
    const inst = edit.block(block).insts[at];
    if (inst === undefined || isTerminator(inst)) return "on";
    const said = { direction, inst, block, node: this.tables.visited.node(`i${inst.id}`) };
    if (this.visited.has(inst.id)) {
      remark.step(rules.twoPass, "visited", said);
      return "on";
    }
    this.visited.add(inst.id);
    this.track("instruction", this.text(block, at));
    const cls = copyClass(inst);
    if (cls === "anchor") {
      this.track("context", this.text(block, at));
      this.tell(inst, "anchor");
      remark.step(rules.twoPass, "anchor", said);
    } else if (cls === "other") {
      const live = (statusOf(inst, reach) & LIVE_USES) !== 0;
      this.tell(inst, live ? "live uses" : "no live uses");
      remark.step(rules.twoPass, live ? "live" : "unused", said);
    } else {
      const problem = cls === "select" ? selectProblem(inst, marks.of(inst), options) : predicatedProblem(inst, marks.of(inst), options);
      // What is marked already was eligible.
      const eligible = problem === null || problem === "already-marked";
      this.tell(inst, eligible ? "eligible" : "not eligible");
      remark.step(rules.twoPass, eligible ? "eligible" : "broken", said);
      if (!eligible) return "ends";
    }
    if (!defsOf(inst).includes(this.pred)) return "on";
    return isKnownPredicate(inst) ? "known" : "unknown";
  }

  private tell(inst: Inst, verdict: string): void {
    if (!this.walk.remark.listening) return;
    const key = `i${inst.id}`;
    this.tables.rows.add(key);
    this.tables.visited.set(key, { inst: printInst(this.walk.edit.func, inst), verdict });
  }

  private track(field: keyof typeof FIELDS, value: string): void {
    if (this.walk.remark.listening) this.tables.record.set(FIELDS[field], { field, value });
  }

  private text(block: BlockId, at: number): string {
    const { edit, remark } = this.walk;
    const inst = remark.listening ? edit.block(block).insts[at] : undefined;
    return inst === undefined ? "" : printInst(edit.func, inst);
  }
}

/** The reference gives the record's size; the meaning of its three words was chosen. */
const FIELDS = { context: "+0", instruction: "+8", verdict: "+16" } as const;

function isKnownPredicate(inst: Inst): boolean {
  const source = copySource(inst);
  return inst.guard === null && source?.kind === "reg" && isConstantReg(source.reg);
}
