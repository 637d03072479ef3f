/** A value number with its colour, as the graph shows it. */

import { valueHue } from "../../ui/value-hue.ts";
import styles from "./value-number.module.css";

export function ValueNumber({ of }: { readonly of: number }) {
  return (
    <>
      <span className={styles.swatch} style={{ background: valueHue(of) }} />
      {of}
    </>
  );
}
