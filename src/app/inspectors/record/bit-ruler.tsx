/** A word of flags bit by bit, from 31 down, over the mask of the reset: which bits an entry of the analysis keeps, which it clears. */

import { cx } from "../../ui/cx.ts";
import { hex, RESET_MASK, type RecordBit } from "./fields.ts";
import styles from "./record.module.css";

/** Bits 6, 9, 10, 16 and 17 are cleared and never set by the analysis. */
const fate = (bit: number): "kept" | "cleared" => (((RESET_MASK >>> bit) & 1) === 1 ? "kept" : "cleared");

export function BitRuler({ word, table }: { readonly word: number; readonly table: readonly RecordBit[] }) {
  const bits = Array.from({ length: 32 }, (_, i) => 31 - i);
  const nameOf = (bit: number): string => table.find(({ mask }) => mask >>> 0 === (1 << bit) >>> 0)?.name ?? "no name";
  const set = bits.filter((bit) => ((word >>> bit) & 1) === 1);
  const label = `${hex(word)} & ${hex(RESET_MASK)} = ${hex(word & RESET_MASK)}; set: ${set.join(", ") || "none"}`;
  return (
    <div className={styles.ruler} role="img" aria-label={label}>
      {bits.map((bit) => {
        const on = ((word >>> bit) & 1) === 1;
        return (
          <span
            key={bit}
            className={cx(styles.square, on && styles.on, fate(bit) === "cleared" && styles.cleared)}
            title={`bit ${bit}, ${nameOf(bit)}: ${on ? "set" : "clear"}; a reset ${fate(bit) === "kept" ? "keeps" : "clears"} it`}
          >
            <small>{bit}</small>
            {on ? 1 : 0}
            <small>{fate(bit) === "kept" ? "·" : "✕"}</small>
          </span>
        );
      })}
    </div>
  );
}
