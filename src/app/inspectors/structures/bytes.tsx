/** Bytes in hex at their places, zeros quieter. */

import { cx } from "../../ui/cx.ts";
import styles from "./structures.module.css";

export function Bytes({ text }: { readonly text: string }) {
  return (
    <span className={styles.bytes}>
      {text.split(" ").map((byte, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bytes at their places
        <span key={i} className={cx(byte === "00" && "muted")}>
          {byte}
        </span>
      ))}
    </span>
  );
}
