/** Traces for the fake engine: made up, but consistent in events, states and structures. */

import type { BlockView, StructureDelta, Subject } from "../../engine/api/types.ts";
import type { Facts, Focus, TraceEvent } from "../../engine/trace/event.ts";
import type { EventKind } from "../../engine/trace/kinds.ts";

export interface FakeState {
  readonly blocks: ReadonlyMap<number, BlockView>;
  readonly layout: readonly number[];
  readonly structures: readonly StructureDelta[];
}

export interface FakeTrace {
  readonly events: readonly TraceEvent[];
  readonly states: readonly FakeState[];
  readonly changes: readonly boolean[];
}

export const PSEUDOCODE = [
  "for each block B in reverse post-order",
  "  visit B",
  "  if B is a candidate",
  "    check the conditions",
  "    rewrite B",
  "  set the flag",
  "done",
];

/** Runs one phase over blocks: numbers them, sets a flag on loop heads, and (where `deletes`) drops the last instruction of one block. */
export function makeTrace(input: FakeState, deletes: boolean): FakeTrace {
  const events: TraceEvent[] = [];
  const states: FakeState[] = [];
  const changes: boolean[] = [];
  let state = input;
  let parent = -1;
  let depth = 0;
  const emit = (kind: EventKind, line: number, sentence: string, facts: Facts, focus: Focus, next: FakeState = state, change = false) => {
    events.push({ step: events.length, parent, depth, kind, line, sentence, facts, focus });
    state = next;
    states.push(state);
    changes.push(change);
  };
  emit("gate", 1, "The opt level is 3, at least 1: the gate is open", { ok: true }, {});
  for (const [i, id] of input.layout.entries()) {
    const block = state.blocks.get(id);
    if (block === undefined) continue;
    const focus = { blocks: [id] } as unknown as Focus;
    depth = 0;
    parent = -1;
    emit("visit", 2, `${block.label} is visited`, { block: block.label }, focus);
    parent = events.length - 1;
    depth = 1;
    const withRpo = new Map(state.blocks).set(id, { ...block, rpo: i + 1, flags: block.preds.some((p) => p >= id) ? 0x10 : 0 });
    const cell: StructureDelta = {
      name: "edges",
      type: "hash-map",
      title: "Successor map",
      reset: false,
      cells: [
        [`n${i}`, { key: id, hash: id * 16777619, next: -1, value: [...block.succs] }],
        [`b${i % 8}`, { head: i, tail: i, count: 1 }],
        ["meta", { buckets: 8, count: i + 1, occupied: i + 1, load: (i + 1) / 8, longest: 1, resizes: 0 }],
      ],
    };
    emit("rpo-assign", 6, `${block.label} gets RPO number ${i + 1}`, { block: block.label, rpo: i + 1 }, focus, {
      ...state,
      blocks: withRpo,
      structures: [...state.structures, cell],
    });
    const refuse = !deletes || i !== 1;
    emit(
      "match",
      4,
      refuse ? `${block.label} stays: no candidate` : `${block.label} matches`,
      { verdict: refuse ? "no" : "yes", condition: "candidate" },
      focus,
    );
    if (!refuse) {
      const now = state.blocks.get(id) ?? block;
      const fewer = new Map(state.blocks).set(id, { ...now, insts: now.insts.slice(1) });
      emit(
        "inst-delete",
        5,
        `the first instruction of ${block.label} goes`,
        {},
        { ...focus, insts: block.insts.slice(0, 1).map((x) => x.id) } as unknown as Focus,
        { ...state, blocks: fewer },
        true,
      );
    }
  }
  return { events, states, changes };
}

export function touches(event: TraceEvent, subject: Subject): boolean {
  if (subject.kind === "block") return (event.focus.blocks ?? []).some((b) => Number(b) === subject.id);
  return subject.kind === "inst" && (event.focus.insts ?? []).some((b) => Number(b) === subject.id);
}
