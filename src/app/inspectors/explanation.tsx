/** The column next to the graph: why, by which algorithm, on which data, and the log; the experiments replace it when opened. */

import type { ReactNode } from "react";
import { useActions, useSession } from "../session/hooks.ts";
import { LargeButton } from "../session/large-button.tsx";
import { OfProgram } from "../session/of-program.tsx";
import { EXPLANATIONS, type Explanation } from "../session/places.ts";
import { Tabs } from "../ui/tabs.tsx";
import { late } from "./late.tsx";
import { WhyAndRule } from "./why/why-and-rule.tsx";

/** A first visit opens Why: the rest is loaded when it is first opened. */
const Algorithm = late(async () => (await import("./pseudocode/pseudocode.tsx")).Pseudocode);
const Data = late(async () => (await import("./data/data.tsx")).Data);
const Log = late(async () => (await import("./events/events.tsx")).Events);
const Experiments = late(async () => (await import("./experiment/experiments.tsx")).Experiments);

const TABS: Readonly<Record<Explanation, { readonly title: string; readonly content: ReactNode }>> = {
  why: { title: "Why", content: <WhyAndRule /> },
  algorithm: { title: "Algorithm", content: <Algorithm /> },
  data: { title: "Data", content: <Data /> },
  log: { title: "Log", content: <Log /> },
};

/** `program`: the text as the first tab, where there is no column for it. */
export function ExplanationPane({ program }: { readonly program: ReactNode }) {
  const open = useSession((s) => s.view.open);
  const inFront = useSession((s) => program !== null && s.view.beside === "editor");
  const { view } = useActions();
  if (open.experiment !== null && open.experiment !== "compare" && !inFront) return <Experiments open={open.experiment} />;
  return (
    <Tabs
      label="Explanation"
      open={inFront ? "program" : open.tab}
      onOpen={(id) => {
        const tab = EXPLANATIONS.find((t) => t === id);
        if (tab === undefined) view.set({ beside: "editor", pane: "editor" });
        else view.set({ beside: "inspectors", pane: "inspectors", open: { ...open, tab, experiment: null } });
      }}
      items={[
        ...(program === null ? [] : [{ id: "program", title: "Program", content: program, keep: true }]),
        ...EXPLANATIONS.map((id) => ({ id, title: TABS[id].title, content: <OfProgram>{TABS[id].content}</OfProgram> })),
      ]}
      extra={<LargeButton pane="inspectors" />}
    />
  );
}
