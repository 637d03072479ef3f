/** All pages of the handbook, made from the tables that the engine itself works by. */

import type { HandbookTables } from "../../../engine/api/view/handbook.ts";
import { apiEntries } from "./api-entries.ts";
import type { Entry } from "./entry.ts";
import { conditionEntries, conditionId, phaseEntry } from "./phases.ts";
import type { ShownBy } from "./shown-by.ts";
import { fieldEntries, knobEntries, opcodeEntries, structureEntries } from "./tables.ts";

export interface Handbook {
  readonly entries: readonly Entry[];
  /** The page of an id, also by other names: a phase's own id, a knob's key, an opcode with modifiers. */
  find(id: string): Entry | null;
}

/** `api`: the document of the API of passes. */
export function handbookOf(tables: HandbookTables, shown: ShownBy, api: string): Handbook {
  const { phases, knobs, opcodes } = tables;
  const entries = [
    ...phases.map((phase) => phaseEntry(phase, phases, shown)),
    ...structureEntries(phases, shown),
    ...fieldEntries(shown),
    ...conditionEntries(phases, shown),
    ...opcodeEntries(opcodes),
    ...knobEntries(knobs, phases, shown),
  ];
  const named = apiEntries(api);
  const all = [...entries, ...named.map(({ entry }) => entry)];
  const byId = new Map(all.map((entry) => [entry.id, entry]));
  // A member by the first that has it, unless something is called so itself.
  for (const { entry, members } of named) for (const member of members) if (!byId.has(`api:${member}`)) byId.set(`api:${member}`, entry);
  for (const [i, phase] of phases.entries()) byId.set(`phase:${phase.id}`, entries[i] ?? never());
  for (const [i, knob] of knobs.entries()) {
    const entry = entries[entries.length - knobs.length + i] ?? never();
    for (const name of [knob.key, knob.name.replace(/^knob /, "")]) if (!byId.has(`knob:${name}`)) byId.set(`knob:${name}`, entry);
  }
  // An event's name for a condition, in the phase or the family that checks it.
  for (const { id, family, rules } of phases) {
    for (const { name, condition } of rules.flatMap((rule) => rule.reasons)) {
      const entry = byId.get(conditionId(family ?? id, name)) ?? never();
      for (const where of [id, family ?? id])
        for (const said of [name, condition]) if (!byId.has(conditionId(where, said))) byId.set(conditionId(where, said), entry);
    }
  }
  const find = (id: string): Entry | null => {
    const known = byId.get(id);
    if (known !== undefined || !id.startsWith("opcode:")) return known ?? null;
    // `ISETP.GE.AND`: the page of ISETP, unless an opcode has a dot in its name.
    const dot = id.lastIndexOf(".");
    return dot < 0 ? null : find(id.slice(0, dot));
  };
  return { entries: all, find };
}

function never(): never {
  throw new Error("a table and its pages differ in length");
}

/** The pages that a search finds, best first: by id, then by title, then by anything said of them. Every word must be found. */
export function searchHandbook(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const scored = entries.flatMap((entry, place) => {
    const head = `${entry.title} ${entry.name}`.toLowerCase();
    const all = `${head} ${entry.id} ${entry.also}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const id = entry.id.slice(entry.id.indexOf(":") + 1).toLowerCase();
    const score = words.join(" ") === id ? 0 : head.startsWith(words[0] ?? "") ? 1 : words.every((word) => head.includes(word)) ? 2 : 3;
    return [{ entry, score, place }];
  });
  return scored.toSorted((a, b) => a.score - b.score || a.place - b.place).map(({ entry }) => entry);
}
