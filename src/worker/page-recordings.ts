/** Recordings in the page's worker, which loads this when they are first asked for: pictures are drawn by an ELK in a worker of its own. */

import { browserElk } from "../layout/elk/browser.ts";
import { recordings } from "./recordings.ts";

export const RECORDINGS = recordings(browserElk());
