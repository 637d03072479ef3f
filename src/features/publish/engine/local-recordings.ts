/** Recordings where there are no workers: graphs are laid out by an ELK in this thread. */

import { nodeElk } from "../../../layout/elk/node.ts";
import { recordings } from "./recordings.ts";

export const LOCAL_RECORDINGS = recordings(nodeElk);
