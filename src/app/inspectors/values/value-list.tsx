/** The classes of equal values; the open one shows what became of each member and why. */

import { useMemo, useState } from "react";
import { conditionName } from "../../names/conditions.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import type { CellValue } from "../../session/moment.ts";
import { selectSelected } from "../../session/selectors.ts";
import { valueClass } from "../../session/value-numbers.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Panel, Toolbar } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { ValueNumber } from "../shared/value-number.tsx";
import { isObject, showCell } from "../structures/cells.ts";
import { CONDITION_TITLES, outcomeOf, type ValueOutcome } from "./value-outcome.ts";
import styles from "./values.module.css";

/** Classes and members listed; the rest is counted. */
const MOST_CLASSES = 400;
const MOST_MEMBERS = 64;

interface Member {
  readonly inst: number;
  readonly reg: string;
  readonly block: string;
}

export function ValueClasses({ run, cells }: { readonly run: number; readonly cells: ReadonlyMap<string, CellValue> }) {
  const selected = useSession(selectSelected);
  const [picked, setPicked] = useState<number | null>(null);
  const [shared, setShared] = useState(true);
  const classes = useMemo(() => classesOf(cells), [cells]);
  // What is selected elsewhere opens its class here, until the user opens another.
  const wanted = useMemo(() => {
    if (selected?.kind === "inst") return valueClass(cells.get(String(selected.id)));
    if (selected?.kind !== "reg") return null;
    return [...classes].find(([, members]) => members.some((m) => m.reg === selected.name))?.[0] ?? null;
  }, [selected, cells, classes]);
  const open = picked ?? wanted;
  const shown = [...classes].filter(([number, members]) => !shared || members.length > 1 || number === open);
  return (
    <>
      <Toolbar>
        <span>
          {plural(classes.size, "number")}, {[...classes.values()].filter((m) => m.length > 1).length} held more than once
        </span>
        <Checkbox checked={shared} onChange={setShared}>
          only these
        </Checkbox>
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState title="No value is computed twice.">Clear the checkbox to see all numbers.</EmptyState>
      ) : (
        <Panel>
          <ul>
            {shown.slice(0, MOST_CLASSES).map(([number, members]) => (
              <li key={number}>
                <button
                  type="button"
                  className={cx("line-button line-below", number === open && "is-current")}
                  aria-expanded={number === open}
                  onClick={() => setPicked(number === open ? null : number)}
                >
                  <span className="rigid mono" style={{ width: 64 }}>
                    <ValueNumber of={number} />
                  </span>
                  <span className={"grow breaks mono"}>
                    {members
                      .slice(0, 8)
                      .map((m) => m.reg)
                      .join(" = ")}
                    {members.length > 8 ? ` and ${members.length - 8} more` : ""}
                  </span>
                  <span className="muted">{plural(members.length, "instruction")}</span>
                </button>
                {number === open ? <Members run={run} members={members} /> : null}
              </li>
            ))}
          </ul>
          {shown.length > MOST_CLASSES ? <p className="pad muted">and {shown.length - MOST_CLASSES} more numbers</p> : null}
        </Panel>
      )}
    </>
  );
}

function Members({ run, members }: { readonly run: number; readonly members: readonly Member[] }) {
  const { selection } = useActions();
  const selected = useSession(selectSelected);
  const listed = members.slice(0, MOST_MEMBERS);
  const key = `outcomes|${run}|${listed.map((m) => m.inst).join(",")}`;
  const { data, fresh, error } = useEngineQuery(key, async (api) => {
    const histories = await Promise.all(listed.map((m) => api.history(run, { kind: "inst", id: m.inst })));
    return new Map(listed.map((m, i): [number, ValueOutcome] => [m.inst, outcomeOf(m.inst, histories[i]?.items ?? [])]));
  });
  if (error !== null) return <p className="pad">{error}</p>;
  return (
    <div className={styles.members}>
      <DataTable
        busy={!fresh}
        rows={listed}
        rowKey={({ inst }) => inst}
        marks={({ inst }) => ({ current: selected?.kind === "inst" && selected.id === inst })}
        columns={[
          {
            title: "Instruction",
            cell: ({ inst, reg }) => (
              <Button variant="link" onClick={() => selection.select({ kind: "inst", id: inst })}>
                <code>{data?.get(inst)?.text ?? reg}</code>
              </Button>
            ),
          },
          { title: "In", mono: true, cell: ({ block }) => block },
          { title: "Outcome and reason", cell: ({ inst }) => <Outcome run={run} outcome={data?.get(inst)} /> },
        ]}
      />
      {members.length > MOST_MEMBERS ? <p className="muted">and {members.length - MOST_MEMBERS} more instructions</p> : null}
    </div>
  );
}

function Outcome({ run, outcome }: { readonly run: number; readonly outcome: ValueOutcome | undefined }) {
  const { position } = useActions();
  if (outcome === undefined) return null;
  const { step, why } = outcome;
  return (
    <>
      <OutcomeBadge outcome={outcome} /> {why}{" "}
      {step === null ? null : (
        <Button variant="link" onClick={() => position.goTo(run, step)}>
          step {step + 1}
        </Button>
      )}
    </>
  );
}

function OutcomeBadge({ outcome }: { readonly outcome: ValueOutcome }) {
  const asked = CONDITION_TITLES[outcome.condition];
  const title = asked === undefined ? outcome.condition : `${outcome.condition}: ${asked}`;
  switch (outcome.verdict) {
    case "leader":
      return <Badge tone="accent">leader</Badge>;
    case "replaced":
      return (
        <Badge tone="ok" title={title}>
          replaced{outcome.condition === "" ? "" : `: ${conditionName(outcome.condition).plain}`}
        </Badge>
      );
    case "kept":
      return (
        <Badge tone="warn" title={title}>
          kept: {conditionName(outcome.condition).plain}
        </Badge>
      );
    case "unseen":
      return <Badge>kept</Badge>;
  }
}

/** Members by class, the largest class first. */
function classesOf(cells: ReadonlyMap<string, CellValue>): ReadonlyMap<number, readonly Member[]> {
  const found = new Map<number, Member[]>();
  for (const [key, cell] of cells) {
    const number = valueClass(cell);
    if (number === null || !isObject(cell)) continue;
    const member = { inst: Number(key), reg: showCell(cell.reg), block: showCell(cell.block) };
    const known = found.get(number);
    if (known === undefined) found.set(number, [member]);
    else known.push(member);
  }
  return new Map([...found].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]));
}
