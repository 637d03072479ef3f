/** How hashes are shown: the slot of each instruction, and the parts of the hash that was made last. */

import type { ReadNumber } from "../../analysis/expression-text.ts";
import type { Func, Inst } from "../../ir/types.ts";
import { getBlock } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { type ClassMask, EMPTY_MASK, maskHex } from "../../structures/class-mask.ts";
import { type Described, hash, hex } from "./candidates.ts";
import { hashParts } from "./hash.ts";
import type { HashPartRow, InstSlotRow } from "./rows.ts";

export class HashView {
  private readonly remark: Remarks;
  private readonly slots: ShownTable<InstSlotRow>;
  private readonly parts: ShownTable<HashPartRow>;
  private shown = 0;

  constructor(remark: Remarks) {
    this.remark = remark;
    this.slots = remark.shown.table<InstSlotRow>("inst-slots", "Instruction slots (+88): hash, class mask");
    this.parts = remark.shown.table<HashPartRow>("hash-parts", "Parts of the hash that was made last");
  }

  /** No instruction has a hash yet; how many there are. */
  reset(fn: Func): number {
    // One row for all of them: a recording keeps it for each.
    const row = slotRow(0xffff_ffff, EMPTY_MASK);
    const insts = fn.layout.flatMap((id) => getBlock(fn, id).insts);
    for (const inst of insts) this.slots.set(inst.id, row);
    return insts.length;
  }

  node(inst: Inst): string {
    return this.slots.node(inst.id);
  }

  show({ inst, block, hash: full }: Described, mask: ClassMask, read: ReadNumber): void {
    this.slots.set(inst.id, () => slotRow(full, mask));
    const parts = hashParts(inst, read);
    for (const [i, { part, word, hash: after }] of parts.entries()) this.parts.set(i, { part, word: hex(word), hash: hex(after) });
    for (let i = parts.length; i < this.shown; i++) this.parts.remove(i);
    this.shown = parts.length;
    const nodes = parts.map((_, i) => this.parts.node(i));
    this.remark.step(hash, "mixed", { inst, block, parts: parts.length, nodes, also: { hashHex: hex(full) } });
  }
}

/** +88: the hash in the upper half, class bits in the lower one (the mask's extended bits have no room in it). */
function slotRow(full: number, mask: ClassMask): InstSlotRow {
  const digits = (n: number): string => (n >>> 0).toString(16).toUpperCase().padStart(8, "0");
  return { word: `0x${digits(full)}${digits(mask.lo)}`, hash: full === 0xffff_ffff ? "-1" : hex(full), classes: maskHex(mask) };
}
