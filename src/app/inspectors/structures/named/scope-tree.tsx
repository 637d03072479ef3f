/** The scope tree of value numbering next to the dominator tree, whose positions are its members. */

import { useMemo } from "react";
import { EVENT_KINDS } from "../../../../engine/trace/kinds.ts";
import { useActions, useEngineQuery, useSession } from "../../../session/hooks.ts";
import { selectMoment, selectSelected, selectTrace } from "../../../session/selectors.ts";
import { cx } from "../../../ui/cx.ts";
import { Panel, Row, Stack } from "../../../ui/layout.tsx";
import structures from "../structures.module.css";
import { layoutTree } from "../tree-layout.ts";
import { TreeView } from "../tree-view.tsx";
import type { StructureViewProps } from "../view.ts";
import { dominatorRows, indexFormula } from "./dominator-rows.ts";
import styles from "./named.module.css";

const VISIT = EVENT_KINDS.indexOf("visit");
/** Rows drawn, and events read for the places; the rest is counted. */
const MOST_ROWS = 400;
const MOST_EVENTS = 20_000;

export function ScopeTreeView(props: StructureViewProps) {
  const { cells } = props.structure;
  const moment = useSession(selectMoment);
  const trace = useSession(selectTrace);
  const selected = useSession(selectSelected);
  const { selection } = useActions();
  const { data, error } = useEngineQuery(trace === null ? null : `scope-tree ${trace.run}`, async (api) => {
    if (trace === null) return null;
    const analyses = await api.analyses({ run: trace.run, step: -1 });
    const steps = [...trace.kinds.keys()].filter((step) => trace.kinds[step] === VISIT).slice(0, MOST_EVENTS);
    const places = new Map<string, number>();
    for (let i = 0; i < steps.length; ) {
      const from = steps[i] ?? 0;
      let j = i;
      while (j + 1 < steps.length && (steps[j + 1] ?? 0) - from < 256) j++;
      for (const { facts } of await api.events(trace.run, from, (steps[j] ?? from) - from + 1)) {
        if (typeof facts.block === "string" && typeof facts.index === "number") places.set(facts.block, facts.index);
      }
      i = j + 1;
    }
    return { idom: analyses.idom, places };
  });
  const rows = useMemo(() => {
    if (data === null || moment === null) return [];
    const labels = new Map([...moment.blocks.values()].map((b) => [b.id, b.label]));
    const leaves = new Map(layoutTree(cells).nodes.map((n) => [n.key, n.words]));
    return dominatorRows(data.idom, labels, data.places, leaves);
  }, [data, moment, cells]);
  const names = new Map([...(data?.places ?? [])].map(([label, place]) => [place, label] as const));
  const nameOf = (member: number): string => names.get(member) ?? String(member);
  const chosen = selected?.kind === "block" ? rows.find((r) => r.block === selected.id) : undefined;
  return (
    <Row wrap align="start" grow scroll className={styles.scope}>
      <Panel as="section" pad={2} aria-label="Dominator tree">
        <h4>Dominator tree</h4>
        {error === null ? null : <p className="muted">It could not be loaded: {error}</p>}
        <Stack as="ul" align="start" gap="hair">
          {rows.slice(0, MOST_ROWS).map((row) => (
            <li key={row.block} style={{ paddingInlineStart: Math.min(row.depth, 12) * 12 }}>
              <button
                type="button"
                className={cx(structures.cell, styles.place, row.waits && styles.recorded, row === chosen && structures.selected)}
                aria-pressed={row === chosen}
                onClick={() => selection.select({ kind: "block", id: row.block })}
              >
                <span>{row.label}</span>
                <b>{row.index ?? "–"}</b>
                {row.waits ? <small>recorded</small> : null}
              </button>
            </li>
          ))}
        </Stack>
        {rows.length > MOST_ROWS ? <p className="muted">and {rows.length - MOST_ROWS} more</p> : null}
        <p className={styles.note}>
          {chosen === undefined
            ? "Select a block to see how its index is computed."
            : chosen.index === null
              ? `${chosen.label} has no index: the phase does not walk it.`
              : `${chosen.label}: ${indexFormula(chosen.index)}`}
        </p>
      </Panel>
      <TreeView {...props} nameOf={nameOf} />
    </Row>
  );
}
