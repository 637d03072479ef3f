/** A phase's table of rules as rows: what a page shows of the rule that a step belongs to. */

import { passFor } from "../../pipeline/run.ts";
import type { Template } from "../../remark/holes.ts";
import { ONLY, type Reason, type Rule, type Saying } from "../../remark/rules.ts";
import type { EventKind } from "../../trace/kinds.ts";

/** A sentence that a rule may report, with holes in braces. */
export interface RuleSaying {
  readonly verb: "step" | "found" | "done" | "gate";
  /** Its name among several; "" for the only one. */
  readonly name: string;
  readonly kind: EventKind;
  readonly text: string;
}

/** Why something is not done there. */
export interface RuleReason {
  readonly name: string;
  /** What events call it; the reference's name where it has one. */
  readonly condition: string;
  /** The sentences around it, of which `{why}` shows the clause; empty: the clause is the whole sentence. */
  readonly frames: readonly string[];
  readonly clause: string;
  /** What breaks without the condition; null: the code cannot continue without it. */
  readonly without: string | null;
}

export interface RuleRow {
  /** Its name in the table. */
  readonly name: string;
  /** Folder of the passes whose table it is. */
  readonly family: string;
  /** 1-based line of the pseudocode. */
  readonly line: number;
  readonly sayings: readonly RuleSaying[];
  readonly reasons: readonly RuleReason[];
  /** Where the reference states it; null where the page of the phase does. */
  readonly source: string | null;
  /** The policy that alone has it. */
  readonly policy: "notes" | "measured" | null;
}

/** The rules of a phase in the order of their lines; empty when there is no such phase, or it has no table. */
export function ruleRows(phase: string): readonly RuleRow[] {
  const pass = passFor(phase);
  return Object.values(pass?.rules ?? {}).map((rule) => rowOf(pass?.family ?? "", rule));
}

function rowOf(family: string, { name, line, spec, steps, founds, dones, gates, reasons }: Rule): RuleRow {
  const gate = [...gates].flatMap(([key, { open, shut }]) => [open, shut].map((said) => sayingOf("gate", key, "gate", said)));
  return {
    name,
    family,
    line,
    sayings: [...told("step", steps), ...told("found", founds), ...told("done", dones), ...gate],
    reasons: reasons.map(reasonOf),
    source: spec.source ?? null,
    policy: spec.policy ?? null,
  };
}

const told = (verb: RuleSaying["verb"], sayings: ReadonlyMap<string, Saying>): readonly RuleSaying[] =>
  [...sayings].flatMap(([name, { kind, template }]) => (kind === "untold" ? [] : [sayingOf(verb, name, kind, template)]));

const sayingOf = (verb: RuleSaying["verb"], name: string, kind: EventKind, { text }: Template): RuleSaying => ({
  verb,
  name: name === ONLY ? "" : name,
  kind,
  text,
});

const reasonOf = ({ name, condition, template, clause, frames, droppable }: Reason): RuleReason => ({
  name,
  condition,
  frames: clause === null ? [] : frames === null ? [template.text] : [...frames.values()].map(({ text }) => text),
  clause: (clause ?? template).text,
  without: droppable,
});
