/** The six-slot ring of copy pairs of one block, as the inspector shows it. */

import type { InstId, Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import type { Operand } from "../../ir/types.ts";
import { sameOperand } from "../../ir/visit.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { CopyRingRow } from "./rows.ts";

export const SLOTS = 6;

export interface Slot {
  readonly dest: Reg;
  readonly source: Operand;
  readonly first: InstId;
  readonly second: InstId | null;
  /** Pairs stored in the slot so far, and whether one of them fired. */
  readonly count: number;
  readonly changed: boolean;
}

export class Ring {
  evictions = 0;
  private readonly slots: (Slot | null)[] = Array.from({ length: SLOTS }, () => null);
  private next = 0;
  private readonly view: ShownTable<CopyRingRow>;

  constructor(view: ShownTable<CopyRingRow>) {
    this.view = view;
    for (let i = 0; i < SLOTS; i++) this.show(i);
    view.set("next", 0);
    view.set("evictions", 0);
  }

  /** The slot whose pair has this source and class of destination; -1 for none. */
  find(source: Operand, like: Reg): number {
    return this.slots.findIndex((slot) => slot !== null && (slot.dest & 7) === (like & 7) && sameOperand(slot.source, source));
  }

  slot(i: number): Slot | null {
    return this.slots[i] ?? null;
  }

  /** How a remark refers to a slot. */
  node(i: number): string {
    return this.view.node(`slot${i}`);
  }

  /** The index of the new pair's slot, and its previous content. */
  insert(dest: Reg, source: Operand, inst: InstId): { readonly index: number; readonly evicted: Slot | null } {
    const index = this.next;
    const evicted = this.slots[index] ?? null;
    if (evicted !== null) this.view.set("evictions", ++this.evictions);
    this.slots[index] = { dest, source, first: inst, second: null, count: 1, changed: false };
    this.next = (index + 1) % SLOTS;
    this.show(index);
    this.view.set("next", this.next);
    return { index, evicted };
  }

  pair(i: number, inst: InstId): void {
    const slot = this.slots[i];
    if (slot === null || slot === undefined) return;
    this.slots[i] = { ...slot, second: inst, count: slot.count + 1, changed: true };
    this.show(i);
  }

  /** Empties the slots that name a register; which. */
  invalidate(r: Reg): readonly number[] {
    let gone: number[] | null = null;
    for (let i = 0; i < SLOTS; i++) {
      const slot = this.slots[i] ?? null;
      if (slot === null || (slot.dest !== r && !(slot.source.kind === "reg" && slot.source.reg === r))) continue;
      this.slots[i] = null;
      gone ??= [];
      gone.push(i);
      this.show(i);
    }
    return gone ?? NONE;
  }

  private show(i: number): void {
    const slot = this.slots[i] ?? null;
    this.view.set(`slot${i}`, () => (slot === null ? null : { ...slot, dest: regName(slot.dest), source: sourceText(slot.source) }));
  }
}

const NONE: readonly number[] = [];

export function sourceText(source: Operand): string {
  if (source.kind === "reg") return regName(source.reg);
  return source.kind === "imm" || source.kind === "imm64" ? String(source.value) : source.kind;
}
