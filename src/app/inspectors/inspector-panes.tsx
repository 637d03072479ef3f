/** The right column: two stacks of inspectors, or one where there is little room. */

import { useMemo } from "react";
import { useActions, useSession } from "../session/hooks.ts";
import { LargeButton } from "../ui/large-button.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import type { Inspector } from "./inspector.ts";
import { INSPECTORS } from "./inspectors.ts";

export function InspectorPanes({ single }: { readonly single: boolean }) {
  if (single) return <Stack label="Inspectors" dock="bottom" inspectors={INSPECTORS} />;
  return (
    <Splitter
      id="inspector-stacks"
      orientation="vertical"
      panes={[
        {
          id: "top",
          content: <Stack label="Inspectors: the phase" dock="top" inspectors={INSPECTORS.filter((i) => i.dock === "top")} />,
          // Room for twenty lines of pseudocode at 900 pixels.
          size: "62%",
          min: "80px",
        },
        {
          id: "bottom",
          content: <Stack label="Inspectors: the state" dock="bottom" inspectors={INSPECTORS.filter((i) => i.dock === "bottom")} />,
          size: "38%",
          min: "80px",
          bar: "Resize the inspector stacks",
        },
      ]}
    />
  );
}

/** What the inspectors are about, in the menu of all of them. */
const GROUPS: readonly (readonly [title: string, ids: readonly string[]])[] = [
  ["This step", ["why", "pseudocode", "structures", "rule", "events"]],
  ["The program", ["record", "values", "switches", "tails"]],
  ["Experiments", ["futures", "knobs", "run", "align"]],
];

const groupOf = (id: string): string => GROUPS.find(([, ids]) => ids.includes(id))?.[0] ?? "More";
const orderOf = (id: string): number => GROUPS.flatMap(([, ids]) => ids).indexOf(id);

function Stack({
  label,
  dock,
  inspectors,
}: {
  readonly label: string;
  readonly dock: "top" | "bottom";
  readonly inspectors: readonly Inspector[];
}) {
  const ordered = useMemo(() => [...inspectors].sort((a, b) => orderOf(a.id) - orderOf(b.id)), [inspectors]);
  const wanted = useSession((s) => s.view.inspectors[dock]);
  // A string, so that the selector's result stays equal while nothing changes.
  const relevant = useSession((s) => ordered.map((i) => (i.relevant(s) ? "1" : "0")).join(""));
  const { view } = useActions();
  const open = ordered.some((i) => i.id === wanted) ? wanted : (ordered[0]?.id ?? "");
  return (
    <Tabs
      label={label}
      open={open}
      onOpen={(id) => view.openInspector(dock, id)}
      overflow="All inspectors"
      items={ordered.map((inspector, i) => {
        const { id, title, about } = inspector;
        const Component = inspector.component;
        return { id, title, about, group: groupOf(id), dim: relevant[i] === "0", content: <Component /> };
      })}
      extra={dock === "bottom" ? <LargeButton pane="inspectors" /> : undefined}
    />
  );
}
