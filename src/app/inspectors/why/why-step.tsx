/** Why this step: its decision, the conditions examined one by one, the values it depends on, and what the other policy does. */

import { memo, useMemo } from "react";
import type { TraceInfo } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { EVENT_KINDS, type EventKind } from "../../../engine/trace/kinds.ts";
import { exactRows, type FactRow, factRows } from "../../names/facts.ts";
import { KIND_INFO } from "../../session/event-kinds.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { selectEvent, selectPhase, selectTrace } from "../../session/selectors.ts";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { KindMark } from "../shared/kind-mark.tsx";
import { OtherPolicy } from "../shared/other-policy.tsx";
import { StepRow } from "../shared/step-row.tsx";
import { Verdict } from "../shared/verdict.tsx";
import styles from "./why.module.css";

const codes = (...kinds: readonly EventKind[]): ReadonlySet<number> => new Set(kinds.map((kind) => EVENT_KINDS.indexOf(kind)));
const DECIDES = codes("match", "rewrite", "gate", "cost");
const ENDS = codes("match", "rewrite");
const LOOKS = codes("match", "gate", "cost", "cache", "budget", "class-mask");
/** Limits on the steps searched for what led to a decision, and on those listed. */
const FAR = 200;
const LISTED = 8;

export function WhyStep() {
  const event = useSession(selectEvent);
  const trace = useSession(selectTrace);
  const decision = trace === null || event === null ? null : decisionOf(trace, event.step);
  const phase = useSession(selectPhase)?.id;
  if (event === null) return null;
  return (
    <Stack as="section" gap={2} pad={[2, 3]} aria-label="This step">
      <Row as="h3" gap={2}>
        <KindMark kind={event.kind} />
        <span>{KIND_INFO[event.kind].title}</span>
        <Verdict facts={event.facts} phase={phase} />
      </Row>
      {trace !== null && mayRewrite(event) ? <Because run={trace.run} step={event.step} /> : null}
      <Values event={event} />
      {/* Of the phase as a whole it is said below. */}
      {event.facts.pipeline === true ? null : <OtherPolicy facts={event.facts} compare />}
      {decision === null || trace === null ? null : <Led trace={trace} decision={decision} own={decision === event.step} />}
    </Stack>
  );
}

/** Other steps have no reason of a rewrite: nothing is requested for them, so that a step costs one question. */
const mayRewrite = ({ kind, facts }: TraceEvent): boolean =>
  kind === "rewrite" || EDITS.test(kind) || (kind === "match" && facts.verdict === "yes");
const EDITS = /^(?:edge|block|inst)-/;

/** The decision that a step is, or that it carries out; null for a step that decides nothing. */
function decisionOf(trace: TraceInfo, step: number): number | null {
  if (DECIDES.has(trace.kinds[step] ?? -1)) return step;
  const parent = trace.parents[step] ?? -1;
  return parent >= 0 && ENDS.has(trace.kinds[parent] ?? -1) ? parent : null;
}

const Values = memo(function Values({ event }: { readonly event: TraceEvent }) {
  const rows = useMemo(() => factRows(event.facts), [event]);
  const exact = useMemo(() => exactRows(event.facts), [event]);
  return (
    <>
      {rows.length === 0 ? null : <ValueTable label="Values of this step" rows={rows} />}
      {exact.length === 0 ? null : (
        <details>
          <summary className="quiet">In the reference</summary>
          <ValueTable label="In the reference" rows={exact} />
        </details>
      )}
    </>
  );
});

function ValueTable({ label, rows }: { readonly label: string; readonly rows: readonly FactRow[] }) {
  return (
    <DataTable
      label={label}
      fit
      untitled
      rows={rows}
      rowKey={({ name }) => name}
      columns={[
        { title: "Name", head: true, cell: ({ name }) => name },
        { title: "Value", mono: true, cell: ({ value }) => value },
      ]}
    />
  );
}

/** What was examined for a decision, since the previous decision in the same group. */
const Led = memo(function Led({ trace, decision, own }: { readonly trace: TraceInfo; readonly decision: number; readonly own: boolean }) {
  const steps = useMemo(() => stepsBefore(trace, decision), [trace, decision]);
  const wanted = own ? steps : [...steps, decision];
  const [first] = wanted;
  const { position } = useActions();
  const key = first === undefined ? null : `led|${trace.run}|${decision}|${own}`;
  const { data } = useEngineQuery(key, async (api) => {
    const from = first ?? decision;
    const events = await api.events(trace.run, from, decision - from + 1);
    return { decision, own, events: events.filter((e) => wanted.includes(e.step) && e.facts.pipeline !== true) };
  });
  if (data === null || data.decision !== decision || data.own !== own || data.events.length === 0) return null;
  return (
    <>
      <h4 className="muted">{own ? "Examined before" : "Part of this decision"}</h4>
      <ol className={styles.led}>
        {data.events.map((event) => (
          <li key={event.step}>
            <StepRow kind={event.kind} facts={event.facts} onGo={() => position.seek(event.step)}>
              {event.sentence}
            </StepRow>
          </li>
        ))}
      </ol>
    </>
  );
});

/** Steps of the same span before a decision that judged something, back to the decision before. */
export function stepsBefore(trace: TraceInfo, decision: number): readonly number[] {
  const parent = trace.parents[decision] ?? -1;
  const found: number[] = [];
  for (let step = decision - 1; step >= 0 && step > decision - FAR && step > parent && found.length < LISTED; step--) {
    if (trace.parents[step] !== parent) continue;
    const kind = trace.kinds[step] ?? -1;
    // A rewrite follows from the match before it; any other match or rewrite is the end of the decision before.
    if (ENDS.has(kind) && !(step === decision - 1 && kind === EVENT_KINDS.indexOf("match"))) break;
    if (LOOKS.has(kind)) found.unshift(step);
  }
  return found;
}

/** Why the rewrite of a step was made: its reasons as sentences, those that another step shows with a way to it. */
function Because({ run, step }: { readonly run: number; readonly step: number }) {
  const { position } = useActions();
  const { data, fresh } = useEngineQuery(`reasons|${run}|${step}`, (api) => api.reasons(run, step));
  if (data === null || !fresh || data.length === 0) return null;
  return (
    <Stack as="ul" gap="hair" className={cx(styles.because, "breaks")} aria-label="Because">
      {data.map(({ sentence, step: at }, i) => {
        const said = `${i === 0 ? "Because" : "and because"} ${sentence}${i === data.length - 1 ? "." : ","}`;
        return (
          <li key={sentence}>
            {at === null ? (
              said
            ) : (
              // A button is its own box: with a part of the sentence in it, the rest would be on other lines.
              <button type="button" className={styles.link} title={`Go to step ${at + 1}`} onClick={() => position.seek(at)}>
                {said}
              </button>
            )}
          </li>
        );
      })}
    </Stack>
  );
}
