/** The life of what is selected: the phases that changed it, one line each, in the order of the pipeline. */

import type { LifeStage, Subject, SubjectLife } from "../../../engine/api/types.ts";
import { plainName } from "../../names/phases.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { subjectKey } from "../../session/subject.ts";
import { Badge } from "../../ui/badge.tsx";
import { plural } from "../../ui/plural.ts";
import { StepRow } from "../shared/step-row.tsx";

/** How many phases changed it: no phase has to be traced for that. */
export function LifeSummary({ subject, title }: { readonly subject: Subject; readonly title: string }) {
  const { data: life, fresh } = useEngineQuery(`lived|${subjectKey(subject)}`, (api) => api.life(subject, false));
  // Its line is kept free, so that what follows does not move.
  if (life === null || !fresh) return <p className="pad">{"\u00a0"}</p>;
  return (
    <section aria-label="Changes through the phases">
      <p className="pad">{summaryOf(title, life)}</p>
    </section>
  );
}

export function Life({ subject }: { readonly subject: Subject }) {
  const { data: life, fresh } = useEngineQuery(`life|${subjectKey(subject)}`, (api) => api.life(subject));
  if (life === null || !fresh) return null;
  return (
    <section aria-label="Phase by phase">
      <ol>
        {life.stages.map((stage) => (
          <li key={stage.run}>
            <Stage stage={stage} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function summaryOf(title: string, { ran, stages, written }: SubjectLife): string {
  const [first] = stages;
  const born = written || first?.what !== "created" ? "" : " It is not in the program as written.";
  const gone = stages.at(-1)?.what === "deleted" ? " It is not in the result." : "";
  const changed =
    stages.length === 0
      ? `None of the ${plural(ran, "phase")} changed ${title}.`
      : `${title} changed in ${stages.length} of ${plural(ran, "phase")}.`;
  return `${changed}${born}${gone}`;
}

function Stage({ stage: { run, phase, what, at, more } }: { readonly stage: LifeStage }) {
  const current = useSession((s) => s.position.run === run);
  const name = useSession((s) => s.run.result?.phases[run]?.name ?? phase);
  const { position } = useActions();
  return (
    <StepRow step={at?.step ?? null} kind={at?.kind ?? null} current={current} onGo={() => position.goTo(run, at?.step ?? -1)}>
      <strong>{plainName({ id: phase, name })}</strong> {what === "changed" ? null : <Badge>{what}</Badge>}{" "}
      {at?.sentence ?? "its steps were not recorded"}
      {at === null || at.because === null ? null : `, because ${at.because}`}
      {more === 0 ? null : <span className="muted"> (and {plural(more, "more change")})</span>}
    </StepRow>
  );
}
