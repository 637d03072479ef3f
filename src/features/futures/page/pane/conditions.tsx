/** The legality conditions of the open phase: drop one to see what goes wrong, or have a program searched that shows it. */

import { useState } from "react";
import { plainName } from "../../../../app/names/phases.ts";
import { useEngineQuery, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectPhase } from "../../../../app/session/selectors.ts";
import type { Session } from "../../../../app/session/session.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { messageOf } from "../../../../app/ui/failure.ts";
import { Checkbox } from "../../../../app/ui/field.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { ConditionRow, NeedReport } from "../../engine/types.ts";
import { forkBeside } from "../compare-future.ts";
import { treeOf } from "../tree.ts";
import styles from "./conditions.module.css";
import { useSearch } from "./use-search.ts";

export function Conditions() {
  const phase = useSession(selectPhase);
  const [all, setAll] = useState(false);
  const of = all ? null : (phase?.id ?? null);
  const { data } = useEngineQuery(`conditions ${of ?? ""}`, (api) => api.conditions(of), "always");
  const rows = data ?? [];
  const droppable = rows.filter((row) => row.droppable);
  const fixed = rows.filter((row) => !row.droppable && row.note !== null);
  const structural = rows.length - droppable.length - fixed.length;
  return (
    <>
      <Checkbox checked={all} onChange={setAll}>
        Of all phases
      </Checkbox>
      {data !== null && droppable.length === 0 ? (
        <p>No condition of {all ? "any phase" : phase === null ? "this phase" : plainName(phase)} can be dropped.</p>
      ) : null}
      {droppable.map((row) => (
        <Condition key={`${row.phase}:${row.condition}`} row={row} named={all} />
      ))}
      {fixed.map(({ phase: of, condition, note }) => (
        <p key={`${of}:${condition}`} className="muted">
          <span className="mono">{all ? `${of}: ${condition}` : condition}</span> cannot be dropped. {note}
        </p>
      ))}
      {structural > 0 ? (
        <p className="muted">
          {plural(structural, "more condition is", "more conditions are")} structural: the code cannot run without{" "}
          {structural === 1 ? "it" : "them"}.
        </p>
      ) : null}
    </>
  );
}

function Condition({ row, named }: { readonly row: ConditionRow; readonly named: boolean }) {
  const { phase, condition, code, sentence, example, without, witness, caught, note } = row;
  const session = useSessionObject();
  const dropped = useSession((s) =>
    (s.options.pipeline.interventions ?? []).some((i) => i.kind === "drop" && i.phase === phase && i.condition === condition),
  );
  return (
    <Stack
      as="section"
      gap="hair"
      className={cx(styles.condition, "line-below", dropped && styles.conditionDropped)}
      aria-label={`${phase}: ${condition}`}
    >
      <Row wrap gap={2}>
        <strong className="mono">{named ? `${phase}: ${condition}` : condition}</strong>
        {code === null ? null : <span className="muted">{code}</span>}
        {dropped ? <Badge tone="warn">dropped</Badge> : null}
      </Row>
      <p>{example ? `For example: ${sentence}` : sentence}</p>
      {without === null ? null : <p className="muted">Without it: {without}</p>}
      {witness === null ? (
        <p className="muted">No program that shows this is in the collection.</p>
      ) : (
        <details>
          <summary>
            A program that shows this{note === null ? "" : ", with other conditions dropped as well"}
            {caught === "verifier" ? ": the verifier rejects the phase's result" : ""}
          </summary>
          {note === null ? null : <p className="muted">{note}</p>}
          <section className={cx(styles.program, "code-box")} aria-label={`The program that shows why ${condition} is needed`}>
            {witness}
          </section>
        </details>
      )}
      <Row wrap gap={2}>
        <Button
          disabled={dropped}
          onClick={() => forkBeside(session, [{ kind: "drop", phase, condition }])}
          aria-label={`Drop ${condition}`}
        >
          Drop it
        </Button>
        <Need phase={phase} condition={condition} />
      </Row>
    </Stack>
  );
}

/** Random programs that are tried in all, and between two checks for Stop. */
const MOST_TRIED = 20_000;
const PIECE = 100;

type Search =
  | { readonly kind: "searching"; readonly searched: number }
  | { readonly kind: "found"; readonly need: NeedReport }
  | { readonly kind: "ended"; readonly said: string };

function Need({ phase, condition }: { readonly phase: string; readonly condition: string }) {
  const session = useSessionObject();
  const { answer, busy, start, stop } = useSearch<Search>((show, signal) =>
    findNeed(session, `${phase}:${condition}`, signal, show).catch((error: unknown) => show({ kind: "ended", said: messageOf(error) })),
  );
  const searched = answer?.kind === "searching" ? plural(answer.searched, "program") : "";
  const ended = answer?.kind === "ended" ? answer.said : answer?.kind === "searching" && !busy ? `Stopped after ${searched}.` : "";
  return (
    <>
      {busy ? <span aria-hidden="true">{searched} tried…</span> : null}
      {/* One button, so that the focus stays. */}
      <Button onClick={busy ? stop : start} aria-label={busy ? "Stop" : `Show me why ${condition} is needed`}>
        {busy ? "Stop" : "Show me why this is needed"}
      </Button>
      <p className="visually-hidden" role="status">
        {busy ? "Searching for a program…" : answer?.kind === "found" ? foundWords(answer.need, condition) : ended}
      </p>
      {ended === "" ? null : <p>{ended}</p>}
      {answer?.kind === "found" ? <Found need={answer.need} phase={phase} condition={condition} /> : null}
    </>
  );
}

/** A low pane ends at the button: the result is scrolled into view. */
function intoSight(found: HTMLElement | null): void {
  found?.scrollIntoView({ block: "nearest" });
}

function foundWords({ difference, seed, drops, kept }: NeedReport, condition: string): string {
  if (difference === null) return "";
  const said =
    difference.kind === "verifier"
      ? `the verifier rejects the result: ${difference.message}`
      : `${difference.where === "" ? difference.kind : difference.where} is ${difference.before} with the condition and ${difference.after} without it`;
  const where = kept ? " in the collection" : seed === null ? " in the open program" : `, seed ${seed}`;
  const also = drops.length > 1 ? `, with ${drops.filter((one) => one !== condition).join(", ")} dropped as well` : "";
  return `Found${where}${also}: ${said}.`;
}

async function findNeed(session: Session, condition: string, signal: AbortSignal, show: (now: Search) => void): Promise<void> {
  const { pipeline } = session.store.getState().options;
  let searched = 0;
  let decided = 0;
  for (let seed = 1; seed <= MOST_TRIED && !signal.aborted; seed += PIECE) {
    show({ kind: "searching", searched });
    // The stored programs and the open one, each once.
    const need = await session.api.searchNeed(condition, PIECE, seed, seed === 1, { ...pipeline, interventions: [] });
    if (typeof need === "string") return show({ kind: "ended", said: need });
    if (need.found) return show({ kind: "found", need });
    searched += need.searched;
    decided += need.decided;
  }
  show({ kind: "ended", said: `No program among ${searched} shows it; the condition decided something in ${decided} of them.` });
}

function Found({ need, phase, condition }: { readonly need: NeedReport; readonly phase: string; readonly condition: string }) {
  const session = useSessionObject();
  const { program, difference, drops } = need;
  if (program === null || difference === null) return null;
  const open = (): void => {
    const { pipeline } = session.store.getState().options;
    const interventions = drops.map((one) => ({ kind: "drop", phase, condition: one }) as const);
    session.actions.document.openText({
      text: program,
      title: `why ${condition}`,
      format: "ori",
      pipeline: {
        target: pipeline.target,
        level: pipeline.level,
        policy: pipeline.policy,
        knobs: pipeline.knobs,
        phases: [phase],
        interventions,
      },
      futures: treeOf(interventions),
    });
    session.actions.position.goToPhase(phase, "change");
    session.actions.view.open("fuel");
  };
  return (
    <div data-testid="need" ref={intoSight}>
      <p className="breaks">{foundWords(need, condition)}</p>
      <section className={cx(styles.program, "code-box")} aria-label="The program that needs the condition">
        {program}
      </section>
      <Row wrap gap={2}>
        <Button onClick={open}>Open it with {drops.length === 1 ? "the condition" : "the conditions"} dropped</Button>
      </Row>
    </div>
  );
}
