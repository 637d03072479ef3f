/** A word that the handbook explains: a dotted line under it, a card where it is pointed at or focused, its page on a click. */

import type { ReactNode } from "react";
import { helpOf, openHelp } from "../../session/help.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { Tip } from "../../ui/tooltip.tsx";
import styles from "./term.module.css";

interface TermProps {
  /** Id of its page in the handbook. */
  readonly page: string;
  readonly card: string;
  readonly children: ReactNode;
}

export function Term({ page, card, children }: TermProps) {
  const session = useSessionObject();
  // A frame opens no page.
  const embed = useSession((s) => s.view.embed);
  if (embed || helpOf(session) === null) return <span title={card}>{children}</span>;
  return (
    <Tip text={card} keys="F1">
      <button type="button" className={styles.term} data-handbook={page} onClick={() => openHelp(session, page)}>
        {children}
      </button>
    </Tip>
  );
}
