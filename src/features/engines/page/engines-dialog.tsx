/** The open program under the engine of its link, next to the result here. */

import { useEffect, useState } from "react";
import { TextDiff } from "../../../app/editor/text-diff.tsx";
import { plainName } from "../../../app/names/phases.ts";
import { useActions, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import type { OtherEngine } from "../../../app/session/state.ts";
import { useResult, withProvenanceNow } from "../../../app/session/use-result.ts";
import { Button } from "../../../app/ui/button.tsx";
import { DataTable } from "../../../app/ui/data-table.tsx";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { messageOf } from "../../../app/ui/failure.ts";
import { Row, Stack } from "../../../app/ui/layout.tsx";
import { plural } from "../../../app/ui/plural.ts";
import type { PhaseRun } from "../../../engine/api/types.ts";
import { type Comparison, compareWith, type PhaseDifference } from "./compare.ts";
import { engineTitle } from "./engine-title.ts";
import styles from "./engines-dialog.module.css";

export function EnginesDialog() {
  const open = useSession((s) => s.view.dialog === "engines");
  const linked = useSession((s) => s.engine.linked);
  const { view } = useActions();
  return (
    <Dialog open={open} onClose={() => view.set({ dialog: null })} title="Two engines, one program" wide>
      {open && linked !== null ? <Compared other={linked} /> : null}
    </Dialog>
  );
}

function Compared({ other }: { readonly other: OtherEngine }) {
  const session = useSessionObject();
  const version = useSession((s) => s.engine.version);
  const build = useSession((s) => s.engine.build);
  const [answer, keep] = useResult<Comparison | string>();
  useEffect(() => {
    const stop = new AbortController();
    const owned = withProvenanceNow(session);
    compareWith(session, other, stop.signal).then(
      (comparison) => stop.signal.aborted || keep(owned(comparison)),
      (error: unknown) => stop.signal.aborted || keep(owned(messageOf(error))),
    );
    return () => stop.abort();
  }, [session, other, keep]);
  const ours = engineTitle({ version, build });
  return (
    <Stack gap={3}>
      <p>
        The link was made with engine {engineTitle(other)}. This page has engine {ours}.
      </p>
      <Row wrap gap={3}>
        <Button
          onClick={() => {
            session.actions.view.set({ dialog: null });
            session.goOnWith(other);
          }}
        >
          Step with the link's engine
        </Button>
      </Row>
      <p role="status" data-testid="engines-verdict">
        {answer === null ? "Running the program on both…" : typeof answer === "string" ? "" : saidOf(answer)}
      </p>
      {answer === null ? null : typeof answer === "string" ? <p role="alert">{answer}</p> : <Differences comparison={answer} />}
    </Stack>
  );
}

function saidOf({ phases, differences }: Comparison): string {
  if (differences.length === 0) return `All ${plural(phases, "phase")} do the same with both engines.`;
  return `${differences.length} of ${plural(phases, "phase")} differ: they act differently, or the programs start or stop differing there.`;
}

function Differences({ comparison: { differences } }: { readonly comparison: Comparison }) {
  const [chosen, setChosen] = useState(0);
  const { view, position } = useActions();
  const shown = differences[chosen];
  if (shown === undefined) return null;
  return (
    <>
      <div className={styles.rows}>
        <DataTable
          rows={differences}
          rowKey={({ id, occurrence }) => `${id} ${occurrence}`}
          columns={[
            {
              title: "Phase",
              head: true,
              cell: (row, i) => (
                <Button variant="link" pressed={i === chosen} onClick={() => setChosen(i)}>
                  {plainName(row)}
                </Button>
              ),
            },
            { title: "This page's engine", cell: ({ ours }) => inWords(ours) },
            { title: "The link's engine", cell: ({ theirs }) => inWords(theirs) },
          ]}
        />
      </div>
      <Row wrap gap={3}>
        <h3>After {plainName(shown)}: this page's engine on the left, the link's on the right</h3>
        <Button
          disabled={shown.ours === null}
          onClick={() => {
            position.goToPhase(shown.id, "start", shown.occurrence);
            view.set({ dialog: null });
          }}
        >
          Go to this phase
        </Button>
      </Row>
      <Texts texts={shown.texts} />
    </>
  );
}

function inWords(phase: PhaseRun | null): string {
  if (phase === null) return "does not have this phase";
  if (!phase.ran) return `did not run: ${phase.reason ?? "no reason given"}`;
  if (!phase.changed) return `changed nothing${phase.reason === null ? "" : `: ${phase.reason}`}`;
  const size = (what: string, [before, after]: readonly [number, number]) => `${before} → ${plural(after, what)}`;
  return `${plural(phase.rewrites, "rewrite")}, ${size("block", phase.blocks)}, ${size("instruction", phase.instructions)}`;
}

function Texts({ texts: [left, right] }: { readonly texts: PhaseDifference["texts"] }) {
  if (left === right) return <p>The program after it is the same.</p>;
  return (
    <div className={styles.texts} data-testid="two-futures">
      <TextDiff left={left} right={right} />
    </div>
  );
}
