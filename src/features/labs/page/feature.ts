/** Labs next to the tool, and writing them. */

import type { Feature } from "../../../app/session/feature.ts";
import { thisTab } from "../../../app/work/tab.ts";
import { isLabFragment } from "../link/lab-link.ts";
import { UNREAD } from "./lab-model.ts";
import { looksLikeLab, openLab, openLabLink, resumeLab } from "./open-lab.ts";
import { packedLab } from "./packed.ts";
import { NO_LAB } from "./state.ts";
import { LAB_COMMANDS } from "./writer/commands.ts";
import { DraftKeeper } from "./writer/draft-keeper.ts";

export const LABS: Feature = {
  id: "labs",
  needs: ["ownpass", "futures"],
  slices: { lab: NO_LAB, openLab: UNREAD },
  commands: LAB_COMMANDS,
  openText(session, text, title) {
    if (!/\.(md|markdown)$/i.test(title) && !looksLikeLab(text)) return false;
    openLab(session, { text, title, classKey: "", course: null });
    return true;
  },
  fragment: { isOwn: isLabFragment, open: openLabLink },
  // Beside the work that is open: a lab puts its own programs into the tool when a task is opened.
  opened: resumeLab,
  keepRecords(session, works, page) {
    const drafts = new DraftKeeper(session, works, thisTab("oriscope.tab.lab"), page);
    return {
      kind: "lab",
      reopen(kept) {
        session.actions.view.set({ dialog: "lab-writer" });
        return drafts.reopen(kept);
      },
      flush: () => drafts.flush(),
    };
  },
  isPacked: () => packedLab() !== null,
  dialogs: () => import("./writer/writer-dialog.tsx"),
  palette: async (session) => (await import("./course-cards.ts")).courseEntries(session),
  gallery: async (session) => (await import("./course-cards.ts")).courseCards(session),
};
