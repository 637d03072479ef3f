/** What a part of the page adds to what is kept of a program: its fields in a link, a saved case and a kept work's record, how they are read back, and what is a user's own. */

import type { LinkData, LinkPass } from "../../links/link-data.ts";
import type { OpenedText } from "./actions/document.ts";
import type { SessionState } from "./state.ts";

/** What a record holds beyond what a link does. */
export interface RecordOnly {
  /** Passes that were closed and can be opened again. */
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
  /** Its fields that a record alone holds. */
  keep?(state: SessionState): Partial<RecordOnly>;
  /** What its fields, checked, open. A record says everything of its work; links and files may leave a part alone. */
  open(data: WorkData, state: SessionState, from: Source): Partial<OpenedText>;
  /** It is another than before: the record is due. */
  changed(state: SessionState, before: SessionState): boolean;
  /** A user has made something of it since the program was opened: then it is their work, and no longer only looked at. */
  made(state: SessionState, opened: SessionState): boolean;
  /** What is typed in it: when one of these is another, a text was changed. */
  typed?(state: SessionState): readonly unknown[];
  /** Its characters: long works are saved less often. */
  length?(state: SessionState): number;
}

export const NO_MORE: RecordOnly = { aside: [], linked: false, second: "" };
