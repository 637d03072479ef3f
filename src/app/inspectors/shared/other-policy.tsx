/** What the other policy makes of a decision: the one place that renders those facts, in full and in short. A difference can be pressed. */

import type { Facts } from "../../../engine/trace/event.ts";
import { plainReason } from "../../names/conditions.ts";
import { otherPolicy, policyTitle } from "../../names/policies.ts";
import { openCompare, SHOWN } from "../../session/comparison.ts";
import { useSessionObject } from "../../session/hooks.ts";
import type { Session } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import styles from "./other-policy.module.css";

const SAYS: Readonly<Record<string, string>> = { yes: "yes: ", no: "no: " };

/** `compare`: with the button; rows of a list, which are buttons themselves, have none. */
export function OtherPolicy({ facts, compare = false }: { readonly facts: Facts; readonly compare?: boolean }) {
  const { otherPolicy, otherVerdict, otherAnswer } = facts;
  if (typeof otherPolicy !== "string" || typeof otherAnswer !== "string") return null;
  return (
    <span className={styles.other}>
      {policyTitle(otherPolicy)}: {SAYS[String(otherVerdict)] ?? ""}
      {plainReason(otherAnswer)} {compare && otherVerdict !== "same" ? <CompareButton>Compare both</CompareButton> : null}
    </span>
  );
}

/** For a line that has to stay one line: the verdict in short, the answer as its tooltip. */
export function OtherPolicyBadge({ facts }: { readonly facts: Facts }) {
  const { otherPolicy, otherVerdict, otherAnswer } = facts;
  if (typeof otherPolicy !== "string" || typeof otherAnswer !== "string" || otherVerdict === "same") return null;
  return (
    <CompareButton title={otherAnswer}>
      {policyTitle(otherPolicy)}: {SHORT[String(otherVerdict)] ?? "otherwise"}
    </CompareButton>
  );
}

function CompareButton({ title, children }: { readonly title?: string; readonly children: React.ReactNode }) {
  const session = useSessionObject();
  return (
    <Button className={styles.compare} title={title} onClick={() => comparePolicies(session)}>
      {children}
    </Button>
  );
}

/** The phase's end by the rules of this run next to its end by the other rules. */
function comparePolicies(session: Session): void {
  const { policy } = session.store.getState().options.pipeline;
  openCompare(session, {
    left: { run: SHOWN, at: "end" },
    right: { run: { kind: "policy", policy: otherPolicy(policy) }, at: "end" },
    shows: "sides",
  });
}

const SHORT: Readonly<Record<string, string>> = {
  yes: "yes",
  no: "no",
  none: "no such decision",
  same: "the same",
  other: "a different program",
  unknown: "not known",
};
