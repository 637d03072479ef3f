/** The left pane: source, program at this step, and what features show next to them. */

import { useShallow } from "zustand/react/shallow";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { LargeButton } from "../session/large-button.tsx";
import { OfProgram } from "../session/of-program.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { MomentTab } from "./moment-tab.tsx";
import { SourceTab } from "./source-tab.tsx";

export function EditorPane() {
  const { features } = useSessionObject();
  const open = useSession((s) => s.view.editorTab);
  const title = useSession((s) => s.document.title);
  // Opened by a command, and in sight while it is used.
  const featureTabs = useSession(
    useShallow((s) => features.flatMap(({ editorTab: tab }) => (tab !== undefined && (tab.isOpen(s) || open === tab.id) ? [tab] : []))),
  );
  const { view } = useActions();
  return (
    <Tabs
      label={`Text: ${title}`}
      open={open}
      onOpen={(id) => view.set({ editorTab: id })}
      items={[
        { id: "source", title: "Source", content: <SourceTab />, keep: true },
        {
          id: "moment",
          title: "At this step",
          content: (
            <OfProgram explains>
              <MomentTab />
            </OfProgram>
          ),
        },
        ...featureTabs.map(({ id, title: name, Content }) => ({ id, title: name, content: <Content /> })),
      ]}
      extra={<LargeButton pane="editor" />}
    />
  );
}
