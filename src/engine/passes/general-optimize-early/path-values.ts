/** The values of registers along a chain of blocks: what wrote them last, and whether two places see the same value. */

import { copiedRegister } from "../../analysis/commoning.ts";
import type { DefSite, ReachingDefs } from "../../analysis/reaching-defs.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, surelyDefines } from "../../ir/visit.ts";
import type { Chain } from "./chain.ts";

export interface Place {
  readonly block: BlockId;
  readonly at: number;
}

/** An instruction that writes a register, and its place. */
export interface Writer extends Place {
  readonly inst: Inst;
  /** It may leave the register as it was. */
  readonly guarded: boolean;
}

/** Limit on the copies followed one after the other. */
const MOST_COPIES = 4;

export class PathValues {
  private readonly edit: Editor;
  private readonly reach: ReachingDefs;

  constructor(edit: Editor, reach: ReachingDefs) {
    this.edit = edit;
    this.reach = reach;
  }

  /**
   * The last write of the register before a place: the nearest one upwards on the chain, whose blocks are entered only from one another; else the one definition
   * that reaches its head. Null: several do, or none.
   */
  lastWriter(r: Reg, { path }: Chain, { block, at }: Place): Writer | null {
    let from = at;
    for (let i = path.indexOf(block); i >= 0; i--) {
      const id = path[i];
      if (id === undefined) return null;
      const { insts } = this.edit.block(id);
      for (let n = Math.min(from, insts.length) - 1; n >= 0; n--) {
        const inst = insts[n];
        if (inst !== undefined && defsOf(inst).includes(r)) return { block: id, at: n, inst, guarded: !surelyDefines(inst, r) };
      }
      from = Number.POSITIVE_INFINITY;
    }
    const site = this.soleDef(r, { block, at });
    return site?.inst == null ? null : { block: site.block, at: site.at, inst: this.current(site), guarded: false };
  }

  /** The register that a copy's result, and that of copies of it, was taken from, and where; the register itself when it is not a copy's. */
  source(r: Reg, chain: Chain, place: Place): { readonly reg: Reg; readonly place: Place; readonly copies: readonly Inst[] } {
    const copies: Inst[] = [];
    let [reg, at] = [r, place];
    while (copies.length < MOST_COPIES) {
      const writer = this.lastWriter(reg, chain, at);
      const from = writer === null || writer.guarded ? null : copiedRegister(writer.inst);
      if (writer === null || from === null || isConstantReg(from) || regClass(from) !== regClass(reg)) break;
      copies.push(writer.inst);
      [reg, at] = [from, writer];
    }
    return { reg, place: at, copies };
  }

  /**
   * The register has the same value at both places: one definition reaches both (running it again would pass the compare again, since it dominates), or
   * nothing on the path between them writes it.
   */
  sameValue(r: Reg, chain: Chain, pa: Place, pb: Place): boolean {
    const [x, y] = [this.reach.reachingAt(pa.block, pa.at, r), this.reach.reachingAt(pb.block, pb.at, r)];
    if (x.length === 1 && y.length === 1 && x[0] === y[0]) return true;
    return !this.writtenBetween(r, chain, pa, pb);
  }

  /** True also when one of the places is not on the path. */
  writtenBetween(r: Reg, { path }: Chain, pa: Place, pb: Place): boolean {
    let [from, to] = [pa, pb];
    let [i, j] = [path.indexOf(from.block), path.indexOf(to.block)];
    if (i < 0 || j < 0) return true;
    if (i > j || (i === j && from.at > to.at)) [from, to, i, j] = [to, from, j, i];
    for (let k = i; k <= j; k++) {
      const block = path[k];
      if (block === undefined) return true;
      const { insts } = this.edit.block(block);
      const end = k === j ? to.at : insts.length;
      for (let n = k === i ? from.at : 0; n < end; n++) {
        const inst = insts[n];
        if (inst !== undefined && defsOf(inst).includes(r)) return true;
      }
    }
    return false;
  }

  soleDef(r: Reg, { block, at }: Place): DefSite | null {
    return this.reach.soleDefAt(block, at, r);
  }

  current(site: DefSite): Inst {
    const now = this.edit.block(site.block).insts[site.at];
    if (now === undefined) throw new Error("internal: a definition has gone");
    return now;
  }
}
