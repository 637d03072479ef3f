/** What the explanation and the experiments can show, by name: for links, tasks, the palette and what the browser keeps. */

export const EXPLANATIONS = ["why", "algorithm", "data", "log"] as const;
export type Explanation = (typeof EXPLANATIONS)[number];

export const DATA_PARTS = ["structures", "values", "switches", "tails", "record"] as const;
export type DataPart = (typeof DATA_PARTS)[number];

export const EXPERIMENTS = ["conditions", "fuel", "knobs", "order", "run", "align", "compare", "tree"] as const;
export type Experiment = (typeof EXPERIMENTS)[number];

/** What is open in the column of the explanation. */
export interface Opened {
  readonly tab: Explanation;
  /** The part of the data that was asked for; null: the first that the phase has. */
  readonly part: DataPart | null;
  /** The rule of the step is unfolded below Why. */
  readonly rule: boolean;
  /** The drawer of experiments covers the explanation: the list of them, or one; null: it is closed. */
  readonly experiment: Experiment | "list" | null;
}

export interface Place {
  readonly name: string;
  readonly title: string;
  /** What else a search finds it by. */
  readonly about: string;
  readonly opens: Partial<Opened>;
}

const data = (part: DataPart, title: string, about: string): Place => ({ name: part, title, about, opens: { tab: "data", part } });
const experiment = (name: Experiment, title: string, about: string): Place => ({ name, title, about, opens: { experiment: name } });

export const PLACES: readonly Place[] = [
  { name: "why", title: "Why", about: "conditions, decision, refusal, history of a block or register", opens: { tab: "why", rule: false } },
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
  experiment("conditions", "Drop a condition", "conditions of this phase, why each is needed"),
  experiment("fuel", "Stop after a rewrite", "fuel, lights, bisect, first wrong rewrite"),
  experiment("knobs", "Set a knob", "knobs, thresholds, options, settings"),
  experiment("order", "Phase order", "move, repeat or leave out a phase, insert another phase"),
  experiment("run", "Run on inputs", "run, execute, interpreter, arguments, inputs, memory, before and after, divergence"),
  experiment("align", "Real SASS", "compare with a listing of ptxas"),
  experiment("compare", "Compare two runs", "futures, phase by phase, difference"),
  experiment("tree", "All runs", "futures, tree of runs"),
];

/** Tabs of earlier versions, and where their content is now: links, kept works and preferences name them. */
const FORMER: Readonly<Record<string, string>> = { pseudocode: "algorithm", events: "log", futures: "tree" };

const BY_NAME: ReadonlyMap<string, Place> = new Map(PLACES.map((place) => [place.name, place]));

/** What a name of this or an earlier version opens; null: there is no such place. */
export function placeNamed(name: unknown): Place | null {
  if (typeof name !== "string") return null;
  return BY_NAME.get(Object.hasOwn(FORMER, name) ? (FORMER[name] ?? "") : name) ?? null;
}

/** What is open after a place was: the explanation of an open experiment comes back in front. */
export function openedBy({ opens }: Place, now: Opened): Opened {
  return { ...now, experiment: null, ...opens };
}

export function nameOfOpened({ tab, part, rule, experiment }: Opened): string {
  if (experiment !== null) return experiment === "list" ? "what-if" : experiment;
  if (tab === "data") return part ?? "data";
  return tab === "why" && rule ? "rule" : tab;
}
