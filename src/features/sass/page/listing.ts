/** The SASS listing to align with: kept over tabs and phases for as long as its program is open, one at a time. */

import { useSession } from "../../../app/session/hooks.ts";
import type { Session } from "../../../app/session/session.ts";
import { messageOf } from "../../../app/ui/failure.ts";

export interface Listing {
  /** File name, or what it is. */
  readonly name: string;
  readonly text: string;
  /** Grows with each new listing: keys of answers hold it instead of the text. */
  readonly revision: number;
  /** When its program replaced another (`DocumentSlice.since`): it belongs to no other. */
  readonly since: number;
}

declare module "../../../app/session/state.ts" {
  interface SessionState {
    readonly align: {
      /** One at a time, for as long as its program is open. */
      readonly listing: Listing | null;
      /** Counts the listings. */
      readonly listings: number;
    };
  }
}

export function setListing({ store, patch }: Session, given: Pick<Listing, "name" | "text" | "since"> | null): void {
  const revision = store.getState().align.listings + 1;
  patch("align", given === null ? { listing: null } : { listing: { ...given, revision }, listings: revision });
}

/** The same once it is read; never rejects. */
export async function readListing(
  session: Session,
  { name, since }: Pick<Listing, "name" | "since">,
  read: () => Promise<string>,
): Promise<void> {
  try {
    setListing(session, { name, text: await read(), since });
  } catch (error) {
    session.actions.notify("error", `${name} could not be read: ${messageOf(error)}`);
  }
}

/** That of the program that is open since then. */
export function useListing(since: number): Listing | null {
  return useSession(({ align: { listing } }) => (listing?.since === since ? listing : null));
}
