/** The SwitchOptContext (152 bytes at +1288): the arrays in which the cases of one switch are collected, by number and by the place of their target. */

import type { BlockId } from "../../ir/ids.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { SwitchCase } from "./lowering.ts";
import type { SwitchContextRow } from "./rows.ts";

/** Content of a record, or of a link, that leads to no case. */
const NONE = -1;
/** Where the case records begin, and how long one is. Source: branch-and-switch: Case Sort via BitsetRBTree. */
const RECORDS_AT = 104;
const RECORD_BYTES = 40;

/**
 * Created for the first switch of a function and reused for the others. The reference gives the arrays' addresses, their capacity and the sentinel; what the second and
 * the third one contain was decided here: the target of each case, and the next case with the same target.
 */
export class SwitchOptContext {
  private readonly capacity: number;
  private readonly values: Int32Array;
  private readonly targets: Int32Array;
  private readonly next: Int32Array;
  /** By RPO number of a target: its first and its last case. */
  private readonly first: Int32Array;
  private readonly last: Int32Array;
  private readonly view: ShownTable<SwitchContextRow> | null;
  private readonly label: (id: BlockId) => string;
  private count = 0;
  /** Whose cases are in it. */
  holder: object | null = null;

  constructor(name: string, blocks: number, label: (id: BlockId) => string, remark: Remarks) {
    this.label = label;
    this.capacity = blocks + 2;
    this.values = new Int32Array(this.capacity);
    this.targets = new Int32Array(this.capacity);
    this.next = new Int32Array(this.capacity);
    this.first = new Int32Array(this.capacity).fill(NONE);
    this.last = new Int32Array(this.capacity).fill(NONE);
    this.view = remark.listening ? remark.shown.table("switch-context", "SwitchOptContext (+1288), 152 bytes") : null;
    this.show("+0", "code object", name);
    this.show("+8", "allocator", "that of the code object (+16)");
    this.show("+96", "code object, again", name);
    this.show("+104", "sentinel", "0xFFFFFFFF");
    this.sayArrays();
  }

  get room(): number {
    return this.capacity;
  }

  /** Empties it for the next switch. */
  begin(holder: object): void {
    this.holder = holder;
    for (let rpo = 0; rpo < this.capacity; rpo++) if (this.first[rpo] !== NONE) this.forget(rpo);
    this.count = 0;
    this.sayArrays();
  }

  /** Appends a case; `rpo` is its target's number. */
  add({ value, target }: SwitchCase, rpo: number): void {
    const at = this.count++;
    this.values[at] = value;
    this.targets[at] = target;
    this.next[at] = NONE;
    const last = this.last[rpo] as number;
    if (last === NONE) this.first[rpo] = at;
    else this.next[last] = at;
    this.last[rpo] = at;
    if (this.view === null) return;
    this.sayArrays();
    this.sayRecord(rpo);
  }

  /** Takes the record of a target out, with its cases in the order in which they came. */
  take(rpo: number): SwitchCase[] {
    const cases = this.casesAt(rpo);
    this.forget(rpo);
    return cases;
  }

  private casesAt(rpo: number): SwitchCase[] {
    const cases: SwitchCase[] = [];
    for (let at = this.first[rpo] as number; at !== NONE; at = this.next[at] as number)
      cases.push({ value: this.values[at] as number, target: this.targets[at] as BlockId });
    return cases;
  }

  private forget(rpo: number): void {
    this.first[rpo] = NONE;
    this.last[rpo] = NONE;
    this.view?.remove(`record ${rpo}`);
  }

  private sayRecord(rpo: number): void {
    const cases = this.casesAt(rpo);
    const [one] = cases;
    const offset = RECORDS_AT + RECORD_BYTES * rpo;
    const place = `+${RECORDS_AT} + ${RECORD_BYTES} × ${rpo} = +${offset}`;
    const holds = `${one === undefined ? "" : this.label(one.target)}: ${cases.map((c) => c.value).join(", ")}`;
    this.view?.set(`record ${rpo}`, { field: place, holds });
  }

  private sayArrays(): void {
    if (this.view === null) return;
    const taken = `${this.count} of ${this.capacity}`;
    this.show("+16", "cases: value", taken);
    this.show("+56", "cases: target", taken);
    this.show("+112", "cases: next with the same target", taken);
  }

  private show(offset: string, field: string, holds: string): void {
    this.view?.set(offset, { field, holds });
  }
}
