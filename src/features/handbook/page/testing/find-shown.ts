/** Finds, for each thing that the handbook has a page for, a small program that shows it, and where. */

import { readDirectives } from "../../../../app/names/directives.ts";
import type { KnobKey } from "../../../../engine/config/knobs.ts";
import { KNOBS } from "../../../../engine/config/knobs.ts";
import { PASSES } from "../../../../engine/passes/registry.ts";
import { reasonOf } from "../../../../engine/passes/testing/reason-of.ts";
import { decisionOf } from "../../../../engine/remark/decision.ts";
import { reasonsOf } from "../../../../engine/remark/rules.ts";
import { printFunc } from "../../../../engine/text/printer.ts";
import { textOfProgram } from "../programs.ts";
import type { Difference, Shown, ShownBy } from "../shown-by.ts";
import { linkOfShown } from "../shown-link.ts";
import { isFixture, type Program, type Ran, runLink } from "./run-shown.ts";

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type Found = { readonly [K in keyof ShownBy]: Writable<ShownBy[K]> };

/** What programs show in their own phases: all structures and phases, and most conditions. Fast enough for every run of the tests. */
export function shownByFixtures(programs: readonly Program[]): Pick<Found, "structures" | "conditions" | "phases"> {
  const structures: Found["structures"] = {};
  const conditions: Found["conditions"] = {};
  const mostHeld = new Map<string, number>();
  const fired = new Map<string, Shown>();
  const longest = new Map<string, { readonly steps: number; readonly shown: Shown }>();
  for (const { id, text } of programs) {
    const ran = runLink(linkOfShown({ program: id }, text));
    if (ran === null) continue;
    const { run, trace, pass } = ran;
    const phase = run.planned.id;
    if (isFixture({ id })) {
      const fires = run.changed || (run.outcome?.rewrites ?? 0) > 0;
      if (fires && !fired.has(phase)) fired.set(phase, { program: id });
      if (trace.steps > (longest.get(phase)?.steps ?? 0)) longest.set(phase, { steps: trace.steps, shown: { program: id } });
      trace.funcAt(trace.steps - 1);
      for (const { name, title, type } of trace.journal.structures) {
        // The second switch of a function has its own structures, with its block's name; those of the first are shown for them.
        if (/[ -]\d+$| \(.*\)$/.test(name)) continue;
        const known = structures[name];
        const phases = [...new Set([...(known?.phases ?? []), phase])].toSorted();
        const seen = (mostHeld.get(name) ?? 0) < ENOUGH ? fullestStep(ran, name) : null;
        const better = seen !== null && (known === undefined || seen.holds > (mostHeld.get(name) ?? 0));
        if (better) mostHeld.set(name, seen.holds);
        structures[name] = { title, type, phases, shown: better ? { program: id, step: seen.step } : (known?.shown ?? { program: id }) };
      }
    }
    for (const [reason, step] of reasonsIn(ran)) conditions[`${pass.family}:${reason}`] ??= { program: id, step };
  }
  const phases = Object.fromEntries([
    ...[...longest].map(([phase, { shown }]) => [phase, shown] as const),
    ...fired,
    ...ofSiblings(programs, longest),
  ]);
  return { structures: sorted(structures), conditions: sorted(conditions), phases: sorted(phases) };
}

/** For a phase without its own program: one of another phase of its family, preferably one in which it rewrites something. */
function ofSiblings(programs: readonly Program[], known: ReadonlyMap<string, unknown>): readonly (readonly [string, Shown])[] {
  return PASSES.flatMap(({ ids, family }) =>
    ids
      .filter((phase) => !known.has(phase))
      .flatMap((phase) => {
        const own = programs.filter(({ id }) => isFixture({ id }) && id.startsWith(`${family}/`));
        const ran = own.map(({ id, text }) => ({
          shown: { program: id, phase },
          run: runLink(linkOfShown({ program: id, phase }, text))?.run,
        }));
        const best = ran.find(({ run }) => run?.changed === true) ?? ran.find(({ run }) => run !== undefined);
        return best === undefined ? [] : [[phase, best.shown] as const];
      }),
  );
}

/** A structure that holds less shows little. */
const ENOUGH = 12;

/** The last step at which the structure holds the most: many are emptied before the phase ends. */
function fullestStep({ trace }: Ran, name: string): { readonly step: number; readonly holds: number } {
  const all = trace.journal.cellsOf(trace.journal.structures.findIndex((structure) => structure.name === name));
  const cells = [...all].filter(([key]) => key !== "meta").map(([, cell]) => cell);
  let best = { step: trace.steps - 1, holds: 0 };
  for (let step = trace.steps - 1; step >= 0; step--) {
    trace.funcAt(step);
    const holds = cells.reduce((sum, cell) => sum + heldIn(trace.cell(cell)), 0);
    if (holds > best.holds) best = { step, holds };
  }
  return best;
}

/** How much a cell shows: a word of zeros and an empty set show nothing. */
function heldIn(value: unknown): number {
  if (value === undefined || value === null || value === 0 || value === -1 || value === false) return 0;
  if (typeof value === "string" && /^(?:0x0*)?$/.test(value)) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + heldIn(one), 0);
  return typeof value === "object" ? heldIn(Object.values(value)) : 1;
}

/** The reasons that are given, with the first step of each. */
export function reasonsIn({ trace, pass }: Ran): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let step = 0; step < trace.steps; step++) {
    const reason = trace.fact(step, "condition") === undefined ? null : reasonOf(pass.rules ?? {}, trace.event(step));
    if (reason !== null && !found.has(reason.name)) found.set(reason.name, step);
  }
  return found;
}

/** A sentence of each condition as it is read in a run. */
export function sentencesOf(conditions: ShownBy["conditions"]): Readonly<Record<string, string>> {
  const found = Object.entries(conditions).flatMap(([id, shown]) => {
    const ran = runLink(linkOfShown(shown, textOfProgram(shown.program) ?? ""));
    return ran === null || shown.step === undefined ? [] : [[id, ran.trace.event(shown.step).sentence] as const];
  });
  return sorted(Object.fromEntries(found));
}

/** Conditions that no program meets in its own phase: each program in the other phases, under both policies. */
export function shownElsewhere(programs: readonly Program[], isWanted: (condition: string) => boolean): ShownBy["conditions"] {
  const found: Found["conditions"] = {};
  for (const { family, ids, rules = {} } of PASSES) {
    const wanted = new Set(
      reasonsOf(rules)
        .map(({ name }) => name)
        .filter((name) => isWanted(`${family}:${name}`)),
    );
    for (const { id, text } of wanted.size === 0 ? [] : programs) {
      if (text.length > LONGEST) continue;
      const own = readDirectives(text);
      for (const shown of ids.flatMap((phase) =>
        [{}, { policy: other(own.options.policy) }].map((part) => ({ program: id, phase, ...part })),
      )) {
        const ran = runLink(linkOfShown(shown, text));
        for (const [reason, step] of ran === null ? [] : reasonsIn(ran))
          if (wanted.delete(reason)) found[`${family}:${reason}`] = { ...shown, step };
      }
    }
  }
  return found;
}

/** Longer ones take too long to read as well. */
const LONGEST = 5000;
const other = (policy: string): string => (policy === "notes" ? "measured" : "notes");

/** For each knob that a phase reads, unless it is known, a program in which a different value changes the result, else a decision, else an event. */
export function shownKnobs(programs: readonly Program[], known: ShownBy["knobs"]): ShownBy["knobs"] {
  const found: Found["knobs"] = {};
  const bases = new Map<string, Outcome | null>();
  for (const { key, readBy } of KNOBS) {
    if (readBy.length === 0 || known[key] !== undefined) continue;
    let best: { readonly differs: Difference; readonly shown: Shown } | null = null;
    for (const { id, text } of programs) {
      if (best?.differs === "result") break;
      if (text.length > LONGEST) continue;
      const phase = readDirectives(text).phase ?? "";
      if (!readBy.some((reader) => reader === phase || reader === "pipeline")) continue;
      const base = cached(bases, id, () => outcomeOf(runLink(linkOfShown({ program: id }, text))));
      if (base === null) continue;
      for (const future of assignmentsOf(key)) {
        const shown = { program: id, future };
        const differs = difference(base, outcomeOf(runLink(linkOfShown(shown, text))));
        if (differs === null || (best !== null && RANK[differs] >= RANK[best.differs])) continue;
        best = { differs, shown };
      }
    }
    if (best !== null) found[key] = best;
  }
  return sorted(found);
}

const RANK: Readonly<Record<Difference, number>> = { result: 0, decisions: 1, events: 2 };

/** Values worth a try, as a person writes them. */
function assignmentsOf(key: KnobKey): readonly string[] {
  const knob = KNOBS.find((one) => one.key === key);
  if (knob === undefined) return [];
  const set = (value: string | number): string => `${key}=${value}`;
  if (knob.type === "flag") return [set("on"), set("off")];
  if (knob.type === "double") return [0, 0.5, 1].filter((v) => v !== knob.default).map(set);
  const around = typeof knob.default === "number" ? [knob.default - 1, knob.default + 1, knob.default * 4] : [];
  const low = knob.min ?? 0;
  return [...new Set([0, 1, 2, 3, 4, 5, 6, 8, 16, 64, ...around])]
    .filter((v) => v !== knob.default && v >= low && v <= (knob.max ?? Number.MAX_SAFE_INTEGER))
    .map(set);
}

export interface Outcome {
  readonly text: string;
  readonly decisions: string;
  readonly events: string;
}

export function outcomeOf(ran: Ran | null): Outcome | null {
  if (ran === null) return null;
  const { trace, run } = ran;
  const [decisions, events]: [string[], string[]] = [[], []];
  for (let step = 0; step < trace.steps; step++) {
    const { kind, line, facts, focus, sentence } = trace.event(step);
    // Each read of a knob is an event with its value.
    if (kind === "knob") continue;
    events.push(`${kind} ${sentence}`);
    const decision = decisionOf(kind, line, facts, focus);
    if (decision !== null) decisions.push(JSON.stringify(decision));
  }
  return { text: printFunc(run.after), decisions: decisions.join("\n"), events: events.join("\n") };
}

export function difference(a: Outcome | null, b: Outcome | null): Difference | null {
  if (a === null || b === null) return null;
  if (a.text !== b.text) return "result";
  if (a.decisions !== b.decisions) return "decisions";
  return a.events === b.events ? null : "events";
}

function cached<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make();
  map.set(key, value);
  return value;
}

export const sorted = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
