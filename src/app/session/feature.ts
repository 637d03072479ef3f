/** What a part of the page brings: one value, named in one list. The session and the page are made from the list. */

import type { ComponentType, RefObject } from "react";
import type { PipelineOptions, RunResult } from "../../engine/api/types.ts";
import type { LinkData } from "../../links/link-data.ts";
import type { FeatureData, Program } from "./actions/programs.ts";
import type { Command } from "./command.ts";
import type { NamedRun } from "./comparison.ts";
import type { ActionContext } from "./context.ts";
import type { ExampleProgram } from "./example.ts";
import type { Experiment } from "./experiment.ts";
import type { TextLanguage } from "./language.ts";
import type { CoreActions, Session, SessionActions } from "./session.ts";
import { INITIAL_STATE, type SessionState } from "./state.ts";
import type { WorkPart } from "./work-part.ts";

export interface Feature {
  readonly id: string;
  /** The features that it builds on: without them it cannot be in a list. */
  readonly needs?: readonly string[];
  /** The initial values of its slices of the store. The owner of a slice declares it in `SessionState`. */
  readonly slices?: Partial<SessionState>;
  /** Called once for each session, when the session's own actions are there. */
  readonly begin?: (ctx: ActionContext, core: CoreActions) => Begun;
  /** The parts of its slices that belong to the open program. */
  readonly program?: ProgramPart;
  /** The parts of its slices that are stored in links, cases and saved works. */
  readonly work?: WorkPart;
  readonly commands?: readonly Command[];
  /** Its commands and experiments come before those of this part; else they come last. */
  readonly before?: string;
  readonly experiments?: readonly Experiment[];
  /** The panes of the experiments by their names, loaded when one is first opened. */
  readonly experimentPanes?: () => Promise<Shown>;
  /** What the palette finds in addition to commands, fetched when it opens. */
  readonly palette?: (session: Session) => Promise<readonly PaletteEntry[]>;
  /** A group of the gallery next to the examples, fetched when it opens. */
  readonly gallery?: (session: Session) => Promise<GalleryGroup>;

  /** Other runs of the open program that can be compared with the shown one. The same values as long as nothing in them changed. */
  readonly runs?: (state: SessionState) => readonly NamedRun[];

  /** Programs that come with the page: links name them, and any part may open one. */
  readonly examples?: readonly ExampleProgram[];
  /** The language of its programs. */
  readonly language?: TextLanguage;
  /** Opens the text of a file that is not a program; false: it is not one of this feature's. */
  readonly openText?: (session: Session, text: string, name: string) => boolean;
  /** The part of the address after `#` is its own, and opens something next to the program. */
  readonly fragment?: {
    readonly isOwn: (fragment: string) => boolean;
    readonly open: (session: Session, fragment: string) => Promise<void>;
  };
  /** The program of a first visit, which opens at the first decision of a phase. */
  readonly firstProgram?: { readonly phase: string; readonly open: (session: Session) => void };
  /** The page is in a package that shares its host with others, so nothing is stored there for use without a network. */
  readonly isPacked?: () => boolean;
  /** Called when what a link opened is on screen. */
  readonly linkOpened?: (session: Session, data: LinkData, digest: string) => void;

  /** Called once in the page. */
  readonly start?: (session: Session) => void;
  /** Waited for before the page opens a program. Never rejects. */
  readonly beforeOpening?: (session: Session) => Promise<void>;
  /** Called when the page has opened what it opens automatically. */
  readonly opened?: (session: Session) => Promise<void>;

  /** What the strip of phases marks, by index of the run. The same map as long as nothing in it changed. */
  readonly phaseMarks?: (state: SessionState) => PhaseMarks;
  /** Next to the strip of phases: it receives the strip's element and may work on it. May be lazy. */
  readonly onStrip?: ComponentType<{ readonly strip: RefObject<HTMLDivElement | null> }>;
  /** Above the strip of phases. */
  readonly overStrip?: Shown;
  /** Below the bar at the top. */
  readonly banners?: Shown;
  /** Over the graph, in a corner. */
  readonly onPicture?: Shown;
  /** Above the program's text. */
  readonly overText?: Shown;
  /** A tab next to the program's text. */
  readonly editorTab?: EditorTab;
  /** A pane next to the tool. */
  readonly beside?: Beside;
  /** Over the whole page. */
  readonly overlays?: Shown;
  /** Pages that explain what is on screen: an element names its page with `data-handbook`. */
  readonly help?: Help;
  /** A module whose exports are dialogs, each open while `view.dialog` is its id: loaded when the page is quiet, or when a dialog is opened. */
  readonly dialogs?: () => Promise<Shown>;
}

export interface EditorTab {
  readonly id: string;
  readonly title: string;
  readonly Content: ComponentType;
  /** It is one of the tabs and has long lines: the program's column is wide while it is in front. Otherwise it exists only while it is in front. */
  isOpen(state: SessionState): boolean;
  /** The command that runs its content. */
  readonly runs: string;
}

/** A pane next to the tool; of several, the first that is open. It replaces the program where there is no room for both. */
export interface Beside {
  readonly id: string;
  readonly title: string;
  readonly Pane: ComponentType;
  isOpen(state: SessionState): boolean;
  /** It is in front of the panes where there is room for one only. */
  isFront(state: SessionState): boolean;
  setFront(session: Pick<Session, "patch">, isFront: boolean): void;
  close(session: Session): void;
}

export interface Help {
  /** The dialog that shows them. */
  readonly dialog: string;
  /** The page by its id; null: the last one opened. */
  open(session: Session, page: string | null): void;
}

/** A mark on a phase of the strip: a different run branches off here, or what the phase's rewrites do to the meaning. */
export interface PhaseMark {
  readonly shape: "fork" | "green" | "red" | "grey";
  readonly says: string;
}

export type PhaseMarks = ReadonlyMap<number, readonly PhaseMark[]>;

/** Components by their names, each without properties. */
export type Shown = Readonly<Record<string, ComponentType>>;

/** What the palette finds. */
export interface PaletteEntry {
  readonly id: string;
  /** What it is, in a word. */
  readonly group: string;
  readonly title: string;
  /** Other words by which a search finds it. */
  readonly found: string;
  readonly run: () => void;
}

/** Cards that open something other than a program. */
export interface GalleryGroup {
  readonly title: string;
  readonly about: string;
  /** How much knowledge they need. */
  readonly level: "first" | "course" | "expert";
  readonly cards: readonly GalleryCard[];
}

export interface GalleryCard {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly more: string;
  /** What a search looks in. */
  readonly found: string;
  /** Closes the gallery when it is open. */
  readonly open: () => void;
}

/** The features, with those that must precede another one moved before it. */
function inOrder(features: readonly Feature[]): readonly Feature[] {
  const placed = features
    .filter(({ before }) => before === undefined)
    .flatMap((part) => [...features.filter(({ before }) => before === part.id), part]);
  return [...placed, ...features.filter((feature) => !placed.includes(feature))];
}

export const commandsOf = (features: readonly Feature[]): readonly Command[] => inOrder(features).flatMap(({ commands }) => commands ?? []);

export const experimentsOf = (features: readonly Feature[]): readonly Experiment[] =>
  inOrder(features).flatMap(({ experiments }) => experiments ?? []);

/** A feature in a session. */
export interface Begun {
  readonly actions: Partial<SessionActions>;
  /** Before the pipeline runs; null: there is nothing to prepare; false: it was stopped, and nothing is run. */
  prepare?(kernel: string, options: PipelineOptions): Promise<boolean> | null;
  /** A result is there. */
  arrived?(result: RunResult): void;
  /** A different program has replaced the open one. */
  replaced?(program: Program): void;
  dispose?(): void;
}

export interface ProgramPart {
  /** What is restored with the open program when its replacement by `next` is undone. */
  remember(state: SessionState, next: Program): FeatureData;
  /** The slices of a program that replaces the open one, and its options where they differ. */
  open(program: Program, state: SessionState): Partial<SessionState>;
}

/** The initial store, with the slices of these features. Throws if one that another needs is missing. */
export function initialState(features: readonly Feature[]): SessionState {
  const ids = new Set(features.map(({ id }) => id));
  for (const { id, needs = [] } of features) {
    const missing = needs.find((need) => !ids.has(need));
    if (missing !== undefined) throw new Error(`The feature ${id} needs ${missing}, which is not in the list.`);
  }
  // A slice whose feature is not in the list is missing, and so is everything that reads it.
  return Object.assign({}, INITIAL_STATE, ...features.map((feature) => feature.slices)) as SessionState;
}
