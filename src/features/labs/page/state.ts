/** The slice of labs: the one that is open, and the one that is being written. */

declare module "../../../app/session/state.ts" {
  interface SessionState {
    readonly lab: LabSlice;
  }
}

/** A lab's text, and what is known of where it is from. */
export interface LabSource {
  readonly text: string;
  readonly title: string;
  /** Key of the class, which the programs of each student follow from, too. */
  readonly classKey: string;
  /** Name of the file in the course that ships; null: another lab. */
  readonly course: string | null;
  /** It came with a link, whose author may have used the id of another lab. */
  readonly linked?: boolean;
}

/** The lab that is being written. */
export interface LabDraft {
  readonly text: string;
  /** Id of the record that it is kept under; null: not yet. */
  readonly work: string | null;
  /** The browser stores it. */
  readonly stored: boolean;
  /** The draft before this one was begun: Undo brings it back. */
  readonly former: LabDraft | null;
}

export interface LabSlice {
  /** null: not requested; wanted: it is being read. */
  readonly draft: LabDraft | "wanted" | null;
  /** null: no lab is open. A new object whenever one is opened. */
  readonly source: LabSource | null;
  /** It is in front of the panes where there is room for one only. */
  readonly front: boolean;
}

/** The lab that is being written, once it was read. */
export const draftIn = ({ draft }: LabSlice): LabDraft | null => (draft === "wanted" ? null : draft);

export const NO_LAB: LabSlice = { draft: null, source: null, front: false };
