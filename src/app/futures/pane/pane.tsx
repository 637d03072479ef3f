/** The pane of futures: the tree, a comparison of two, the fuel, the conditions, and the order of phases. */

import type { Inspector } from "../../inspectors/inspector.ts";
import panel from "../../inspectors/shared/panel.module.css";
import { useSession } from "../../session/hooks.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import styles from "../futures.module.css";
import { futuresView, SECTIONS, type Section } from "../futures-view.ts";
import { useFuturesView } from "../use-futures.ts";
import { Compare } from "./compare.tsx";
import { Conditions } from "./conditions.tsx";
import { Fuel } from "./fuel.tsx";
import { Order } from "./order.tsx";
import { Tree } from "./tree.tsx";

const TITLES: Readonly<Record<Section, string>> = {
  tree: "Tree",
  compare: "Compare",
  fuel: "Fuel",
  conditions: "Conditions",
  order: "Order",
};

function Futures() {
  const section = useFuturesView((v) => v.section);
  const recorded = useSession((s) => s.position.trace?.rewrites === null);
  if (recorded) return <EmptyState title="A recorded trace has one future only.">Open its program to try others.</EmptyState>;
  return (
    <>
      <fieldset className={panel.bar} aria-label="What to look at">
        <div className={styles.sections}>
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
        </div>
      </fieldset>
      <div className={styles.body}>
        <Open section={section} />
      </div>
    </>
  );
}

function Open({ section }: { readonly section: Section }) {
  switch (section) {
    case "tree":
      return <Tree />;
    case "compare":
      return <Compare />;
    case "fuel":
      return <Fuel />;
    case "conditions":
      return <Conditions />;
    case "order":
      return <Order />;
  }
}

export const FUTURES: Inspector = {
  id: "futures",
  title: "Futures",
  about: "what if, skip a rewrite, fuel, bisect, compare, drop a condition, phase order",
  dock: "bottom",
  relevant: (s) => s.options.futures.list.length > 0,
  component: Futures,
};
