/** Recordings in the page's worker, which loads this on first use: graphs are laid out by an ELK in its own worker. */

import { browserElk } from "../../../layout/elk/browser.ts";
import { recordings } from "./recordings.ts";

export const RECORDINGS = recordings(browserElk());
