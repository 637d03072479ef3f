/** Bit sets: word by word as bits, and the members in words. */

import { Row } from "../../ui/layout.tsx";
import { BitRow, memberText } from "./bit-row.tsx";
import { numbered, numberOf, objectCell } from "./cells.ts";
import styles from "./structures.module.css";
import { cellClass, type StructureViewProps } from "./view.ts";

const MAX_WORDS = 256;

export function BitsetView(props: StructureViewProps) {
  const { structure, onSelect } = props;
  const length = numberOf(objectCell(structure.cells, "meta")?.length, 0);
  const words: number[] = new Array(Math.ceil(length / 32)).fill(0);
  for (const [i, value] of numbered(structure.cells, "w")) words[i] = numberOf(value, 0);
  return (
    <div className={styles.canvas}>
      <p>Members: {memberText(words)}</p>
      <Row wrap className={styles.bits}>
        {words.slice(0, MAX_WORDS).map((word, i) => {
          const key = `w${i}`;
          return (
            <span key={key} className={cellClass(props, key, styles.word)}>
              <button type="button" className={styles.cell} onClick={() => onSelect(key)}>
                <small>{wordRange(i * 32, Math.min(length, i * 32 + 32) - 1)}</small>
              </button>
              <BitRow words={[word]} label={memberText([word], i * 32)} />
            </span>
          );
        })}
      </Row>
      {words.length > MAX_WORDS ? <p className="muted">and {words.length - MAX_WORDS} more words</p> : null}
    </div>
  );
}

const wordRange = (first: number, last: number): string => (first === last ? String(first) : `${first}–${last}`);
