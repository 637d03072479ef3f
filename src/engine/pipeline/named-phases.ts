/** Names that `--named-phases`, `--no-phase` and `--phases` accept, and their meaning. */

import { closest } from "../../base/closest.ts";
import type { PartAbout } from "../passes/about.ts";
import { ABOUTS } from "../passes/abouts.ts";
import { PASS_IDS, type PassId, POSITIONS, positionAt, positionOf } from "../passes/positions.ts";

type PartIds<A> = A extends { readonly parts: infer Parts extends readonly PartAbout[] } ? Parts[number]["id"] : never;

/** A part of a pass that has a name and no position: forward copy propagation, and phase 37's promotion of local memory. */
type SubPassId = PartIds<(typeof ABOUTS)[number]>;

const PARTS: readonly (PartAbout & { readonly id: SubPassId })[] = ABOUTS.flatMap((about) => ("parts" in about ? [...about.parts] : []));

const SUB_PASS_IDS: readonly SubPassId[] = PARTS.map(({ id }) => id);

/** The name of a part in the binary. */
export const subPassName = (id: SubPassId): string => PARTS.find((part) => part.id === id)?.name ?? id;

/** Something that can be run alone or skipped. */
export type RunnableId = PassId | SubPassId;

export interface NamedPhase {
  readonly name: string;
  /** Usually one; a family name means all its positions. */
  readonly ids: readonly RunnableId[];
}

export type PhaseLookup =
  | { readonly ok: true; readonly name: string; readonly ids: readonly RunnableId[] }
  | { readonly ok: false; readonly message: string; readonly suggestion: string | null };

const FAMILIES: readonly NamedPhase[] = [
  ...SUB_PASS_IDS.map((id): NamedPhase => ({ name: subPassName(id), ids: [id] })),
  {
    name: "OriPerformLiveDead",
    ids: ["ori-perform-live-dead-first", "ori-perform-live-dead-second", "ori-perform-live-dead-third", "ori-perform-live-dead-fourth"],
  },
  { name: "DoSwitchOpt", ids: ["do-switch-opt-first", "do-switch-opt-second"] },
];

function buildTable(): readonly NamedPhase[] {
  const table = [...FAMILIES];
  for (const id of PASS_IDS) {
    const { name, otherNames } = positionOf(id);
    for (const spelling of new Set([id, name ?? id, ...otherNames])) table.push({ name: spelling, ids: [id] });
  }
  for (const id of SUB_PASS_IDS) table.push({ name: id, ids: [id] });
  return table.sort((a, b) => compareNames(a.name, b.name));
}

/** Case does not count, as in the phase name table that `sub_C641D0` searches. */
function compareNames(a: string, b: string): number {
  const x = a.toLowerCase();
  const y = b.toLowerCase();
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Every accepted name, sorted without regard to case. */
export const NAMED_PHASES: readonly NamedPhase[] = buildTable();

/** What 'did you mean' offers: names before ids, so that the name wins a tie. */
const SPELLINGS: readonly string[] = [
  ...NAMED_PHASES.filter((e) => !e.name.includes("-")),
  ...NAMED_PHASES.filter((e) => e.name.includes("-")),
].map((entry) => entry.name);

/** Case-insensitive binary search over the name table. */
function searchName(name: string): NamedPhase | undefined {
  let low = 0;
  let high = NAMED_PHASES.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const entry = NAMED_PHASES[middle];
    if (entry === undefined) return undefined;
    const order = compareNames(name, entry.name);
    if (order === 0) return entry;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return undefined;
}

/** Finds the phases that a name, a pass id or a position number means. Source: copy-propagation-and-cse, Forward Copy Propagation, Overview. */
export function lookupPhase(text: string): PhaseLookup {
  const word = text.trim();
  const found = searchName(word);
  if (found !== undefined) return { ok: true, name: found.name, ids: found.ids };
  if (/^\d{1,9}$/.test(word)) return lookupNumber(Number(word));
  const other = POSITIONS.find(
    (p) => !p.modelled && (p.id === word.toLowerCase() || (p.name !== null && compareNames(p.name, word) === 0)),
  );
  if (other !== undefined) {
    return { ok: false, message: `Position ${other.number} (${other.name ?? "name unknown"}) is not modelled.`, suggestion: null };
  }
  const suggestion = closest(word, SPELLINGS);
  const shown = word.length > 60 ? `${word.slice(0, 57)}…` : word;
  return { ok: false, message: `There is no phase '${shown}'${suggestion === null ? "" : `; did you mean ${suggestion}?`}`, suggestion };
}

function lookupNumber(number: number): PhaseLookup {
  const position = positionAt(number);
  if (position === undefined) return { ok: false, message: `There is no position ${number}: they go from 0 to 158.`, suggestion: null };
  if (position.pass === null) {
    return { ok: false, message: `Position ${number} (${position.name ?? "name unknown"}) is not modelled.`, suggestion: null };
  }
  return { ok: true, name: position.name ?? position.id, ids: [position.pass] };
}
