import { describe, expect, it } from "vitest";
import { loopInfo } from "../../../analysis/loops.ts";
import { reversePostOrder } from "../../../analysis/order.ts";
import { funcOf, randomGraph, randomInts } from "../../../analysis/testing/graphs.ts";
import { Editor } from "../../../ir/edit.ts";
import { BLOCK_FLAG, BLOCK_FLAG2, FUNC_FLAG } from "../../../ir/flags.ts";
import { type BlockId, blockId } from "../../../ir/ids.ts";
import type { Block, Func } from "../../../ir/types.ts";
import { Remarks } from "../../../remark/remarks.ts";
import { draws, freshSeed } from "../../../testing/seed.ts";
import { parseModule } from "../../../text/parser.ts";
import { type CellValue, NO_RECORDER, NO_STRUCTURE, type StructureId, type StructureType } from "../../../trace/recorder.ts";
import { Recording } from "../../../trace/recording.ts";
import { analyzeControlFlow } from "./control-flow.ts";
import { CONTROL_FLOW } from "./control-flow-rules.ts";
import { recordsAreRight } from "./control-flow-tags.ts";

/** Other graphs on every commit. */
const FIRST = freshSeed(1_000_000);

const tagsOf = (b: Block) => [b.rpo, b.latchExit, b.flags >>> 0, b.flags2, b.scratch120, b.scratch232];
const recordsOf = (fn: Func): string => JSON.stringify([fn.flags, fn.layout.map((id) => tagsOf(fn.blocks[id]!))]);

function analysed(fn: Func, force: boolean): Func {
  const edit = new Editor(fn, NO_RECORDER);
  analyzeControlFlow(edit, { force });
  return edit.func;
}

/** Records full of what an earlier phase may have left. */
function withNoise(fn: Func, seed: number): Func {
  const below = randomInts(seed + 5);
  const word = (): number => (below(0x10000) << 16) | below(0x10000);
  const noisy = (b: Block): Block => ({
    ...b,
    rpo: below(9),
    latchExit: below(9),
    flags: word(),
    flags2: below(256),
    scratch120: below(9),
    scratch232: below(9),
  });
  return { ...fn, flags: below(0x80) & ~FUNC_FLAG.REENTRY_GUARD, blocks: fn.blocks.map((b) => (b === undefined ? b : noisy(b))) };
}

/** Keeps the rows of the structure with the successor lists. */
class ListRecording extends Recording {
  readonly rows = new Map<string, unknown>();
  private own: StructureId = NO_STRUCTURE;

  override structure(type: StructureType, name: string, title: string): StructureId {
    const id = super.structure(type, name, title);
    if (name === "successor-lists") this.own = id;
    return id;
  }

  override cell(structure: StructureId, key: string | number, value: CellValue | undefined): void {
    if (structure === this.own) this.rows.set(String(key), value);
    super.cell(structure, key, value);
  }
}

describe("AnalyzeControlFlow", () => {
  it("tags what the definitions say, on random graphs", () => {
    for (let seed = FIRST; seed < FIRST + draws(150); seed++) {
      const before = withNoise(funcOf(randomGraph(seed, 12), seed % 2 === 0), seed);
      const edit = new Editor(before, NO_RECORDER);
      const result = analyzeControlFlow(edit, { force: seed % 3 === 0 });
      const fn = edit.func;
      const at = `seed ${seed}`;
      const { order, number } = reversePostOrder(fn);
      const { retreating, irreducible } = loopInfo(fn);
      expect(Array.from(result.worklist), at).toEqual([-1, ...order]);
      expect([...result.backEdges.entries()].map(String).sort(), at).toEqual(retreating.map(String).sort());
      expect(result.successors.edgeCount, at).toBe(order.reduce((n, b) => n + fn.blocks[b]!.succs.length, 0));
      for (const id of fn.layout) {
        const b = fn.blocks[id]!;
        const backTo = retreating.filter(([u]) => u === id).map(([, h]) => number[h]!);
        const backFrom = retreating.filter(([, h]) => h === id).map(([u]) => number[u]!);
        const rpo = number[id]!;
        const inLoop = retreating.some(([u, h]) => rpo > 0 && number[h]! <= rpo && rpo <= number[u]!);
        const hasPred = b.preds.some((p) => number[p]! > 0 && number[p]! < rpo);
        expect(b.rpo, at).toBe(rpo);
        expect([b.scratch120, b.scratch232], at).toEqual([0, 0]);
        expect((b.flags & BLOCK_FLAG.LOOP_HEADER) !== 0, at).toBe(backFrom.length > 0);
        expect((b.flags & BLOCK_FLAG.IN_LOOP) !== 0, at).toBe(inLoop);
        expect((b.flags & BLOCK_FLAG.HAS_PRED) !== 0, at).toBe(hasPred);
        expect((b.flags & BLOCK_FLAG.ANALYSIS_OK) !== 0, at).toBe(backTo.length > 0);
        expect((b.flags2 & BLOCK_FLAG2.BACK_EDGE_CANDIDATE) !== 0, at).toBe(backTo.length > 0);
        expect(b.latchExit, at).toBe(backFrom.length > 0 ? Math.max(...backFrom) : backTo.length > 0 ? Math.min(...backTo) : 0);
        // What the mask preserves is preserved; bits 6, 9, 10, 16 and 17 are cleared and stay so.
        const owned = BLOCK_FLAG.LOOP_HEADER | BLOCK_FLAG.HAS_PRED | BLOCK_FLAG.ANALYSIS_OK | BLOCK_FLAG.IN_LOOP | BLOCK_FLAG.EARLY_EXIT;
        const was = before.blocks[id]!.flags;
        expect((b.flags & ~owned) >>> 0, at).toBe((was & 0xff78f98f & ~owned) >>> 0);
      }
      expect(result.violation, at).toBe(irreducible.length > 0);
      expect((fn.flags & FUNC_FLAG.RPO_VIOLATION) !== 0, at).toBe(irreducible.length > 0);
      expect(fn.flags & FUNC_FLAG.REENTRY_GUARD, at).toBe(0);
    }
  });

  it("ends in the same records incrementally and in full, after edits too, and keeps what is right", () => {
    for (let seed = FIRST; seed < FIRST + draws(250); seed++) {
      const start = analysed(withNoise(funcOf(randomGraph(seed, 12)), seed), false);
      const edit = new Editor(start, NO_RECORDER);
      const below = randomInts(seed);
      const from = start.layout[below(start.layout.length)]!;
      const target = start.layout[below(start.layout.length)]!;
      edit.setTerminators(from, [edit.make("BRA", [{ kind: "label", block: target }])]);
      const changed = { ...edit.func };
      expect(recordsOf(analysed(changed, false)), `seed ${seed}`).toBe(recordsOf(analysed(changed, true)));
    }
  });

  it("knows without a run whether one would write anything, after edits and for stale bits", () => {
    let right = 0;
    for (let seed = FIRST; seed < FIRST + draws(250); seed++) {
      const start = seed % 3 === 0 ? withNoise(funcOf(randomGraph(seed, 12)), seed) : analysed(funcOf(randomGraph(seed, 12)), false);
      const edit = new Editor(start, NO_RECORDER);
      const below = randomInts(seed);
      const from = start.layout[below(start.layout.length)]!;
      const target = start.layout[below(start.layout.length)]!;
      if (seed % 2 === 0) edit.setTerminators(from, [edit.make("BRA", [{ kind: "label", block: target }])]);
      if (seed % 7 === 0) edit.setFuncFlags(edit.func.flags ^ FUNC_FLAG.RPO_VIOLATION);
      const changed = { ...edit.func };
      expect(recordsAreRight(analysed(changed, seed % 5 === 0)), `seed ${seed}`).toBe(true);
      const writes = recordsOf(analysed(changed, false)) !== recordsOf(changed);
      expect(recordsAreRight(changed), `seed ${seed}`).toBe(!writes);
      if (!writes) right++;
    }
    expect(right).toBeGreaterThan(draws(250) / 10);
  });

  it("leaves no edit behind when all records are right", () => {
    const fn = analysed(funcOf(randomGraph(9, 12)), true);
    const edit = new Editor(fn, NO_RECORDER);
    const result = analyzeControlFlow(edit, { force: false });
    expect(result.retagged).toBe(0);
    expect(edit.func.version).toBe(fn.version);
    const again = new Editor(fn, NO_RECORDER);
    expect(analyzeControlFlow(again, { force: true }).retagged).toBe(fn.layout.length);
    expect(again.func.version).toBe(fn.version);
  });

  it("writes the same watched and unwatched", () => {
    for (let seed = FIRST; seed < FIRST + draws(40); seed++) {
      const fn = withNoise(funcOf(randomGraph(seed, 10)), seed);
      for (const force of [false, true]) {
        const rec = new Recording(fn);
        const edit = new Editor(fn, rec);
        analyzeControlFlow(edit, { force, remark: new Remarks(edit, rec, CONTROL_FLOW, null) });
        expect(recordsOf(edit.func), `seed ${seed}`).toBe(recordsOf(analysed(fn, force)));
        expect(edit.editCount).toBe(0);
        expect(rec.tape.length).toBeGreaterThan(0);
      }
    }
  });

  it("empties the successor lists of stale records and fills them edge by edge", () => {
    for (let seed = FIRST; seed < FIRST + draws(30); seed++) {
      const fn = withNoise(funcOf(randomGraph(seed, 10)), seed);
      const first = new ListRecording(fn);
      const edit = new Editor(fn, first);
      analyzeControlFlow(edit, { force: true, remark: new Remarks(edit, first, CONTROL_FLOW, null) });
      const { number } = reversePostOrder(edit.func);
      for (const id of fn.layout) {
        const { label, succs } = fn.blocks[id]!;
        const entries = number[id]! > 0 ? succs : [];
        expect(first.rows.get(label), `seed ${seed}`).toBe(entries.length);
        const places = entries.map((to) => first.rows.get(`${label} → ${fn.blocks[to]!.label}`));
        expect(places.sort(), `seed ${seed}`).toEqual(entries.map((_, i) => i + 1));
      }
      const second = new ListRecording(edit.func);
      const again = new Editor(edit.func, second);
      analyzeControlFlow(again, { force: false, remark: new Remarks(again, second, CONTROL_FLOW, null) });
      expect([...second.rows.keys()].filter((label) => number[fn.layout.find((id) => fn.blocks[id]!.label === label) ?? -1]! > 0)).toEqual(
        [],
      );
    }
  });

  it("writes nothing when the re-entry guard is set, and still answers", () => {
    const graph = [[1], [1, 2], []];
    const fn = { ...funcOf(graph), flags: FUNC_FLAG.REENTRY_GUARD };
    const edit = new Editor(fn, NO_RECORDER);
    const result = analyzeControlFlow(edit, { force: true });
    expect(result.reentered).toBe(true);
    expect(edit.func.version).toBe(fn.version);
    expect(Array.from(result.worklist)).toEqual([-1, 0, 1, 2]);
    expect(result.backEdges.has(1, 1)).toBe(true);
  });

  it("uses +152 twice: the latch's smallest target while sweeping, the header's furthest latch in the end", () => {
    // 0 → 1 → 2 → 3, 2 → 1, 3 → {1, 0}: one block jumps back to two headers.
    const fn = funcOf([[1], [2], [1, 3], [0, 1]]);
    const rec = new Recording(fn);
    const edit = new Editor(fn, rec);
    analyzeControlFlow(edit, { force: false, remark: new Remarks(edit, rec, CONTROL_FLOW, null) });
    const at = (b: number): Block => edit.func.blocks[b]!;
    expect([0, 1, 2, 3].map((b) => at(b).latchExit)).toEqual([4, 4, 2, 1]);
    expect([0, 1, 2, 3].map((b) => (at(b).flags & BLOCK_FLAG.LOOP_HEADER) !== 0)).toEqual([true, true, false, false]);
  });

  it("tells early exits, returns and callee bits", () => {
    const { module } = parseModule(`.func f(a: R0, p: P0) -> R0
BB0:
@P0 RET
BB1:
@!P0 EXIT
BB2:
    RET
`);
    const fn = module.funcs[0]!;
    const bits = 0x8 | 0x10;
    const noisy = { ...fn, blocks: fn.blocks.map((b) => (b === undefined ? b : { ...b, flags: bits, flags2: 0xff })) };
    const done = analysed(noisy, false);
    const get = (b: number): Block => done.blocks[b]!;
    expect(done.layout.map((id: BlockId) => get(id).flags & (BLOCK_FLAG.EARLY_EXIT | 0x8))).toEqual([1, 9, 1]);
    expect(done.layout.map((id: BlockId) => get(id).flags2)).toEqual([0xf3, 0xf7, 0xf3]);
    expect(done.flags).toBe(FUNC_FLAG.EARLY_EXIT_OBSERVED | FUNC_FLAG.CALLEE_ATTRIBUTE);
  });

  it("takes 5,000 blocks and 100,000 instructions, 999 loops deep", () => {
    const n = 5000;
    // Blocks 1..999 are headers, 4000..4998 jump back to them in reverse.
    const graph = Array.from({ length: n }, (_, i) => (i + 1 === n ? [] : i >= 4000 ? [4999 - i, i + 1] : [i + 1]));
    const base = funcOf(graph, true);
    const filler = base.blocks[4000]!.insts[0]!;
    const add = { ...filler, op: "IADD" as const, guard: null, ops: [] };
    const fn: Func = {
      ...base,
      blocks: base.blocks.map((b) => (b === undefined ? b : { ...b, insts: [...Array(20).fill(add), ...b.insts] })),
    };
    const edit = new Editor(fn, NO_RECORDER);
    const result = analyzeControlFlow(edit, { force: true });
    expect(result.count).toBe(n);
    expect(result.violation).toBe(false);
    expect(edit.func.blocks[blockId(1)]!.latchExit).toBe(4999);
    expect(loopInfo(edit.func).depth[blockId(2000)]).toBe(999);
  });
});
