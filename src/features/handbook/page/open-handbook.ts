/** Opening the handbook. */

import type { Session } from "../../../app/session/session.ts";

export const HANDBOOK_DIALOG = "handbook";

/** At a page by its id; null: at the one that was open last. */
export function openHandbook({ actions, patch }: Session, page: string | null): void {
  if (page !== null) patch("handbook", { page });
  actions.view.set({ dialog: HANDBOOK_DIALOG });
}
