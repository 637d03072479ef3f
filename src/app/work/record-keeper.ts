/** What saves records of another kind than programs: a feature brings it. */

import type { Session } from "../session/session.ts";
import type { Keeper } from "./keeper.ts";
import type { PageEvents } from "./page-events.ts";
import type { Summary } from "./record.ts";
import type { Works } from "./works.ts";

export interface RecordKeeper extends Omit<Keeper, "stop"> {
  readonly kind: Exclude<Summary["kind"], "program">;
}

declare module "../session/feature.ts" {
  interface Feature {
    readonly keepRecords?: (session: Session, works: Works, page: PageEvents) => RecordKeeper;
  }
}
