/** The left pane: source, program at this step, difference, and a pass of one's own. */

import { lazy, Suspense } from "react";
import { useActions, useSession } from "../session/hooks.ts";
import { EDITOR_TABS, type EditorTab } from "../session/state.ts";
import { Boundary } from "../shell/boundary.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LargeButton } from "../ui/large-button.tsx";
import { Select } from "../ui/select.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { DiffTab } from "./diff-tab.tsx";
import { MomentTab } from "./moment-tab.tsx";
import { SourceTab } from "./source-tab.tsx";

// With TypeScript behind it: it comes when the tab opens.
const PassTab = lazy(async () => ({ default: (await import("../ownpass/pane/pass-tab.tsx")).PassTab }));

export function EditorPane() {
  const open = useSession((s) => s.view.editorTab);
  const title = useSession((s) => s.document.title);
  const embed = useSession((s) => s.view.embed);
  const hasPass = useSession((s) => s.ownpass.source !== null);
  const { view } = useActions();
  return (
    <Tabs
      label={`Text: ${title}`}
      open={open}
      onOpen={(id) => {
        const tab = EDITOR_TABS.find((t): t is EditorTab => t === id);
        if (tab !== undefined) view.set({ editorTab: tab });
      }}
      items={[
        { id: "source", title: "Source", content: <SourceTab />, keep: true },
        { id: "moment", title: "At this step", content: <MomentTab /> },
        { id: "diff", title: "Diff", content: <DiffTab /> },
        // A frame in a text shows a pass that it was given; nobody begins one there.
        ...(hasPass || !embed ? [{ id: "pass", title: "Pass", content: <LazyPassTab /> }] : []),
      ]}
      extra={
        <>
          <FormatSelect />
          <LargeButton pane="editor" />
        </>
      }
    />
  );
}

function LazyPassTab() {
  return (
    <Boundary name="The pass">
      <Suspense fallback={<EmptyState title="Loading the pass editor…" />}>
        <PassTab />
      </Suspense>
    </Boundary>
  );
}

/** What the source is read as; in the pane of that source. */
function FormatSelect() {
  const format = useSession((s) => s.document.format);
  const recognised = useSession((s) => s.document.open?.format ?? null);
  const { document } = useActions();
  return (
    <Select
      quiet
      label="Format"
      hideLabel
      title="Format of the source text"
      value={format ?? "auto"}
      options={[{ value: "auto", title: recognised === null ? "auto" : `auto: ${recognised}` }, ...FORMATS]}
      onChange={(value) => document.setFormat(FORMATS.find((f) => f.value === value)?.value ?? null)}
    />
  );
}

const FORMATS = [
  { value: "ori", title: "Ori" },
  { value: "ptx", title: "PTX" },
  { value: "sass", title: "SASS" },
  { value: "bril", title: "Bril" },
] as const;
