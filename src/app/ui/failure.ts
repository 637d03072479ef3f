/** The text of an error for the user. */

import { messageOf as plainMessage } from "../../base/errors.ts";

/** Browsers give no error code for a script that failed to load, only a sentence, and each its own. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload CSS/i;

const RELOAD =
  "A part of the page could not be loaded: the connection failed, or the site has been updated. Reload the page; your work is kept.";

/** A script or style sheet of the page did not arrive: only a reload helps. */
export function isNotLoaded(error: unknown): boolean {
  return error instanceof Error && NOT_LOADED.test(error.message);
}

export function messageOf(error: unknown): string {
  return isNotLoaded(error) ? RELOAD : plainMessage(error);
}
