/** Compare: the pass beside one of our phases, alone on the same programs. */

import { useMemo } from "react";
import { useStore } from "zustand";
import type { Compared } from "../../../ownpass/check-bench.ts";
import type { CompareRow, CompareSide } from "../../../ownpass/compare.ts";
import { plainName } from "../../names/phases.ts";
import { useActions, useSession, useSessionObject } from "../../session/hooks.ts";
import { safeName } from "../../share/download.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/plural.ts";
import { Select } from "../../ui/select.tsx";
import { checkStore, runCompare, setSettings } from "../check/check-store.ts";
import { openProgram } from "../check/open-failure.ts";
import { CheckForm } from "./check-form.tsx";
import { Reports, Unusable } from "./check-panel.tsx";
import styles from "./pane.module.css";

export function ComparePanel({ source }: { readonly source: string }) {
  const session = useSessionObject();
  const found = useStore(checkStore, (s) => s.compared);
  const against = useStore(checkStore, (s) => s.settings.against);
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
    <div className={styles.scroll}>
      <div className={styles.pad}>
        <CheckForm kind="compare" action="Compare both" onRun={() => void runCompare(session, source)}>
          <span className={styles.place}>
            <Select label="with" value={against} options={options} onChange={(next) => setSettings({ against: next })} />
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
            {found.source === source ? null : <Badge tone="warn">for an earlier version of the text</Badge>}
            {found.answer.kind === "unusable" ? (
              <Unusable line={found.answer.line} message={found.answer.message} />
            ) : (
              <Result compared={found.answer} />
            )}
          </>
        )}
      </div>
    </div>
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
      <p className={styles.verdict} data-testid="compare-verdict">
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
        <table className={styles.table} data-testid="compare-figures">
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">figure</span>
              </th>
              {["before", name, against].map((title, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a pass may be called as our phase is
                <th key={i} scope="col" className={styles.figure}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <Figures title="instructions" figures={c.size} />
            <Figures title="executed warp instructions" figures={c.executed} />
          </tbody>
        </table>
      )}
      <Rows title={`Where ${name} is ahead`} rows={c.best} name={name} against={against} />
      <Rows title={`Where ${against} is ahead`} rows={c.worst} name={name} against={against} />
      <Rows title={`Where the result of ${name} does not count`} rows={c.wrong} name={name} against={against} />
      {unread.map((text) => (
        <p key={text} className={styles.warning}>
          {text}
        </p>
      ))}
      <Reports stem={`${safeName(name)}-beside-${safeName(against)}`} markdown={markdown} csv={csv} />
    </>
  );
}

function Figures({ title, figures }: { readonly title: string; readonly figures: readonly [number, number, number] }) {
  const [before] = figures;
  return (
    <tr>
      <th scope="row">{title}</th>
      {(["before", "mine", "ours"] as const).map((side, i) => (
        <td key={side} className={styles.figure}>
          {figures[i]}
          {i === 0 || before === 0 ? "" : ` (${((100 * ((figures[i] ?? 0) - before)) / before).toFixed(1)} %)`}
        </td>
      ))}
    </tr>
  );
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
      <h3 className={styles.heading}>{title}</h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">program</th>
            <th scope="col">before</th>
            <th scope="col">{name}</th>
            <th scope="col">{against}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ program, text, before, mine, ours }) => (
            <tr key={program}>
              <td>
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
              </td>
              <td>{sideText(before)}</td>
              <td>{sideText(mine)}</td>
              <td>{sideText(ours)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const sideText = ({ problem, size, executed }: CompareSide): string => problem ?? `${size}, ${executed} executed`;
