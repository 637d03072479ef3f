/** What the other policy makes of a decision: the one place that renders those facts. */

import type { Facts } from "../../../engine/trace/event.ts";
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
