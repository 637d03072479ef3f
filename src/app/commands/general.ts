/** Commands of the file, view and help menus, and toggles. */

import { flushSync } from "react-dom";
import { goToDifference } from "../compare/difference-step.ts";
import { graphOf } from "../graph/controller.ts";
import { POLICY_TITLES, type Policy } from "../names/policies.ts";
import { hasUpdate, takeUpdate } from "../offline/offline.ts";
import { always, type Command, type MenuId } from "../session/command.ts";
import { openCompare, selectComparing } from "../session/comparison.ts";
import { PANES, type Pane, type Preset, type SessionState, type ThemeChoice } from "../session/state.ts";
import { copyLink, downloadCase, downloadExport, downloadSource, pickFile } from "../share/files.ts";
import { startBlank } from "./blank.ts";

const hasText = (s: SessionState): boolean => s.document.text !== "";
const hasRun = (s: SessionState): boolean => s.run.result !== null;

function dialog(id: string, title: string, which: string, menu: MenuId | null, keys: readonly string[], separated = false): Command {
  return { id, title, menu, keys, separated, enabled: always, run: (session) => session.actions.view.set({ dialog: which }) };
}

function editorTab(tab: string, title: string): Command {
  return {
    id: `view.${tab}`,
    title,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.view.editorTab === tab,
    run: (session) => {
      session.actions.view.set({ editorTab: tab });
      session.actions.view.showPane("editor");
    },
  };
}

function theme(choice: ThemeChoice, title: string, separated = false): Command {
  return {
    id: `theme.${choice}`,
    title,
    menu: "view",
    separated,
    keys: [],
    enabled: always,
    checked: (s) => s.theme.choice === choice,
    run: (session) => session.actions.view.setTheme(choice),
  };
}

function lastWatched({ breakpoints }: SessionState): string | null {
  const last = breakpoints.list.findLast(({ breakpoint }) => breakpoint.kind === "watch")?.breakpoint;
  return last?.kind === "watch" ? last.text : null;
}

function overlay(which: string, title: string): Command {
  return {
    id: `overlay.${which}`,
    title,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.view.overlay === which,
    run: (session) => session.actions.view.set({ overlay: which }),
  };
}

const PRESET_TITLES: Readonly<Record<Preset, string>> = {
  study: "Study: program, picture and explanation",
  present: "Present: picture and sentence, large",
};

function policy(which: Policy): Command {
  return {
    id: `policy.${which}`,
    title: `Rules: ${POLICY_TITLES[which]}`,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.options.pipeline.policy === which,
    run: (session) => session.actions.run.setOptions({ policy: which }),
  };
}

function difference(id: string, title: string, keys: readonly string[], direction: 1 | -1): Command {
  return {
    id: `compare.${id}`,
    title,
    menu: null,
    keys,
    enabled: selectComparing,
    otherwise: () => "Nothing is compared: open Compare first.",
    run: (session) => goToDifference(session, direction),
  };
}

function arrange(preset: Preset, keys: readonly string[], separated = false): Command {
  return {
    id: `layout.${preset}`,
    title: PRESET_TITLES[preset],
    menu: "view",
    separated,
    keys,
    enabled: (s) => !s.view.embed,
    checked: (s) => s.view.preset === preset,
    run: (session) => {
      const before = session.store.getState().view.preset;
      session.actions.view.arrange(preset);
      // The drawing is as large as its room: after the panes have theirs.
      if (before !== preset && (preset === "present" || before === "present"))
        requestAnimationFrame(() => requestAnimationFrame(() => graphOf(session)?.frame()));
    },
  };
}

function large(pane: Pane, title: string, keys: readonly string[]): Command {
  return {
    id: `large.${pane}`,
    title: `${title}: maximize or restore`,
    menu: "view",
    keys,
    enabled: (s) => !s.view.embed,
    checked: (s) => s.view.large === pane,
    run: (session) => session.actions.view.toggleLarge(pane),
  };
}

/** The pane that the focus is in; the graph, where it is in none. */
function focusedPane(): Pane {
  return PANES.find((pane) => document.activeElement?.closest(`#pane-${pane}`) != null) ?? "graph";
}

/** What keys are for in a pane; where it is not there, the open tab, else the first control that can be used. */
const FOCUSED: Readonly<Record<Pane | "timeline", string>> = {
  editor: '[data-editor] :is([role="textbox"], textarea)',
  graph: '[role="application"], [role="tree"]',
  inspectors: '[role="tab"][aria-selected="true"]',
  timeline: '[role="slider"]',
};

function focusPane(pane: Pane | "timeline", title: string, keys: readonly string[]): Command {
  return {
    id: `focus.${pane}`,
    title,
    menu: null,
    keys,
    enabled: always,
    run: (session) => {
      // The pane may come with this press only: it has to be there before it can be found.
      if (pane !== "timeline") flushSync(() => session.actions.view.showPane(pane));
      const region = document.getElementById(`pane-${pane}`);
      const first = [FOCUSED[pane], FOCUSED.inspectors, '[tabindex="0"], :is(button, textarea, input, select):enabled'];
      const inside = first.map((selector) => region?.querySelector<HTMLElement>(selector)).find((element) => element != null);
      if (inside != null) inside.focus();
      else if (region !== null) {
        // A region itself takes the focus only by this command: a click into it should not.
        region.tabIndex = -1;
        region.focus();
        region.addEventListener("blur", () => region.removeAttribute("tabindex"), { once: true });
      }
    },
  };
}

export const GENERAL: readonly Command[] = [
  { id: "file.new", title: "New: paste or type a program", menu: "file", keys: [], enabled: (s) => !s.view.embed, run: startBlank },
  {
    id: "file.open",
    title: "Open file…",
    menu: "file",
    keys: ["Mod+O"],
    enabled: always,
    run: (session) => void pickFile(session),
  },
  dialog("file.recent", "Recent…", "recent", "file", []),
  { id: "file.save", title: "Download source", menu: "file", keys: ["Mod+S"], enabled: hasText, run: downloadSource },
  { id: "file.save-case", title: "Download everything as one file", menu: "file", keys: [], enabled: hasText, run: downloadCase },
  {
    id: "file.copy-link",
    title: "Copy link to this step",
    menu: "file",
    separated: true,
    keys: ["Mod+Shift+L"],
    enabled: hasText,
    run: (session) => void copyLink(session, "page"),
  },
  {
    id: "file.copy-embed",
    title: "Copy link for embedding",
    menu: "file",
    keys: [],
    enabled: hasText,
    run: (session) => void copyLink(session, "embed"),
  },
  dialog("file.export", "Export…", "export", "file", []),
  {
    id: "export.ori",
    title: "Export the program at this step as Ori",
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void downloadExport(session, "ori"),
  },
  {
    id: "export.dot",
    title: "Export the program at this step as DOT",
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void downloadExport(session, "dot"),
  },
  {
    id: "export.json",
    title: "Export the program at this step as JSON",
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void downloadExport(session, "json"),
  },
  {
    id: "export.mermaid",
    title: "Export the program at this step as Mermaid",
    menu: null,
    keys: [],
    enabled: hasRun,
    run: (session) => void downloadExport(session, "mermaid"),
  },
  {
    id: "run.again",
    title: "Run the pipeline again",
    menu: "phase",
    separated: true,
    keys: ["Mod+Enter"],
    enabled: hasText,
    run: (session) => {
      const state = session.store.getState();
      // What is in front of the source is what the user wants to run.
      const tab = session.features.find(({ editorTab }) => editorTab?.id === state.view.editorTab)?.editorTab;
      const inFront = tab === undefined ? null : session.command(tab.runs);
      if (inFront?.enabled(state) === true) inFront.run(session);
      else session.actions.document.refresh();
    },
  },
  {
    id: "run.verify",
    title: "Verify after each phase",
    menu: "phase",
    keys: [],
    enabled: always,
    checked: (s) => s.options.pipeline.verify,
    run: (session) => session.actions.run.setOptions({ verify: !session.store.getState().options.pipeline.verify }),
  },
  {
    id: "run.check",
    title: "Check equivalence of each phase",
    menu: "phase",
    keys: [],
    enabled: always,
    checked: (s) => s.options.pipeline.check > 0,
    run: (session) => session.actions.run.setOptions({ check: session.store.getState().options.pipeline.check > 0 ? 0 : 16 }),
  },
  {
    id: "run.take-phis-out",
    title: "Replace PHIs with copies and run again",
    menu: "phase",
    keys: [],
    enabled: (s) => !s.view.embed && (s.run.result?.phases ?? []).some((phase) => (phase.figures.phis ?? 0) > 0),
    run: (session) => void session.actions.document.takePhisOut(),
  },
  {
    id: "engine.restart",
    title: "Restart the engine",
    menu: "phase",
    keys: [],
    enabled: always,
    run: (session) => session.restartEngine("restarted on request"),
  },
  dialog("breakpoints.edit", "Breakpoints…", "breakpoints", "step", ["Mod+Shift+B"]),
  {
    id: "breakpoints.toggle-selection",
    title: "Toggle breakpoint on the selection",
    menu: "step",
    keys: ["F9"],
    enabled: (s) => s.selection.selected !== null,
    run: (session) => {
      const subject = session.store.getState().selection.selected;
      if (subject !== null) session.actions.breakpoints.toggle({ kind: "subject", subject });
    },
  },
  {
    id: "breakpoints.clear",
    title: "Remove all breakpoints",
    menu: "step",
    keys: [],
    enabled: (s) => s.breakpoints.list.length > 0,
    run: (session) => session.actions.breakpoints.replaceAll([]),
  },
  {
    id: "breakpoints.find-watched",
    title: "Find the last watched condition in all phases",
    menu: null,
    keys: [],
    enabled: (s) => lastWatched(s) !== null,
    otherwise: () => "No condition on the state is watched. Set one from the menu of a step, block, edge or register.",
    run: (session) => {
      session.patch("breakpoints", { wanted: lastWatched(session.store.getState()) });
      session.actions.view.set({ dialog: "breakpoints" });
    },
  },
  {
    id: "selection.focus",
    title: "Select the subject of this step",
    menu: "step",
    separated: true,
    keys: ["F"],
    enabled: (s) => s.position.moment?.event != null,
    run: (session) => session.actions.selection.selectFocus(),
  },
  {
    id: "view.rule",
    title: "Rule of this step: conditions, documentation, source code",
    menu: "step",
    keys: ["R"],
    enabled: (s) => s.position.moment?.event != null && !s.view.embed,
    run: (session) => session.actions.view.open("rule"),
  },
  {
    id: "selection.clear",
    title: "Clear the selection",
    menu: "step",
    keys: ["Escape"],
    enabled: (s) => s.selection.selected !== null,
    run: (session) => session.actions.selection.select(null),
  },
  dialog("view.palette", "Go to, or run a command…", "palette", "view", ["Mod+K", "Mod+Shift+P"]),
  editorTab("source", "Source text"),
  editorTab("moment", "Program text at this step"),
  {
    id: "view.diff",
    title: "Compare the program at two steps",
    menu: "view",
    separated: true,
    keys: [],
    enabled: (s) => !s.view.embed,
    checked: selectComparing,
    run: (session) => openCompare(session),
  },
  difference("next", "Next difference", ["F7"], 1),
  difference("previous", "Previous difference", ["Shift+F7"], -1),
  {
    id: "view.graph",
    title: "Graph",
    menu: "view",
    separated: true,
    keys: [],
    enabled: always,
    checked: (s) => s.view.centre === "graph",
    run: (session) => {
      session.actions.view.set({ centre: "graph" });
      session.actions.view.showPane("graph");
    },
  },
  {
    id: "view.outline",
    title: "Text outline of the graph",
    menu: "view",
    keys: ["Mod+Shift+O"],
    enabled: always,
    checked: (s) => s.view.centre === "outline",
    run: (session) => {
      session.actions.view.set({ centre: session.store.getState().view.centre === "outline" ? "graph" : "outline" });
      session.actions.view.showPane("graph");
    },
  },
  arrange("study", ["Alt+Shift+1"], true),
  arrange("present", ["Alt+Shift+2", "Alt+Shift+4"]),
  { ...large("editor", "Program", []), menu: null },
  large("graph", "Graph", []),
  { ...large("inspectors", "Explanation", []), menu: null },
  {
    id: "large.here",
    title: "Maximize or restore the focused pane",
    menu: null,
    keys: ["Z"],
    enabled: (s) => !s.view.embed,
    run: (session) => {
      const { large: now } = session.store.getState().view;
      session.actions.view.toggleLarge(now ?? focusedPane());
    },
  },
  {
    id: "view.lanes",
    title: "One lane for each kind of step",
    menu: "view",
    keys: [],
    enabled: always,
    checked: (s) => s.view.lanes,
    run: (session) => session.actions.view.set({ lanes: !session.store.getState().view.lanes }),
  },
  theme("system", "Theme: as the system", true),
  theme("light", "Theme: light"),
  theme("dark", "Theme: dark"),
  {
    id: "view.single-keys",
    title: "Single-letter shortcuts",
    menu: "view",
    keys: [],
    enabled: always,
    checked: (s) => s.view.singleKeys,
    run: (session) => session.actions.view.set({ singleKeys: !session.store.getState().view.singleKeys }),
  },
  policy("notes"),
  policy("measured"),
  overlay("none", "Overlay: none"),
  overlay("dominators", "Overlay: dominator tree"),
  overlay("post-dominators", "Overlay: post-dominator tree"),
  overlay("loops", "Overlay: loops"),
  overlay("liveness", "Overlay: liveness"),
  overlay("divergence", "Overlay: divergence"),
  overlay("heat", "Overlay: execution heat"),
  overlay("weights", "Overlay: profile weights"),
  overlay("values", "Overlay: value numbers"),
  focusPane("editor", "Go to the program", ["Alt+1"]),
  focusPane("graph", "Go to the graph", ["Alt+2"]),
  focusPane("inspectors", "Go to the explanation", ["Alt+3"]),
  focusPane("timeline", "Go to the timeline", ["Alt+4"]),
  dialog("help.shortcuts", "Keyboard shortcuts", "shortcuts", "help", ["Shift+?"]),
  dialog("help.ways-in", "Getting your code in", "toolchains", "help", []),
];

/** The end of the Help menu. */
export const HELP: readonly Command[] = [
  {
    id: "app.update",
    title: "Update to the newer version",
    menu: "help",
    keys: [],
    enabled: hasUpdate,
    run: takeUpdate,
  },
  dialog("help.about", "About Oriscope", "about", "help", []),
];
