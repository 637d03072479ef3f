/** What the inspectors of tail merging show: candidates, the pair in hand, its gates, reserved registers and live-ins. Only used while recording. */

import type { Reg } from "../../ir/ids.ts";
import { regName } from "../../ir/reg.ts";
import { RESERVED_GROUPS } from "../../ir/special-registers.ts";
import type { CellValue, Recorder, StructureId } from "../../trace/recorder.ts";

/** One factor of a hash: what it is, its value, and the hash after it. */
export type HashFactor = readonly [what: string, value: number, hash: number];

interface CandidateRow {
  readonly hash: number;
  /** Null while its hash is made. */
  readonly priority: number | null;
  readonly length: number;
  /** Place in the layout: the last key of the order. */
  readonly place: number;
  /** The instruction that is hashed; null: terminators only. */
  readonly last: string | null;
  readonly factors: readonly HashFactor[];
}

interface WalkRow {
  readonly a: string;
  readonly b: string;
  readonly same: boolean;
  /** Why the walk ends here; null: it goes on. */
  readonly why: string | null;
  readonly insts: readonly [number, number];
}

export class Observed {
  private readonly candidates: Table;
  private readonly walk: Table;
  private readonly gates: Table;
  private readonly reserved: Table;
  private readonly liveIns: Table;
  private readonly rows = new Map<string, CandidateRow>();
  private found: readonly string[] = [];

  constructor(rec: Recorder) {
    this.candidates = new Table(rec, "merge-candidates", "Merge candidates: hash and priority");
    this.walk = new Table(rec, "tail-walk", "The pair in hand, from its ends");
    this.gates = new Table(rec, "merge-gates", "Merge gates: pairs and verdicts");
    this.reserved = new Table(rec, "reserved-registers", "The 63 reserved registers");
    this.liveIns = new Table(rec, "tail-live-ins", "Live-ins of the new tail");
  }

  /** Other candidates than before are collected. */
  newCandidates(): void {
    this.candidates.clear();
    this.rows.clear();
  }

  candidate(label: string, row: CandidateRow): void {
    this.rows.set(label, row);
    this.candidates.set(label, { ...row });
  }

  /** From here on the tail stands for both. */
  merged(keep: string, give: string, tail: string, length: number, place: number): void {
    const row = this.rows.get(keep);
    for (const label of [keep, give]) this.candidates.set(label, undefined);
    if (row !== undefined) this.candidate(tail, { ...row, length, place });
  }

  newPair(a: string, b: string): void {
    this.walk.clear();
    this.walk.set("meta", { a, b, length: 0 });
  }

  walked(a: string, b: string, at: number, row: WalkRow): void {
    this.walk.set(String(at), { ...row });
    if (row.why === null) this.walk.set("meta", { a, b, length: at + 1 });
  }

  verdicts(pair: string, list: readonly CellValue[]): void {
    this.gates.set(pair, list);
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

  /** computeLiveIns: what is read in the tail before it is written, reserved registers left out once more. */
  newTail(tail: string, kept: readonly Reg[], filtered: readonly string[]): void {
    this.liveIns.clear();
    this.liveIns.set("meta", { tail, kept: kept.length, filtered: filtered.length });
    for (const r of kept) this.liveIns.set(regName(r), { kept: true });
    for (const name of filtered) this.liveIns.set(name, { kept: false });
  }
}

/** An observed table whose keys can be taken back together. It is announced when something is written to it first. */
class Table {
  private readonly rec: Recorder;
  private readonly name: string;
  private readonly title: string;
  private readonly keys = new Set<string>();
  private id: StructureId | null = null;

  constructor(rec: Recorder, name: string, title: string) {
    this.rec = rec;
    this.name = name;
    this.title = title;
  }

  get empty(): boolean {
    return this.keys.size === 0;
  }

  set(key: string, value: CellValue | undefined): void {
    this.id ??= this.rec.structure("table", this.name, this.title);
    if (value === undefined) this.keys.delete(key);
    else this.keys.add(key);
    this.rec.cell(this.id, key, value);
  }

  clear(): void {
    for (const key of [...this.keys]) this.set(key, undefined);
  }
}
