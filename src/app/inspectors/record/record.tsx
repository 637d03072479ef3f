/** The block record and the function record at this step: field by field, bit by bit, with what last wrote each. */

import type { BlockView, HistoryItem } from "../../../engine/api/types.ts";
import {
  BLOCK_FIELDS,
  FLAG_BITS,
  FUNCTION_BITS,
  hex,
  lastWrites,
  type RecordBit,
  SUCCESSOR_LISTS,
  successorList,
} from "../../names/record-fields.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { blockOfInst, type MomentState } from "../../session/moment.ts";
import { selectMoment, selectTracing } from "../../session/selectors.ts";
import type { SessionState } from "../../session/state.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel, Row, Toolbar } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { BitRuler } from "./bit-ruler.tsx";
import { Readers } from "./callers.tsx";
import styles from "./record.module.css";

/** The block of the selection; else of the current event; else the entry. */
function shownBlock(moment: MomentState, s: SessionState): BlockView | null {
  const { selected } = s.selection;
  const entry = moment.blocks.get(moment.entry) ?? null;
  switch (selected?.kind) {
    case "block":
      return moment.blocks.get(selected.id) ?? entry;
    case "edge":
      return moment.blocks.get(selected.from) ?? entry;
    case "inst":
      return blockOfInst(moment, selected.id) ?? entry;
    default: {
      const focus = moment.event?.focus.blocks?.[0];
      return (focus === undefined ? undefined : moment.blocks.get(focus)) ?? entry;
    }
  }
}

export function RecordInspector() {
  const moment = useSession(selectMoment);
  const block = useSession((s) => (s.position.moment === null ? null : shownBlock(s.position.moment, s)));
  const { selection } = useActions();
  const run = useSession((s) => s.position.run);
  const tracing = useSession(selectTracing);
  const { data: history } = useEngineQuery(block === null || tracing ? null : `record|${run}|${block.id}`, async (api) => ({
    run,
    block: block?.id,
    items: block === null ? [] : (await api.history(run, { kind: "block", id: block.id })).items,
  }));
  if (moment === null || block === null) return <EmptyState title="No block." />;
  const label = (id: number) => moment.blocks.get(id)?.label ?? `#${id}`;
  const writes =
    history !== null && history.run === moment.run && history.block === block.id
      ? lastWrites(history.items, moment.step, block.id)
      : new Map();
  const after = moment.layout[moment.layout.indexOf(block.id) + 1];
  const next = after === undefined ? null : label(after);
  const changed = moment.changed.blocks.includes(block.id);
  const succs = successorList(block, block.succs.map(label), moment.funcFlags, moment.structures.get(SUCCESSOR_LISTS)?.cells);
  return (
    <>
      <Toolbar>
        <Select
          label="Block"
          value={String(block.id)}
          options={moment.layout.map((id) => ({ value: String(id), title: label(id) }))}
          onChange={(id) => selection.select({ kind: "block", id: Number(id) })}
        />
        <span className="muted num">id {block.id}</span>
      </Toolbar>
      {/* Nothing in it takes the focus: without its own tab stop the keyboard could not scroll it. */}
      <Panel as="section" tabIndex={0} aria-label={`Record of ${label(block.id)}`}>
        <DataTable
          rows={BLOCK_FIELDS}
          rowKey={({ id }) => id}
          marks={({ id, offset }) => ({ changed: changed && writes.get(id)?.step === moment.step, handbook: `field:${offset}` })}
          columns={[
            { title: "Offset", mono: true, cell: ({ offset }) => offset },
            {
              title: "Field and value",
              breaks: true,
              cell: ({ id, name, value, remark, bits }) => (
                <>
                  <div className="muted">{name}</div>
                  <span className="mono">{value(block, label, succs, next)}</span>
                  {id === "flags" ? <BitRuler word={block.flags} table={FLAG_BITS} /> : null}
                  {bits === undefined ? null : <Bits table={bits.table} word={bits.word(block)} />}
                  <div className="muted">{remark?.(block)}</div>
                </>
              ),
            },
            { title: "Written", nowrap: true, cell: ({ id }) => <Written write={writes.get(id)} /> },
          ]}
        />
        <FunctionRecord flags={moment.funcFlags} name={moment.name} />
        <Readers />
      </Panel>
    </>
  );
}

const bitClass = (on: boolean): string => cx(styles.bit, "boxed small", on ? cx(styles.on, "soft-accent strong") : "muted");

function Bits({ table, word }: { readonly table: readonly RecordBit[]; readonly word: number }) {
  const known = table.reduce((mask, bit) => mask | bit.mask, 0);
  const rest = (word & ~known) >>> 0;
  return (
    <Row as="span" wrap className={styles.bits}>
      {table.map((bit) => {
        const on = (word & bit.mask) !== 0;
        return (
          <span key={bit.name} className={bitClass(on)} title={`${bit.name} ${hex(bit.mask)}: ${on ? "set" : "clear"}`}>
            {on ? "1" : "0"} {bit.name}
          </span>
        );
      })}
      {rest === 0 ? null : <span className={cx(styles.bit, styles.unnamed, "boxed small muted")}>others {hex(rest)}</span>}
    </Row>
  );
}

function Written({ write }: { readonly write: HistoryItem | undefined }) {
  const { position } = useActions();
  if (write === undefined) return <span className="muted">–</span>;
  return (
    <Button variant="link" title={write.sentence} onClick={() => position.goTo(write.run, write.step)}>
      step {write.step + 1}
    </Button>
  );
}

function FunctionRecord({ flags, name }: { readonly flags: number; readonly name: string }) {
  return (
    <DataTable
      caption={`Function record of ${name}`}
      rows={FUNCTION_BITS}
      rowKey={(bit) => bit.name}
      marks={({ offset }) => ({ handbook: `field:+${offset}` })}
      columns={[
        { title: "Offset", mono: true, cell: ({ offset }) => `+${offset}` },
        { title: "Bit", mono: true, cell: ({ byteMask }) => hex(byteMask, 2) },
        { title: "Name", cell: (bit) => bit.name },
        {
          title: "Value",
          cell: ({ mask }) => {
            const on = (flags & mask) !== 0;
            return <span className={bitClass(on)}>{on ? "1 set" : "0 clear"}</span>;
          },
        },
      ]}
    />
  );
}
