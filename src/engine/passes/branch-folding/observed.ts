/** What the inspectors of tail merging show: candidates, the current pair, its gates, reserved registers and live-ins. Only used while a trace is recorded. */

import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import { RESERVED_GROUPS } from "../../ir/special-registers.ts";
import type { Shown, ShownTable } from "../../remark/shown.ts";
import type { CellValue } from "../../trace/recorder.ts";
import type { CandidateRow, GateRow, LiveInRow, ReservedRow, WalkRow } from "./rows.ts";

export class Observed {
  private readonly candidates: Table<CandidateRow>;
  private readonly walk: Table<WalkRow>;
  private readonly gates: Table<readonly GateRow[]>;
  private readonly reserved: Table<ReservedRow>;
  private readonly liveIns: Table<LiveInRow>;
  private readonly rows = new Map<string, CandidateRow>();
  private verdicts: GateRow[] = [];
  private found: readonly string[] = [];

  constructor(shown: Shown) {
    this.candidates = new Table(shown, "merge-candidates", "Merge candidates: hash and priority");
    this.walk = new Table(shown, "tail-walk", "The current pair, from its ends");
    this.gates = new Table(shown, "merge-gates", "Merge gates: pairs and verdicts");
    this.reserved = new Table(shown, "reserved-registers", "The 63 reserved registers");
    this.liveIns = new Table(shown, "tail-live-ins", "Live-ins of the new tail");
  }

  /** Other candidates than before are collected. */
  newCandidates(): void {
    this.candidates.clear();
    this.rows.clear();
  }

  candidate(label: string, row: CandidateRow): void {
    this.rows.set(label, row);
    this.candidates.set(label, row);
  }

  /** From now on the tail is the candidate of both. */
  merged(keep: string, give: string, tail: string, length: number, place: number): void {
    const row = this.rows.get(keep);
    for (const label of [keep, give]) this.candidates.remove(label);
    if (row !== undefined) this.candidate(tail, { ...row, length, place });
  }

  newPair(a: string, b: string): void {
    this.verdicts = [];
    this.walk.clear();
    this.walk.set("meta", { a, b, length: 0 });
  }

  walked(a: string, b: string, at: number, row: Extract<WalkRow, { readonly why: string | null }>): void {
    this.walk.set(String(at), row);
    if (row.why === null) this.walk.set("meta", { a, b, length: at + 1 });
  }

  /** A gate's verdict on the current pair. */
  verdict(pair: string, row: GateRow): void {
    this.verdicts = [...this.verdicts, row];
    this.gates.set(pair, this.verdicts);
  }

  /** What gate 3 found of the 63. */
  checkedReserved(pair: string, found: readonly string[]): void {
    if (this.reserved.empty) {
      for (const { title, ptx, names } of RESERVED_GROUPS) for (const name of names) this.reserved.set(name, { title, ptx, live: null });
    }
    for (const { title, ptx, names } of RESERVED_GROUPS) {
      for (const name of names) {
        if (found.includes(name)) this.reserved.set(name, { title, ptx, live: pair });
        else if (this.found.includes(name)) this.reserved.set(name, { title, ptx, live: null });
      }
    }
    this.found = found;
  }

  /** computeLiveIns: what is read in the tail before it is written. */
  newTail(tail: string, kept: readonly Reg[]): void {
    this.liveIns.clear();
    this.liveIns.set("meta", { tail, kept: kept.length });
    for (const r of kept) this.liveIns.set(regName(r), { kept: true });
  }
}

/** An observed table whose keys can be removed together. It is announced at the first write. */
class Table<Row extends CellValue> {
  private readonly announce: () => ShownTable<Row>;
  private readonly keys = new Set<string>();
  private view: ShownTable<Row> | null = null;

  constructor(shown: Shown, name: string, title: string) {
    this.announce = () => shown.table<Row>(name, title);
  }

  get empty(): boolean {
    return this.keys.size === 0;
  }

  set(key: string, row: Row): void {
    this.view ??= this.announce();
    this.keys.add(key);
    this.view.set(key, row);
  }

  remove(key: string): void {
    this.keys.delete(key);
    this.view?.remove(key);
  }

  clear(): void {
    for (const key of [...this.keys]) this.remove(key);
  }
}
