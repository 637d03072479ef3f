/** The window's layout: one for each width class, and the embedded frame. */

import { Palette } from "../commands/palette.tsx";
import { EditorPane } from "../editor/editor-pane.tsx";
import { ExplanationPane } from "../inspectors/explanation.tsx";
import { Announcer } from "../outline/announcer.tsx";
import { FeatureSlot } from "../session/feature-slot.tsx";
import { useActions, useSession, useSessionObject } from "../session/hooks.ts";
import { NotRun, OfProgram } from "../session/of-program.tsx";
import { PANES, type Pane, PRESET_PANES } from "../session/state.ts";
import { DropTarget } from "../share/drop-target.tsx";
import { Timeline } from "../timeline/timeline.tsx";
import { cx } from "../ui/cx.ts";
import { Kbd } from "../ui/kbd.tsx";
import { Row, Stack } from "../ui/layout.tsx";
import { PageControls } from "../ui/page-controls.tsx";
import { Splitter } from "../ui/splitter.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { useLow, useWidth } from "../ui/use-width.ts";
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

const PANE_TITLES: Readonly<Record<Pane, string>> = {
  editor: "Program",
  graph: "Graph",
  inspectors: "Explanation",
};

export function Shell() {
  const embed = useSession((s) => s.view.embed);
  return <PageControls>{embed ? <EmbedShell /> : <FullShell />}</PageControls>;
}

function FullShell() {
  const width = useWidth();
  const low = useLow();
  const sheets = width === "phone" || low;
  const narrow = width === "narrow";
  const shown = useShown(sheets, narrow);
  // A pane next to the tool replaces the program's column, and a small window has none: then the program is the first tab of the explanation.
  const tabbed = useBeside().isOpen ? !sheets && !narrow : narrow && !sheets;
  return (
    <Stack className={styles.shell}>
      <SkipLinks />
      <TopBar width={width} />
      <CrashBanner />
      <FeatureSlot of="banners" />
      <Stack as="main" grow>
        <PaneHosts shown={shown} render={(pane) => (pane === "beside" ? <BesidePane /> : <PaneContent pane={pane} tabbed={tabbed} />)}>
          {sheets ? (
            <Sheets phone={width === "phone"} />
          ) : (
            <>
              <WorkArea narrow={narrow} tabbed={tabbed} />
              <TimelineRegion />
            </>
          )}
        </PaneHosts>
      </Stack>
      <Overlays />
    </Stack>
  );
}

/** The panes that the window shows: one as sheets, and all of them as tabs next to a feature's pane in a narrow window. */
function useShown(sheets: boolean, narrow: boolean): readonly Hosted[] {
  const { isOpen: isBeside, isFront } = useBeside();
  const pane = useSession((s) => s.view.pane);
  const preset = useSession((s) => s.view.preset);
  const large = useSession((s) => s.view.large);
  if (sheets) return isBeside ? (isFront ? ["beside"] : ["beside", pane]) : [pane];
  const placed = isBeside && narrow ? PANES : PRESET_PANES[preset];
  return [...placed, ...(large === null || placed.includes(large) ? [] : [large]), ...(isBeside ? (["beside"] as const) : [])];
}

const SKIPS = {
  "focus.editor": "program",
  "focus.graph": "graph",
  "focus.inspectors": "explanation",
  "focus.timeline": "timeline",
} as const;

/** The first stops of the Tab key, seen while they have the focus: to each pane, with the key that goes there from anywhere. */
function SkipLinks() {
  const session = useSessionObject();
  return Object.entries(SKIPS).map(([id, pane]) => {
    const command = session.command(id);
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
    <Region pane="timeline" label="Timeline" className={cx(styles.timeline, "line-above")}>
      <OfProgram of="run">
        <Timeline small={small} />
      </OfProgram>
    </Region>
  );
}

function WorkArea({ narrow, tabbed }: { readonly narrow: boolean; readonly tabbed: boolean }) {
  const { isOpen: isBeside, title } = useBeside();
  const preset = useSession((s) => s.view.preset);
  const large = useSession((s) => s.view.large);
  const { features } = useSessionObject();
  const wide = useSession((s) => features.some(({ editorTab: tab }) => tab?.id === s.view.editorTab && tab.isOpen(s)));
  // Beside it a narrow window has room for the picture only.
  const besideTabs = isBeside && narrow;
  const placed = besideTabs ? PANES : PRESET_PANES[preset];
  return (
    <Row align="stretch" grow className={styles.holder} data-large={large ?? undefined}>
      {isBeside ? (
        <Stack as="section" rigid className={styles.beside} aria-label={`${title} pane`}>
          {besideTabs ? <BesideTabs /> : <Slot pane="beside" />}
        </Stack>
      ) : null}
      <div className="grow">
        {besideTabs || preset === "present" ? <Slot pane="graph" /> : <Columns columns={tabbed ? "two" : "three"} wide={wide} />}
      </div>
      {large === null || placed.includes(large) ? null : (
        <Row align="stretch" className={styles.over}>
          <Slot pane={large} />
        </Row>
      )}
      <NoticeStack />
    </Row>
  );
}

/** What a feature shows next to the tool, as far as the window needs it. */
function useBeside() {
  const session = useSessionObject();
  const beside = useSession((s) => session.features.find((feature) => feature.beside?.isOpen(s) === true)?.beside);
  const isFront = useSession((s) => beside?.isFront(s) === true);
  const setFront = (front: boolean): void => beside?.setFront(session, front);
  return { id: beside?.id ?? "beside", title: beside?.title ?? "", Pane: beside?.Pane, isOpen: beside !== undefined, isFront, setFront };
}

function BesidePane() {
  const { Pane: Content } = useBeside();
  return Content === undefined ? null : <Content />;
}

/** The pane next to the tool, and the panes for which there is no space next to it. */
function BesideTabs() {
  const { id: own, title, isFront, setFront } = useBeside();
  const shown = useSession((s) => s.view.beside);
  const { view } = useActions();
  return (
    <Tabs
      label={`${title} and panes`}
      open={isFront ? own : shown}
      onOpen={(id) => {
        setFront(id === own);
        if (id !== own) view.showPane(id === "editor" ? "editor" : "inspectors");
      }}
      items={[
        { id: own, title, content: <Slot pane="beside" />, keep: true },
        { id: "editor", title: PANE_TITLES.editor, content: <Slot pane="editor" />, keep: true },
        { id: "inspectors", title: PANE_TITLES.inspectors, content: <Slot pane="inspectors" />, keep: true },
      ]}
    />
  );
}

/** Percent of the width for the program and the explanation. A pass needs long lines. */
const SHARES = {
  three: { program: 26, explanation: 27 },
  two: { program: 0, explanation: 38 },
  "three-pass": { program: 42, explanation: 24 },
  "two-pass": { program: 0, explanation: 52 },
} as const;

/** Program, graph and explanation side by side; in two columns the program is a tab of the explanation. */
function Columns({ columns, wide }: { readonly columns: "two" | "three"; readonly wide: boolean }) {
  const kind = wide ? (`${columns}-pass` as const) : columns;
  const { program, explanation } = SHARES[kind];
  const editor = { id: "editor", content: <Slot pane="editor" />, size: `${program}%`, min: "220px" } as const;
  const graph = { id: "graph", content: <Slot pane="graph" />, size: `${100 - program - explanation}%`, min: "200px" } as const;
  const side = { id: "inspectors", content: <Slot pane="inspectors" />, size: `${explanation}%`, min: "240px" } as const;
  return (
    <Splitter
      key={kind}
      id={`columns-${kind}`}
      orientation="horizontal"
      panes={[
        ...(columns === "three" ? [editor] : []),
        { ...graph, bar: "Resize the program" },
        { ...side, bar: "Resize the explanation" },
      ]}
    />
  );
}

function PaneContent({ pane, tabbed }: { readonly pane: Pane; readonly tabbed: boolean }) {
  const label = PANE_TITLES[pane];
  switch (pane) {
    case "editor":
      return (
        <Region pane="editor" label={label}>
          <EditorPane />
        </Region>
      );
    case "graph":
      return (
        <Region pane="graph" label={label} className={styles.holder}>
          <OfProgram>
            <Centre />
          </OfProgram>
          <NotRun />
          <FeatureSlot of="onPicture" />
        </Region>
      );
    case "inspectors":
      return (
        <Region pane="inspectors" label={label}>
          <ExplanationPane program={tabbed ? <Slot pane="editor" /> : null} />
        </Region>
      );
  }
}

/** One pane at a time, brought by its tab or by a swipe; below it the sentence and the transport, on a phone the whole of it. */
function Sheets({ phone }: { readonly phone: boolean }) {
  const pane = useSession((s) => s.view.pane);
  const { id: own, title, isOpen, isFront, setFront } = useBeside();
  const { view } = useActions();
  const panes = PANES.map((each) => ({ id: each as string, title: PANE_TITLES[each], content: <Slot pane={each} /> }));
  const items = isOpen ? [{ id: own, title, content: <Slot pane="beside" /> }, ...panes] : panes;
  const open = isOpen && isFront ? own : pane;
  const show = (id: string): void => {
    setFront(id === own);
    const next = PANES.find((p) => p === id);
    if (next !== undefined) view.set(next === "graph" ? { pane: next } : { pane: next, beside: next });
  };
  const swipe = useSwipe((by) => {
    const next = items[items.findIndex((item) => item.id === open) + by];
    if (next !== undefined) show(next.id);
  });
  return (
    <Stack grow>
      <Stack grow className={styles.holder} {...swipe}>
        <Tabs label="Panes" open={open} onOpen={show} items={items} />
        <NoticeStack />
      </Stack>
      <TimelineRegion small={phone} />
    </Stack>
  );
}

function Overlays() {
  return (
    <>
      <Announcer />
      <Palette />
      <LateDialogs />
      <FeatureSlot of="overlays" />
      <PrintSheet />
      <DropTarget />
    </>
  );
}
