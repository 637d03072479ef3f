/** What is derived from the run: not shown under the name of the next program. */

import { type ReactNode, useEffect, useState } from "react";
import { cx } from "../ui/cx.ts";
import { useSession } from "./hooks.ts";
import styles from "./of-program.module.css";
import { selectEarlier } from "./provenance.ts";

/** Most programs run sooner: then one picture replaces the other. */
const PATIENCE_MS = 150;

export function OfProgram({ children }: { readonly children: ReactNode }) {
  const earlier = useEarlier();
  return (
    <div className={styles.ofProgram} data-earlier={earlier || undefined}>
      {children}
    </div>
  );
}

/** Shown instead of the graph: why there is none. */
export function NotRun() {
  const earlier = useEarlier();
  const reason = useSession(({ run, document: { open } }) =>
    run.running || open === null || open.ok
      ? null
      : "This program has errors, so it has no picture yet. The problems are listed under the text.",
  );
  return (
    <p className={cx(styles.notRun, "quiet")} role="status">
      {earlier ? reason : null}
    </p>
  );
}

function useEarlier(): boolean {
  const earlier = useSession(selectEarlier);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!earlier) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [earlier]);
  return earlier && late;
}
