/** The verdict of a match or gate, in words. */

import type { Facts } from "../../../engine/trace/event.ts";
import { Badge } from "../../ui/badge.tsx";

export function Verdict({ facts }: { readonly facts: Facts }) {
  const { verdict, condition } = facts;
  if (verdict === "yes") return <Badge tone="ok">yes</Badge>;
  if (verdict === "no") return <Badge tone="warn">{typeof condition === "string" ? `no: ${condition}` : "no"}</Badge>;
  return null;
}
