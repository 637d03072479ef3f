/** Two texts side by side. */

import { editor } from "./api.ts";
import { EDITOR_OPTIONS } from "./editor-options.ts";
import { applyTheme } from "./themes.ts";

export interface DiffEditor {
  show(left: string, right: string): void;
  theme(resolved: "light" | "dark"): void;
  /** To the next or previous difference. */
  go(direction: 1 | -1): void;
  dispose(): void;
}

export function mountDiffEditor(element: HTMLElement, resolved: "light" | "dark"): DiffEditor {
  applyTheme(resolved);
  const left = editor.createModel("", "ori");
  const right = editor.createModel("", "ori");
  for (const model of [left, right])
    model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  const view = editor.createDiffEditor(element, {
    ...EDITOR_OPTIONS,
    readOnly: true,
    originalEditable: false,
    renderSideBySide: true,
    useInlineViewWhenSpaceIsLimited: true,
    renderSideBySideInlineBreakpoint: 520,
    hideUnchangedRegions: { enabled: true },
    renderOverviewRuler: false,
  });
  // Made and ended here: one that the diff editor makes of two models outlives it, and continues to compare disposed models.
  const compare = (): editor.IDiffEditorViewModel => {
    const made = view.createViewModel({ original: left, modified: right });
    view.setModel(made);
    return made;
  };
  let compared = compare();
  // The diff editor's own options for these leave the fields without a name.
  view.getOriginalEditor().updateOptions({ ariaLabel: "Left step" });
  view.getModifiedEditor().updateOptions({ ariaLabel: "Right step" });
  // A long program's first difference is seldom in its first lines.
  let fresh = true;
  const first = view.onDidUpdateDiff(() => {
    if (!fresh || (view.getLineChanges()?.length ?? 0) === 0) return;
    fresh = false;
    view.revealFirstDiff();
  });
  return {
    show(a, b) {
      if (left.getValue() === a && right.getValue() === b) return;
      left.setValue(a);
      right.setValue(b);
      // Set again, because a diff that only continues keeps showing every line that it showed before, and folds nothing.
      const state = view.saveViewState();
      const before = compared;
      compared = compare();
      before.dispose();
      if (!fresh) view.restoreViewState(state);
    },
    theme: applyTheme,
    go: (direction) => view.goToDiff(direction === 1 ? "next" : "previous"),
    dispose() {
      first.dispose();
      view.dispose();
      compared.dispose();
      left.dispose();
      right.dispose();
    },
  };
}
