/** Why a phase ran or not, and why it changed nothing: gates, candidates, refusals. */

import { memo, useMemo } from "react";
import type { GateStep, PhaseRun, TraceInfo } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { EVENT_KINDS } from "../../../engine/trace/kinds.ts";
import { gateName, plainReason } from "../../names/conditions.ts";
import { factName } from "../../names/facts.ts";
import { phaseStatus, statusTitle } from "../../names/phase-status.ts";
import { isOwnPhase, phaseDoes, plainName } from "../../names/phases.ts";
import type { AsyncEngine } from "../../session/engine-port.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { NothingRan } from "../../session/of-program.tsx";
import { selectPhase, selectTrace, selectTracing } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Panel, Stack, Toolbar } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { OtherPolicy } from "../shared/other-policy.tsx";
import panel from "../shared/panel.module.css";
import { PhiOffer } from "../shared/phi-offer.tsx";
import { StepRow } from "../shared/step-row.tsx";
import { Term } from "../shared/term.tsx";
import { Dispatch } from "./dispatch.tsx";
import { SourceBlock } from "./source-block.tsx";
import styles from "./why.module.css";
import { WhyStep } from "./why-step.tsx";

const MATCH = EVENT_KINDS.indexOf("match");
/** Verdicts listed; the rest is counted. */
const MAX_LISTED = 200;

/** Decisions of the phase itself, of any kind, that the other policy takes otherwise. */
const DIFFERS = [{ kind: "condition", text: "otherPolicy and not pipeline" }] as const;

const NO_VERDICTS = { found: [], closing: null };

const otherGate = ({ policy, ok, sentence }: NonNullable<GateStep["other"]>) => ({
  otherPolicy: policy,
  otherVerdict: ok ? "yes" : "no",
  otherAnswer: sentence,
});

function matchSteps(trace: TraceInfo | null): { readonly steps: readonly number[]; readonly more: number } {
  const steps: number[] = [];
  let more = 0;
  for (let i = 0; trace !== null && i < trace.steps; i++) {
    if (trace.kinds[i] !== MATCH) continue;
    if (steps.length < MAX_LISTED) steps.push(i);
    else more++;
  }
  return { steps, more };
}

/** The candidates and what else the other policy takes otherwise, and what the phase says at its end. */
async function verdictsOf(api: AsyncEngine, trace: TraceInfo, steps: readonly number[]) {
  const others = [...(await api.breakpointTicks(trace.run, DIFFERS))].filter((step) => !steps.includes(step)).slice(0, MAX_LISTED);
  const wanted = [...steps, ...others].sort((a, b) => a - b);
  const listed = new Set(wanted);
  const found: TraceEvent[] = [];
  let last = -1;
  for (const from of wanted) {
    if (from <= last) continue;
    // Neighbouring ones come in one request.
    last = wanted.findLast((step) => step - from < 256) ?? from;
    const events = await api.events(trace.run, from, last - from + 1);
    found.push(...events.filter((e) => listed.has(e.step)));
  }
  const [closing] = await api.events(trace.run, trace.steps - 1, 1);
  return { run: trace.run, found, closing: closing?.facts.pipeline === true ? closing.facts : null };
}

/** One row, which itself checks whether it is the current one: a step renders two of them, not the list. */
const Candidate = memo(function Candidate({ event, run }: { readonly event: TraceEvent; readonly run: number }) {
  const current = useSession((s) => s.position.step === event.step);
  const { position } = useActions();
  return (
    <li className={panel.item}>
      <StepRow step={event.step} kind={event.kind} current={current} facts={event.facts} onGo={() => position.goTo(run, event.step)}>
        {event.sentence}
        <OtherPolicy facts={event.facts} />
      </StepRow>
    </li>
  );
});

export function WhyPhase() {
  const phase = useSession(selectPhase);
  const verdicts = useVerdicts();
  if (phase === null) return <NothingRan />;
  const { found, more } = verdicts;
  const allOpen = phase.gates.every((gate) => gate.ok);
  return (
    <Panel>
      <WhyStep />
      <Outcome phase={phase} verdicts={verdicts} />
      {allOpen ? null : <Gates phase={phase} />}
      {phase.verifyErrors.length === 0 ? null : (
        <Stack as="ul" gap={2} pad={[2, 3]} aria-label="Verifier errors">
          {phase.verifyErrors.map((d) => (
            <li key={`${d.code}-${d.message}`}>
              <Badge tone="error">{d.code}</Badge> {d.message}
            </li>
          ))}
        </Stack>
      )}
      {phase.check?.ok === false ? (
        <Stack as="pre" gap={2} pad={[2, 3]}>
          {phase.check.counterexample}
        </Stack>
      ) : null}
      {found.length === 0 ? null : (
        <>
          <Toolbar as="h3">Candidates and verdicts</Toolbar>
          <ol className={panel.items} style={{ containIntrinsicHeight: `auto ${found.length * 30}px` }}>
            {found.map((event) => (
              <Candidate key={event.step} event={event} run={phase.run} />
            ))}
          </ol>
          {more > 0 ? <p className="pad muted">and {more} more: see Log.</p> : null}
        </>
      )}
      <Internals phase={phase} allOpen={allOpen} />
    </Panel>
  );
}

type Verdicts = ReturnType<typeof useVerdicts>;

/** The verdicts on the candidates of the phase, and what it reports at its end. */
function useVerdicts() {
  const trace = useSession(selectTrace);
  const tracing = useSession(selectTracing);
  const { steps, more } = useMemo(() => matchSteps(trace), [trace]);
  // Until a new run is traced, the trace is of the run before, whose steps the engine no longer knows.
  const { data } = useEngineQuery(trace === null || tracing ? null : `matches|${trace.run}|${trace.steps}`, async (api) =>
    trace === null ? null : verdictsOf(api, trace, steps),
  );
  const { found, closing } = data !== null && data.run === trace?.run ? data : NO_VERDICTS;
  return { found, closing, more, none: steps.length === 0 };
}

/** How the phase ended, and why, in sentences. */
function Outcome({ phase, verdicts: { found, closing, more, none } }: { readonly phase: PhaseRun; readonly verdicts: Verdicts }) {
  const status = phaseStatus(phase);
  const does = phaseDoes(phase.id);
  return (
    <Stack gap={2} pad={[2, 3]}>
      <p>
        <strong>
          {does === null ? (
            plainName(phase)
          ) : (
            <Term page={`phase:${phase.id}`} card={does}>
              {plainName(phase)}
            </Term>
          )}
        </strong>{" "}
        <Badge tone={status === "changed" ? "accent" : "plain"}>{statusTitle(phase)}</Badge>
      </p>
      {phase.reason === null || status === "absent" ? null : <p>{plainReason(phase.reason)}</p>}
      <PhiOffer />
      {status === "absent" ? <p>Oriscope knows this phase only by name and never runs it.</p> : null}
      {status === "same" && phase.reason === null ? (
        <p>{phase.matches === 0 && none ? "No candidate was found." : refusals(found, more)}</p>
      ) : null}
      {closing !== null && closing.otherVerdict !== "same" && !isOwnPhase(phase) ? (
        <p>
          <OtherPolicy facts={closing} compare />
        </p>
      ) : null}
      {typeof closing?.further === "string" ? <p>Another run may find more, because {closing.further}.</p> : null}
      <p className="muted">Select a block, edge, instruction or register to see what happened to it.</p>
    </Stack>
  );
}

function Internals({ phase, allOpen }: { readonly phase: PhaseRun; readonly allOpen: boolean }) {
  const target = useSession((s) => s.run.result?.target ?? "");
  return (
    <details className={cx(styles.internals, "line-below")}>
      <summary>Numbers and internals</summary>
      {phase.ran && phaseStatus(phase) !== "hidden" ? <Figures phase={phase} /> : null}
      {phase.gates.length > 0 && allOpen ? <Gates phase={phase} /> : null}
      {phase.dispatch.length === 0 ? null : <Dispatch rows={phase.dispatch} target={target} />}
      {isOwnPhase(phase) ? null : <SourceBlock group={phase.group} phase={phase.phase} />}
    </details>
  );
}

function refusals(found: readonly TraceEvent[], more: number): string {
  const { length } = found.filter((e) => e.kind === "match" && e.facts.verdict === "no");
  if (length === 0) return "The phase found nothing to change.";
  if (more > 0) return `${length} or more candidates were examined and refused.`;
  return `${plural(length, "candidate was", "candidates were")} examined and refused.`;
}

function Gates({ phase }: { readonly phase: PhaseRun }) {
  return (
    <DataTable
      label="Gates"
      rows={phase.gates}
      rowKey={({ gate, sentence }) => `${gate}-${sentence}`}
      columns={[
        { title: "Gate", tip: ({ gate }) => `${gate} in the reference`, cell: ({ gate }) => gateName(gate) },
        { title: "Open", cell: ({ ok }) => <Badge tone={ok ? "ok" : "warn"}>{ok ? "yes" : "no"}</Badge> },
        {
          title: "Why",
          cell: ({ sentence, other }) => (
            <>
              {sentence}
              {other === null ? null : <OtherPolicy facts={otherGate(other)} />}
            </>
          ),
        },
      ]}
    />
  );
}

/** What the phase counted: sizes before and after, then its own figures. */
const Figures = memo(function Figures({ phase }: { readonly phase: PhaseRun }) {
  const { reducibleBefore, reducible, ...figures } = phase.figures;
  const sizes: readonly (readonly [name: string, value: string])[] = [
    ["blocks", fromTo(phase.blocks)],
    ["instructions", fromTo(phase.instructions)],
    ["matches", String(phase.matches)],
    ["rewrites", String(phase.rewrites)],
  ];
  // A phase may count its blocks as well, which the line above shows.
  const said = new Set(sizes.map(([name]) => name));
  const own = Object.entries(figures).map(([name, value]) => [factName(name), String(value)] as const);
  const rows: typeof sizes = [...sizes, ...own.filter(([name]) => !said.has(name)), ...graphFigure(reducibleBefore, reducible)];
  return (
    <dl className={styles.figures} aria-label="Statistics of this phase">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
});

const fromTo = ([before, after]: readonly [number, number]): string => (before === after ? String(after) : `${before} → ${after}`);

/** No note for a graph that was reducible and still is. */
function graphFigure(before: number | undefined, after: number | undefined): readonly (readonly [name: string, value: string])[] {
  if (after === undefined || (before !== 0 && after !== 0)) return [];
  const word = (reducible: number | undefined): string => (reducible === 0 ? "irreducible" : "reducible");
  return [["graph", before === after ? word(after) : `${word(before)} → ${word(after)}`]];
}
