/** What is open where: tabs, panes, dialogs, folds, filters, theme, notices. */

import type { ActionContext } from "../context.ts";
import type { KindGroup } from "../event-kinds.ts";
import type { Feature } from "../feature.ts";
import { openedBy, placeNamed } from "../places.ts";
import { type OtherEngine, type Pane, PRESET_PANES, type Preset, type ThemeChoice, type ViewSlice } from "../state.ts";

export interface ViewActions {
  set(part: Partial<ViewSlice>): void;
  /** Brings a pane into view, maximized if the arrangement has no place for it. */
  showPane(pane: Pane): void;
  /** Maximizes or restores one pane. */
  toggleLarge(pane: Pane): void;
  /** Changes the arrangement. */
  arrange(preset: Preset): void;
  /** Opens a place of the explanation or an experiment by its name and brings it into view. */
  open(name: string): void;
  toggleGroup(group: KindGroup): void;
  /** Folds or unfolds what is below a line of a phase's algorithm. */
  fold(phase: string, line: number, folded: boolean): void;
  setTheme(choice: ThemeChoice): void;
  setSystemTheme(resolved: "light" | "dark"): void;
  dismiss(notice: number): void;
  dismissCrash(): void;
  /** The engine that the open link was made with, if it is a different one and the site has it. */
  setLinkedEngine(engine: OtherEngine | null): void;
}

/** A pane in front, where there is room for one or two. */
const inFront = (pane: Pane): Partial<ViewSlice> => (pane === "graph" ? { pane } : { pane, beside: pane });

export function viewActions(ctx: ActionContext, features: readonly Feature[]): ViewActions {
  let system: "light" | "dark" = "light";
  const toggled = <T>(list: readonly T[], item: T): readonly T[] =>
    list.includes(item) ? list.filter((x) => x !== item) : [...list, item];
  const showPane = (pane: Pane): void => {
    const { preset, large } = ctx.get().view;
    const placed = PRESET_PANES[preset].includes(pane);
    ctx.patch("view", { ...inFront(pane), large: large === pane || !placed ? pane : null });
    // The graph is next to it, except on a phone.
    if (pane !== "graph") for (const { beside } of features) if (beside?.isFront(ctx.get()) === true) beside.setFront(ctx, false);
  };
  return {
    set: (part) => ctx.patch("view", part),
    showPane,
    toggleLarge(pane) {
      ctx.patch("view", { ...inFront(pane), large: ctx.get().view.large === pane ? null : pane });
    },
    arrange(preset) {
      ctx.patch("view", { preset, ownPreset: null, large: null });
    },
    open(name) {
      const place = placeNamed(features, name);
      if (place === null) return;
      ctx.patch("view", { open: openedBy(place, ctx.get().view.open) });
      showPane("inspectors");
    },
    toggleGroup(group) {
      ctx.patch("view", { hiddenGroups: toggled(ctx.get().view.hiddenGroups, group) });
    },
    fold(phase, line, folded) {
      const { folds } = ctx.get().view;
      ctx.patch("view", { folds: { ...folds, [phase]: { ...folds[phase], [line]: folded } } });
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
