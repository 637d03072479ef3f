/** Which condition of a phase a drop names, and whether it can be dropped. */

import { closest } from "../../base/closest.ts";
import { unmetAt } from "../passes/pass.ts";
import { PASSES } from "../passes/registry.ts";
import { type Reason, reasonsOf } from "../remark/rules.ts";

export type NamedDrop =
  | { readonly kind: "droppable"; readonly reason: string }
  /** A condition that earlier versions could drop, here or anywhere: a run that names it keeps the condition. `why` contains sentences. */
  | { readonly kind: "fixed"; readonly reason: string; readonly why: string }
  | { readonly kind: "unknown"; readonly known: readonly string[]; readonly closest: string | null };

/** `ids`: the phases of the drop. A name belongs to one condition; several conditions may share a code, which then means the last of them. */
export function namedDrop(ids: readonly string[], condition: string): NamedDrop {
  const reasons = ids.flatMap((id) => {
    const pass = PASSES.find((one) => one.ids.includes(id));
    return reasonsOf(pass?.rules ?? {}).map((reason) => ({ ...reason, unmet: pass === undefined ? null : unmetAt(pass, id, reason.name) }));
  });
  const droppable = reasons.filter((reason) => reason.droppable !== null && reason.unmet === null);
  const called = <One extends Reason>(among: readonly One[]): One | undefined =>
    among.find((reason) => reason.name === condition) ?? among.findLast((reason) => reason.condition === condition);
  const found = called(droppable);
  if (found !== undefined) return { kind: "droppable", reason: found.name };
  const unmet = called(reasons.filter((reason) => reason.droppable !== null));
  if (unmet !== undefined) return { kind: "fixed", reason: unmet.name, why: unmet.unmet ?? "" };
  const fixed = called(reasons.filter((reason) => reason.fixed !== null));
  if (fixed !== undefined) return { kind: "fixed", reason: fixed.name, why: `No program shows that it is needed. ${fixed.fixed ?? ""}` };
  const known = [...new Set(droppable.map((reason) => reason.name))];
  return { kind: "unknown", known, closest: closest(condition, known) };
}
