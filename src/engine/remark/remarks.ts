/** The one object through which a pass reports, decides and requests rewrites. */

import { Editor } from "../ir/edit.ts";
import type { Func } from "../ir/types.ts";
import { type Facts, formatSentence } from "../trace/event.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { objectOf } from "./decision.ts";
import { type Fill, Filled, type Filling } from "./holes.ts";
import { type Interventions, type PermitReport, Permits, type Refusal } from "./permits.ts";
import {
  type DroppableOf,
  type GatesOf,
  type GateTextOf,
  type MissedText,
  type Named,
  type Names,
  ONLY,
  type Only,
  type Reason,
  type ReasonsOf,
  type Rule,
  type RuleTable,
  type Saying,
} from "./rules.ts";
import { type Observe, Shown } from "./shown.ts";
import type { Snapshots } from "./snapshots.ts";
import { type Counts, type Outcome, type OutcomeParts, Tally } from "./tally.ts";

const INTERVENTION_TEMPLATES: Readonly<Record<Refusal, string>> = {
  skipped: "rewrite {n} is skipped ({said})",
  fuel: "the fuel is spent before rewrite {n} ({said})",
};

/**
 * Without a listener a remark counts its decision and returns; with one, `Filled` makes facts, focus and text.
 * README.md has the rules of requests.
 */
export class Remarks {
  readonly shown: Shown;
  private readonly edit: Editor;
  private readonly input: Func;
  private readonly decisionsOnly: boolean;
  /** null: no listener in the whole run. */
  private readonly rec: Recorder | null;
  private readonly permits: Permits;
  private readonly tally: Tally;
  /** Granted, and not performed yet. */
  private pending = 0;
  /** Candidates that an intervention refused: they are not requested again. */
  private refused: Set<string> | null = null;

  constructor(edit: Editor, rec: Recorder, table: RuleTable, interventions: Interventions | null) {
    this.edit = edit;
    this.input = edit.func;
    this.rec = rec.on ? rec : null;
    this.decisionsOnly = rec.decisionsOnly === true;
    this.shown = new Shown(this.decisionsOnly ? null : this.rec);
    this.permits = new Permits(interventions);
    this.tally = new Tally(table);
  }

  /** False without a listener: work that only prepares a remark can be skipped. */
  get listening(): boolean {
    return this.rec?.on === true;
  }

  // --- reporting ---------------------------------------------------------------------------------------------------------------------

  /** Reports a step of the line. */
  step<R extends Rule>(rule: R, ...given: Filling<Only<R["spec"]["step"]>>): void;
  step<R extends Rule, N extends Names<R["spec"]["step"]>>(rule: R, name: N, ...given: Filling<Named<R["spec"]["step"], N>>): void;
  step(rule: Rule, a?: unknown, b?: unknown): void {
    if (this.rec !== null) this.tell(rule, rule.steps, a, b, false);
  }

  /** Reports a step; what the body reports belongs to it. */
  span<R extends Rule, V>(rule: R, given: Fill<Only<R["spec"]["step"]>>, body: () => V): V;
  span<R extends Rule, N extends Names<R["spec"]["step"]>, V>(rule: R, name: N, given: Fill<Named<R["spec"]["step"], N>>, body: () => V): V;
  span(rule: Rule, a: unknown, b: unknown, c?: unknown): unknown {
    const body = (c ?? b) as () => unknown;
    if (this.rec === null) return body();
    this.tell(rule, rule.steps, a, c === undefined ? undefined : b, true);
    const value = body();
    this.rec.end();
    return value;
  }

  /** As `span`, where a body would not do: `close` ends it. */
  open<R extends Rule>(rule: R, ...given: Filling<Only<R["spec"]["step"]>>): void;
  open<R extends Rule, N extends Names<R["spec"]["step"]>>(rule: R, name: N, ...given: Filling<Named<R["spec"]["step"], N>>): void;
  open(rule: Rule, a?: unknown, b?: unknown): void {
    if (this.rec !== null) this.tell(rule, rule.steps, a, b, true);
  }

  close(): void {
    if (this.rec !== null) this.rec.end();
  }

  /** Edits that follow belong to this line, until the next remark. */
  at(rule: Rule): void {
    if (this.rec !== null) this.rec.at(rule.line);
  }

  /** Reports whether one of the pass's own gates is open, and returns it. */
  gate<R extends Rule, N extends keyof GatesOf<R["spec"]> & string>(
    rule: R,
    name: N,
    ok: boolean,
    ...given: Filling<GateTextOf<R["spec"], N>>
  ): boolean;
  gate(rule: Rule, name: string, ok: boolean, given?: unknown): boolean {
    this.tellGate(rule, name, ok, given ?? NOTHING);
    return ok;
  }

  /** As `gate`, for a gate that ends the phase: its sentence when it is shut, else null. */
  closed<R extends Rule, N extends keyof GatesOf<R["spec"]> & string>(
    rule: R,
    name: N,
    ok: boolean,
    ...given: Filling<GateTextOf<R["spec"], N>>
  ): string | null;
  closed(rule: Rule, name: string, ok: boolean, given?: unknown): string | null {
    this.tellGate(rule, name, ok, given ?? NOTHING);
    const shut = ok ? undefined : rule.gates.get(name)?.shut;
    return shut === undefined ? null : formatSentence(shut.text, this.fill().add(shut, given ?? NOTHING).facts);
  }

  /** Reports a step that examines a candidate, and counts it: with a listener or without. */
  candidate<R extends Rule>(rule: R, ...given: Filling<Only<R["spec"]["step"]>>): void;
  candidate<R extends Rule, N extends Names<R["spec"]["step"]>>(rule: R, name: N, ...given: Filling<Named<R["spec"]["step"], N>>): void;
  candidate(rule: Rule, a?: unknown, b?: unknown): void {
    this.tally.candidate(rule);
    if (this.rec !== null) this.tell(rule, rule.steps, a, b, false);
  }

  // --- deciding --------------------------------------------------------------------------------------------------------------------

  /** A candidate is not taken, or something is not one. Always null, to return it. */
  missed<R extends Rule, C extends ReasonsOf<R["spec"]>>(rule: R, reason: C, ...given: Filling<MissedText<R["spec"], C>>): null;
  missed(rule: Rule, name: string, given?: unknown): null {
    this.refuse(rule, name, given);
    return null;
  }

  /** The same where a test returns it: always false. */
  fails<R extends Rule, C extends ReasonsOf<R["spec"]>>(rule: R, reason: C, ...given: Filling<MissedText<R["spec"], C>>): false;
  fails(rule: Rule, name: string, given?: unknown): false {
    this.refuse(rule, name, given);
    return false;
  }

  private refuse(rule: Rule, name: string, given: unknown): void {
    const reason = reasonNamed(rule, name);
    this.tally.refuse(reason);
    if (this.rec?.on === true && !reason.silent) this.sayMissed(this.rec, rule, reason, given ?? NOTHING);
  }

  /** A legality condition: true when it holds or was dropped; else it is `missed` for the reason. */
  holds<R extends Rule, C extends DroppableOf<R["spec"]>>(
    rule: R,
    reason: C,
    condition: boolean,
    ...given: Filling<MissedText<R["spec"], C>>
  ): boolean;
  holds(rule: Rule, reason: string, condition: boolean, given?: unknown): boolean {
    if (condition || this.permits.drops(reason)) return true;
    this.refuse(rule, reason, given);
    return false;
  }

  /** One edit performs rewrites that are reported already. */
  commitTogether(staged: Staged, apply: () => void): void {
    this.pending -= staged.count;
    staged.count = 0;
    this.apply({ apply });
  }

  /** Reports that all conditions hold, if the rewrite is requested later. A rule that is tried by `look` counts it. */
  matched<R extends Rule>(rule: R, ...given: Filling<Only<R["spec"]["found"]>>): void;
  matched<R extends Rule, N extends Names<R["spec"]["found"]>>(rule: R, name: N, ...given: Filling<Named<R["spec"]["found"], N>>): void;
  matched(rule: Rule, a?: unknown, b?: unknown): void {
    if (rule.looks) this.tally.announce();
    const [name, given] = typeof a === "string" ? [a, b] : [ONLY, a];
    this.tellFound(rule, name, given ?? NOTHING);
  }

  /** Some rewrite may be refused: a pass whose rewrites depend on each other requests all of them first. */
  get mayRefuse(): boolean {
    return this.permits.mayRefuse;
  }

  /** The programs between the rewrites are needed: a pass that performs several of them together then reports what is between those. */
  get snapshots(): Snapshots | null {
    return this.permits.snapshots;
  }

  /** No further rewrite is permitted, and only the program is needed: the pass may stop. */
  get over(): boolean {
    return this.permits.over;
  }

  // --- for the structures and the report -------------------------------------------------------------------------------------------

  /** What a described structure needs to be watched; undefined without a listener. */
  observe(name: string, title: string, rule: Rule): Observe | undefined {
    return this.rec === null || this.decisionsOnly ? undefined : { rec: this.rec, name, title, line: rule.line };
  }

  /** Rewrites that were permitted and carried out. */
  get rewrites(): number {
    return this.tally.rewrites;
  }

  /** Rewrites by these rules. */
  rewritesBy(...by: readonly Rule[]): number {
    return by.reduce((sum, rule) => sum + this.tally.rewritesBy(rule), 0);
  }

  /** Rewrites by the rule that the sentence of this name reported. */
  rewritesAs<R extends Rule>(rule: R, form: Names<R["spec"]["found"]> | Names<R["spec"]["done"]>): number {
    return this.tally.rewritesAs(rule, form);
  }

  /** The `amount` of the rule's rewrites, added up. */
  amountBy(rule: Rule): number {
    return this.tally.amountBy(rule);
  }

  /** Candidates that were reported at the line. */
  candidates(rule: Rule): number {
    return this.tally.candidates(rule);
  }

  /** How often a candidate was refused for a reason. */
  times<R extends Rule>(rule: R, reason: ReasonsOf<R["spec"]>): number {
    return this.tally.times(reasonNamed(rule, reason));
  }

  /** The phase's report, with the one-sentence reason when nothing was rewritten. */
  outcome(parts: OutcomeParts): Outcome {
    return this.tally.outcome(parts);
  }

  /** Why candidates were refused, as a list in one string: `T4 (2 times), overwritten`. `of`: at these lines only, for a pass of several parts. */
  reasons(counts: Counts = "times", of: readonly Rule[] | null = null): string {
    return this.tally.reasons(counts, of);
  }

  /** The effect of the interventions. */
  report(): PermitReport {
    return this.permits.report();
  }

  // --- inside ----------------------------------------------------------------------------------------------------------------------

  private tellGate(rule: Rule, name: string, ok: boolean, given: unknown): void {
    const gate = rule.gates.get(name);
    if (this.rec?.on !== true || gate === undefined) return;
    const template = ok ? gate.open : gate.shut;
    const { facts, focus } = this.fill().add(template, given);
    this.rec.event("gate", rule.line, template.text, { ...facts, gate: name, ok }, focus);
  }

  private fill(): Filled {
    return new Filled(this.edit, this.input);
  }

  private tell(rule: Rule, from: ReadonlyMap<string, Saying>, a: unknown, b: unknown, span: boolean): void {
    const [name, given] = typeof a === "string" ? [a, b] : [ONLY, a];
    const saying = from.get(name);
    if (saying !== undefined) this.say(rule, saying, given ?? NOTHING, span, false);
  }

  private say(rule: Rule, { kind, template }: Saying, given: unknown, span: boolean, yes: boolean): void {
    const { rec } = this;
    if (rec === null || !rec.on || kind === "untold") return;
    // A step that decides has `also`.
    if (this.decisionsOnly && !yes && kind !== "gate" && typeof given === "object" && given !== null && !("also" in given)) {
      rec.event(kind, rule.line, template.text, given as Facts);
      return;
    }
    const { facts, focus } = this.fill().add(template, given);
    if (yes) facts.verdict = "yes";
    if (span) rec.begin(kind, rule.line, template.text, facts, focus);
    else rec.event(kind, rule.line, template.text, facts, focus);
  }

  /** For `rule.ts`: reports what a match found, and does not count it. */
  tellFound(rule: Rule, name: string, given: unknown): void {
    const found = this.rec === null ? undefined : rule.founds.get(name);
    if (found !== undefined) this.say(rule, found, given, false, true);
  }

  private sayMissed(rec: Recorder, rule: Rule, reason: Reason, given: unknown): void {
    const { kind, clause, frames, condition } = reason;
    let { template } = reason;
    const filled = this.fill();
    if (clause !== null) {
      const values = typeof given === "function" ? given() : given;
      if (frames !== null) template = frames.get(values.stays) ?? template;
      filled.add(template, values);
      filled.facts.why = formatSentence(clause.text, this.fill().add(clause, values).facts);
    } else filled.add(template, given);
    const { facts, focus } = filled;
    facts.verdict = "no";
    facts.condition = condition;
    rec.event(kind, rule.line, template.text, facts, focus);
  }

  /** For rewrites, the first phase: permits, fuel and skips decide. Null when it was refused. */
  ask<W extends Rewrite>(rewrite: W): W | null {
    const { permits } = this;
    if (this.refused?.has(this.identity(rewrite)) !== true) {
      permits.snapshots?.requested(permits.granted, this.pending, this.edit);
      const refusal = permits.ask();
      if (refusal === null) {
        rewrite.n = permits.asked;
        this.pending++;
        return rewrite;
      }
      this.tellRefused(rewrite, refusal);
    }
    if (rewrite.announced) this.tally.refuseAnnounced();
    return null;
  }

  /** For `rule.ts`: a match that was announced is not performed, for a reason of a different rule. */
  refuseAnnounced(rule: Rule, reason: string, given: unknown): void {
    this.tally.refuseAnnounced();
    this.refuse(rule, reason, given);
  }

  /** For rewrites: reports and performs one, but for the edits that it shares with others. */
  perform(rewrite: Rewrite, staged: Staged | null): void {
    const { rec } = this;
    const { rule, n } = rewrite;
    if (staged === null) this.pending--;
    else staged.count++;
    this.tally.commit(rewrite);
    if (rec === null) {
      this.apply(rewrite);
      return;
    }
    const { found, done, decides, given } = rewrite.told();
    rec.beginRewrite(n, false);
    if (found !== undefined) this.say(rule, found, given, false, true);
    const isSpan = done !== undefined && done.kind !== "untold";
    // A span only groups the rewrite: its decision is reported inside.
    if (isSpan) this.say(rule, done, given, true, decides && done.kind !== "span");
    else rec.at(rule.line);
    this.apply(rewrite);
    if (isSpan) rec.end();
    rec.endRewrite();
  }

  private apply(edits: { apply(): void }): void {
    const { snapshots } = this.permits;
    if (snapshots === null) edits.apply();
    else snapshots.rewrite(this.edit, edits);
  }

  private tellRefused(rewrite: Rewrite, refusal: Refusal): void {
    const { rec, permits } = this;
    this.refused ??= new Set();
    this.refused.add(this.identity(rewrite));
    this.tally.intervene(refusal);
    const { found, done, given } = rewrite.told();
    const saying = found ?? done;
    if (rec?.on !== true || saying === undefined) return;
    const { facts, focus } = this.fill().add(saying.template, given);
    const said = formatSentence(saying.template.text, facts);
    const about = typeof facts.about === "string" ? { about: facts.about } : {};
    rec.beginRewrite(permits.asked, true);
    const refused = { n: permits.asked, said, ...about, verdict: "no", condition: refusal };
    rec.event("match", rewrite.rule.line, INTERVENTION_TEMPLATES[refusal], refused, focus);
    rec.endRewrite();
  }

  /** What makes two requests the same: the rule, its form, what it is about, and which operands of it. */
  private identity(rewrite: Rewrite): string {
    const { rule } = rewrite;
    const { found, done, given } = rewrite.told();
    const saying = found ?? done;
    if (saying === undefined) return `${rule.name} ${rewrite.form}`;
    const { facts, focus } = this.fill().add(saying.template, given);
    const operands = focus.operands?.map(([, index]) => index).join(" ") ?? "";
    return `${rule.name} ${rewrite.form} ${objectOf(facts, focus) ?? formatSentence(saying.template.text, facts)} ${operands}`;
  }
}

/**
 * A rewrite in its second phase: it was granted, and is performed and reported when it is committed, immediately or after others were requested; one that never
 * is was not made. One request is one rewrite: the smallest change that preserves the meaning on its own.
 */
export abstract class Rewrite {
  readonly rule: Rule;
  /** Which request of the run it is. */
  n = 0;
  /** Its match was reported before the request. */
  announced = false;
  protected readonly remarks: Remarks;

  constructor(remarks: Remarks, rule: Rule) {
    this.remarks = remarks;
    this.rule = rule;
  }

  /** Which of the rule's sentences reports it, by name. */
  abstract get form(): string;
  abstract told(): Told;
  abstract apply(): void;

  /** For `amountBy`. */
  get amount(): number {
    return 0;
  }

  /** Reports and performs it. */
  commit(): void {
    this.remarks.perform(this, null);
  }

  /** Reports it already; the edit that performs it, perhaps with others, follows in `commitTogether`. */
  stage(staged: Staged): void {
    this.remarks.perform(this, staged);
  }
}

/** What is reported of a rewrite. */
export interface Told {
  readonly found: Saying | undefined;
  readonly done: Saying | undefined;
  /** No other sentence of the rule has the verdict. */
  readonly decides: boolean;
  readonly given: unknown;
}

/** Rewrites that are reported and not performed. */
export interface Staged {
  count: number;
}

/** Remarks without a listener or interventions: for a question that runs a part of a pass. A function is copied, an editor is not. */
export const silentRemarks = (about: Func | Editor, table: RuleTable): Remarks =>
  new Remarks(about instanceof Editor ? about : new Editor(about, NO_RECORDER), NO_RECORDER, table, null);

function reasonNamed(rule: Rule, name: string): Reason {
  const { reasons } = rule;
  for (let i = 0; i < reasons.length; i++) {
    const reason = reasons[i] as Reason;
    if (reason.name === name) return reason;
  }
  throw new Error(`'${rule.name}' has no reason '${name}'`);
}

const NOTHING: Readonly<Record<string, unknown>> = {};
