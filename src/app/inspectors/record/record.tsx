/** The block record and the function record at this step: field by field, bit by bit, with what last wrote each. */

import type { BlockView } from "../../../engine/api/types.ts";
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
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/select.tsx";
import panel from "../shared/panel.module.css";
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
  const { selection, position } = useActions();
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
      <div className={panel.bar}>
        <Select
          label="Block"
          value={String(block.id)}
          options={moment.layout.map((id) => ({ value: String(id), title: label(id) }))}
          onChange={(id) => selection.select({ kind: "block", id: Number(id) })}
        />
        <span className="muted num">id {block.id}</span>
      </div>
      {/* Nothing in it need take the focus: without a stop of its own the keyboard could not scroll it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <section className={panel.scroll} tabIndex={0} aria-label={`Record of ${label(block.id)}`}>
        <table className={panel.table}>
          <thead>
            <tr>
              <th scope="col">Offset</th>
              <th scope="col">Field and value</th>
              <th scope="col">Written</th>
            </tr>
          </thead>
          <tbody>
            {BLOCK_FIELDS.map((field) => {
              const write = writes.get(field.id);
              const remark = field.remark?.(block) ?? null;
              return (
                <tr
                  key={field.id}
                  data-handbook={`field:${field.offset}`}
                  className={cx(changed && write?.step === moment.step && panel.changed)}
                >
                  <td className="mono">{field.offset}</td>
                  <td>
                    <div className="muted">{field.name}</div>
                    <span className="mono">{field.value(block, label, succs, next)}</span>
                    {field.id === "flags" ? <BitRuler word={block.flags} table={FLAG_BITS} /> : null}
                    {field.bits === undefined ? null : <Bits table={field.bits.table} word={field.bits.word(block)} />}
                    {remark === null ? null : <div className="muted">{remark}</div>}
                  </td>
                  <td className="num">
                    {write === undefined ? (
                      <span className="muted">–</span>
                    ) : (
                      <Button variant="link" title={write.sentence} onClick={() => position.goTo(write.run, write.step)}>
                        step {write.step + 1}
                      </Button>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <FunctionRecord flags={moment.funcFlags} name={moment.name} />
        <Readers />
      </section>
    </>
  );
}

function Bits({ table, word }: { readonly table: readonly RecordBit[]; readonly word: number }) {
  const known = table.reduce((mask, bit) => mask | bit.mask, 0);
  const rest = (word & ~known) >>> 0;
  return (
    <span className={styles.bits}>
      {table.map((bit) => {
        const on = (word & bit.mask) !== 0;
        return (
          <span key={bit.name} className={cx(styles.bit, on && styles.on)} title={`${bit.name} ${hex(bit.mask)}: ${on ? "set" : "clear"}`}>
            {on ? "1" : "0"} {bit.name}
          </span>
        );
      })}
      {rest === 0 ? null : <span className={cx(styles.bit, styles.unnamed)}>others {hex(rest)}</span>}
    </span>
  );
}

function FunctionRecord({ flags, name }: { readonly flags: number; readonly name: string }) {
  return (
    <table className={panel.table}>
      <caption>Function record of {name}</caption>
      <thead>
        <tr>
          <th scope="col">Offset</th>
          <th scope="col">Bit</th>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {FUNCTION_BITS.map((bit) => {
          const on = (flags & bit.mask) !== 0;
          return (
            <tr key={bit.name} data-handbook={`field:+${bit.offset}`}>
              <td className="mono">+{bit.offset}</td>
              <td className="mono">{hex(bit.byteMask, 2)}</td>
              <td>{bit.name}</td>
              <td>
                <span className={cx(styles.bit, on && styles.on)}>{on ? "1 set" : "0 clear"}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
