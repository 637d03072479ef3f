/** Puts interventions into a plan: the list of runs is changed, and each run gets the interventions that apply to it. */

import { type KnobSettings, parseKnobs } from "../config/knob-parse.ts";
import { isOwnId, ownId } from "../config/own-id.ts";
import { type Intervention, interventionText } from "./intervention.ts";
import { namedDrop } from "./named-drop.ts";
import { lookupPhase, type RunnableId } from "./named-phases.ts";
import type { PlannedOwn, PlannedRun, PlanProblem } from "./plan.ts";

/** The interventions of one run. */
export interface Told {
  /** Requests that are refused, from 1. */
  readonly skips: ReadonlySet<number>;
  /** At most this many rewrites of this run; null: as many as it likes. */
  readonly limit: number | null;
  /** Reasons whose condition is assumed to hold. */
  readonly drops: ReadonlySet<string>;
  /** The settings of this run; null: the plan's. */
  readonly knobs: KnobSettings | null;
  /** Index of the intervention whose text is the program from here on; null: none. */
  readonly edit: number | null;
}

/** Why a run after the fuel's last drop is not run. */
export const FUEL_SPENT = "the fuel is spent";

/** What a plan is made with. */
export interface Planning {
  readonly knobs: KnobSettings;
  readonly planRun: (id: RunnableId) => PlannedRun;
  readonly problems: PlanProblem[];
}

/**
 * The runs with a user's pass and everything that interventions change, in their order. A name that does not exist is an error, or, in a user's plan
 * pass alone, a warning; the plan given is not changed.
 */
export function planFuture(
  planned: readonly PlannedRun[],
  interventions: readonly Intervention[],
  own: PlannedOwn | null,
  planning: Planning,
): readonly PlannedRun[] {
  if (interventions.length === 0 && own === null) return planned;
  const future = new FuturePlan(planned, own, planning);
  interventions.forEach((intervention, index) => {
    future.apply(intervention, index);
  });
  return future.finish();
}

interface Entry {
  readonly key: string;
  run: PlannedRun;
  skips: Set<number>;
  limit: number | null;
  drops: Set<string>;
  assignments: string[];
  edit: number | null;
}

class FuturePlan {
  private readonly entries: Entry[];
  private readonly given: readonly PlannedRun[];
  private readonly planning: Planning;
  /** Its position is not found yet: it may be next to an inserted run. */
  private waiting: PlannedOwn | null;
  private readonly severity: PlanProblem["severity"];
  private readonly inserted = new Map<string, number>();
  private readonly ranges: { readonly assignment: string; readonly from: Entry; readonly to: Entry | null }[] = [];
  private lastFuelled: Entry | null = null;

  constructor(planned: readonly PlannedRun[], own: PlannedOwn | null, planning: Planning) {
    this.given = planned;
    this.planning = planning;
    this.waiting = own;
    this.severity = own?.at === null ? "warning" : "error";
    this.entries = planned.map((run, i) => entryOf(run, `r${i}`));
    this.placeOwn();
  }

  apply(intervention: Intervention, index: number): void {
    this.change(intervention, index);
    this.placeOwn();
  }

  private change(intervention: Intervention, index: number): void {
    const said = interventionText(intervention);
    switch (intervention.kind) {
      case "skip":
        this.find(intervention.run, said)?.skips.add(intervention.n);
        return;
      case "fuel": {
        if (intervention.run === null) return;
        const entry = this.find(intervention.run, said);
        if (entry === null) return;
        entry.limit = Math.min(entry.limit ?? Number.POSITIVE_INFINITY, intervention.n);
        if (this.lastFuelled === null || this.entries.indexOf(entry) < this.entries.indexOf(this.lastFuelled)) this.lastFuelled = entry;
        return;
      }
      case "knob": {
        const { assignment } = intervention;
        const from = this.find(intervention.from, said);
        const to = intervention.to === null ? null : this.find(intervention.to, said);
        for (const { code, message, suggestion } of parseKnobs([assignment]).errors) this.refuse(code, `${said}: ${message}`, suggestion);
        if (from !== null && (intervention.to === null || to !== null)) this.ranges.push({ assignment, from, to });
        return;
      }
      case "leave-out": {
        const entry = this.find(intervention.run, said);
        if (entry !== null) entry.run = { ...entry.run, beyond: "left out" };
        return;
      }
      case "insert":
        this.insert(intervention.id, intervention.at, said);
        return;
      case "move":
        this.move(intervention.run, intervention.at, said);
        return;
      case "edit": {
        const entry = this.find(intervention.run, said);
        if (entry !== null) entry.edit = index;
        return;
      }
      case "drop":
        this.drop(intervention.phase, intervention.condition, said);
        return;
    }
  }

  finish(): readonly PlannedRun[] {
    const { waiting } = this;
    if (waiting !== null) {
      const { side, run } = waiting.at ?? { side: "after", run: "" };
      const found = this.lookup(run);
      const { message: why, suggestion } = "message" in found ? found : { message: "", suggestion: null };
      const message = `'${waiting.name}' cannot be ${side} ${run}, so it is at the end: ${why}`;
      this.planning.problems.push({ severity: "warning", code: "PIPE014", message, suggestion });
      this.entries.push(ownEntry(waiting));
    }
    for (const { assignment, from, to } of this.ranges) {
      const end = to === null ? this.entries.length - 1 : this.entries.indexOf(to);
      for (let i = this.entries.indexOf(from); i <= end; i++) this.entries[i]?.assignments.push(assignment);
    }
    const last = this.lastFuelled === null ? this.entries.length : this.entries.indexOf(this.lastFuelled);
    return this.entries.map((entry, i) => ({
      ...entry.run,
      address: entry.key,
      told: this.told(i > last ? { ...entry, limit: 0 } : entry),
    }));
  }

  private told({ skips, limit, drops, assignments, edit }: Entry): Told {
    const knobs = assignments.length === 0 ? null : { ...this.planning.knobs, ...parseKnobs(assignments).settings };
    return { skips, limit, drops, knobs, edit };
  }

  private insert(id: string, at: { readonly side: "after" | "before"; readonly run: string }, said: string): void {
    const found = lookupPhase(id);
    const [only] = found.ok ? found.ids : [];
    if (!found.ok || only === undefined || found.ids.length > 1) {
      const several = `'${id}' means several phases${found.ok ? `: ${found.ids.join(", ")}` : ""}.`;
      this.refuse("PIPE011", `${said}: ${found.ok ? several : found.message}`, found.ok ? (only ?? null) : found.suggestion);
      return;
    }
    const beside = this.find(at.run, said);
    if (beside === null) return;
    const nth = (this.inserted.get(only) ?? 0) + 1;
    this.inserted.set(only, nth);
    this.put(entryOf(this.planning.planRun(only), `${only}+${nth}`), beside, at.side);
  }

  private move(run: string, at: { readonly side: "after" | "before"; readonly run: string }, said: string): void {
    const entry = this.find(run, said);
    const beside = this.find(at.run, said);
    if (entry === null || beside === null || entry === beside) return;
    this.entries.splice(this.entries.indexOf(entry), 1);
    this.put(entry, beside, at.side);
  }

  private put(entry: Entry, beside: Entry, side: "after" | "before"): void {
    this.entries.splice(this.entries.indexOf(beside) + (side === "after" ? 1 : 0), 0, entry);
  }

  private drop(phase: string, condition: string, said: string): void {
    const found = lookupPhase(phase === "cicc" ? "branch-folding" : phase);
    if (!found.ok) {
      this.refuse("PIPE013", `${said}: ${found.message}`, found.suggestion);
      return;
    }
    const named = namedDrop(found.ids, condition);
    // It is reported with the other interventions that do not apply, so that an old link still opens.
    if (named.kind === "fixed") return;
    if (named.kind === "unknown") {
      const which = named.known.length === 0 ? "it has no condition that can be dropped" : `it has ${named.known.join(", ")}`;
      this.refuse("PIPE013", `${said}: ${phase} has no condition '${condition}' that can be dropped: ${which}.`, named.closest);
      return;
    }
    for (const entry of this.entries) if (found.ids.some((id) => id === entry.run.id)) entry.drops.add(named.reason);
  }

  /** Puts the user's pass next to its neighbour as soon as that exists. */
  private placeOwn(): void {
    const own = this.waiting;
    if (own === null) return;
    const beside = own.at === null ? null : this.lookup(own.at.run);
    if (beside !== null && "message" in beside) return;
    this.waiting = null;
    if (beside === null || own.at === null) this.entries.push(ownEntry(own));
    else this.put(ownEntry(own), beside, own.at.side);
  }

  private find(text: string, said: string): Entry | null {
    const found = this.lookup(text);
    if (!("message" in found)) return found;
    this.refuse("PIPE011", `${said}: ${found.message}`, found.suggestion);
    return null;
  }

  private lookup(text: string): Entry | { readonly message: string; readonly suggestion: string | null } {
    const word = text.trim();
    const byKey = this.entries.find((e) => e.key === word);
    if (byKey !== undefined) return byKey;
    const mine = this.entries.find((e) => isOwnId(e.run.id) && e.run.id === word);
    if (mine !== undefined) return mine;
    if (/^r(\d{1,6})$/.test(word)) {
      const known = this.given.length === 0 ? "has none" : `has r0 to r${this.given.length - 1}`;
      return { message: `there is no run ${word}: the plan ${known}.`, suggestion: null };
    }
    const found = lookupPhase(word === "cicc" ? "branch-folding" : word);
    if (!found.ok) return found;
    // Inserted runs have their own keys: a name means those of the plan.
    const own = this.entries.filter((e) => /^r\d+$/.test(e.key) && found.ids.some((id) => id === e.run.id));
    const [only] = own;
    if (only === undefined) return { message: `${found.name} is not one of the requested phases.`, suggestion: null };
    if (own.length === 1) return only;
    const keys = own.map((e) => e.key);
    return { message: `${found.name} runs ${own.length} times; which one is meant? ${keys.join(", ")}`, suggestion: only.key };
  }

  private refuse(code: string, message: string, suggestion: string | null): void {
    this.planning.problems.push({ severity: this.severity, code, message, suggestion });
  }
}

const entryOf = (run: PlannedRun, key: string): Entry => ({
  key,
  run,
  skips: new Set(),
  limit: run.told?.limit ?? null,
  drops: new Set(),
  assignments: [],
  edit: null,
});

const ownEntry = ({ name }: PlannedOwn): Entry => {
  const id = ownId(name);
  return entryOf({ id, name, position: null, beyond: null }, `${id}+1`);
};
