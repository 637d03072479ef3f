/** The left pane: source, program at this step, difference. */

import { useActions, useSession } from "../session/hooks.ts";
import { EDITOR_TABS, type EditorTab } from "../session/state.ts";
import { Tabs } from "../ui/tabs.tsx";
import { DiffTab } from "./diff-tab.tsx";
import { MomentTab } from "./moment-tab.tsx";
import { SourceTab } from "./source-tab.tsx";

export function EditorPane() {
  const open = useSession((s) => s.view.editorTab);
  const title = useSession((s) => s.document.title);
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
      ]}
    />
  );
}
