/** The handbook: a page for each phase, structure, field, condition, opcode and knob. */

import type { Feature } from "../session/feature.ts";
import { pageHere } from "../session/here.ts";
import { followHandbook } from "./address.ts";

/** Only a site that was made with `npm run site` has one beside the page. */
function handbookSite(): string | null {
  return typeof document === "undefined" ? null : (document.querySelector<HTMLLinkElement>('link[rel="help"]')?.href ?? null);
}

export const HANDBOOK: Feature = {
  id: "handbook",
  before: "help",
  commands: [
    {
      id: "help.handbook",
      title: "Handbook: what is this?",
      menu: "help",
      keys: ["F1"],
      enabled: (s) => !s.view.embed,
      run: ({ actions, store }) => actions.view.set({ dialog: "handbook", handbook: pageHere(store.getState(), document) }),
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
  start: followHandbook,
  dialogs: () => import("./handbook-dialog.tsx"),
};
