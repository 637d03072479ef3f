/** A word of flags bit by bit, from 31 down, over the mask of the reset: which bits an entry of the analysis keeps, which it clears. */

import { hex, RESET_MASK, type RecordBit } from "../../names/record-fields.ts";
import { cx } from "../../ui/cx.ts";
import { Row } from "../../ui/layout.tsx";
import styles from "./record.module.css";

const afterReset = (bit: number): "kept" | "cleared" => (((RESET_MASK >>> bit) & 1) === 1 ? "kept" : "cleared");

export function BitRuler({ word, table }: { readonly word: number; readonly table: readonly RecordBit[] }) {
  const bytes = Array.from({ length: 4 }, (_, byte) => Array.from({ length: 8 }, (_, i) => 31 - 8 * byte - i));
  const bits = bytes.flat();
  const nameOf = (bit: number): string => table.find(({ mask }) => mask >>> 0 === (1 << bit) >>> 0)?.name ?? "no name";
  const set = bits.filter((bit) => ((word >>> bit) & 1) === 1);
  const label = `${hex(word)} & ${hex(RESET_MASK)} = ${hex(word & RESET_MASK)}; set: ${set.join(", ") || "none"}`;
  return (
    <>
      <Row wrap gap={["hair", 2]} pad={["hair", 0]} role="img" aria-label={label}>
        {bytes.map((byte) => (
          <span key={byte[0]} className={styles.eight}>
            {byte.map((bit) => {
              const on = ((word >>> bit) & 1) === 1;
              return (
                <span
                  key={bit}
                  className={cx(
                    styles.square,
                    "boxed mono small",
                    on ? cx(styles.on, "soft-accent strong") : "muted",
                    afterReset(bit) === "cleared" && styles.cleared,
                  )}
                  title={`bit ${bit}, ${nameOf(bit)}: ${on ? "set" : "clear"}; a reset ${afterReset(bit) === "kept" ? "keeps" : "clears"} it`}
                >
                  <small>{bit}</small>
                  {on ? 1 : 0}
                  <small>{afterReset(bit) === "kept" ? "·" : "✕"}</small>
                </span>
              );
            })}
          </span>
        ))}
      </Row>
      <Row gap={1} className="small muted">
        <span className="mono">✕</span> is cleared by a reset (mask {hex(RESET_MASK)})
      </Row>
    </>
  );
}
