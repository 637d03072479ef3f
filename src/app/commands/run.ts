/** Running the pipeline, breakpoints, and the subject of the step. */

import { always, type Command, onShown, opensDialog } from "../session/command.ts";
import { selectOwnMoment } from "../session/provenance.ts";
import type { SessionState } from "../session/state.ts";

export const RUN: readonly Command[] = [
  {
    id: "run.again",
    title: "Run the pipeline again",
    found: "rerun, refresh, start again",
    menu: "phase",
    separated: true,
    keys: ["Mod+Enter"],
    enabled: (s) => s.document.text !== "",
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
    found: "prove, correctness, equivalence, verify meaning",
    menu: "phase",
    keys: [],
    enabled: always,
    checked: (s) => s.options.pipeline.check > 0,
    run: (session) => session.actions.run.setOptions({ check: session.store.getState().options.pipeline.check > 0 ? 0 : 16 }),
  },
  onShown({
    id: "run.take-phis-out",
    title: "Replace PHIs with copies and run again",
    menu: "phase",
    keys: [],
    enabled: (s) => !s.view.embed && (s.run.result?.phases ?? []).some((phase) => (phase.figures.phis ?? 0) > 0),
    run: (session) => void session.actions.document.takePhisOut(),
  }),
  {
    id: "engine.restart",
    title: "Restart the engine",
    found: "reset, cancel, hang, stuck",
    menu: "phase",
    keys: [],
    enabled: always,
    run: (session) => session.restartEngine("restarted on request"),
  },
  { ...opensDialog("breakpoints.edit", "Breakpoints…", "breakpoints", "step", ["Mod+Shift+B"]), found: "watch, conditions, watchpoints" },
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
    found: "delete breakpoints",
    menu: "step",
    keys: [],
    enabled: (s) => s.breakpoints.list.length > 0,
    run: (session) => session.actions.breakpoints.replaceAll([]),
  },
  onShown({
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
  }),
  onShown({
    id: "selection.focus",
    title: "Select the subject of this step",
    menu: "step",
    separated: true,
    keys: ["F"],
    enabled: (s) => selectOwnMoment(s)?.event != null,
    run: (session) => session.actions.selection.selectFocus(),
  }),
  onShown({
    id: "view.rule",
    title: "Rule of this step: conditions, documentation, source code",
    menu: "step",
    keys: ["R"],
    enabled: (s) => s.position.moment?.event != null && !s.view.embed,
    run: (session) => session.actions.view.open("rule"),
  }),
  {
    id: "selection.clear",
    title: "Clear the selection",
    menu: "step",
    keys: ["Escape"],
    enabled: (s) => s.selection.selected !== null,
    run: (session) => session.actions.selection.select(null),
  },
];

function lastWatched({ breakpoints }: SessionState): string | null {
  const last = breakpoints.list.findLast(({ breakpoint }) => breakpoint.kind === "watch")?.breakpoint;
  return last?.kind === "watch" ? last.text : null;
}
