/** Textbook names of the phases: what courses and other compilers call them, next to the name in the reference. */

import type { PhaseAbout } from "../../engine/passes/about.ts";
import { ABOUTS } from "../../engine/passes/abouts.ts";

/** A phase's names in plain words. */
export type PhaseName = Pick<PhaseAbout, "plain" | "also">;

const ABOUT = new Map<string, PhaseAbout>(ABOUTS.flatMap(({ phases }) => phases.map((phase) => [phase.id, phase] as const)));

/** What a phase is called in plain words; null: only the reference has a name for it. */
export function phaseName(id: string): PhaseName | null {
  return ABOUT.get(id) ?? null;
}

/** The pass that a user wrote, among the phases of a result: no phase of the pipeline has such an id. */
export const isOwnPhase = ({ id }: { readonly id: string }): boolean => id.startsWith("own-");

const SUMMARIES: ReadonlyMap<string, string> = new Map(ABOUTS.flatMap(({ summary, phases }) => phases.map(({ id }) => [id, summary])));

/** What the phase does, in a sentence; null: only its name is known. */
export const phaseDoes = (id: string): string | null => SUMMARIES.get(id) ?? null;

/** The name that is shown: the plain one, else the reference's. */
export function plainName(phase: { readonly id: string; readonly name: string }): string {
  return phaseName(phase.id)?.plain ?? phase.name;
}

const ALL = [...ABOUT.values()];

/** The plain name of the phase that an experiment addresses (`49`, `gvn-cse`, `own-mine`), with the number where several have that name. */
export function addressedName(address: string): string {
  const found = ALL.find(({ id, number }) => id === address || String(number) === address);
  if (found === undefined) return /^\d+$/.test(address) ? `phase ${address}` : address.replace(/^own-/, "");
  return ALL.filter(({ plain }) => plain === found.plain).length > 1 ? `${found.number ?? ""} ${found.plain}`.trim() : found.plain;
}

/** A sentence about phases with their plain names. */
export function inPlainNames(sentence: string, phases: readonly { readonly id: string; readonly name: string }[]): string {
  const named = (word: string): string => plainName(phases.find(({ name }) => name === word) ?? { id: "", name: word });
  return sentence.replace(/\b[A-Z]\w+/g, named);
}

/** Everything that a search should find a phase by. */
export function searchNames(phase: { readonly id: string; readonly name: string }): string {
  const known = phaseName(phase.id);
  return [phase.name, phase.id, known?.plain ?? "", ...(known?.also ?? [])].join(", ").toLowerCase();
}
