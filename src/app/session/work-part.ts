/** What a part of the page adds to a saved program: its fields in a link, a saved case and a work's record, how they are read back, and which of them are the user's own. */

import type { LinkData, LinkPass } from "../../links/link-data.ts";
import type { OpenedText } from "./actions/document.ts";
import type { SessionState } from "./state.ts";

/** What a record contains beyond what a link contains. */
export interface RecordOnly {
  /** Closed passes that can be reopened. */
  readonly aside: readonly LinkPass[];
  /** The pass is a stranger's, and has not been run. */
  readonly linked: boolean;
  /** The second text of the comparison. */
  readonly second: string;
}

/** The content of a record. */
export type WorkData = LinkData & RecordOnly;

export type Source = "link" | "file" | "record";

export interface WorkPart {
  /** Its fields of a link, a case and a record. */
  write(state: SessionState): Partial<LinkData>;
  /** Its fields that only a record contains. */
  keep?(state: SessionState): Partial<RecordOnly>;
  /** What its checked fields open. A record describes all of its work; links and files may omit a part. */
  open(data: WorkData, state: SessionState, from: Source): Partial<OpenedText>;
  /** It changed: the record is due. */
  changed(state: SessionState, before: SessionState): boolean;
  /** The user changed it after the program was opened: then it is their work, and no longer only viewed. */
  made(state: SessionState, opened: SessionState): boolean;
  /** Its typed texts: when one of these differs, a text was changed. */
  typed?(state: SessionState): readonly unknown[];
  /** Its characters: long works are saved less often. */
  length?(state: SessionState): number;
}

export const NO_MORE: RecordOnly = { aside: [], linked: false, second: "" };
