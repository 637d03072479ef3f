/**
 * The context of phase 37 as the reference lays it out, 0x408 bytes, with what `sub_905B50` fills its three bit vectors with: which definitions reach a
 * block, which registers live at its head, which operands have a known constant as their source. It is made to be seen: the rounds read the analyses
 * themselves, whose answers follow each edit (general-optimize, Phase 37 and sub_905B50).
 */

import { BitSet } from "../../../base/bitset.ts";
import { liveness } from "../../analysis/liveness.ts";
import { reversePostOrder } from "../../analysis/order.ts";
import { type DefSite, type ReachingDefs, reachingDefs } from "../../analysis/reaching-defs.ts";
import { isConstantReg, regName } from "../../ir/reg.ts";
import type { Block, Func } from "../../ir/types.ts";
import { getBlock, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { printInst } from "../../text/printer.ts";
import { copySource } from "../shared/copies/copy-values.ts";
import type { MidContextRow, VectorRow } from "./rows.ts";

export const context = line("the context: fill its three bit vectors with metadata and capacity // 0x408 bytes; sub_905B50", {
  step: "three bit vectors are filled: {reach} {reach:definition reaches|definitions reach} a block's head, {live} {live:register lives|registers live} at one, {operands} {operands:operand has|operands have} a known source",
  source: "general-optimize: sub_905B50, Bitvector Infrastructure",
});

export const destroy = line("destroy the three bit vectors // at +0x200, +0x228 and +0x1E0", {
  kind: "note",
  step: "the three bit vectors are destroyed",
  source: "general-optimize: Phase 37",
});

/** Offsets of the fields that are named. Which of the three containers is which vector is not described: they are in the order in which they are named. */
const AT = { count: "+0x030", weighted: "+0x0D0", total: "+0x0D8", reach: "+0x1E0", live: "+0x200", eligible: "+0x228" } as const;

export class MidContext {
  private readonly remark: Remarks;
  private readonly table: ShownTable<MidContextRow>;
  private vectors: readonly Vector[] = [];

  constructor(remark: Remarks, fn: Func) {
    this.remark = remark;
    this.table = remark.shown.table("mid-context", "Context of the phase, 0x408 bytes");
    if (!remark.listening) return;
    const set = (at: string, field: string, value: string): void => this.table.set(at, { field, value });
    set("+0x000", "vtable_ptr", "off_21DBEF8");
    set("+0x008", "allocator", "*(ctx + 16)");
    for (const at of ["+0x010", "+0x018", "+0x020"]) set(at, "zero-init", "0");
    set("+0x040", "sub_context", "made by sub_905B50");
    this.sums(0, 0, 0);
    const vectors = {
      reach: new Vector(remark, fn, "definition-reach", "Definitions that reach each block", reaching(fn)),
      live: new Vector(remark, fn, "live-registers", "Registers live at the head of each block", living(fn)),
      eligible: new Vector(remark, fn, "fold-eligible", "Operands with a known constant as their source", eligible(fn)),
    };
    for (const name of ["reach", "live", "eligible"] as const) {
      const { title, capacity, count } = vectors[name];
      set(AT[name], "bitvector, metadata, capacity", `${title}: ${count} set of ${capacity}`);
    }
    this.vectors = Object.values(vectors);
    const { reach, live, eligible: operands } = vectors;
    remark.step(context, {
      reach: reach.capacity,
      live: live.capacity,
      operands: operands.capacity,
      node: this.table.node(AT.reach),
    });
  }

  /** The sums that the cost model keeps: folds, their price, their full price. */
  sums(count: number, weighted: number, total: number): void {
    if (!this.remark.listening) return;
    this.table.set(AT.count, { field: "count", value: String(count) });
    this.table.set(AT.weighted, { field: "cost, weighted", value: String(weighted) });
    this.table.set(AT.total, { field: "cost, unweighted", value: String(total) });
  }

  /** After sub_90FBA0 has returned. */
  destroy(): void {
    for (const at of [AT.live, AT.eligible, AT.reach]) this.table.remove(at);
    for (const vector of this.vectors) vector.destroy();
    this.remark.step(destroy);
  }
}

/** At most this many blocks show their vectors, in reverse post-order. */
const SHOWN_BLOCKS = 256;

/** What a block has of the things that a vector numbers, as text. */
type Members = (block: Block) => readonly string[];

/** One of the three vectors: its members are numbered by first occurrence, in reverse post-order of the blocks. */
class Vector {
  readonly title: string;
  readonly capacity: number;
  readonly count: number;
  private readonly blocks: readonly Block[];
  private readonly table: ShownTable<VectorRow>;

  constructor(remark: Remarks, fn: Func, name: string, title: string, membersOf: Members) {
    this.title = title;
    this.blocks = reversePostOrder(fn)
      .order.slice(0, SHOWN_BLOCKS)
      .map((id) => getBlock(fn, id));
    const members = this.blocks.map((block) => membersOf(block));
    const number = new Map<string, number>();
    for (const list of members) for (const text of list) if (!number.has(text)) number.set(text, number.size);
    this.capacity = number.size;
    this.count = members.reduce((sum, list) => sum + new Set(list).size, 0);
    this.table = remark.shown.table<VectorRow>(name, title);
    for (const [i, block] of this.blocks.entries()) {
      const bits = new BitSet(this.capacity);
      for (const text of members[i] ?? []) bits.add(number.get(text) ?? 0);
      this.table.set(block.label, { bits: hexOf(bits), members: [...new Set(members[i])] });
    }
  }

  destroy(): void {
    for (const { label } of this.blocks) this.table.remove(label);
  }
}

/** Definitions of registers that live at the head: of others it makes no difference. */
function reaching(fn: Func): Members {
  const [reach, live] = [reachingDefs(fn), liveness(fn)];
  const text = ({ reg, inst, block }: DefSite): string =>
    inst === null ? `${regName(reg)} at entry` : `${regName(reg)} of '${printInst(fn, inst)}' in ${getBlock(fn, block).label}`;
  return ({ id }) => live.liveIn(id).flatMap((r) => reach.reachingAt(id, 0, r).map(text));
}

function living(fn: Func): Members {
  const live = liveness(fn);
  return ({ id }) => live.liveIn(id).map(regName);
}

function eligible(fn: Func): Members {
  const reach = reachingDefs(fn);
  return (block) =>
    block.insts.flatMap((inst, at) =>
      usesOf(inst)
        .filter((r) => !isConstantReg(r) && isKnown(reach, block, at, r))
        .map((r) => `${regName(r)} in '${printInst(fn, inst)}' of ${block.label}`),
    );
}

function isKnown(reach: ReachingDefs, { id }: Block, at: number, r: DefSite["reg"]): boolean {
  const inst = reach.soleDefAt(id, at, r)?.inst ?? null;
  const source = inst === null ? null : copySource(inst);
  return source !== null && (source.kind !== "reg" || isConstantReg(source.reg));
}

/** The words of the set, the lowest last. */
const hexOf = ({ words }: BitSet): string =>
  words.length === 0
    ? "0x0"
    : `0x${[...words]
        .reverse()
        .map((word) => word.toString(16).padStart(8, "0"))
        .join(" ")}`;
