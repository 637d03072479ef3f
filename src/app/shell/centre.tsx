/** The middle: the graph, or its outline in words. */

import { Suspense } from "react";
import { useBlank } from "../editor/use-blank.ts";
import { LateGraph } from "../graph/late-graph.tsx";
import { RefusedLink } from "../opening/refused-link.tsx";
import { Outline } from "../outline/outline.tsx";
import { selectComparing } from "../session/comparison.ts";
import { useActions, useSession } from "../session/hooks.ts";
import { Boundary } from "../ui/boundary.tsx";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Stack, Toolbar } from "../ui/layout.tsx";
import { LateCompare } from "./late-compare.tsx";
import styles from "./shell.module.css";

export function Centre() {
  const centre = useSession((s) => s.view.centre);
  const stopped = useSession((s) => s.position.stopped);
  const { view, position } = useActions();
  const refused = useSession((s) => s.view.refused);
  const cleared = useBlank();
  const comparing = useSession((s) => selectComparing(s) && s.view.centre === "graph");
  const other = useSession(({ comparison: { shows } }) => shows === "text" || shows === "numbers");
  if (refused !== null) return <RefusedLink {...refused} />;
  return (
    <Stack grow fill className={cx(styles.holder, cleared && styles.cleared)}>
      {comparing ? (
        <Boundary name="The comparison">
          <Suspense fallback={null}>
            <LateCompare />
          </Suspense>
        </Boundary>
      ) : null}
      <Stack grow className={styles.holder} hidden={comparing && other}>
        <Boundary name="The graph">
          {centre === "graph" && stopped === "graph" ? (
            <EmptyState title="Building the graph was stopped.">
              <p>You can step through the phase without it: text, pseudocode and structures follow each step.</p>
              <Button onClick={position.askAgain}>Build it again</Button>
            </EmptyState>
          ) : centre === "graph" ? (
            <Suspense fallback={<EmptyState title="Loading the graph…" />}>
              <LateGraph />
            </Suspense>
          ) : (
            <>
              <Toolbar raised justify="between">
                <h2>Outline</h2>
                <Button onClick={() => view.set({ centre: "graph" })}>Show the graph</Button>
              </Toolbar>
              <Outline />
            </>
          )}
        </Boundary>
      </Stack>
    </Stack>
  );
}
