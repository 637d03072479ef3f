/** Hash maps and value tables: buckets with their chains, in the order of the links, and the bytes of what is selected. */

import { hex } from "../../names/record-fields.ts";
import { useSession } from "../../session/hooks.ts";
import type { CellValue } from "../../session/moment.ts";
import { selectMoment } from "../../session/selectors.ts";
import { cx } from "../../ui/cx.ts";
import { Panel, Row } from "../../ui/layout.tsx";
import { type CellObject, isObject, numberOf, objectCell, showCell } from "./cells.ts";
import { RecordBytes } from "./record-bytes.tsx";
import { type ByteRecord, bucketRecord, leaderText, nodeRecord, resultRecord } from "./record-layouts.ts";
import styles from "./structures.module.css";
import { cellClass, type StructureViewProps } from "./view.ts";

/** Buckets beyond this are counted, not drawn. */
const MAX_BUCKETS = 512;
const MAX_CHAIN = 64;

function chainOf(cells: ReadonlyMap<string, CellValue>, head: number): readonly number[] {
  const chain: number[] = [];
  const seen = new Set<number>();
  for (let node = head; node >= 0 && !seen.has(node) && chain.length < MAX_CHAIN; node = numberOf(objectCell(cells, `n${node}`)?.next)) {
    seen.add(node);
    chain.push(node);
  }
  return chain;
}

export function HashView(props: StructureViewProps) {
  const { structure, selected, onSelect } = props;
  const { cells } = structure;
  const meta = objectCell(cells, "meta");
  const buckets = Math.min(numberOf(meta?.buckets, 0), MAX_BUCKETS);
  const left = numberOf(meta?.buckets, 0) - buckets;
  const leaders = useSession((s) => selectMoment(s)?.structures.get(LEADERS)?.cells);
  const ownLeaders = structure.name === VALUE_TABLE ? leaders : undefined;
  const inserted = objectCell(cells, "insert");
  return (
    <Row wrap align="start" grow scroll className={styles.withRecord}>
      <Panel pad={2}>
        <ul className={cx(styles.buckets, "mono small")} aria-label={`Buckets of ${structure.title}`}>
          {Array.from({ length: buckets }, (_, bucket) => {
            const key = `b${bucket}`;
            const chain = chainOf(cells, numberOf(objectCell(cells, key)?.head));
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a bucket is its index
              <li key={bucket} style={{ display: "contents" }}>
                <button
                  type="button"
                  className={cellClass(props, key, styles.bucket)}
                  aria-pressed={selected === key}
                  aria-label={`Bucket ${bucket}: ${bucketText(objectCell(cells, key))}`}
                  title={bucketText(objectCell(cells, key))}
                  onClick={() => onSelect(key)}
                >
                  {bucket}
                </button>
                <Row as="span" wrap gap="hair" pad={["hair", 1]} className={cx(styles.chain, "line-below")}>
                  {chain.map((node, i) => {
                    const nodeKey = `n${node}`;
                    const cell = objectCell(cells, nodeKey);
                    return (
                      <span key={node} style={{ display: "contents" }}>
                        {i > 0 ? (
                          <span className="muted" aria-hidden="true">
                            →
                          </span>
                        ) : null}
                        <button
                          type="button"
                          className={cellClass(props, nodeKey, styles.cell)}
                          aria-pressed={selected === nodeKey}
                          title={`node ${node}, hash ${hex(numberOf(cell?.hash, 0))}`}
                          onClick={() => onSelect(nodeKey)}
                        >
                          <span>
                            {showCell(cell?.key)} ↦ {leaderRegister(cell?.value, ownLeaders) ?? showCell(cell?.value)}
                          </span>
                          <small>{hex(numberOf(cell?.hash, 0))}</small>
                        </button>
                      </span>
                    );
                  })}
                </Row>
              </li>
            );
          })}
        </ul>
        {left > 0 ? <p className="muted">and {left} more buckets</p> : null}
      </Panel>
      <div className={styles.record}>
        <RecordBytes record={selectedRecord(cells, selected, ownLeaders)} pick="Select a bucket or a node to see its bytes." />
        {inserted === null ? null : <RecordBytes record={resultRecord(inserted)} pick="" />}
      </div>
    </Row>
  );
}

/** A leader by the register that holds its value: the index of its record is among the bytes. */
function leaderRegister(value: CellValue | undefined, leaders: ReadonlyMap<string, CellValue> | undefined): string | null {
  const row = leaders?.get(showCell(value));
  return isObject(row) ? showCell(row.reg) : null;
}

/** The table of phase 49, and the records that its nodes' values lead to. */
const VALUE_TABLE = "value-table";
const LEADERS = "leaders";

function bucketText(cell: CellObject | null): string {
  const at = (index: number): string => (index < 0 ? "null" : `node ${index}`);
  return `head ${at(numberOf(cell?.head))}, tail ${at(numberOf(cell?.tail))}, count ${numberOf(cell?.count, 0)}`;
}

function selectedRecord(
  cells: ReadonlyMap<string, CellValue>,
  selected: string | null,
  leaders: ReadonlyMap<string, CellValue> | undefined,
): ByteRecord | null {
  const index = Number(selected?.slice(1));
  if (selected === null || !Number.isInteger(index)) return null;
  const cell = objectCell(cells, selected);
  if (selected.startsWith("b")) return bucketRecord(index, cell);
  if (cell === null) return null;
  return nodeRecord(index, cell, leaders === undefined ? showCell(cell.value) : leaderText(cell.value, leaders));
}
