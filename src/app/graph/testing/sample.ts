/** A small union graph, moment and drawing for tests: a loop with a block that a phase deletes and one that it makes. */

import type { BlockView, InstView, StateDelta, UnionGraph } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { laidOut } from "../../../layout/testing/draw.ts";
import { applyDelta, type MomentState } from "../../session/moment.ts";
import { type Drawing, drawingOf } from "../model/drawing.ts";
import { graphModel, type ModelOptions } from "../model/graph-model.ts";

export const PLAIN: ModelOptions = { collapsedLoops: new Set(), lines: false, opened: new Set(), around: null };

type Row = readonly [from: number, to: number, kind: UnionGraph["edges"][number]["kind"], port: number, retreating?: boolean];

/** Blocks 0 to n - 1, called BB0, … ; edges as given. */
export function unionOf(count: number, rows: readonly Row[], loops: UnionGraph["loops"] = [], labels: readonly string[] = []): UnionGraph {
  return {
    run: 0,
    entry: 0,
    blocks: Array.from({ length: count }, (_, id) => ({
      id,
      label: labels[id] ?? `BB${id}`,
      lines: 3,
      columns: 20,
      before: true,
      after: true,
    })),
    edges: rows.map(([from, to, kind, port, retreating = false]) => ({ from, to, kind, port, before: true, after: true, retreating })),
    loops,
  };
}

/** BB0 → BB1 ⇄ BB2, BB1 → BB3. */
export const LOOP = unionOf(
  4,
  [
    [0, 1, "fall", 0],
    [1, 3, "taken", 0],
    [1, 2, "fall", 1],
    [2, 1, "jump", 0, true],
  ],
  [{ header: 1, own: [1, 2], parent: null }],
);

export async function draw(union: UnionGraph, options: Partial<ModelOptions> = {}): Promise<Drawing> {
  const model = graphModel(union, { ...PLAIN, ...options });
  return drawingOf(model, await laidOut(model.input));
}

export function inst(id: number, text: string, regs: readonly string[] = []): InstView {
  const [op = "NOP"] = text.split(" ");
  return {
    id,
    text,
    op,
    effect: "pure",
    line: 0,
    tokens: [
      { text: op, kind: "mnemonic", operand: null, regs: [], def: false },
      ...regs.map((r, operand) => ({ text: r, kind: "reg", operand, regs: [r], def: operand === 0 }) as const),
    ],
  };
}

export function blockView(id: number, part: Partial<BlockView> = {}): BlockView {
  return {
    id,
    label: `BB${id}`,
    insts: [],
    succs: [],
    preds: [],
    succKinds: [],
    weight: null,
    rpo: id + 1,
    latchExit: 0,
    flags: 0,
    flags2: 0,
    scratch120: 0,
    scratch232: 0,
    line: id + 1,
    ...part,
  };
}

export const LOOP_BLOCKS: readonly BlockView[] = [
  blockView(0, { succs: [1], succKinds: ["fall"], insts: [inst(10, "MOV R1, 0", ["R1"])] }),
  blockView(1, { succs: [3, 2], succKinds: ["taken", "fall"], flags: 0x10, insts: [inst(11, "ISETP.GE P0, R1, R0", ["P0", "R1", "R0"])] }),
  blockView(2, { succs: [1], succKinds: ["jump"], insts: [inst(12, "IADD R1, R1, 1", ["R1", "R1"])] }),
  blockView(3, { insts: [inst(13, "EXIT")] }),
];

export function momentOf(
  blocks: readonly BlockView[],
  event: Partial<TraceEvent> | null = null,
  changed: Partial<StateDelta["changed"]> = {},
): MomentState {
  const base: TraceEvent = { step: 0, parent: -1, depth: 0, kind: "note", line: 1, sentence: "", facts: {}, focus: {} };
  return applyDelta(null, {
    run: 0,
    step: 0,
    reset: true,
    name: "test",
    entry: 0,
    blocks,
    removedBlocks: [],
    layout: blocks.map((b) => b.id),
    tables: [],
    funcFlags: 0,
    structures: [],
    event: event === null ? null : { ...base, ...event },
    stack: [],
    changed: { blocks: [], insts: [], ...changed },
  });
}
