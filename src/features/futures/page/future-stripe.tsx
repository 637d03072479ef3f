/** A message across the window about the open future, with a button to undo it: it did not run, or a legality condition is dropped, so that everything that is shown may be wrong. */

import { useActions, useSession } from "../../../app/session/hooks.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Row } from "../../../app/ui/layout.tsx";
import styles from "./futures-bar.module.css";
import { ROOT } from "./tree.ts";
import { refusalsOf } from "./use-futures.ts";

export function FutureStripe() {
  const refused = useSession((s) => refusalsOf(s).join("; "));
  const dropped = useSession(droppedIn);
  const embed = useSession((s) => s.view.embed);
  const { futures } = useActions();
  if (refused === "" && dropped === "") return null;
  return (
    <Row gap={3} rigid className={cx(styles.stripe, "line-below")} role="status" data-testid={refused === "" ? "dropped" : "refused"}>
      {refused === "" ? (
        <p>
          <strong>Dropped:</strong> {dropped}. The result may be wrong.
        </p>
      ) : (
        <p>
          <strong>This future did not run:</strong> {refused}.
        </p>
      )}
      {embed ? null : (
        <Button variant="link" onClick={() => futures.open(ROOT)}>
          Back to the original run
        </Button>
      )}
    </Row>
  );
}

/** What the run reports as dropped; a drop that does not apply changes nothing. */
function droppedIn({ options, run }: SessionState): string {
  const applied = new Set(run.result?.interventions.filter((i) => i.applied).map((i) => i.text));
  return (options.pipeline.interventions ?? [])
    .flatMap((i) => (i.kind === "drop" && applied.has(`drop ${i.phase}:${i.condition}`) ? [`${i.phase}: ${i.condition}`] : []))
    .join(", ");
}
