/** The state of an open lab. */

import type { Session } from "../../../app/session/session.ts";
import type { Diagnostic } from "../../../engine/api/types.ts";
import type { BrokenDeskTask, DeskLab, DeskPart, DeskTask } from "../engine/desk.ts";
import type { DeskClient } from "./desk-client.ts";
import type { LabWork } from "./work.ts";

export interface LabState {
  readonly status: "loading" | "ready" | "refused";
  /** Why there is nothing to work on; null where the diagnostics explain it. */
  readonly message: string | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly lab: DeskLab | null;
  readonly seed: number;
  readonly parts: readonly DeskPart[];
  readonly tasks: ReadonlyMap<string, DeskTask | BrokenDeskTask>;
  /** Grows whenever other work replaces what was shown: its tasks are requested again. */
  readonly entered: number;
  readonly work: LabWork;
  /** The section that is shown, from 0; all of them where `whole` is set. */
  readonly section: number;
  readonly whole: boolean;
  /** Tasks whose answer is being judged. */
  readonly judging: ReadonlySet<string>;
  /** Code that is being run: programs done, and of how many. */
  readonly running: ReadonlyMap<string, { readonly done: number; readonly of: number }>;
  /** What went wrong with a task's last answer, by no fault of it. */
  readonly problems: ReadonlyMap<string, string>;
  readonly explains: ReadonlyMap<string, DeskTask["ask"]>;
  /** The prediction, of another task, after whose moment the tool shows nothing. */
  readonly covered: string | null;
  /** What a reset removed, which undo brings back. */
  readonly undo: { readonly what: string; readonly tasks: LabWork["tasks"]; readonly seed: number } | null;
  /** Work on earlier versions of the lab, which this version does not take over. */
  readonly earlier: readonly LabWork[];
  /** The browser keeps the work. */
  readonly kept: boolean;
  /** What was last reported to the course system around the lab; null: there is none. */
  readonly course: { readonly line: string; readonly submit: (() => void) | null; readonly label?: string } | null;
}

declare module "../../../app/session/state.ts" {
  interface SessionState {
    /** As if just opened while there is none. */
    readonly openLab: LabState;
  }
}

/** What the parts of an open lab work with. */
export interface OpenLab extends ReturnType<typeof labState> {
  readonly session: Session;
  readonly desk: DeskClient;
}

/** The state of one open lab: the session's slice until the lab is closed, then a copy, so that a late answer does not change the next lab. */
export function labState({ store, patch }: Pick<Session, "store" | "patch">) {
  let copy: LabState | null = null;
  const get = (): LabState => copy ?? store.getState().openLab;
  return {
    get,
    set(part: Partial<LabState>): void {
      if (copy === null) patch("openLab", part);
      else copy = { ...copy, ...part };
    },
    subscribe: (listener: (state: LabState, before: LabState) => void) =>
      store.subscribe(({ openLab }, { openLab: before }) => {
        if (openLab !== before) listener(openLab, before);
      }),
    close(): void {
      copy = get();
      patch("openLab", UNREAD);
    },
    /** The lab was closed: what arrives now is dropped. */
    isGone: () => copy !== null,
  };
}

const NO_LAB_WORK: LabWork = {
  format: 1,
  version: 0,
  begun: 0,
  name: "",
  number: "",
  classKey: "",
  declare: "",
  tasks: {},
  log: [],
  counter: 0,
};

export const UNREAD: LabState = {
  status: "loading",
  message: null,
  diagnostics: [],
  lab: null,
  seed: 0,
  parts: [],
  tasks: new Map(),
  entered: 0,
  work: NO_LAB_WORK,
  section: 0,
  whole: false,
  judging: new Set(),
  running: new Map(),
  problems: new Map(),
  covered: null,
  explains: new Map(),
  undo: null,
  earlier: [],
  kept: true,
  course: null,
};
