/** The left pane: source, program at this step, and what a feature shows beside them. */

import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { LargeButton } from "../session/large-button.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { MomentTab } from "./moment-tab.tsx";
import { SourceTab } from "./source-tab.tsx";

export function EditorPane() {
  const { features } = useSessionObject();
  const { editorTab: brought } = features.find((feature) => feature.editorTab !== undefined) ?? {};
  const open = useSession((s) => s.view.editorTab);
  const title = useSession((s) => s.document.title);
  const isOpen = useSession((s) => brought?.isOpen(s) === true);
  const { view } = useActions();
  return (
    <Tabs
      label={`Text: ${title}`}
      open={open}
      onOpen={(id) => view.set({ editorTab: id })}
      items={[
        { id: "source", title: "Source", content: <SourceTab />, keep: true },
        { id: "moment", title: "At this step", content: <MomentTab /> },
        // Opened by a command, and in sight while it is used.
        ...(brought !== undefined && (isOpen || open === brought.id)
          ? [{ id: brought.id, title: brought.title, content: <brought.Content /> }]
          : []),
      ]}
      extra={<LargeButton pane="editor" />}
    />
  );
}
