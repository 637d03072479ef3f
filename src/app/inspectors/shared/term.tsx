/** A word that the handbook explains: a dotted line under it, a card where it is pointed at or focused, its page on a click. */

import type { ReactNode } from "react";
import { useActions, useSession } from "../../session/hooks.ts";
import { Tip } from "../../ui/tooltip.tsx";
import styles from "./term.module.css";

interface TermProps {
  /** Id of its page in the handbook. */
  readonly page: string;
  readonly card: string;
  readonly children: ReactNode;
}

export function Term({ page, card, children }: TermProps) {
  const { view } = useActions();
  // A frame has no handbook.
  const embed = useSession((s) => s.view.embed);
  if (embed) return <span title={card}>{children}</span>;
  return (
    <Tip text={card} keys="F1">
      <button type="button" className={styles.term} data-handbook={page} onClick={() => view.set({ dialog: "handbook", handbook: page })}>
        {children}
      </button>
    </Tip>
  );
}
