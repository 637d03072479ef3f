/** The verdict of a match or gate, in words; a hover adds the reference's name of the condition. */

import type { Facts } from "../../../engine/trace/event.ts";
import { conditionName, conditionReference } from "../../names/conditions.ts";
import { Badge } from "../../ui/badge.tsx";

export function Verdict({ facts }: { readonly facts: Facts }) {
  const { verdict, condition } = facts;
  if (verdict === "yes") return <Badge tone="ok">yes</Badge>;
  if (verdict !== "no") return null;
  if (typeof condition !== "string") return <Badge tone="warn">no</Badge>;
  const reference = conditionReference(condition);
  return (
    <Badge tone="warn" {...(reference === null ? {} : { title: `${reference} in the reference` })}>
      no: {conditionName(condition).plain}
    </Badge>
  );
}
