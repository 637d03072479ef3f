/** What a user's pass reports and requests: sentences, tables, rewrites. Each is recorded and counted against the limits. */

import { PassError } from "../../../../engine/api/own/pass-error.ts";
import { type OwnRule, ruleAt } from "../../../../engine/api/own/rules.ts";
import type { Editor } from "../../../../engine/ir/edit.ts";
import type { BlockId, InstId } from "../../../../engine/ir/ids.ts";
import { parseReg } from "../../../../engine/ir/reg.ts";
import type { Func, Module } from "../../../../engine/ir/types.ts";
import { getBlock } from "../../../../engine/ir/visit.ts";
import { objectOf } from "../../../../engine/remark/decision.ts";
import type { About } from "../../../../engine/remark/holes.ts";
import { type Remarks, Rewrite, type Told } from "../../../../engine/remark/remarks.ts";
import type { RuleTable } from "../../../../engine/remark/rules.ts";
import type { ShownTable } from "../../../../engine/remark/shown.ts";
import type { CellValue } from "../../../../engine/trace/recorder.ts";
import { PASS_LIMITS, type PassLimits, PassMeter } from "./limits.ts";
import { Numbering, type ScriptEntry, type ScriptFocus, type ScriptValue, type StructureKind } from "./script.ts";

/** What a sentence is about, by identity. */
export interface ActionFocus {
  readonly blocks?: readonly BlockId[];
  readonly insts?: readonly InstId[];
  readonly regs?: readonly string[];
  readonly edges?: readonly (readonly [BlockId, BlockId])[];
}

export interface SayingOptions {
  readonly edit: Editor;
  readonly remark: Remarks;
  readonly table: RuleTable;
  readonly module: Module;
  /** Receives what is done; null: not needed. */
  readonly script: ScriptEntry[] | null;
  readonly limits?: PassLimits;
  /** The running line of the source, written by the running code; left out: each action sets `line`. */
  readonly at?: LineNow;
}

/** The line is at index 0. */
export interface LineNow {
  [at: number]: number;
}

/** A rewrite as it is reported and performed. */
interface Made {
  readonly said: string;
  readonly focus: ActionFocus;
  readonly edits: () => void;
}

/** A rewrite by a line of the source. The pass decides what it reports and does when it is performed, which may be after the request. */
class OwnRewrite extends Rewrite {
  readonly form = "rewrite";
  made: Made;

  constructor(remark: Remarks, rule: OwnRule, made: Made) {
    super(remark, rule);
    this.made = made;
  }

  told(): Told {
    const { said, focus } = this.made;
    return { found: undefined, done: this.rule.dones.get(this.form), decides: true, given: { said, ...aboutOf(focus) } };
  }

  apply(): void {
    this.made.edits();
  }
}

/** What a pass reported about its candidates. */
export interface Candidates {
  /** Those that met all conditions. */
  readonly met: number;
  readonly refused: readonly { readonly reason: string; readonly n: number }[];
  /** Its own sentence on why nothing changed; null: it gave none. */
  readonly why: string | null;
}

const MOST_REASONS = 20;
const MOST_REASON = 200;

export class Saying {
  readonly edit: Editor;
  readonly module: Module;
  /** Edits belong to a rewrite that was granted. */
  protected rewriting = false;
  protected readonly remark: Remarks;
  protected readonly meter: PassMeter;
  protected readonly numbers: Numbering;
  private readonly now: LineNow;
  private readonly table: RuleTable;
  private readonly script: ScriptEntry[] | null;
  private readonly structures: ShownTable<CellValue>[] = [];
  /** Granted, and not performed yet. */
  private readonly permitted = new Map<string, OwnRewrite>();
  private readonly refusals = new Map<string, number>();
  private met = 0;
  private reason: string | null = null;

  constructor({ edit, remark, table, module, script, limits, at = { 0: 1 } }: SayingOptions) {
    this.edit = edit;
    this.remark = remark;
    this.table = table;
    this.module = module;
    this.script = script;
    this.now = at;
    this.numbers = new Numbering(edit.func);
    const size = edit.func.layout.reduce((sum, id) => sum + getBlock(edit.func, id).insts.length + 1, 0);
    this.meter = new PassMeter(limits ?? PASS_LIMITS, size);
  }

  /** Line of the source that runs. */
  get line(): number {
    return this.now[0] ?? 1;
  }

  set line(at: number) {
    this.now[0] = at;
  }

  get func(): Func {
    return this.edit.func;
  }

  /** Reports the source lines that ran, one step each. */
  lines(lines: readonly number[], source: readonly string[]): void {
    this.note(["lines", lines], lines.length);
    for (const at of lines) this.remark.step(ruleAt(this.table, at), "line", { said: (source[at - 1] ?? "").trim() });
  }

  step(said: string, focus: ActionFocus): void {
    this.note(["step", this.line, said, this.wire(focus)], said.length);
    this.remark.step(this.rule(), "step", { said, ...aboutOf(focus) });
  }

  because(said: string, focus: ActionFocus): void {
    this.note(["because", this.line, said, this.wire(focus)], said.length);
    this.met++;
    this.remark.matched(this.rule(), "because", { said, ...aboutOf(focus) });
  }

  refuse(reason: string, said: string, focus: ActionFocus): void {
    this.note(["refuse", this.line, reason, said, this.wire(focus)], said.length + reason.length);
    this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1);
    this.remark.missed(this.rule(), "refused", { said, ...aboutOf(focus), also: { reason } });
  }

  span<T>(said: string, focus: ActionFocus, body: () => T): T {
    this.note(["span", this.line, said, this.wire(focus)], said.length);
    const value = this.remark.span(this.rule(), "step", { said, ...aboutOf(focus) }, body);
    this.note(["end"], 0);
    return value;
  }

  why(sentence: string): void {
    this.note(["why", sentence], sentence.length);
    this.reason = sentence;
  }

  structure(kind: StructureKind, title: string): number {
    this.note(["structure", kind, title], title.length);
    return this.structures.push(this.remark.shown.table<CellValue>(`own-${kind}-${this.structures.length + 1}`, title)) - 1;
  }

  write(structure: number, key: string, value: ScriptValue): void {
    this.note(["write", this.line, structure, key, value], key.length + sizeOf(value));
    this.structures[structure]?.set(key, value);
  }

  erase(structure: number, key: string): void {
    this.note(["erase", this.line, structure, key], key.length);
    this.structures[structure]?.remove(key);
  }

  // --- requests --------------------------------------------------------------------------------------------------------------------

  permit(said: string, focus: ActionFocus): boolean {
    const granted = this.request({ said, focus, edits: () => {} }, true) !== null;
    this.note(["permit", this.line, said, this.wire(focus), granted], said.length);
    return granted;
  }

  rewrite(said: string, focus: ActionFocus, edits: () => void): boolean {
    if (this.rewriting) throw new PassError("A rewrite inside a rewrite: it could be refused separately from the outer one.");
    const place = this.script?.length ?? 0;
    const wired = this.wire(focus);
    this.note(["rewrite", this.line, said, wired, false], said.length);
    const apply = (): void => {
      if (this.script !== null) this.script[place] = ["rewrite", this.line, said, wired, true];
      this.rewriting = true;
      edits();
      this.rewriting = false;
      this.note(["end"], 0);
    };
    return this.perform({ said, focus, edits: apply });
  }

  /** False: it was refused. */
  protected perform(made: Made): boolean {
    const rewrite = this.request(made, false);
    rewrite?.commit();
    return rewrite !== null;
  }

  /** Null: it was refused. A rewrite of the same object by the same line that was already permitted is not requested again. */
  private request(made: Made, kept: boolean): OwnRewrite | null {
    const { said, focus } = made;
    const rule = this.rule();
    const key = `${rule.name} ${objectOf({}, { insts: focus.insts ?? [], blocks: focus.blocks ?? [] }) ?? said}`;
    const rewrite = this.permitted.get(key) ?? this.remark.ask(new OwnRewrite(this.remark, rule, made));
    if (rewrite !== null) rewrite.made = made;
    if (kept && rewrite !== null) this.permitted.set(key, rewrite);
    else this.permitted.delete(key);
    return rewrite;
  }

  /** Why nothing changed, and how many candidates there were. */
  outcome(): { readonly why: string; readonly refused: number } {
    const reasons = [...this.refusals].map(([reason, n]) => (n === 1 ? reason : `${reason} (${n} times)`));
    const refused = [...this.refusals.values()].reduce((sum, n) => sum + n, 0);
    const said = refused > 0 ? `every candidate was refused: ${reasons.join(", ")}` : "the pass requested no rewrite";
    return { why: this.reason ?? said, refused };
  }

  /** What the pass reported about its candidates: at most a few reasons, the most frequent first. */
  candidates(): Candidates {
    const refused = [...this.refusals].toSorted((a, b) => b[1] - a[1]).slice(0, MOST_REASONS);
    return {
      met: this.met,
      refused: refused.map(([reason, n]) => ({ reason: reason.slice(0, MOST_REASON), n })),
      why: this.reason?.slice(0, MOST_REASON) ?? null,
    };
  }

  // --- for edits, too -----------------------------------------------------------------------------------------------------------

  protected rule(): OwnRule {
    return ruleAt(this.table, this.line);
  }

  protected note(entry: ScriptEntry, characters: number): void {
    this.meter.step(characters + 8);
    this.script?.push(entry);
  }

  protected wire({ blocks, insts, regs, edges }: ActionFocus): ScriptFocus {
    if (this.script === null) return NOTHING;
    const block = (id: BlockId): number => this.numbers.blockNumber(id);
    return {
      ...(blocks === undefined ? {} : { blocks: blocks.map(block) }),
      ...(insts === undefined ? {} : { insts: insts.map((id) => this.numbers.instNumber(id)) }),
      ...(regs === undefined ? {} : { regs }),
      ...(edges === undefined ? {} : { edges: edges.map(([a, b]) => [block(a), block(b)] as const) }),
    };
  }
}

const NOTHING: ScriptFocus = {};

function aboutOf({ blocks, insts, regs, edges }: ActionFocus): About {
  return {
    ...(insts === undefined ? {} : { insts }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(regs === undefined ? {} : { regs: regs.map((name) => parseReg(name)).filter((r) => r !== null) }),
    ...(edges === undefined ? {} : { edges }),
  };
}

function sizeOf(value: ScriptValue): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 4;
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + sizeOf(part as ScriptValue), 2);
}
