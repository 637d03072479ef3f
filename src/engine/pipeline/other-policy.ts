/** What the other policy would decide: the phase on the same input under it, heard but not written, so that each decision can show both answers. */

import { otherFacts, type Policy } from "../config/policy.ts";
import { type Decision, decisionOf } from "../remark/decision.ts";
import { type Facts, type Focus, formatSentence } from "../trace/event.ts";
import type { EventKind } from "../trace/kinds.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { DEFAULT_LIMITS, elementsOf, type Recording, type RecordingLimits } from "../trace/recording.ts";
import type { Tape } from "../trace/tape.ts";

type Limits = Pick<RecordingLimits, "events" | "elements">;

/** What a run may report between two decisions that are needed: both policies go through a function in much the same order. */
const PATIENCE: Limits = { events: 50_000, elements: 500_000 };

/** The other policy's run of a long function can take several times as long as the recording: the run is ended after this part of what a recording contains. */
const SHARE = 1 / 8;

interface HeardOptions {
  readonly most?: Limits;
  readonly wanted?: ReadonlySet<string> | null;
  readonly patience?: Limits;
  readonly endsRun?: boolean;
}

/** Limits for the other policy's decisions during a recording: lower while a user waits for it. */
export function hearBeside(rec: Recording, policy: Policy): HeardDecisions {
  const { limits, endsRun } = rec;
  const most = endsRun ? { events: limits.events * SHARE, elements: limits.elements * SHARE } : limits;
  return new HeardDecisions(policy, { most, endsRun, wanted: rec.cut ? decidedIn(rec) : null });
}

interface Heard extends Decision {
  readonly template: string;
  readonly facts: Facts;
}

/** The decisions of one run, by what they are about. */
export class HeardDecisions {
  readonly policy: Policy;
  readonly recorder: Recorder;
  /** The run was not observed to its end: decisions that it did not reach are not reported. */
  private cut = false;
  private readonly byObject = new Map<string, Heard[]>();
  private count = 0;
  /** Of lists, so far. */
  private elements = 0;
  /** The run was ended, so its result is not known. */
  ended = false;

  /**
   * After `most` reports the rest of a run continues at full speed, unrecorded; with `endsRun` an exception ends it instead. `wanted`: the subjects of the decisions of
   * a recording that was cut. The run is then ended once it has not reported any of them for long.
   */
  constructor(policy: Policy, { most = DEFAULT_LIMITS, wanted = null, patience = PATIENCE, endsRun = false }: HeardOptions = {}) {
    this.policy = policy;
    const listens = (): boolean => this.count < most.events && this.elements < most.elements;
    let lastWanted = { count: 0, elements: 0 };
    const isOver = (): boolean =>
      wanted !== null && (this.count - lastWanted.count > patience.events || this.elements - lastWanted.elements > patience.elements);
    const hear = (kind: EventKind, line: number, template: string, facts: Facts = {}, focus: Focus = {}): void => {
      if (!listens()) return;
      this.count++;
      this.elements += elementsOf(facts) + elementsOf(focus);
      this.cut ||= !listens();
      if (isOver() || (endsRun && this.cut)) {
        this.cut = true;
        this.ended = true;
        throw new Error("The rest is not listened to.");
      }
      const decision = decisionOf(kind, line, facts, focus);
      if (decision === null || wanted?.has(decision.about) === false) return;
      lastWanted = { count: this.count, elements: this.elements };
      const heard = { ...decision, template, facts };
      const known = this.byObject.get(decision.about);
      if (known === undefined) this.byObject.set(decision.about, [heard]);
      else known.push(heard);
    };
    this.recorder = {
      ...NO_RECORDER,
      get on() {
        return listens();
      },
      decisionsOnly: true,
      event: hear,
      begin: hear,
    };
  }

  /** Facts for a decision that the observed run makes differently, or does not reach; null if both agree. */
  beside(own: Decision, facts: Facts): Facts | null {
    if ("otherPolicy" in facts) return null;
    const { line } = own;
    const all = this.byObject.get(own.about) ?? [];
    const same = (h: Heard): boolean => h.verdict === own.verdict && h.reason === own.reason && h.form === own.form;
    if (all.some((h) => h.line === line && same(h))) return null;
    const opposite = all.filter((h) => h.verdict !== own.verdict);
    const other = all.findLast((h) => h.line === line) ?? opposite[opposite.length - 1];
    if (other !== undefined)
      return otherFacts(this.policy, other.verdict === "yes" ? "yes" : "no", formatSentence(other.template, other.facts));
    // Two refusals for different reasons are one answer; a rewrite that the other run never considers is not.
    return own.verdict === "yes" && all.length === 0 && !this.cut
      ? otherFacts(this.policy, "none", "it does not come to this decision: it has no rule for it, or has decided otherwise before")
      : null;
  }
}

/** What the decisions of a recording are about. */
function decidedIn({ tape }: Recording): ReadonlySet<string> {
  const about = new Set<string>();
  for (const { decision } of decisions(tape)) about.add(decision.about);
  return about;
}

/** Adds the other policy's answer to each recorded decision that has one. */
export function addOther({ tape }: Recording, heard: HeardDecisions): void {
  for (const { step, decision, facts } of decisions(tape)) {
    const beside = heard.beside(decision, facts);
    if (beside !== null) tape.addFacts(step, beside);
  }
}

function* decisions(tape: Tape): Generator<{ readonly step: number; readonly decision: Decision; readonly facts: Facts }> {
  for (let step = 0; step < tape.length; step++) {
    if (tape.editEntry(step) >= 0) continue;
    const kind = tape.kindOf(step);
    if (kind !== "gate" && tape.fact(step, "verdict") === undefined) continue;
    const facts = tape.facts(step);
    const decision = decisionOf(kind, tape.lines.get(step), facts, tape.focusOf(step));
    if (decision !== null) yield { step, decision, facts };
  }
}
