/** What saves records of another kind than programs: a feature brings it. */

import type { Session } from "../session/session.ts";
import type { PageEvents } from "./page-events.ts";
import type { Kept, Summary } from "./record.ts";
import type { Works } from "./works.ts";

export interface RecordKeeper {
  readonly kind: Exclude<Summary["kind"], "program">;
  /** Opens a saved one; false when it has no text. */
  reopen(kept: Kept): Promise<boolean>;
  flush(): void;
}

declare module "../session/feature.ts" {
  interface Feature {
    readonly keepRecords?: (session: Session, works: Works, page: PageEvents) => RecordKeeper;
  }
}
