/** The pane of futures: the tree, a comparison of two, the fuel, the conditions, and the order of phases. */

import { lazy, Suspense } from "react";
import type { Inspector } from "../../inspectors/inspector.ts";
import panel from "../../inspectors/shared/panel.module.css";
import { useSession } from "../../session/hooks.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { futuresView, SECTIONS, type Section } from "../futures-view.ts";
import { useFuturesView } from "../use-futures.ts";
import styles from "./pane.module.css";

const TITLES: Readonly<Record<Section, string>> = {
  tree: "Tree",
  compare: "Compare",
  fuel: "Fuel",
  conditions: "Conditions",
  order: "Order",
};

/** Nothing that the first picture needs. */
const Sections = lazy(() => import("./sections.tsx").then((m) => ({ default: m.Sections })));

function Futures() {
  const section = useFuturesView((v) => v.section);
  const recorded = useSession((s) => s.position.trace?.rewrites === null);
  if (recorded) return <EmptyState title="A recorded trace has only one future.">Open its program to try others.</EmptyState>;
  return (
    <>
      <div className={panel.bar}>
        <fieldset className={styles.sections} aria-label="View of the futures">
          {SECTIONS.map((id) => (
            <button
              key={id}
              type="button"
              className={styles.section}
              aria-pressed={id === section}
              onClick={() => futuresView.setState({ section: id })}
            >
              {TITLES[id]}
            </button>
          ))}
        </fieldset>
      </div>
      <div className={styles.body}>
        <Suspense fallback={null}>
          <Sections section={section} />
        </Suspense>
      </div>
    </>
  );
}

export const FUTURES: Inspector = {
  id: "futures",
  title: "Futures",
  about: "what if, skip a rewrite, fuel, bisect, compare, drop a condition, phase order",
  dock: "bottom",
  relevant: (s) => s.options.futures.list.length > 0,
  component: Futures,
};
