/** What the explanation and the experiments can show, by name: for links, tasks, the palette and what the browser keeps. */

import { isPane } from "./experiment.ts";
import { experimentsOf, type Feature } from "./feature.ts";

export const EXPLANATIONS = ["why", "algorithm", "data", "log"] as const;
export type Explanation = (typeof EXPLANATIONS)[number];

export const DATA_PARTS = ["structures", "values", "switches", "tails", "record"] as const;
export type DataPart = (typeof DATA_PARTS)[number];

/** What is open in the column of the explanation. */
export interface Opened {
  readonly tab: Explanation;
  /** The part of the data to show; null: the first that the phase has. */
  readonly part: DataPart | null;
  /** The rule of the step is unfolded below Why. */
  readonly rule: boolean;
  /** The drawer of experiments covers the explanation: `list`, or one by its name, or `compare` in the middle; null: it is closed. */
  readonly experiment: string | null;
}

export interface Place {
  readonly name: string;
  readonly title: string;
  /** Other words by which a search finds it. */
  readonly about: string;
  readonly opens: Partial<Opened>;
}

const data = (part: DataPart, title: string, about: string): Place => ({ name: part, title, about, opens: { tab: "data", part } });
const experiment = (name: string, title: string, about: string): Place => ({ name, title, about, opens: { experiment: name } });

const PLACES: readonly Place[] = [
  { name: "why", title: "Why", about: "conditions, decision, refusal, life of a block or register", opens: { tab: "why", rule: false } },
  { name: "rule", title: "Rule", about: "conditions, documentation and source code of the step's rule", opens: { tab: "why", rule: true } },
  { name: "algorithm", title: "Algorithm", about: "pseudocode of the phase, line by line", opens: { tab: "algorithm" } },
  { name: "data", title: "Data", about: "structures, values, switches, tails, record", opens: { tab: "data", part: null } },
  data("structures", "Structures", "hash table, scope tree, worklist, bit sets, class masks"),
  data("values", "Values", "value numbers, leaders, classes, modes"),
  data("switches", "Switches", "jump table, binary tree, compare chain, strategy, cases"),
  data("tails", "Tails", "common tails, merging, hash of a tail, candidates"),
  data("record", "Record", "fields of a block and of the function, flags, RPO, dominators"),
  { name: "log", title: "Log", about: "events, all steps of the phase, filter by kind", opens: { tab: "log" } },
  { name: "what-if", title: "What if …?", about: "experiments, futures, skip a rewrite", opens: { experiment: "list" } },
  experiment("compare", "Compare two runs", "futures, phase by phase, difference"),
];

/** Those of the page, and the experiments. */
export function placesOf(features: readonly Feature[]): readonly Place[] {
  return [
    ...PLACES,
    ...experimentsOf(features)
      .filter(isPane)
      .map(({ name, title, found }) => experiment(name, title, found)),
  ];
}

/** Tabs of earlier versions, and where their content is now: links, saved works and preferences name them. */
const FORMER: Readonly<Record<string, string>> = { pseudocode: "algorithm", events: "log", futures: "tree" };

/** What a name of this or an earlier version opens; null: there is no such place. */
export function placeNamed(features: readonly Feature[], name: unknown): Place | null {
  if (typeof name !== "string") return null;
  const now = Object.hasOwn(FORMER, name) ? FORMER[name] : name;
  return placesOf(features).find((place) => place.name === now) ?? null;
}

/** What is open after a place was opened: the explanation of an open experiment returns to the front. */
export function openedBy({ opens }: Place, now: Opened): Opened {
  return { ...now, experiment: null, ...opens };
}

export function nameOfOpened({ tab, part, rule, experiment }: Opened): string {
  if (experiment !== null) return experiment === "list" ? "what-if" : experiment;
  if (tab === "data") return part ?? "data";
  return tab === "why" && rule ? "rule" : tab;
}
