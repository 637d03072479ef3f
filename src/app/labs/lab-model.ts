/** What an open lab holds, and what a person may do with it. */

import type { StoreApi } from "zustand/vanilla";
import type { Diagnostic } from "../../engine/api/types.ts";
import type { BrokenDeskTask, DeskLab, DeskNeighbour, DeskPart, DeskPlace, DeskTask } from "../../labs/desk.ts";
import type { NeighbourName } from "../../labs/neighbours.ts";
import type { Session } from "../session/session.ts";
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
  /** What undo brings back. */
  readonly undo: { readonly what: string; readonly tasks: LabWork["tasks"]; readonly seed: number } | null;
  /** Work on earlier versions of the lab, which this version does not take over. */
  readonly earlier: readonly LabWork[];
  /** The browser keeps the work. */
  readonly kept: boolean;
  /** What was last reported to the course system around the lab; null: there is none. */
  readonly course: { readonly line: string; readonly submit: (() => void) | null; readonly label?: string } | null;
}

/** What the parts of an open lab work with. */
export interface OpenLab {
  readonly session: Session;
  readonly desk: DeskClient;
  readonly store: StoreApi<LabState>;
  /** The lab was closed: what arrives now is dropped. */
  isGone(): boolean;
}

export interface LabSession {
  readonly store: StoreApi<LabState>;
  readonly desk: DeskClient;
  go(section: number): void;
  setWhole(whole: boolean): void;
  load(task: string): void;
  draft(task: string, draft: unknown): void;
  answer(task: string): Promise<void>;
  /** Ends the code that runs; its answer is not given. */
  stopCode(): void;
  hint(task: string): void;
  /** The same question about another program. */
  another(task: string): void;
  showAnswer(task: string): Promise<void>;
  reset(task: string | null): void;
  undo(): void;
  setStudent(name: string, number: string): Promise<void>;
  setDeclare(text: string): void;
  /** The file that is handed in. */
  handIn(log: boolean): string;
  download(log: boolean): void;
  importHandIn(): Promise<void>;
  /** Goes on with the work of a hand-in's text; what is wrong with it, or null. */
  openHandIn(text: string): Promise<string | null>;
  /** Takes over who the course system says works, and the work that it keeps where that is the later one; what is wrong with it, or null. */
  adopt(learner: { readonly id: string; readonly name: string }, state: string): Promise<string | null>;
  setCourse(course: LabState["course"]): void;
  report(): Promise<void>;
  /** The hand-in of work on an earlier version. */
  downloadEarlier(work: LabWork): void;
  /** A program beside that of a task; null: none was found. */
  neighbour(task: string, which: NeighbourName): Promise<DeskNeighbour | null>;
  showNeighbour(place: DeskPlace): void;
  /** Takes the student's work off this computer. */
  forget(): void;
  /** Puts the tool where a task or a link of the text stands. */
  show(task: string): Promise<void>;
  showAddress(address: string): Promise<void>;
  dispose(): void;
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
