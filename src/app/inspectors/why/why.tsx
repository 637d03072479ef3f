/** Why: what happened to the selection, here and in other phases; without a selection, why this phase did what it did. */

import { useMemo, useState } from "react";
import type { HistoryItem, RegisterLife, RegisterStage } from "../../../engine/api/types.ts";
import { plainName } from "../../names/phases.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { selectMoment, selectSelected, selectTracing } from "../../session/selectors.ts";
import { subjectKey, subjectTitle } from "../../session/subject.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Panel, Toolbar } from "../../ui/layout.tsx";
import { OtherPolicy } from "../shared/other-policy.tsx";
import { StepRow } from "../shared/step-row.tsx";
import { Life, LifeSummary } from "./life.tsx";
import { RegisterInput, RegisterStageView } from "./register-stage.tsx";
import { WhyPhase } from "./why-phase.tsx";

export function Why() {
  const selected = useSession(selectSelected);
  // Read for the title of what is selected only: without a selection a step renders nothing here.
  const moment = useSession((s) => (selectSelected(s) === null ? null : selectMoment(s)));
  const run = useSession((s) => s.position.run);
  const tracing = useSession(selectTracing);
  const [everywhere, setEverywhere] = useState(false);
  const [logged, setLogged] = useState(false);
  const listed = !everywhere || logged || selected?.kind === "node";
  const { selection } = useActions();
  const key = selected === null || run < 0 || tracing || !listed ? null : `${subjectKey(selected)}|${everywhere ? "all" : run}`;
  const { data, fresh } = useEngineQuery(key, (api) => {
    if (selected === null) throw new Error("nothing is selected");
    return api.history(everywhere ? null : run, selected);
  });
  const reg = selected?.kind === "reg" && run >= 0 ? selected.name : null;
  const life = useRegisterLife(reg);
  const items = data?.items ?? NO_ITEMS;
  const stages = life?.stages ?? NO_STAGES;
  const groups = useMemo(() => byPhase(items, everywhere ? stages : stages.filter((s) => s.run === run)), [items, stages, everywhere, run]);
  if (selected === null) return <WhyPhase />;
  const title = subjectTitle(selected, moment);
  const lives = selected.kind !== "node" && run >= 0;
  return (
    <>
      <Toolbar>
        <span className="strong ellipsis grow mono">{title}</span>
        <Checkbox checked={everywhere} onChange={setEverywhere}>
          all phases
        </Checkbox>
        {fresh || !listed ? null : <Badge>searching…</Badge>}
        <IconButton icon="close" label="Clear the selection" onClick={() => selection.select(null)} />
      </Toolbar>
      <Panel aria-busy={listed && !fresh}>
        {lives ? <LifeSummary subject={selected} title={title} /> : null}
        {everywhere && lives && !tracing ? (
          <>
            <Life subject={selected} />
            {reg === null || life === null || life.input === null ? null : <RegisterInput name={reg} input={life.input} />}
            <p className="pad">
              <Button variant="link" onClick={() => setLogged(!logged)}>
                {logged ? "Hide the log" : "Show every event that touches it"}
              </Button>
            </p>
          </>
        ) : null}
        {!listed ? null : fresh && groups.length === 0 ? (
          <EmptyState title={everywhere ? "No phase touched it." : "This phase never touched it."}>
            {everywhere ? null : (
              <Button variant="link" onClick={() => setEverywhere(true)}>
                Search all phases
              </Button>
            )}
          </EmptyState>
        ) : (
          groups.map((group) => <PhaseEvents key={group.run} group={group} reg={reg} titled={everywhere} />)
        )}
        {(listed ? (data?.notes ?? []) : []).map((note) => (
          <p className="pad muted" key={note}>
            {note}
          </p>
        ))}
      </Panel>
    </>
  );
}

/** What the phases did to a register; null: there is none, or no answer yet. */
function useRegisterLife(reg: string | null): RegisterLife | null {
  const { data } = useEngineQuery(reg === null ? null : `life|${reg}`, async (api) => ({ reg, life: await api.registerLife(reg ?? "") }));
  return reg !== null && data?.reg === reg ? data.life : null;
}

/** What a phase did to the selection. */
function PhaseEvents({ group, reg, titled }: { readonly group: Group; readonly reg: string | null; readonly titled: boolean }) {
  // By its textbook name.
  const title = plainName({ id: group.phase, name: group.phase });
  return (
    <section aria-label={title}>
      {titled ? (
        <Toolbar>
          <Badge tone="accent">{title}</Badge>
        </Toolbar>
      ) : null}
      {group.stage === null ? null : <RegisterStageView name={reg ?? ""} stage={group.stage} />}
      <ol>
        {group.items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an event may be listed twice, for two reasons
          <li key={`${item.step}/${index}`}>
            <Item item={item} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface Group {
  readonly run: number;
  readonly phase: string;
  readonly items: readonly HistoryItem[];
  /** What the phase did to the chosen register. */
  readonly stage: RegisterStage | null;
}

const NO_ITEMS: readonly HistoryItem[] = [];
const NO_STAGES: readonly RegisterStage[] = [];

/** Events by the run of the phase they belong to, with what each phase did to a register; in the order of the pipeline. */
function byPhase(items: readonly HistoryItem[], stages: readonly RegisterStage[]): readonly Group[] {
  const groups = new Map<number, { phase: string; items: HistoryItem[]; stage: RegisterStage | null }>();
  for (const item of items) {
    const group = groups.get(item.run);
    if (group === undefined) groups.set(item.run, { phase: item.phase, items: [item], stage: null });
    else group.items.push(item);
  }
  for (const stage of stages) {
    const group = groups.get(stage.run);
    if (group === undefined) groups.set(stage.run, { phase: stage.phase, items: [], stage });
    else group.stage = stage;
  }
  return [...groups].sort((a, b) => a[0] - b[0]).map(([run, group]) => ({ run, ...group }));
}

function Item({ item }: { readonly item: HistoryItem }) {
  const current = useSession((s) => s.position.run === item.run && s.position.step === item.step);
  const { position } = useActions();
  return (
    <StepRow step={item.step} kind={item.kind} current={current} facts={item.facts} onGo={() => position.goTo(item.run, item.step)}>
      {item.sentence}
      <OtherPolicy facts={item.facts} />
    </StepRow>
  );
}
