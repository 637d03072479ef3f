/** What of the program is shown, and where: text, picture, comparison, arrangement of the panes, theme, overlays; and help. */

import { flushSync } from "react-dom";
import { goToDifference } from "../compare/difference-step.ts";
import { graphOf } from "../graph/controller.ts";
import { POLICY_TITLES, type Policy } from "../names/policies.ts";
import { hasUpdate, takeUpdate } from "../offline/offline.ts";
import { always, type Command, opensDialog } from "../session/command.ts";
import { openCompare, selectComparing } from "../session/comparison.ts";
import { PANES, type Pane, type Preset, type ThemeChoice } from "../session/state.ts";

export const VIEW: readonly Command[] = [
  opensDialog("view.palette", "Go to, or run a command…", "palette", "view", ["Mod+K", "Mod+Shift+P"]),
  editorTab("source", "Source text"),
  editorTab("moment", "Program text at this step"),
  {
    id: "view.diff",
    title: "Compare the program at two steps",
    found: "diff, difference, changes, compare texts",
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
  arrange("study", "Study: program, picture and explanation", ["Alt+Shift+1"], "normal, default layout, reset the layout", true),
  arrange(
    "present",
    "Present: picture and sentence, large",
    ["Alt+Shift+2", "Alt+Shift+4"],
    "projector, slides, lecture, fullscreen, large letters, font size",
  ),
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
  { ...theme("system", "Theme: as the system"), separated: true },
  theme("light", "Theme: light"),
  theme("dark", "Theme: dark", "night, black"),
  {
    id: "view.single-keys",
    title: "Single-letter shortcuts",
    menu: "view",
    keys: [],
    enabled: always,
    checked: (s) => s.view.singleKeys,
    run: (session) => session.actions.view.set({ singleKeys: !session.store.getState().view.singleKeys }),
  },
  policy("notes", "policy, as documented, rules of the reference"),
  policy("measured", "policy, as measured, ptxas 13"),
  overlay("none", "Overlay: none"),
  overlay("dominators", "Overlay: dominator tree", "dominators, idom"),
  overlay("post-dominators", "Overlay: post-dominator tree"),
  overlay("loops", "Overlay: loops"),
  overlay("liveness", "Overlay: liveness", "registers, live, dead"),
  overlay("divergence", "Overlay: divergence", "warp, lanes, uniform"),
  overlay("heat", "Overlay: execution heat", "coverage, profile, counts"),
  overlay("weights", "Overlay: profile weights"),
  overlay("values", "Overlay: value numbers"),
  focusPane("editor", "Go to the program", ["Alt+1"]),
  focusPane("graph", "Go to the graph", ["Alt+2"]),
  focusPane("inspectors", "Go to the explanation", ["Alt+3"]),
  focusPane("timeline", "Go to the timeline", ["Alt+4"]),
  { ...opensDialog("help.shortcuts", "Keyboard shortcuts", "shortcuts", "help", ["Shift+?"]), found: "keys, key bindings, hotkeys" },
  opensDialog("help.ways-in", "Getting your code in", "toolchains", "help", []),
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
  { ...opensDialog("help.about", "About Oriscope", "about", "help", []), found: "license, licence, version, credits" },
];

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

function arrange(preset: Preset, title: string, keys: readonly string[], found: string, separated = false): Command {
  return {
    id: `layout.${preset}`,
    title,
    found,
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
      // The pane may only be created by this key: it must exist before it can be found.
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

function theme(choice: ThemeChoice, title: string, found = ""): Command {
  return {
    id: `theme.${choice}`,
    title,
    found,
    menu: "view",
    keys: [],
    enabled: always,
    checked: (s) => s.theme.choice === choice,
    run: (session) => session.actions.view.setTheme(choice),
  };
}

function policy(which: Policy, found: string): Command {
  return {
    id: `policy.${which}`,
    title: `Rules: ${POLICY_TITLES[which]}`,
    found,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.options.pipeline.policy === which,
    run: (session) => session.actions.run.setOptions({ policy: which }),
  };
}

function overlay(which: string, title: string, found = ""): Command {
  return {
    id: `overlay.${which}`,
    title,
    found,
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.view.overlay === which,
    run: (session) => session.actions.view.set({ overlay: which }),
  };
}
