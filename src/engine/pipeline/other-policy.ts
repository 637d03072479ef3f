/** What the other policy would decide: the phase on the same input under it, heard but not written, so that each decision can show both answers. */

import { otherFacts, type Policy } from "../config/policy.ts";
import { type Decision, decisionOf } from "../remark/decision.ts";
import { type Facts, type Focus, formatSentence } from "../trace/event.ts";
import type { EventKind } from "../trace/kinds.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";

/** Events listened to, as many as a recording usually holds: the rest of a very long run goes on at full speed, unheard. */
const MOST_HEARD = 250_000;

interface Heard extends Decision {
  readonly template: string;
  readonly facts: Facts;
}

/** The decisions of one run, by what they are about. */
export class HeardDecisions {
  readonly policy: Policy;
  readonly recorder: Recorder;
  /** Not all of the run was heard: nothing is said of what it does not come to. */
  private cut = false;
  private readonly byObject = new Map<string, Heard[]>();
  private count = 0;

  constructor(policy: Policy, most: number = MOST_HEARD) {
    this.policy = policy;
    const listens = (): boolean => this.count < most;
    const hear = (kind: EventKind, line: number, template: string, facts: Facts = {}, focus: Focus = {}): void => {
      if (!listens()) return;
      this.count++;
      this.cut ||= !listens();
      const decision = decisionOf(kind, line, facts, focus);
      if (decision === null) return;
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
      event: hear,
      begin: hear,
    };
  }

  /** Facts for a decision that the heard run takes otherwise, or does not come to; null where both agree. */
  beside(kind: EventKind, line: number, facts: Facts, focus: Focus): Facts | null {
    const own = decisionOf(kind, line, facts, focus);
    if (own === null || "otherPolicy" in facts) return null;
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

/** The recorder, with the other policy's answer added to each decision that has one. */
export function withOther(rec: Recorder, heard: HeardDecisions): Recorder {
  const add = (kind: EventKind, line: number, facts: Facts, focus: Focus): Facts => {
    const beside = heard.beside(kind, line, facts, focus);
    return beside === null ? facts : { ...facts, ...beside };
  };
  return {
    get on() {
      return rec.on;
    },
    event: (kind, line, template, facts = {}, focus = {}) => rec.event(kind, line, template, add(kind, line, facts, focus), focus),
    begin: (kind, line, template, facts = {}, focus = {}) => rec.begin(kind, line, template, add(kind, line, facts, focus), focus),
    end: () => rec.end(),
    at: (line) => rec.at(line),
    structure: (type, name, title) => rec.structure(type, name, title),
    cell: (structure, key, value) => rec.cell(structure, key, value),
    edit: (op) => rec.edit(op),
    beginRewrite: (n, refused) => rec.beginRewrite(n, refused),
    endRewrite: () => rec.endRewrite(),
  };
}
