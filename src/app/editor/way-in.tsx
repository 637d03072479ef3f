/** What to do with a text that is not read here, but becomes PTX by a command: shown under it. */

import { useSession } from "../session/hooks.ts";
import styles from "./way-in.module.css";
import { WaySteps } from "./way-steps.tsx";

export function WayIn() {
  const way = useSession((s) => s.document.open?.wayIn ?? null);
  const title = useSession((s) => s.document.open?.diagnostics[0]?.message ?? "");
  if (way === null) return null;
  return (
    <section className={styles.panel} aria-label="How to open this text" data-testid="way-in">
      <h3 className={styles.title}>{title}</h3>
      <WaySteps steps={way.steps} />
    </section>
  );
}
