/**
 * Interventions: changes to a run beyond its options, as plain data. Options and interventions together name exactly one result.
 * A RUN is a position's number or an id where it runs once (`49`, `gvn-cse`), else `rN` with N its index in the plan without interventions;
 * runs that were inserted are `ID+1`, `ID+2`, …. `RUN#N` is the N-th request of that run, from 1.
 */

/** Beside which run something is put. */
export interface Place {
  readonly side: "after" | "before";
  readonly run: string;
}

export type Intervention =
  /** This rewrite does not happen. */
  | { readonly kind: "skip"; readonly run: string; readonly n: number }
  /** With `run`: phases before it in full, the first `n` rewrites of it, and none after. Without: the first `n` over all phases. */
  | { readonly kind: "fuel"; readonly run: string | null; readonly n: number }
  /** `NAME=VALUE` from a run on, or up to a later one. */
  | { readonly kind: "knob"; readonly assignment: string; readonly from: string; readonly to: string | null }
  | { readonly kind: "leave-out"; readonly run: string }
  | { readonly kind: "insert"; readonly id: string; readonly at: Place }
  | { readonly kind: "move"; readonly run: string; readonly at: Place }
  /** The program is this Ori text from before the run on. */
  | { readonly kind: "edit"; readonly run: string; readonly text: string }
  /** A legality condition of a phase is assumed to hold, in all its runs. */
  | { readonly kind: "drop"; readonly phase: string; readonly condition: string };

export type InterventionKind = Intervention["kind"];

/** How each kind is written after its name: in a refusal, and in the help of the command line. */
export const INTERVENTION_FORMS: Readonly<Record<InterventionKind, string>> = {
  skip: "RUN#N",
  fuel: "N or RUN#N",
  knob: "NAME=V@RUN or NAME=V@RUN..RUN",
  "leave-out": "RUN",
  insert: "ID@after:RUN or ID@before:RUN",
  move: "RUN@after:RUN or RUN@before:RUN",
  edit: "RUN=TEXT",
  drop: "ID:CONDITION",
};

/** Reads the text after the kind (`15#3` of a skip); null if it has a different form. */
export function parseIntervention(kind: InterventionKind, text: string): Intervention | null {
  switch (kind) {
    case "skip": {
      const at = addressOf(text);
      return at === null || at.n === 0 ? null : { kind, ...at };
    }
    case "fuel": {
      if (/^\d{1,9}$/.test(text)) return { kind, run: null, n: Number(text) };
      const at = addressOf(text);
      return at === null ? null : { kind, ...at };
    }
    case "knob": {
      // No knob has an @ in its name; a value has none either.
      const found = /^([^@=]+=[^@]*)@([^@.]+)(?:\.\.([^@.]+))?$/s.exec(text);
      if (found === null) return null;
      const [, assignment = "", from = "", to] = found;
      return { kind, assignment: assignment.trim(), from: from.trim(), to: to?.trim() ?? null };
    }
    case "leave-out":
      return isRun(text) ? { kind, run: text.trim() } : null;
    case "insert": {
      const [id, at] = placed(text);
      return at === null ? null : { kind, id, at };
    }
    case "move": {
      const [run, at] = placed(text);
      return at === null ? null : { kind, run, at };
    }
    case "edit": {
      const equals = text.indexOf("=");
      const run = text.slice(0, Math.max(0, equals)).trim();
      return isRun(run) ? { kind, run, text: text.slice(equals + 1) } : null;
    }
    case "drop": {
      const found = /^([^:\s]+):(.+)$/s.exec(text.trim());
      return found === null ? null : { kind, phase: found[1] ?? "", condition: (found[2] ?? "").trim() };
    }
  }
}

/** As written on the command line, without the dashes: `skip 15#3`. The text of an edit is omitted. */
export function interventionText(intervention: Intervention): string {
  const { kind } = intervention;
  switch (kind) {
    case "skip":
      return `${kind} ${intervention.run}#${intervention.n}`;
    case "fuel":
      return `${kind} ${intervention.run === null ? "" : `${intervention.run}#`}${intervention.n}`;
    case "knob": {
      const { assignment, from, to } = intervention;
      return `${kind} ${assignment}@${from}${to === null ? "" : `..${to}`}`;
    }
    case "leave-out":
    case "edit":
      return `${kind} ${intervention.run}`;
    case "insert":
      return `${kind} ${intervention.id}@${intervention.at.side}:${intervention.at.run}`;
    case "move":
      return `${kind} ${intervention.run}@${intervention.at.side}:${intervention.at.run}`;
    case "drop":
      return `${kind} ${intervention.phase}:${intervention.condition}`;
  }
}

function addressOf(text: string): { readonly run: string; readonly n: number } | null {
  const found = /^\s*([^#\s][^#]*)#(\d{1,9})\s*$/.exec(text);
  return found === null ? null : { run: (found[1] ?? "").trim(), n: Number(found[2]) };
}

function placed(text: string): readonly [string, Place | null] {
  const found = /^([^@]+)@(after|before):([^@]+)$/.exec(text);
  if (found === null) return ["", null];
  const [, what = "", side, run = ""] = found;
  return [what.trim(), { side: side === "before" ? "before" : "after", run: run.trim() }];
}

const isRun = (text: string): boolean => /^\s*[^@#=:\s][^@#=:]*$/.test(text);
