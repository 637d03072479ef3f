/** Experiments: alternatives to the current run. Each is its own pane in place of the explanation, or a command. */

import type { Session } from "./session.ts";
import type { SessionState } from "./state.ts";

export const EXPERIMENT_GROUPS = ["At this rewrite", "In this phase", "Check", "Results"] as const;
type Group = (typeof EXPERIMENT_GROUPS)[number];

/** One that has a pane, which a link, a task and the palette open by its name. */
export interface ExperimentPane {
  readonly name: string;
  readonly group: Group;
  readonly title: string;
  readonly about: string;
  /** What else a search finds it by. */
  readonly found: string;
  /** The content has bars and scrolls by itself. */
  readonly whole?: true;
  /** It makes other runs, of which a recorded trace has none. */
  readonly forks?: true;
}

/** One that is a command. */
export interface ExperimentCommand {
  readonly command: string;
  readonly group: Group;
  readonly title: string;
  readonly about: string;
  /** Called after it with the state before it. */
  readonly after?: (session: Session, before: SessionState) => void;
}

export type Experiment = ExperimentPane | ExperimentCommand;

export const isPane = (experiment: Experiment): experiment is ExperimentPane => "name" in experiment;
