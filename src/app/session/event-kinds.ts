/** Event kinds as the page shows them: a name, a group, a glyph; and the groups. */

import { EVENT_KINDS, type EventKind } from "../../engine/trace/kinds.ts";

export const KIND_GROUPS = ["change", "decide", "annotate", "structure", "cost", "walk"] as const;
export type KindGroup = (typeof KIND_GROUPS)[number];

export interface KindInfo {
  readonly title: string;
  readonly group: KindGroup;
  /** One or two characters for the kind, where there is no room for its name. */
  readonly glyph: string;
}

export const KIND_INFO: Readonly<Record<EventKind, KindInfo>> = {
  span: { title: "Span", group: "walk", glyph: "{" },
  gate: { title: "Gate", group: "decide", glyph: "⊳" },
  knob: { title: "Knob read", group: "decide", glyph: "k" },
  round: { title: "Round", group: "walk", glyph: "↻" },
  visit: { title: "Visit", group: "walk", glyph: "·" },
  match: { title: "Match", group: "decide", glyph: "?" },
  rewrite: { title: "Rewrite", group: "change", glyph: "✎" },
  "edge-add": { title: "Edge added", group: "change", glyph: "→+" },
  "edge-remove": { title: "Edge removed", group: "change", glyph: "→−" },
  "edge-redirect": { title: "Edge redirected", group: "change", glyph: "↪" },
  "block-create": { title: "Block created", group: "change", glyph: "□+" },
  "block-delete": { title: "Block deleted", group: "change", glyph: "□−" },
  "block-merge": { title: "Blocks merged", group: "change", glyph: "⊔" },
  "inst-insert": { title: "Instruction inserted", group: "change", glyph: "i+" },
  "inst-delete": { title: "Instruction deleted", group: "change", glyph: "i−" },
  "inst-replace": { title: "Instruction replaced", group: "change", glyph: "i≠" },
  "inst-move": { title: "Instruction moved", group: "change", glyph: "i↕" },
  "operand-mark": { title: "Operand marked", group: "annotate", glyph: "m" },
  "flag-set": { title: "Flag set", group: "annotate", glyph: "⚑" },
  "flag-clear": { title: "Flag cleared", group: "annotate", glyph: "⚐" },
  "rpo-assign": { title: "RPO number", group: "annotate", glyph: "#" },
  "idom-set": { title: "Dominator", group: "annotate", glyph: "⊤" },
  liveness: { title: "Liveness", group: "annotate", glyph: "L" },
  "value-number": { title: "Value number", group: "annotate", glyph: "v" },
  hash: { title: "Hash table", group: "structure", glyph: "h" },
  tree: { title: "Tree", group: "structure", glyph: "Y" },
  "class-mask": { title: "Class mask", group: "structure", glyph: "▒" },
  cost: { title: "Cost", group: "cost", glyph: "¢" },
  cache: { title: "Cache", group: "structure", glyph: "c" },
  budget: { title: "Budget", group: "cost", glyph: "b" },
  note: { title: "Note", group: "walk", glyph: "i" },
};

export const GROUP_TITLES: Readonly<Record<KindGroup, string>> = {
  change: "Edits",
  decide: "Decisions",
  annotate: "Annotations",
  structure: "Structures",
  cost: "Costs",
  walk: "Walk",
};

/** The kind of an entry of a trace's `kinds` column. */
export function kindAt(kinds: Uint8Array, step: number): EventKind {
  return EVENT_KINDS[kinds[step] ?? 0] ?? "note";
}

/** Group index of each kind index, for loops over whole traces. */
export const GROUP_OF_KIND: Uint8Array = Uint8Array.from(EVENT_KINDS, (kind) => KIND_GROUPS.indexOf(KIND_INFO[kind].group));
