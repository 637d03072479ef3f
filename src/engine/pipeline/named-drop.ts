/** Which condition of a phase a drop names, and whether it can be dropped. */

import { closest } from "../ir/closest.ts";
import { PASSES } from "../passes/registry.ts";
import { type Reason, reasonsOf } from "../remark/rules.ts";

export type NamedDrop =
  | { readonly kind: "droppable"; readonly reason: string }
  /** A condition that earlier versions could drop: a run that names it goes on with it. `why` is a sentence. */
  | { readonly kind: "fixed"; readonly reason: string; readonly why: string }
  | { readonly kind: "unknown"; readonly known: readonly string[]; readonly closest: string | null };

/** `ids`: the phases that the drop is about. A name is one condition's; several may have one code, which then means the last of them. */
export function namedDrop(ids: readonly string[], condition: string): NamedDrop {
  const reasons = ids.flatMap((id) => reasonsOf(PASSES.find((pass) => pass.ids.includes(id))?.rules ?? {}));
  const droppable = reasons.filter((reason) => reason.droppable !== null);
  const called = (among: readonly Reason[]): Reason | undefined =>
    among.find((reason) => reason.name === condition) ?? among.findLast((reason) => reason.condition === condition);
  const found = called(droppable);
  if (found !== undefined) return { kind: "droppable", reason: found.name };
  const fixed = called(reasons.filter((reason) => reason.fixed !== null));
  if (fixed !== undefined) return { kind: "fixed", reason: fixed.name, why: fixed.fixed ?? "" };
  const known = [...new Set(droppable.map((reason) => reason.name))];
  return { kind: "unknown", known, closest: closest(condition, known) };
}
