/** The kinds of trace events: a list and nothing else, so that the page can have it without the engine. */

/** Every kind of event, in a fixed order: an event's kind is stored as its index here. Append only. */
export const EVENT_KINDS = [
  "span",
  "gate",
  "knob",
  "round",
  "visit",
  "match",
  "rewrite",
  "edge-add",
  "edge-remove",
  "edge-redirect",
  "block-create",
  "block-delete",
  "block-merge",
  "inst-insert",
  "inst-delete",
  "inst-replace",
  "inst-move",
  "operand-mark",
  "flag-set",
  "flag-clear",
  "rpo-assign",
  "idom-set",
  "liveness",
  "value-number",
  "hash",
  "tree",
  "class-mask",
  "cost",
  "cache",
  "budget",
  "note",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];
