/** The knob table: what each does, who reads it, its value; changing one runs the pipeline again. */

import { useEffect, useMemo, useState } from "react";
import type { KnobRow } from "../../../engine/api/types.ts";
import { phaseName, plainName } from "../../names/phases.ts";
import { KNOB_STRINGS } from "../../names/provenance.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { selectPhase } from "../../session/selectors.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Panel, Row, Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import styles from "./knobs.module.css";

export function Knobs() {
  const rows = useSession((s) => s.engine.knobs);
  const phase = useSession(selectPhase);
  const assigned = useSession((s) => s.options.pipeline.knobs);
  const { run } = useActions();
  const [query, setQuery] = useState("");
  const [onlyPhase, setOnlyPhase] = useState(true);
  const values = useMemo(() => new Map(assigned.map((k) => [k.slice(0, k.indexOf("=")), k.slice(k.indexOf("=") + 1)])), [assigned]);
  const assignedTo = (row: KnobRow) =>
    values.get(row.key) ?? values.get(row.name) ?? (row.index === null ? undefined : values.get(String(row.index)));
  const text = query.trim().toLowerCase();
  const readers = phase === null ? [] : [phase.id, phase.name];
  const shown = rows.filter((row) => {
    if (assignedTo(row) !== undefined && text === "") return true;
    if (text !== "") return `${row.key} ${row.name} ${row.index ?? ""} ${row.rot13 ?? ""} ${row.doc}`.toLowerCase().includes(text);
    return !onlyPhase || row.readBy.some((r) => readers.includes(r));
  });
  return (
    <>
      <Toolbar>
        <TextField label="Search knobs" hideLabel placeholder="Search knobs" value={query} onChange={setQuery} type="search" />
        <Checkbox checked={onlyPhase} onChange={setOnlyPhase}>
          read by this phase
        </Checkbox>
        {assigned.length > 0 ? <Button onClick={() => run.setOptions({ knobs: [] })}>Reset all</Button> : null}
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState title="No knob matches.">
          {onlyPhase && text === ""
            ? `${phase === null ? "This phase" : plainName(phase)} reads no knobs. Clear the checkbox to see all ${rows.length}.`
            : null}
        </EmptyState>
      ) : (
        <Panel>
          <DataTable
            rows={shown}
            rowKey={({ key }) => key}
            marks={(row) => ({ selected: assignedTo(row) !== undefined, handbook: `knob:${row.key}` })}
            columns={[
              { title: "Knob", cell: (row) => <KnobName row={row} /> },
              {
                title: "Value",
                width: 84,
                cell: (row) => <KnobValue row={row} value={assignedTo(row)} onSet={(value) => run.setKnob(row.key, value)} />,
              },
              {
                title: "What it does",
                cell: (row) => (
                  <>
                    <div>{row.doc}</div>
                    <div className="muted">{readersOf(row)}</div>
                  </>
                ),
              },
            ]}
          />
        </Panel>
      )}
    </>
  );
}

/** The phases that read a knob, by their plain names: a phase that runs several times once. */
function readersOf({ readBy }: KnobRow): string {
  const names = new Set(readBy.map((id) => phaseName(id)?.plain ?? id));
  return names.size === 0 ? "read by no modelled phase" : `read by ${[...names].join(", ")}`;
}

function KnobValue({
  row,
  value,
  onSet,
}: {
  readonly row: KnobRow;
  readonly value: string | undefined;
  readonly onSet: (value: string | null) => void;
}) {
  const [draft, setDraft] = useState(value ?? "");
  useEffect(() => setDraft(value ?? ""), [value]);
  const commit = () => {
    const next = draft.trim();
    if (next !== (value ?? "")) onSet(next === "" ? null : next);
  };
  return (
    <Row gap="hair" className={styles.value}>
      {row.type === "flag" ? (
        <Select
          label={`Value of ${row.name}`}
          hideLabel
          value={value ?? ""}
          options={[
            { value: "", title: row.default },
            { value: "1", title: "on" },
            { value: "0", title: "off" },
          ]}
          onChange={(next) => onSet(next === "" ? null : next)}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: only watches the field inside losing the focus
        <span onBlur={commit}>
          <TextField
            label={`Value of ${row.name}`}
            hideLabel
            mono
            value={draft}
            placeholder={row.default}
            onChange={setDraft}
            onSubmit={commit}
          />
        </span>
      )}
      {value === undefined ? null : <IconButton icon="reset" label={`Back to the default of ${row.name}`} onClick={() => onSet(null)} />}
    </Row>
  );
}

function KnobName({ row }: { readonly row: KnobRow }) {
  return (
    <>
      <div className="mono">{row.name}</div>
      <div className="muted num">
        {row.index === null ? "" : `#${row.index} · `}
        {row.type}
      </div>
      {row.rot13 === null && KNOB_STRINGS[row.key] === undefined ? null : (
        <details className="muted">
          <summary>in the binary</summary>
          <code>{row.rot13}</code> <span title="address of the knob's name in ptxas 13.0.88">{KNOB_STRINGS[row.key]}</span>
        </details>
      )}
    </>
  );
}
