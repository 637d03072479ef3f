/** The left pane: source, program at this step, and a pass of one's own. */

import { lazy, Suspense } from "react";
import { useActions, useSession } from "../session/hooks.ts";
import { LargeButton } from "../session/large-button.tsx";
import { EDITOR_TABS, type EditorTab } from "../session/state.ts";
import { Boundary } from "../ui/boundary.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { MomentTab } from "./moment-tab.tsx";
import { SourceTab } from "./source-tab.tsx";

// With TypeScript behind it: it comes when the tab opens.
const PassTab = lazy(async () => ({ default: (await import("../ownpass/pane/pass-tab.tsx")).PassTab }));

export function EditorPane() {
  const open = useSession((s) => s.view.editorTab);
  const title = useSession((s) => s.document.title);
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
        // Opened by a command, and in sight while it is used.
        ...(hasPass || open === "pass" ? [{ id: "pass", title: "Pass", content: <LazyPassTab /> }] : []),
      ]}
      extra={<LargeButton pane="editor" />}
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
