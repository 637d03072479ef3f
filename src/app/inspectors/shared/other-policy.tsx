/** What the other policy makes of a decision: the one place that renders those facts, in full and in short. */

import type { Facts } from "../../../engine/trace/event.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./other-policy.module.css";

const SAYS: Readonly<Record<string, string>> = { yes: "yes: ", no: "no: " };

export function OtherPolicy({ facts }: { readonly facts: Facts }) {
  const { otherPolicy, otherVerdict, otherAnswer } = facts;
  if (typeof otherPolicy !== "string" || typeof otherAnswer !== "string") return null;
  return (
    <span className={styles.other}>
      policy '{otherPolicy}': {SAYS[String(otherVerdict)] ?? ""}
      {otherAnswer}
    </span>
  );
}

/** For a line that has to stay one line: the verdict in short, the answer as its tooltip. */
export function OtherPolicyBadge({ facts }: { readonly facts: Facts }) {
  const { otherPolicy, otherVerdict, otherAnswer } = facts;
  if (typeof otherPolicy !== "string" || typeof otherAnswer !== "string" || otherVerdict === "same") return null;
  return (
    <Badge title={otherAnswer}>
      '{otherPolicy}': {SHORT[String(otherVerdict)] ?? "otherwise"}
    </Badge>
  );
}

const SHORT: Readonly<Record<string, string>> = {
  yes: "yes",
  no: "no",
  none: "no such decision",
  same: "the same",
  other: "another program",
};
