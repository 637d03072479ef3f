/** Commands of the user's passes. What they open is loaded with the tab. */

import type { Command } from "../../../app/session/command.ts";
import { always } from "../../../app/session/command.ts";
import type { Session } from "../../../app/session/session.ts";
import type { PanelId } from "./check/check-state.ts";

function showTab({ actions }: Session): void {
  actions.view.set({ editorTab: "pass" });
  actions.view.showPane("editor");
}

function panel(id: PanelId, title: string): Command {
  return {
    id: `pass.${id}`,
    title,
    menu: null,
    keys: [],
    enabled: (s) => s.ownpass.source !== null,
    otherwise: () => "There is no pass. Start one with Phase > Write a pass.",
    run: (session) => {
      session.patch("passCheck", { panel: id });
      showTab(session);
      // The result needs more space than the pane has next to the others.
      session.actions.view.set({ large: "editor" });
    },
  };
}

export const PASS_COMMANDS: readonly Command[] = [
  {
    id: "pass.write",
    title: "Write a pass",
    found: "own pass, plug-in, plugin, typescript, custom optimization, script",
    menu: "phase",
    separated: true,
    keys: [],
    enabled: (s) => !s.view.embed,
    run: showTab,
  },
  {
    id: "pass.run",
    title: "Run the pass",
    menu: null,
    keys: [],
    enabled: (s) => s.ownpass.source !== null,
    run: (session) => session.actions.ownpass.run(),
  },
  {
    id: "pass.stop",
    title: "Take the pass out of the pipeline",
    menu: null,
    keys: [],
    enabled: (s) => s.ownpass.on,
    run: (session) => session.actions.ownpass.stop(),
  },
  {
    id: "pass.lines",
    title: "Step through every line of the pass",
    menu: "phase",
    keys: [],
    enabled: (s) => s.ownpass.source !== null,
    checked: (s) => s.ownpass.everyLine,
    run: ({ actions, store }) => actions.ownpass.setEveryLine(!store.getState().ownpass.everyLine),
  },
  {
    id: "pass.close",
    title: "Close the pass",
    found: "delete the pass",
    menu: null,
    keys: [],
    enabled: (s) => s.ownpass.source !== null,
    run: ({ actions }) => actions.ownpass.remove(),
  },
  {
    id: "pass.undo",
    title: "Open the pass again that was closed",
    menu: null,
    keys: [],
    enabled: (s) => s.ownpass.aside.length > 0,
    otherwise: () => "There is no closed pass to open again.",
    run: (session) => {
      session.actions.ownpass.undo();
      showTab(session);
    },
  },
  panel("check", "Check the pass"),
  panel("compare", "Compare the pass with a built-in one"),
  {
    id: "pass.templates",
    title: "Pass templates",
    menu: null,
    keys: [],
    enabled: always,
    run: (session) => {
      session.patch("passCheck", { panel: "templates" });
      showTab(session);
    },
  },
  {
    id: "view.pass",
    title: "Your own pass",
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.view.editorTab === "pass",
    run: showTab,
  },
  {
    id: "overlay.own",
    title: "Overlay: my analysis",
    menu: null,
    keys: [],
    enabled: always,
    checked: (s) => s.view.overlay === "own",
    run: ({ actions }) => actions.view.set({ overlay: "own" }),
  },
];
