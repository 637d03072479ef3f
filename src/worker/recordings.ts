/** Writing what a run did, and reading it back, in one value. `elk` draws the pictures of exported files. */

import type { Elk } from "../layout/elk/elk.ts";
import { looksExported, looksLikeTrace } from "../publish/looks-recorded.ts";
import { publish } from "../publish/publish.ts";
import { readTrace } from "../publish/read-trace.ts";
import { readExported } from "../publish/recorded/exported-file.ts";
import { readIon } from "../publish/recorded/ion.ts";
import { RecordedSession } from "../publish/recorded/recorded-session.ts";
import type { Recordings } from "./work-session.ts";

export const recordings = (elk: Elk): Recordings => ({
  read: (text) => (looksLikeTrace(text) ? readTrace(text) : looksExported(text) ? readExported(text) : readIon(text)),
  session: (document) => new RecordedSession(document),
  publish: (source, result, request) => publish(source, result, request, elk),
});
