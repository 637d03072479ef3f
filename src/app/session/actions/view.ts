/** What is open where: tabs, panes, dialogs, folds, filters, theme, notices. */

import type { ActionContext } from "../context.ts";
import type { KindGroup } from "../kinds.ts";
import { type OtherEngine, type Pane, PRESET_PANES, type Preset, type ThemeChoice, type ViewSlice } from "../state.ts";

export interface ViewActions {
  set(part: Partial<ViewSlice>): void;
  /** Brings a pane in sight: large, where the arrangement has no place for it. */
  showPane(pane: Pane): void;
  /** One pane takes the room of all, or gives it back. */
  toggleLarge(pane: Pane): void;
  /** Another arrangement, with what it is for. */
  arrange(preset: Preset): void;
  openInspector(dock: "top" | "bottom", id: string): void;
  toggleGroup(group: KindGroup): void;
  /** Folds or unfolds the pseudocode under a line of a phase. */
  toggleFold(phase: string, line: number): void;
  setTheme(choice: ThemeChoice): void;
  setSystemTheme(resolved: "light" | "dark"): void;
  dismiss(notice: number): void;
  dismissCrash(): void;
  /** The engine that the open link was made with, where it is another one and lies beside the page. */
  setLinkedEngine(engine: OtherEngine | null): void;
}

export function viewActions(ctx: ActionContext): ViewActions {
  let system: "light" | "dark" = "light";
  const toggled = <T>(list: readonly T[], item: T): readonly T[] =>
    list.includes(item) ? list.filter((x) => x !== item) : [...list, item];
  return {
    set: (part) => ctx.patch("view", part),
    showPane(pane) {
      const { preset, large } = ctx.get().view;
      const placed = PRESET_PANES[preset].includes(pane);
      ctx.patch("view", { pane, large: large === pane || !placed ? pane : null });
    },
    toggleLarge(pane) {
      ctx.patch("view", { pane, large: ctx.get().view.large === pane ? null : pane });
    },
    arrange(preset) {
      const { editorTab, inspectors } = ctx.get().view;
      const tab = preset === "compare" ? "diff" : editorTab === "diff" ? "source" : editorTab;
      ctx.patch("view", { preset, ownPreset: null, large: null, editorTab: tab });
      // Stepping shows the pseudocode, and below it what the steps write, where the phase has something of the kind.
      if (preset !== "step") return;
      const written = (ctx.get().position.trace?.structures.length ?? 0) > 0;
      ctx.patch("view", { inspectors: { ...inspectors, top: "pseudocode", ...(written ? { bottom: "structures" } : {}) } });
    },
    openInspector(dock, id) {
      const { inspectors } = ctx.get().view;
      ctx.patch("view", { inspectors: { ...inspectors, [dock]: id } });
    },
    toggleGroup(group) {
      ctx.patch("view", { hiddenGroups: toggled(ctx.get().view.hiddenGroups, group) });
    },
    toggleFold(phase, line) {
      const { folds } = ctx.get().view;
      ctx.patch("view", { folds: { ...folds, [phase]: toggled(folds[phase] ?? [], line) } });
    },
    setTheme(choice) {
      ctx.patch("theme", { choice, resolved: choice === "system" ? system : choice });
    },
    setSystemTheme(resolved) {
      system = resolved;
      if (ctx.get().theme.choice === "system") ctx.patch("theme", { resolved });
    },
    dismiss(notice) {
      ctx.store.setState((s) => ({ notices: s.notices.filter((n) => n.id !== notice) }));
    },
    dismissCrash: () => ctx.patch("engine", { crash: null }),
    setLinkedEngine: (linked) => ctx.patch("engine", { linked }),
  };
}
