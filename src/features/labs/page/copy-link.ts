/** A lab as a link in the clipboard. */

import type { Session } from "../../../app/session/session.ts";
import { copyText } from "../../../app/share/clipboard.ts";
import { plural } from "../../../app/ui/plural.ts";
import { labAddress } from "./open-lab.ts";
import type { LabSource } from "./state.ts";

export async function copyLabLink(session: Session, source: LabSource): Promise<void> {
  const address = await labAddress(source);
  if (address === null) {
    session.actions.notify(
      "warning",
      "This lab is too long for a link. Give your students the file instead: they can open it by drag and drop.",
    );
    return;
  }
  const copied = `The link to this lab was copied to the clipboard (${plural(address.length, "character")}).`;
  if (!(await copyText(session, address, copied, "; copy the link from the address bar.")))
    window.history.replaceState(window.history.state, "", address);
}
