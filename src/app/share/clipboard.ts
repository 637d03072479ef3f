/** Copying to the clipboard, which a page may not use without permission, and does not have without a secure connection. */

import type { Session } from "../session/session.ts";

/** Copies a text and shows one of the two messages. False: it was not copied. */
export async function copyText({ actions }: Session, text: string, copied: string, refused: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    actions.notify("info", copied);
    return true;
  } catch {
    actions.notify("warning", `This page may not use the clipboard${refused}`);
    return false;
  }
}
