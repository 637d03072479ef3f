/** The sign of an event kind: a letter or two in the colour of its group, with the kind's name for screen readers. */

import type { EventKind } from "../../../engine/trace/kinds.ts";
import { KIND_INFO } from "../../session/event-kinds.ts";
import styles from "./kind-mark.module.css";

export function KindMark({ kind }: { readonly kind: EventKind }) {
  const info = KIND_INFO[kind];
  return (
    <span className={styles.mark} style={{ color: `var(--kind-${info.group})` }} role="img" aria-label={info.title} title={info.title}>
      {info.glyph}
    </span>
  );
}
