/** The verdict of a match or gate, in words; a hover adds the reference's name of the condition. */

import type { Facts } from "../../../engine/trace/event.ts";
import { conditionName, conditionReference } from "../../names/conditions.ts";
import { Badge } from "../../ui/badge.tsx";
import { Term } from "./term.tsx";

interface VerdictProps {
  readonly facts: Facts;
  /** In a list, whose sentences give the reason: the condition is in the tooltip. */
  readonly short?: boolean;
  /** Of the step that is open: its phase has a page for the condition. */
  readonly phase?: string | undefined;
}

export function Verdict({ facts, short = false, phase }: VerdictProps) {
  const { verdict, condition } = facts;
  if (verdict === "yes") return <Badge tone="ok">yes</Badge>;
  if (verdict !== "no") return null;
  if (typeof condition !== "string") return <Badge tone="warn">no</Badge>;
  const reference = conditionReference(condition);
  const { plain } = conditionName(condition);
  const inReference = reference === null ? [] : [`${reference} in the reference`];
  const title = [...(short ? [plain] : []), ...inReference].join("\n");
  if (phase !== undefined)
    return (
      <Badge tone="warn">
        <span>
          no:{" "}
          <Term
            page={`condition:${phase}:${condition}`}
            card={[...inReference, "Its page says what it is for and what goes wrong without it."].join(". ")}
          >
            {plain}
          </Term>
        </span>
      </Badge>
    );
  return (
    <Badge tone="warn" {...(title === "" ? {} : { title })}>
      no{short ? null : `: ${plain}`}
    </Badge>
  );
}
