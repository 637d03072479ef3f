/** What is derived from the run: not shown under the name of the next program or kernel. */

import { type ReactNode, useEffect, useState } from "react";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { useSession } from "./hooks.ts";
import styles from "./of-program.module.css";
import { selectEarlier, selectEarlierRun, selectNotRun } from "./provenance.ts";
import type { Selector } from "./selectors.ts";

/** Most programs run sooner: then one picture replaces the other. */
const PATIENCE_MS = 150;

interface OfProgramProps {
  readonly children: ReactNode;
  /** `run`: derived from the result alone, as its phases are; else also from the step on screen. */
  readonly of?: "run" | "step";
  /** Replaced by the reason if there is nothing to show. */
  readonly explains?: boolean;
}

export function OfProgram({ children, of = "step", explains = false }: OfProgramProps) {
  const earlier = useLasting(of === "run" ? selectEarlierRun : selectEarlier);
  const why = useWhyNotRun();
  if (explains && why !== null) return <EmptyState title={why} />;
  return (
    <div className={styles.ofProgram} data-earlier={earlier || undefined}>
      {children}
    </div>
  );
}

/** Shown instead of the graph: why there is none. */
export function NotRun() {
  const why = useWhyNotRun();
  const over = useSession((s) => s.position.moment !== null);
  return (
    <p className={cx(styles.notRun, "quiet")} role="status">
      {over ? why : null}
    </p>
  );
}

/** What a pane shows that has never had content. */
export function NothingRan() {
  return <EmptyState title={useWhyNotRun() ?? "Nothing has run yet."} />;
}

const WHY = {
  wrong: "This program has errors, so it was not run. The problems are listed under the text.",
  empty: "This text contains no kernel, so nothing was run. Write one, or open a program.",
} as const;

function useWhyNotRun(): string | null {
  const why = useSession(selectNotRun);
  return useLasting(isNotRun) && why !== null ? WHY[why] : null;
}

const isNotRun: Selector<boolean> = (s) => selectNotRun(s) !== null;

/** Whether it is so for longer than most programs need to run. */
export function useLasting(selector: Selector<boolean>): boolean {
  const now = useSession(selector);
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!now) return;
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [now]);
  return now && late;
}
