/** The source editor's keys and menu entries in addition to Monaco's own. */

import { openHelp, wordAt } from "../../session/help.ts";
import type { Session } from "../../session/session.ts";
import { isApple } from "../../ui/kbd.tsx";
import { type editor, KeyCode, KeyMod } from "./api.ts";
import { fixAt } from "./quick-fixes.ts";

/** The key that Monaco has for it. */
const TAB_KEY = isApple ? "Ctrl+Shift+M" : "Ctrl+M";

export function addSourceKeys(view: editor.IStandaloneCodeEditor, model: editor.ITextModel, session: Session): void {
  const { actions } = session;
  view.addCommand(KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF, () => view.getAction("editor.action.formatDocument")?.run());
  // Monaco's own palette has this key; the page's palette has all of it.
  view.addAction({
    id: "oriscope.handbook",
    label: "Handbook page",
    keybindings: [KeyCode.F1],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 2,
    run: (self) => {
      const at = self.getPosition();
      const word = at === null ? "" : wordAt(model.getLineContent(at.lineNumber), at.column);
      openHelp(session, word === "" ? null : `opcode:${word.toUpperCase()}`);
    },
  });
  // The chord that Monaco has for this begins with the palette's key.
  view.addAction({
    id: "oriscope.whatIsThis",
    label: "What is this?",
    keybindings: [KeyMod.Shift | KeyCode.F1],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 0,
    run: (self) => self.getAction("editor.action.showHover")?.run({ focus: "noAutoFocus" }),
  });
  // Monaco's key for it, Ctrl+., belongs to stepping. The one fix there is needs no list to choose from.
  view.addAction({
    id: "oriscope.quickFix",
    label: "Apply the suggested fix",
    keybindings: [KeyMod.Alt | KeyCode.Enter],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 1,
    run: (self) => {
      const at = self.getPosition();
      const fix = at === null ? null : fixAt(model, at.lineNumber);
      if (fix !== null) self.executeEdits("oriscope.quickFix", [fix]);
      else actions.notify("info", "No message on this line suggests a fix.");
    },
  });
  let tabLeaves = true;
  view.addAction({
    id: "oriscope.tabKey",
    label: "Toggle whether Tab leaves the editor",
    keybindings: [isApple ? KeyMod.WinCtrl | KeyMod.Shift | KeyCode.KeyM : KeyMod.CtrlCmd | KeyCode.KeyM],
    run: (self) => {
      tabLeaves = !tabLeaves;
      self.updateOptions({ tabFocusMode: tabLeaves });
      actions.notify("info", tabLeaves ? "Tab leaves the editor." : `Tab indents. After ${TAB_KEY}, it leaves the editor again.`);
    },
  });
  acceptByEnter(view);
}

/** Enter accepts a suggestion that the user chose or requested; after more typing it is a new line again. */
function acceptByEnter(view: editor.IStandaloneCodeEditor): void {
  const chosen = view.createContextKey<boolean>("oriscopeSuggestionChosen", false);
  const onKey = (name: string, keybinding: number, precondition: string, run: () => void): void => {
    view.addAction({ id: `oriscope.${name}`, label: name, keybindings: [keybinding], precondition, run });
  };
  const choosing = (command: string) => (): void => {
    chosen.set(true);
    view.trigger("keyboard", command, {});
  };
  onKey("nextSuggestion", KeyCode.DownArrow, "suggestWidgetVisible", choosing("selectNextSuggestion"));
  onKey("previousSuggestion", KeyCode.UpArrow, "suggestWidgetVisible", choosing("selectPrevSuggestion"));
  onKey(
    "suggest",
    (isApple ? KeyMod.WinCtrl : KeyMod.CtrlCmd) | KeyCode.Space,
    "!suggestWidgetVisible",
    choosing("editor.action.triggerSuggest"),
  );
  onKey("acceptSuggestion", KeyCode.Enter, "oriscopeSuggestionChosen && suggestWidgetVisible && suggestWidgetHasFocusedSuggestion", () => {
    view.trigger("keyboard", "acceptSelectedSuggestion", {});
  });
  view.onDidChangeModelContent(() => chosen.set(false));
}
