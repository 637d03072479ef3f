/** The verdict of a match or gate, in words; a hover adds the reference's name of the condition. */

import type { Facts } from "../../../engine/trace/event.ts";
import { conditionName, conditionReference } from "../../names/conditions.ts";
import { Badge } from "../../ui/badge.tsx";

/** `short`: in a list, whose sentences give the reason; the condition is in the tooltip. */
export function Verdict({ facts, short = false }: { readonly facts: Facts; readonly short?: boolean }) {
  const { verdict, condition } = facts;
  if (verdict === "yes") return <Badge tone="ok">yes</Badge>;
  if (verdict !== "no") return null;
  if (typeof condition !== "string") return <Badge tone="warn">no</Badge>;
  const reference = conditionReference(condition);
  const { plain } = conditionName(condition);
  const inReference = reference === null ? [] : [`${reference} in the reference`];
  const title = [...(short ? [plain] : []), ...inReference].join("\n");
  return (
    <Badge tone="warn" {...(title === "" ? {} : { title })}>
      no{short ? null : `: ${plain}`}
    </Badge>
  );
}
