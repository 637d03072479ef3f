/** What a part of the page brings: one value, named in one list. The session and the page are made from the list. */

import type { PipelineOptions, RunResult } from "../../engine/api/types.ts";
import type { Brought, Program } from "./actions/programs.ts";
import type { Command } from "./command.ts";
import type { ActionContext } from "./context.ts";
import type { CoreActions, SessionActions } from "./session.ts";
import { INITIAL_STATE, type SessionState } from "./state.ts";
import type { WorkPart } from "./work-part.ts";

export interface Feature {
  readonly id: string;
  /** Its slices of the store as they begin. The owner of a slice declares it in `SessionState`. */
  readonly slices?: Partial<SessionState>;
  /** Called once for each session, when the session's own actions are there. */
  readonly begin?: (ctx: ActionContext, core: CoreActions) => Begun;
  /** What of its slices belongs to the open program. */
  readonly program?: ProgramPart;
  /** What of its slices is in links, cases and kept works. */
  readonly work?: WorkPart;
  readonly commands?: readonly Command[];
}

/** A feature in a session. */
export interface Begun {
  readonly actions: Partial<SessionActions>;
  /** Before the pipeline runs; null: there is nothing to prepare; false: it was stopped, and nothing is run. */
  prepare?(kernel: string, options: PipelineOptions): Promise<boolean> | null;
  /** A result is there. */
  arrived?(result: RunResult): void;
  /** Another program has taken the place of the open one. */
  replaced?(program: Program): void;
  dispose?(): void;
}

export interface ProgramPart {
  /** What comes back with the open program when `next`, which takes its place, is undone. */
  remember(state: SessionState, next: Program): Brought;
  /** The slices of a program that takes the place of the open one, and its options where they are others. */
  open(program: Program, state: SessionState): Partial<SessionState>;
}

/** The store as it begins, with the slices of these features. */
export function initialState(features: readonly Feature[]): SessionState {
  // A slice whose feature is not in the list is missing, and so is everything that reads it.
  return Object.assign({}, INITIAL_STATE, ...features.map((feature) => feature.slices)) as SessionState;
}
