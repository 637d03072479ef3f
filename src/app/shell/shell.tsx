/** The window's layout: one for each width class, and the embedded frame. */

import { commandById } from "../commands/commands.ts";
import { Palette } from "../commands/palette.tsx";
import { EditorPane } from "../editor/editor-pane.tsx";
import { EngineBanner } from "../engines/engine-banner.tsx";
import { Gallery } from "../examples/gallery.tsx";
import { DropStripe } from "../futures/drop-stripe.tsx";
import { EditDialog } from "../futures/edit-dialog.tsx";
import { StepMenu } from "../futures/menu/step-menu.tsx";
import { ValueDialog } from "../futures/value-dialog.tsx";
import { InspectorPanes } from "../inspectors/inspector-panes.tsx";
import { LabDock } from "../labs/lab-dock.tsx";
import { Announcer } from "../outline/announcer.tsx";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { PANES, type Pane, PRESET_PANES, type Preset } from "../session/state.ts";
import { DropTarget } from "../share/drop-target.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { LateGuide } from "../tour/late-guide.tsx";
import { Welcome } from "../tour/welcome.tsx";
import { Kbd } from "../ui/kbd.tsx";
import { PageControls } from "../ui/page-controls.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { Centre } from "./centre.tsx";
import { CrashBanner } from "./crash-banner.tsx";
import { EmbedShell } from "./embed-shell.tsx";
import { LateDialogs } from "./late-dialogs.tsx";
import { NoticeStack } from "./notice-stack.tsx";
import { type Hosted, PaneHosts, Slot } from "./pane-hosts.tsx";
import { PrintSheet } from "./print-sheet.tsx";
import { Region } from "./region.tsx";
import styles from "./shell.module.css";
import { TopBar } from "./top-bar.tsx";
import { useSwipe } from "./use-swipe.ts";
import { useLow, useWidth } from "./use-width.ts";

const PANE_TITLES: Readonly<Record<Hosted, string>> = { lab: "Lab", editor: "Text", graph: "Graph", inspectors: "Inspectors" };

export function Shell() {
  const embed = useSession((s) => s.view.embed);
  return <PageControls>{embed ? <EmbedShell /> : <FullShell />}</PageControls>;
}

function FullShell() {
  const width = useWidth();
  const low = useLow();
  const sheets = width === "phone" || low;
  const shown = useShown(sheets, width === "narrow");
  const double = useSession((s) => s.view.preset === "step") && !sheets;
  return (
    <div className={styles.shell}>
      <SkipLinks />
      <TopBar width={width} low={low} />
      <CrashBanner />
      <EngineBanner />
      <DropStripe />
      <Welcome />
      <main className={styles.main}>
        <PaneHosts shown={shown} render={(pane) => (pane === "lab" ? <LabDock /> : <PaneContent pane={pane} single={!double} />)}>
          {sheets ? (
            <Sheets phone={width === "phone"} />
          ) : (
            <>
              <WorkArea narrow={width === "narrow"} />
              <TimelineRegion />
            </>
          )}
        </PaneHosts>
      </main>
      <Overlays />
    </div>
  );
}

/** The panes that the window shows: as sheets one, beside a lab in a narrow window all of them as tabs. */
function useShown(sheets: boolean, narrow: boolean): readonly Hosted[] {
  const lab = useSession((s) => s.lab.source !== null);
  const front = useSession((s) => s.lab.front);
  const pane = useSession((s) => s.view.pane);
  const preset = useSession((s) => s.view.preset);
  const large = useSession((s) => s.view.large);
  if (sheets) return lab ? (front ? ["lab"] : ["lab", pane]) : [pane];
  const placed = lab && narrow ? PANES : PRESET_PANES[preset];
  return [...placed, ...(large === null || placed.includes(large) ? [] : [large]), ...(lab ? (["lab"] as const) : [])];
}

const SKIPS = { "focus.editor": "text", "focus.graph": "graph", "focus.inspectors": "inspectors", "focus.timeline": "timeline" } as const;

/** The first stops of the Tab key, seen while they have the focus: to each pane, with the key that goes there from anywhere. */
function SkipLinks() {
  const session = useSessionObject();
  return Object.entries(SKIPS).map(([id, pane]) => {
    const command = commandById(id);
    return (
      <button key={id} type="button" className="skip-link" onClick={() => command?.run(session)}>
        {`Skip to the ${pane} `}
        <Kbd keys={command?.keys[0] ?? ""} />
      </button>
    );
  });
}

function TimelineRegion({ small = false }: { readonly small?: boolean }) {
  return (
    <Region pane="timeline" label="Timeline" className={styles.timeline}>
      <Timeline small={small} />
    </Region>
  );
}

function WorkArea({ narrow }: { readonly narrow: boolean }) {
  const lab = useSession((s) => s.lab.source !== null);
  const preset = useSession((s) => s.view.preset);
  const large = useSession((s) => s.view.large);
  const pass = useSession((s) => s.view.editorTab === "pass" && s.ownpass.source !== null);
  // Beside a lab a narrow window has room for the graph; text and inspectors are tabs of the lab.
  const tabbed = lab && narrow;
  const placed = tabbed ? PANES : PRESET_PANES[preset];
  return (
    <div className={styles.work} data-large={large ?? undefined}>
      {lab ? (
        <section className={styles.lab} aria-label="Lab pane">
          {tabbed ? <LabTabs /> : <Slot pane="lab" />}
        </section>
      ) : null}
      <div className={styles.tool}>{tabbed ? <Slot pane="graph" /> : <Arrangement preset={preset} narrow={narrow} pass={pass} />}</div>
      {large === null || placed.includes(large) ? null : (
        <div className={styles.over}>
          <Slot pane={large} />
        </div>
      )}
      <NoticeStack />
    </div>
  );
}

/** A lab, and the panes that have no room beside it. */
function LabTabs() {
  const front = useSession((s) => s.lab.front);
  const pane = useSession((s) => s.view.pane);
  const { view, lab } = useActions();
  const open = front || pane === "graph" ? "lab" : pane;
  return (
    <Tabs
      label="Lab and panes"
      open={open}
      onOpen={(id) => {
        lab.set({ front: id === "lab" });
        if (id !== "lab") view.set({ pane: id === "editor" ? "editor" : "inspectors" });
      }}
      items={[
        { id: "lab", title: "Lab", content: <Slot pane="lab" />, keep: true },
        { id: "editor", title: PANE_TITLES.editor, content: <Slot pane="editor" />, keep: true },
        { id: "inspectors", title: PANE_TITLES.inspectors, content: <Slot pane="inspectors" />, keep: true },
      ]}
    />
  );
}

/** Percent of the window's width for text and inspectors, and of their height for the text. Whoever writes a pass needs lines, and long ones. */
function exploreSizes(narrow: boolean, pass: boolean): readonly [side: number, text: number] {
  if (pass) return [44, 74];
  return [32, narrow ? 58 : 46];
}

/** Where the panes hang. The graph has the most room in each. */
function Arrangement({ preset, narrow, pass }: { readonly preset: Preset; readonly narrow: boolean; readonly pass: boolean }) {
  const graph = { id: "graph", content: <Slot pane="graph" />, min: "200px" } as const;
  switch (preset) {
    case "explore": {
      const [side, text] = exploreSizes(narrow, pass);
      const kind = `${pass ? "-pass" : ""}${narrow ? "-narrow" : ""}`;
      return (
        <Splitter
          key={pass ? "explore-pass" : preset}
          id={pass ? "window-explore-pass" : "window-explore"}
          orientation="horizontal"
          panes={[
            {
              id: "side",
              size: `${side}%`,
              min: "240px",
              content: (
                <Splitter
                  // A small window is seldom a high one: the text needs its lines more than the inspectors theirs.
                  key={kind}
                  id={`window-explore-side${kind}`}
                  orientation="vertical"
                  panes={[
                    { id: "editor", content: <Slot pane="editor" />, size: `${text}%`, min: "90px" },
                    {
                      id: "inspectors",
                      content: <Slot pane="inspectors" />,
                      size: `${100 - text}%`,
                      min: "90px",
                      bar: "Resize the inspectors",
                    },
                  ]}
                />
              ),
            },
            { ...graph, size: `${100 - side}%`, bar: "Resize the graph" },
          ]}
        />
      );
    }
    case "step":
      return (
        <Splitter
          key={preset}
          id="window-step"
          orientation="horizontal"
          panes={[
            { ...graph, size: "58%" },
            { id: "inspectors", content: <Slot pane="inspectors" />, size: "42%", min: "240px", bar: "Resize the inspectors" },
          ]}
        />
      );
    case "compare":
      return (
        <Splitter
          key={preset}
          id="window-compare"
          orientation="vertical"
          panes={[
            { ...graph, size: "60%", min: "120px" },
            { id: "editor", content: <Slot pane="editor" />, size: "40%", min: "90px", bar: "Resize the texts" },
          ]}
        />
      );
    case "present":
      return <Slot pane="graph" />;
  }
}

function PaneContent({ pane, single }: { readonly pane: Pane; readonly single: boolean }) {
  switch (pane) {
    case "editor":
      return (
        <Region pane="editor" label="Text">
          <EditorPane />
        </Region>
      );
    case "graph":
      return (
        <Region pane="graph" label="Graph">
          <Centre />
        </Region>
      );
    case "inspectors":
      return (
        <Region pane="inspectors" label="Inspectors">
          <InspectorPanes single={single} />
        </Region>
      );
  }
}

/** One pane at a time, brought by its tab or by a swipe; below it the sentence and the transport, on a phone the whole of it. */
function Sheets({ phone }: { readonly phone: boolean }) {
  const pane = useSession((s) => s.view.pane);
  const withLab = useSession((s) => s.lab.source !== null);
  const front = useSession((s) => s.lab.front);
  const { view, lab } = useActions();
  const panes: readonly Hosted[] = withLab ? ["lab", ...PANES] : PANES;
  const items = panes.map((each) => ({ id: each as string, title: PANE_TITLES[each], content: <Slot pane={each} /> }));
  const open = withLab && front ? "lab" : pane;
  const show = (id: string): void => {
    lab.set({ front: id === "lab" });
    if (id !== "lab") view.set({ pane: PANES.find((p) => p === id) ?? "graph" });
  };
  const swipe = useSwipe((by) => {
    const next = items[items.findIndex((item) => item.id === open) + by];
    if (next !== undefined) show(next.id);
  });
  return (
    <div className={styles.phone}>
      <div className={styles.sheets} {...swipe}>
        <Tabs label="Panes" open={open} onOpen={show} items={items} />
        <NoticeStack />
      </div>
      <TimelineRegion small={phone} />
    </div>
  );
}

function Overlays() {
  return (
    <>
      <Announcer />
      <Palette />
      <Gallery />
      <LateDialogs />
      <LateGuide />
      <EditDialog />
      <ValueDialog />
      <StepMenu />
      <PrintSheet />
      <DropTarget />
    </>
  );
}
