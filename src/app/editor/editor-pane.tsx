/** The left pane: source, program at this step, difference. */

import { useActions, useSession } from "../session/hooks.ts";
import { EDITOR_TABS, type EditorTab } from "../session/state.ts";
import { LargeButton } from "../ui/large-button.tsx";
import { Select } from "../ui/select.tsx";
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
      extra={
        <>
          <FormatSelect />
          <LargeButton pane="editor" />
        </>
      }
    />
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
