/** The pages of the phases and of the conditions under which they refuse a candidate. */

import { conditionName } from "../../../app/names/conditions.ts";
import { phaseName, plainName } from "../../../app/names/phases.ts";
import { PHASE_FACTORY, type Provenance, provenanceOf } from "../../../app/names/provenance.ts";
import { structureName } from "../../../app/names/structures.ts";
import type { HandbookPhase } from "../../../engine/api/view/handbook.ts";
import type { RuleReason, RuleRow } from "../../../engine/api/view/rule-rows.ts";
import { type Block, code, type Entry, type Example, heading, type Inline, link, listed, sentence, shownExample, text } from "./entry.ts";
import type { ShownBy } from "./shown-by.ts";
import { unshownCondition } from "./unshown.ts";

export const phaseId = (phase: Pick<HandbookPhase, "id" | "number">): string => `phase:${phase.number ?? phase.id}`;
export const conditionId = (family: string, reason: string): string => `condition:${family}:${reason}`;

export function phaseEntry(phase: HandbookPhase, all: readonly HandbookPhase[], shown: ShownBy): Entry {
  const { id, number, name, modelled, remark, pseudocode } = phase;
  const names = phaseName(id);
  const binary = provenanceOf(phase.group, number);
  return {
    id: phaseId(phase),
    kind: "phase",
    title: titleOf(phase),
    name: names === null ? "" : name,
    also: [id, ...phase.alternatives, ...(names?.also ?? []), ...(binary?.functions ?? []).map((f) => f.name), binary?.vtable ?? ""].join(
      " ",
    ),
    body: () => [
      ...(modelled ? [text(phase.summary)] : notModelled(phase, all)),
      {
        kind: "pairs",
        rows: [
          ["In the reference", [code(name), ...phase.alternatives.flatMap((other) => [", ", code(other)])]],
          ...(names === null ? [] : [["Also called", [names.also.join(", ")]] as const]),
          ["Place", place(phase, all)],
          ...(modelled
            ? [["Runs", [phase.runs ? "with the current options" : (phase.reason ?? "not with the current options")]] as const]
            : []),
          ...(remark === null ? [] : [["Uncertain", [remark]] as const]),
          ...(phase.knobs.length === 0 ? [] : [["Knobs", listed(phase.knobs.map((knob) => link(knobLink(knob), knob)))] as const]),
          ...structuresOf(phase, shown),
        ],
      },
      ...refusals(phase),
      ...(pseudocode.length === 0 ? [] : ([heading("Pseudocode"), { kind: "code", lines: pseudocode, numbered: true }] as const)),
      ...inBinary(phase, binary),
    ],
    example: phaseExample(phase, all, shown),
    phase: modelled ? id : null,
  };
}

const titleOf = (phase: HandbookPhase): string => `${phase.number ?? "cicc"} ${plainName(phase)}`;

/** Of a position that is not modelled: a program at the nearest one that is. */
function phaseExample(phase: HandbookPhase, all: readonly HandbookPhase[], shown: ShownBy): Example | null {
  const near = phase.modelled ? phase : nearestModelled(phase, all);
  const own = near === null ? undefined : shown.phases[near.id];
  if (near === null || own === undefined) return null;
  return near === phase ? shownExample(own) : shownExample(own, `Open a program at ${titleOf(near)}`);
}

/** By the distance in the pipeline; of two as near as each other the one before. */
function nearestModelled({ number }: HandbookPhase, all: readonly HandbookPhase[]): HandbookPhase | null {
  let best: { readonly phase: HandbookPhase; readonly far: number } | null = null;
  for (const phase of all) {
    if (!phase.modelled || phase.number === null || number === null) continue;
    const far = Math.abs(phase.number - number);
    if (best === null || far < best.far) best = { phase, far };
  }
  return best?.phase ?? null;
}

function notModelled(phase: HandbookPhase, all: readonly HandbookPhase[]): readonly Block[] {
  const near = nearestModelled(phase, all);
  return [
    text("This phase is not modelled: the timeline lists it, but it never runs, so no program can show it."),
    ...(near === null
      ? []
      : [
          text(
            "The nearest phase that runs here is ",
            link(phaseId(near), titleOf(near)),
            "; the button above opens a program for that phase.",
          ),
        ]),
  ];
}

/** Knobs are linked by what they are called: pages of knobs answer to that as well. */
const knobLink = (label: string): string => `knob:${label.replace(/^knob /, "")}`;

function place(phase: HandbookPhase, all: readonly HandbookPhase[]): readonly Inline[] {
  const at = all.indexOf(phase);
  const near = (other: HandbookPhase | undefined, word: string): readonly Inline[] =>
    other === undefined ? [] : [`; ${word} `, link(phaseId(other), titleOf(other))];
  const where = phase.number === null ? "in the cicc group, before ptxas" : `position ${phase.number} of 0 to 158, ${phase.stage}`;
  const before = all.slice(0, at).findLast((other) => other.modelled);
  const after = all.slice(at + 1).find((other) => other.modelled);
  return [
    where,
    ...near(all[at - 1], "after"),
    ...near(all[at + 1], "before"),
    ...(before === all[at - 1] ? [] : near(before, "the last modelled phase before it is")),
    ...(after === all[at + 1] ? [] : near(after, "the next modelled phase is")),
  ];
}

function structuresOf({ id }: HandbookPhase, shown: ShownBy): readonly (readonly [string, readonly Inline[]])[] {
  const own = Object.entries(shown.structures).filter(([, { phases }]) => phases.includes(id));
  if (own.length === 0) return [];
  return [["Structures", listed(own.map(([name, { title }]) => link(`structure:${name}`, structureName({ name, title }).plain)))]];
}

function refusals({ family, rules }: HandbookPhase): readonly Block[] {
  const rows = rules.flatMap((rule) => rule.reasons.map((reason) => [rule, reason] as const));
  if (family === null || rows.length === 0) return [];
  return [
    heading("What it refuses"),
    {
      kind: "table",
      head: ["line", "condition", "message"],
      rows: rows.map(([rule, reason]) => [
        [String(rule.line)],
        [link(conditionId(family, reason.name), conditionName(reason.condition).plain)],
        [sentence(reason.clause)],
      ]),
    },
  ];
}

function inBinary({ group, slots }: HandbookPhase, binary: Provenance | null): readonly Block[] {
  if (binary === null) return [];
  const { vtable, isNoOp, functions, section } = binary;
  return [
    heading(group === "cicc" ? "In the binary (cicc)" : "In the binary (ptxas 13.0.88)"),
    {
      kind: "pairs",
      rows: [
        ["Reference", [section]],
        ...(vtable === null ? [] : [["Vtable", [code(vtable)]] as const]),
        ...(isNoOp === null ? [] : [["isNoOp", [isNoOp ? "yes, unless a backend sets it" : "no"]] as const]),
        ...(group === "cicc" ? [] : [["Made by", [PHASE_FACTORY]] as const]),
      ],
    },
    functions.length === 0
      ? text("The reference names no function of this phase. Disassembling the first entry of its vtable would give one.")
      : {
          kind: "table",
          head: ["function", "bytes", "what it does"],
          rows: functions.map((f) => [[code(f.name)], [f.bytes?.toLocaleString("en") ?? "–"], [f.does]]),
        },
    ...(slots.length === 0
      ? []
      : [
          text("It calls the backend through a vtable slot:"),
          {
            kind: "table",
            head: ["backend", "function", "what it does"],
            rows: slots.map((s) => [
              [s.backend],
              s.symbol === null ? ["–"] : [code(s.symbol)],
              [`${s.does}${s.chosen ? " (chosen: the reference names none)" : ""}`],
            ]),
          } as const,
        ]),
  ];
}

interface Place {
  readonly phase: HandbookPhase;
  readonly rule: RuleRow;
  readonly reason: RuleReason;
}

/** A page for each reason of each family, however many lines and phases have it. */
export function conditionEntries(phases: readonly HandbookPhase[], shown: ShownBy): readonly Entry[] {
  const places = new Map<string, Place[]>();
  for (const phase of phases) {
    for (const rule of phase.rules) {
      for (const reason of rule.reasons) {
        const id = conditionId(phase.family ?? phase.id, reason.name);
        const known = places.get(id);
        if (known === undefined) places.set(id, [{ phase, rule, reason }]);
        else known.push({ phase, rule, reason });
      }
    }
  }
  return [...places].map(([id, at]) => conditionEntry(id, at, shown));
}

function conditionEntry(id: string, places: readonly Place[], shown: ShownBy): Entry {
  const [first] = places;
  if (first === undefined) throw new Error(`${id} is at no line`);
  const { phase, reason } = first;
  const { plain, also = "" } = conditionName(reason.condition);
  const phases = [...new Set(places.map((p) => p.phase))];
  const own = shown.conditions[id.slice("condition:".length)];
  const unshown = own === undefined ? unshownCondition(id, shown) : null;
  return {
    id,
    kind: "condition",
    title: plain,
    name: `${plainName(phase)}: ${reason.condition}`,
    also: `${also} ${reason.name} ${reason.condition} ${phase.family} ${phases.map((p) => `${p.number} ${p.name}`).join(" ")}`,
    body: () => [
      text("A candidate to which this applies is refused."),
      ...(unshown === null ? [] : [text(unshown.why)]),
      ...conditionBody(places, phases),
    ],
    example: own === undefined ? (unshown?.example ?? null) : shownExample(own),
    phase: phase.id,
  };
}

function conditionBody(places: readonly Place[], phases: readonly HandbookPhase[]): readonly Block[] {
  const [first] = places;
  if (first === undefined) return [];
  const { phase, reason } = first;
  const without = places.find((p) => p.reason.without !== null)?.reason.without ?? null;
  const lines = unique(
    places.map(({ rule, reason: said }) => [[String(rule.line)], [code(rule.name)], [sentence(said.clause)]] as const),
    (row) => JSON.stringify(row),
  );
  const sources = [...new Set(places.map(({ rule }) => rule.source).filter((s) => s !== null))];
  return [
    {
      kind: "pairs",
      rows: [
        ["Checked by", listed(phases.map((p) => link(phaseId(p), titleOf(p))))],
        ["In events", [code(reason.condition)]],
        ["Without it", [without ?? "The code cannot run without it: the rewrite depends on the condition, so it cannot be dropped."]],
        ...(without === null
          ? []
          : [
              [
                "See why it is needed",
                ["Phase › Futures › Dropped conditions, or ", code(`oriscope need ${phase.id}:${reason.name}`)],
              ] as const,
            ]),
        ["Reference", [sources.length === 0 ? `page of ${phase.name}` : sources.join("; ")]],
      ],
    },
    heading("Where it is checked"),
    { kind: "table", head: ["line", "rule", "message"], rows: lines },
  ];
}

function unique<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()];
}
