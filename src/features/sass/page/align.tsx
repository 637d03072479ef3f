/** The result next to real SASS of the same kernel: corresponding blocks, decisions that agree; linked to the selection. */

import { useEffect, useMemo, useState } from "react";
import { useActions, useEngineQuery, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { selectKernel, selectPhases, selectSelected } from "../../../app/session/selectors.ts";
import { Badge } from "../../../app/ui/badge.tsx";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { DataTable } from "../../../app/ui/data-table.tsx";
import { EmptyState } from "../../../app/ui/empty-state.tsx";
import { Panel, Row, Stack, Toolbar } from "../../../app/ui/layout.tsx";
import { Select } from "../../../app/ui/select.tsx";
import type { AlignedBlock, AlignReport } from "../engine/align/report.ts";
import styles from "./align.module.css";
import { setListing, useListing } from "./listing.ts";
import { ListingInput } from "./listing-input.tsx";
import { type AlignRows, alignRows, edgesText } from "./rows.ts";

type Where = "end" | "here" | "input";

const PLACES: readonly { readonly value: Where; readonly title: string }[] = [
  { value: "end", title: "after all phases" },
  { value: "here", title: "at this step" },
  { value: "input", title: "as written" },
];

export function Align() {
  const session = useSessionObject();
  const listing = useListing(useSession((s) => s.document.since));
  const kernel = useSession((s) => selectKernel(s)?.name ?? null);
  const run = useSession((s) => s.position.run);
  const step = useSession((s) => s.position.step);
  const last = useSession((s) => selectPhases(s).length - 1);
  const [where, setWhere] = useState<Where>("end");
  const [wanted, setWanted] = useState<string | null>(null);
  const revision = listing?.revision ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another listing has other functions
  useEffect(() => setWanted(null), [revision, kernel]);
  const moment = { end: { run: last, step: null }, here: { run, step }, input: { run: -1, step: null } }[where];
  const key = listing === null || last < 0 ? null : `align|${revision}|${kernel}|${moment.run}|${moment.step}|${wanted}`;
  const { data, fresh, error } = useEngineQuery(key, (api) => api.align(moment, listing?.text ?? "", wanted), "run");
  if (listing === null) return <Scrolled input={null} />;
  if (error !== null) return <Scrolled input={`The listing could not be compared: ${error}`} />;
  if (data === null) return <EmptyState title={last < 0 ? "The pipeline has not run." : "Comparing…"} />;
  if (!data.ok) {
    const found = data.diagnostics.find((d) => d.severity === "error");
    return <Scrolled input={found?.message ?? "The listing contains no function."} />;
  }
  return (
    <>
      <Toolbar aria-busy={!fresh}>
        <span className="ellipsis grow" title={listing.name}>
          {listing.name}
        </span>
        <Badge tone={data.score > 0.6 ? "ok" : "warn"} title="mean score over the blocks of both programs; an unmatched block counts as 0">
          score {data.score.toFixed(2)}
        </Badge>
        <Select label="Ours" value={where} options={PLACES} onChange={setWhere} />
        {data.candidates.length > 1 ? (
          <Select
            label="Function"
            value={data.real.name}
            options={data.candidates.map((name) => ({ value: name, title: name }))}
            onChange={setWanted}
          />
        ) : null}
        <Button onClick={() => setListing(session, null)}>Other listing</Button>
      </Toolbar>
      <Result report={data} />
    </>
  );
}

function Scrolled({ input }: { readonly input: string | null }) {
  return (
    <Panel>
      <ListingInput problem={input} />
    </Panel>
  );
}

function Result({ report }: { readonly report: AlignReport }) {
  const rows = useMemo(() => alignRows(report), [report]);
  const selected = useSession(selectSelected);
  const [alone, setAlone] = useState<AlignedBlock | null>(null);
  const ours = selected?.kind === "block" ? (report.ours.blocks.find((b) => b.id === selected.id) ?? null) : null;
  const pair = rows.pairs.find((p) => p.ours.id === ours?.id) ?? null;
  const real = alone ?? pair?.real ?? null;
  return (
    <Panel>
      {ours === null && real === null ? null : (
        <div className={styles.sides}>
          <Side title="Ours" block={alone === null ? ours : null} blocks={report.ours.blocks} />
          <Side title="Real" block={real} blocks={report.real.blocks} />
        </div>
      )}
      <Decisions rows={rows} />
      <Pairs rows={rows} selected={alone === null ? (ours?.id ?? null) : null} onPick={() => setAlone(null)} />
      <Alone title="Blocks that only ours has" blocks={rows.onlyOurs} onPick={() => setAlone(null)} />
      <Alone title="Blocks that only the real output has" blocks={rows.onlyReal} onPick={setAlone} foreign />
      {report.notes.map((note) => (
        <p className="pad muted" key={note}>
          {note}
        </p>
      ))}
    </Panel>
  );
}

function Side({
  title,
  block,
  blocks,
}: {
  readonly title: string;
  readonly block: AlignedBlock | null;
  readonly blocks: readonly AlignedBlock[];
}) {
  return (
    <section className={cx(styles.side, "boxed")} aria-label={title}>
      <h3 className="line-below">
        {title}: {block === null ? "no matching block" : <span className="mono">{block.label}</span>}
        {block?.isLoopHeader === true ? <Badge>loop header</Badge> : null}
      </h3>
      {block === null ? null : (
        <pre className="mono">
          {block.instructions.join("\n")}
          {`\n${edgesText(block, blocks)}`}
        </pre>
      )}
    </section>
  );
}

function Decisions({ rows }: { readonly rows: AlignRows }) {
  return (
    <DataTable
      caption={`Decisions: ${rows.agreeing} of ${rows.decisions.length} agree`}
      rows={rows.decisions}
      rowKey={({ id }) => id}
      columns={[
        { title: "Counted", cell: ({ title }) => title },
        { title: "Ours", align: "end", cell: ({ ours }) => ours },
        { title: "Real", align: "end", cell: ({ real }) => real },
        {
          key: "agreement",
          title: <span className="visually-hidden">Agreement</span>,
          cell: ({ agree }) => <Badge tone={agree ? "ok" : "warn"}>{agree ? "agree" : "differ"}</Badge>,
        },
      ]}
    />
  );
}

function Pairs({ rows, selected, onPick }: { readonly rows: AlignRows; readonly selected: number | null; readonly onPick: () => void }) {
  const { selection } = useActions();
  return (
    <DataTable
      caption={`Matched blocks: ${rows.pairs.length}`}
      rows={rows.pairs}
      rowKey={({ ours }) => ours.id}
      marks={({ ours }) => ({ selected: selected === ours.id })}
      columns={[
        {
          title: "Ours",
          mono: true,
          cell: ({ ours }) => {
            const subject = { kind: "block", id: ours.id } as const;
            return (
              <button
                type="button"
                className={styles.pick}
                aria-pressed={selected === ours.id}
                onClick={() => {
                  onPick();
                  selection.select(subject);
                }}
                onPointerEnter={() => selection.hover(subject)}
                onPointerLeave={() => selection.hover(null)}
              >
                {ours.label}
              </button>
            );
          },
        },
        { title: "Real", mono: true, cell: ({ real }) => real.label },
        { title: "Score", align: "end", cell: ({ score }) => score.toFixed(2) },
        { title: "Because of", cell: ({ reasons }) => <span className="quiet">{reasons}</span> },
      ]}
    />
  );
}

function Alone({
  title,
  blocks,
  onPick,
  foreign = false,
}: {
  readonly title: string;
  readonly blocks: readonly AlignedBlock[];
  readonly onPick: (block: AlignedBlock) => void;
  readonly foreign?: boolean;
}) {
  const { selection } = useActions();
  if (blocks.length === 0) return null;
  return (
    <Stack as="p" gap={2} pad={[2, 3]}>
      <strong>
        {title}: {blocks.length}
      </strong>
      <Row as="span" wrap gap={2}>
        {blocks.map((block) => (
          <button
            key={block.id}
            type="button"
            className={cx(styles.pick, "mono")}
            onClick={() => {
              onPick(block);
              selection.select(foreign ? null : { kind: "block", id: block.id });
            }}
          >
            {block.label}
          </button>
        ))}
      </Row>
    </Stack>
  );
}
