/** The controls that an example's task names: where each name leads. */

export type TaskTarget =
  | { readonly kind: "inspector"; readonly id: string }
  | { readonly kind: "target"; readonly value: string }
  | { readonly kind: "policy"; readonly value: "notes" | "measured" }
  | { readonly kind: "command"; readonly id: string }
  /** Another example, by its title. */
  | { readonly kind: "example"; readonly title: string };

export interface TaskPart {
  readonly text: string;
  /** Null: words only. */
  readonly target: TaskTarget | null;
}

const inspector = (id: string): TaskTarget => ({ kind: "inspector", id });

const LINKS: readonly (readonly [RegExp, (match: string) => TaskTarget])[] = [
  [
    /\bknobs? (?:\d+|[a-z]+(?:-[a-z]+)+)|\bKnobs\b|\b[Ll]imits\b|\bswitch-cascade-max-cases\b|\bSwitchOptExtendedPatternMatch\b|\bthresholds?\b/i,
    () => inspector("knobs"),
  ],
  [/\bas measured on ptxas 13\b/i, () => ({ kind: "policy", value: "measured" })],
  [/\bas documented\b/i, () => ({ kind: "policy", value: "notes" })],
  [/\btarget sm_\d+\b/i, (match) => ({ kind: "target", value: match.slice(match.indexOf("sm_")) })],
  [/\bWhy\b/, () => inspector("why")],
  [/\bValues\b/, () => inspector("values")],
  [/\bRun\b|\bdivergence counters\b/, () => inspector("run")],
  [/\bRecord\b|\bblock record\b/, () => inspector("record")],
  [/\bSwitches\b/, () => inspector("switches")],
  [/\bTails\b/, () => inspector("tails")],
  [/(?<=')[A-Z][\w -]+(?=')/, (title) => ({ kind: "example", title })],
  [
    /\bvalue table\b|\b(?:binary search |value )tree\b|\btree of values\b|\bbitmap population\b|\bscope tree\b|\bclass masks?\b|\bliveness rounds\b|\bconvergence table\b|\boperand-marks\b/i,
    () => inspector("structures"),
  ],
  [/\bnatural loop\b/, () => ({ kind: "command", id: "overlay.loops" })],
  [/\bWeights show\b/, () => ({ kind: "command", id: "overlay.weights" })],
  [/\bsearch\b/, () => ({ kind: "command", id: "graph.search" })],
  [/\bstep by object\b/, () => ({ kind: "command", id: "step.touch" })],
  [/\boutline\b/i, () => ({ kind: "command", id: "view.outline" })],
  [/\b[Cc]ollapse loops\b/, () => ({ kind: "command", id: "graph.collapse-loops" })],
];

/** The task cut at the names of controls. */
export function taskParts(task: string): readonly TaskPart[] {
  const parts: TaskPart[] = [];
  let rest = task;
  while (rest !== "") {
    let first: { readonly at: number; readonly text: string; readonly target: TaskTarget } | null = null;
    for (const [pattern, make] of LINKS) {
      const match = pattern.exec(rest);
      if (match !== null && (first === null || match.index < first.at)) first = { at: match.index, text: match[0], target: make(match[0]) };
    }
    if (first === null) break;
    if (first.at > 0) parts.push({ text: rest.slice(0, first.at), target: null });
    parts.push({ text: first.text, target: first.target });
    rest = rest.slice(first.at + first.text.length);
  }
  return rest === "" ? parts : [...parts, { text: rest, target: null }];
}
