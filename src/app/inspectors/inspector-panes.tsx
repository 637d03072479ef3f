/** The right column: two stacks of inspectors, or one where there is little room. */

import { useActions, useSession } from "../session/hooks.ts";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import type { Inspector } from "./inspector.ts";
import { INSPECTORS } from "./inspectors.ts";

export function InspectorPanes({ single }: { readonly single: boolean }) {
  if (single) return <Stack label="Inspectors" dock="bottom" inspectors={INSPECTORS} />;
  return (
    <Splitter
      id="inspectors"
      orientation="vertical"
      panes={[
        {
          id: "top",
          content: <Stack label="Inspectors: the phase" dock="top" inspectors={INSPECTORS.filter((i) => i.dock === "top")} />,
          size: "45%",
          min: "80px",
        },
        {
          id: "bottom",
          content: <Stack label="Inspectors: the state" dock="bottom" inspectors={INSPECTORS.filter((i) => i.dock === "bottom")} />,
          size: "55%",
          min: "80px",
          bar: "Resize the inspector stacks",
        },
      ]}
    />
  );
}

function Stack({
  label,
  dock,
  inspectors,
}: {
  readonly label: string;
  readonly dock: "top" | "bottom";
  readonly inspectors: readonly Inspector[];
}) {
  const wanted = useSession((s) => s.view.inspectors[dock]);
  // A string, so that the selector's result stays equal while nothing changes.
  const relevant = useSession((s) => inspectors.map((i) => (i.relevant(s) ? "1" : "0")).join(""));
  const { view } = useActions();
  const open = inspectors.some((i) => i.id === wanted) ? wanted : (inspectors[0]?.id ?? "");
  return (
    <Tabs
      label={label}
      open={open}
      onOpen={(id) => view.openInspector(dock, id)}
      items={inspectors.map((inspector, i) => {
        const Component = inspector.component;
        return { id: inspector.id, title: inspector.title, dim: relevant[i] === "0", content: <Component /> };
      })}
    />
  );
}
