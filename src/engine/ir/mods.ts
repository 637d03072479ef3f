/** Modifiers in canonical order: the opcode table's groups applied to what was written. */

import { type ModGroup, modGroupsOf, type Opcode } from "./opcodes.ts";

export interface OrderedMods {
  readonly mods: readonly string[];
  /** Those that fit no group, or a second choice of a group that is taken. */
  readonly unknown: readonly string[];
  /** Required groups of which none was given. */
  readonly missing: readonly ModGroup[];
}

/** Sorts modifiers into the groups of the opcode: each is put into the first free group that has it as a choice. */
export function orderMods(op: Opcode, given: readonly string[]): OrderedMods {
  const groups = modGroupsOf(op);
  const taken: (string | undefined)[] = groups.map(() => undefined);
  const unknown: string[] = [];
  for (const mod of given) {
    const at = groups.findIndex((group, i) => taken[i] === undefined && group.choices.includes(mod));
    if (at < 0) unknown.push(mod);
    else taken[at] = mod;
  }
  return {
    mods: taken.filter((mod) => mod !== undefined),
    unknown,
    missing: groups.filter((group, i) => group.required && taken[i] === undefined),
  };
}

/** True when the modifiers are legal for the opcode and in canonical order. */
export function areModsCanonical(op: Opcode, mods: readonly string[]): boolean {
  const { mods: ordered, unknown, missing } = orderMods(op, mods);
  return unknown.length === 0 && missing.length === 0 && ordered.every((mod, i) => mod === mods[i]);
}
