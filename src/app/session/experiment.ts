/** Experiments: alternatives to the current run. Each is its own pane in place of the explanation, or a command. */

import type { Session } from "./session.ts";
import type { SessionState } from "./state.ts";

export const EXPERIMENT_GROUPS = ["At this rewrite", "In this phase", "Check", "Results"] as const;
type Group = (typeof EXPERIMENT_GROUPS)[number];

/** An experiment with a pane, which a link, a task and the palette open by its name. */
export interface ExperimentPane {
  readonly name: string;
  readonly group: Group;
  readonly title: string;
  readonly about: string;
  /** Other words by which a search finds it. */
  readonly found: string;
  /** The content has its own bars and scroll area. */
  readonly whole?: true;
  /** It needs other runs, which a recorded trace does not have. */
  readonly forks?: true;
}

/** An experiment that is a command. */
export interface ExperimentCommand {
  readonly command: string;
  readonly group: Group;
  readonly title: string;
  readonly about: string;
  /** Called after the command, with the state before it. */
  readonly after?: (session: Session, before: SessionState) => void;
}

export type Experiment = ExperimentPane | ExperimentCommand;

export const isPane = (experiment: Experiment): experiment is ExperimentPane => "name" in experiment;
