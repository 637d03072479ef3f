/** The handbook: a page for each phase, structure, field, condition, opcode and knob. */

import type { Feature } from "../../../app/session/feature.ts";
import { pageHere } from "../../../app/session/help.ts";
import { followHandbook } from "./address.ts";
import { HANDBOOK_DIALOG, openHandbook } from "./open-handbook.ts";

/** Only a site that was made with `npm run site` has one next to the page. */
function handbookSite(): string | null {
  return typeof document === "undefined" ? null : (document.querySelector<HTMLLinkElement>('link[rel="help"]')?.href ?? null);
}

declare module "../../../app/session/state.ts" {
  interface SessionState {
    /** The page that is open or was last, as `phase:49`; empty: none. */
    readonly handbook: { readonly page: string };
  }
}

export const HANDBOOK: Feature = {
  id: "handbook",
  slices: { handbook: { page: "" } },
  before: "help",
  commands: [
    {
      id: "help.handbook",
      title: "Handbook: what is this?",
      found: "help, documentation, manual, glossary, terms",
      menu: "help",
      keys: ["F1"],
      enabled: (s) => !s.view.embed,
      run: (session) => openHandbook(session, pageHere(session.store.getState(), document)),
    },
    {
      id: "help.site",
      title: "Handbook on the web",
      menu: "help",
      keys: [],
      enabled: () => handbookSite() !== null,
      run: () => {
        const address = handbookSite();
        if (address !== null) window.open(address, "_blank", "noopener");
      },
    },
  ],
  help: { dialog: HANDBOOK_DIALOG, open: openHandbook },
  start: followHandbook,
  dialogs: () => import("./handbook-dialog.tsx"),
};
