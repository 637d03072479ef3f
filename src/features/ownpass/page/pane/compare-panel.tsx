/** Compare: the pass and a built-in phase, each alone on the same programs. */

import { useMemo } from "react";
import { plainName } from "../../../../app/names/phases.ts";
import { useActions, useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { safeName } from "../../../../app/share/download.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { DataTable } from "../../../../app/ui/data-table.tsx";
import { Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import { Select } from "../../../../app/ui/select.tsx";
import type { Compared } from "../../engine/check/check-bench.ts";
import type { CompareRow, CompareSide } from "../../engine/check/compare.ts";
import { openProgram } from "../check/open-failure.ts";
import { runCompare, setSettings } from "../check/run-check.ts";
import { CheckForm } from "./check-form.tsx";
import { Earlier, Reports, Unusable } from "./check-panel.tsx";
import styles from "./pane.module.css";

export function ComparePanel({ source }: { readonly source: string }) {
  const session = useSessionObject();
  const found = useSession((s) => s.passCheck.compared);
  const against = useSession((s) => s.passCheck.settings.against);
  const phases = useSession((s) => s.engine.phases);
  const options = useMemo(() => {
    const seen = new Set<string>();
    return phases.flatMap(({ id, name, number, modelled }) => {
      if (!modelled || seen.has(id)) return [];
      seen.add(id);
      return [{ value: id, title: number === null ? plainName({ id, name }) : `${number} ${plainName({ id, name })}` }];
    });
  }, [phases]);
  return (
    <Stack fill scroll>
      <Stack gap={2} pad={[2, 3]}>
        <CheckForm kind="compare" action="Compare both" onRun={() => void runCompare(session, source)}>
          <span className={styles.place}>
            <Select label="with" value={against} options={options} onChange={(next) => setSettings(session, { against: next })} />
          </span>
        </CheckForm>
        {/* There before it has something to say, so that it is read out. */}
        <p className="visually-hidden" role="status">
          {found === null || found.answer.kind === "unusable" ? "" : verdictOf(found.answer)}
        </p>
        {found === null ? (
          <p className="muted">
            Both run by themselves on the same programs. A result counts when it is valid and has the same meaning as the program.
          </p>
        ) : (
          <>
            <Earlier found={found} source={source} />
            {found.answer.kind === "unusable" ? (
              <Unusable line={found.answer.line} message={found.answer.message} />
            ) : (
              <Result compared={found.answer} />
            )}
          </>
        )}
      </Stack>
    </Stack>
  );
}

const verdictOf = ({ comparison: c }: Compared): string =>
  c.counted === 0
    ? `Both results count on none of ${plural(c.programs, "program")}`
    : `The same program on ${c.same} of ${c.counted}; fewer executed on ${c.better}, more on ${c.worse}`;

function Result({ compared }: { readonly compared: Compared }) {
  const { comparison: c, report, name, markdown, csv } = compared;
  const { title: against, seed, cancelled, unread } = report;
  return (
    <>
      <p className="large strong" data-testid="compare-verdict">
        {verdictOf(compared)}
      </p>
      <p className="muted">
        {plural(c.programs, "program")}, random programs from seed {seed}
        {cancelled ? ", cancelled" : ""}.{" "}
        {c.counted === 0
          ? "A result counts when it is valid and has the same meaning as the program, so there are no figures to compare."
          : `The figures are for the ${c.counted} programs on which both results count.`}
      </p>
      {c.counted === 0 ? null : (
        <DataTable
          testId="compare-figures"
          fit
          rows={FIGURES}
          rowKey={({ title }) => title}
          columns={[
            { key: "figure", title: <span className="visually-hidden">figure</span>, head: true, cell: ({ title }) => title },
            ...["before", name, against].map((title, i) => ({
              // A pass may be called as our phase is.
              key: String(i),
              title,
              align: "end" as const,
              cell: ({ of }: (typeof FIGURES)[number]) => change(of(c), i),
            })),
          ]}
        />
      )}
      <Rows title={`Where ${name} is ahead`} rows={c.best} name={name} against={against} />
      <Rows title={`Where ${against} is ahead`} rows={c.worst} name={name} against={against} />
      <Rows title={`Where the result of ${name} does not count`} rows={c.wrong} name={name} against={against} />
      {unread.map((text) => (
        <p key={text} className="tone-warn">
          {text}
        </p>
      ))}
      <Reports stem={`${safeName(name)}-beside-${safeName(against)}`} markdown={markdown} csv={csv} />
    </>
  );
}

const FIGURES = [
  { title: "instructions", of: (c: Compared["comparison"]) => c.size },
  { title: "executed warp instructions", of: (c: Compared["comparison"]) => c.executed },
] as const;

/** A figure with its change in percent. */
function change(figures: readonly [before: number, mine: number, ours: number], i: number): string {
  const [before] = figures;
  const figure = figures[i] ?? 0;
  return i === 0 || before === 0 ? String(figure) : `${figure} (${((100 * (figure - before)) / before).toFixed(1)} %)`;
}

interface RowsProps {
  readonly title: string;
  readonly rows: readonly CompareRow[];
  readonly name: string;
  readonly against: string;
}

function Rows({ title, rows, name, against }: RowsProps) {
  const session = useSessionObject();
  const { ownpass } = useActions();
  if (rows.length === 0) return null;
  return (
    <>
      <h3 className="strong">{title}</h3>
      <DataTable
        rows={rows}
        rowKey={({ program }) => program}
        columns={[
          {
            title: "program",
            cell: ({ program, text }) => (
              <Button
                variant="link"
                onClick={() => {
                  openProgram(session, text, program);
                  ownpass.setPlace(null);
                  ownpass.run();
                }}
              >
                {program}
              </Button>
            ),
          },
          { title: "before", cell: ({ before }) => sideText(before) },
          { key: "mine", title: name, cell: ({ mine }) => sideText(mine) },
          { key: "ours", title: against, cell: ({ ours }) => sideText(ours) },
        ]}
      />
    </>
  );
}

const sideText = ({ problem, size, executed }: CompareSide): string => problem ?? `${size}, ${executed} executed`;
