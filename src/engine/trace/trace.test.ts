import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { Editor } from "../ir/edit.ts";
import type { Func } from "../ir/types.ts";
import { breakpointSteps, findStep } from "./find.ts";
import { subjectHistory } from "./history.ts";
import { NO_RECORDER } from "./recorder.ts";
import { Recording } from "./recording.ts";
import { plainFunc, toyEdits, toyFunc } from "./testing/toy.ts";
import { Trace } from "./trace.ts";

function traceToy(
  blocks: number,
  rounds: number,
  seed: number,
  frames = 64,
): { input: Func; result: Func; trace: Trace; states: unknown[] } {
  const input = toyFunc(blocks);
  const recording = new Recording(input);
  const edit = new Editor(input, recording);
  toyEdits(edit, recording, rounds, createPrng(seed).u32);
  recording.event("note", 1, "end");
  const trace = new Trace(recording, input, frames);
  return { input, result: edit.func, trace, states: [] };
}

function stateAt(trace: Trace, step: number): unknown {
  const fn = plainFunc(trace.funcAt(step));
  const cells = Array.from({ length: trace.journal.cells }, (_, c) => trace.cell(c) ?? null);
  return JSON.stringify({ fn, cells });
}

describe("a trace", () => {
  const seed = 20_240_117;
  it(`gives the result of the untraced run, seed ${seed}`, () => {
    const { input, result, trace } = traceToy(30, 400, seed);
    const edit = new Editor(input, NO_RECORDER);
    toyEdits(edit, NO_RECORDER, 400, createPrng(seed).u32);
    expect(plainFunc(edit.func)).toEqual(plainFunc(result));
    expect(plainFunc(trace.funcAt(trace.steps - 1))).toEqual(plainFunc(result));
    expect(plainFunc(trace.funcAt(-1))).toEqual(plainFunc(input));
  });

  it(`has the same state at a step by seeking as by replay from 0, seed ${seed}`, () => {
    const { trace, input } = traceToy(12, 300, seed, 50);
    const recordedAgain = new Recording(input);
    toyEdits(new Editor(input, recordedAgain), recordedAgain, 300, createPrng(seed).u32);
    recordedAgain.event("note", 1, "end");
    // One frame only: every state is replayed from 0.
    const replayed = new Trace(recordedAgain, input, 1_000_000);
    const expected: unknown[] = [];
    for (let step = -1; step < replayed.steps; step++) expected.push(stateAt(replayed, step));
    expect(trace.steps).toBe(replayed.steps);
    for (let step = trace.steps - 1; step >= -1; step--) expect(stateAt(trace, step)).toBe(expected[step + 1]);
    const random = createPrng(seed + 1).u32;
    for (let i = 0; i < 500; i++) {
      const step = (random() % (trace.steps + 1)) - 1;
      expect(stateAt(trace, step)).toBe(expected[step + 1]);
    }
  });

  it("records the predecessors with the edge", () => {
    const { trace } = traceToy(8, 200, 3);
    let seen = 0;
    for (let step = 0; step < trace.steps; step++) {
      const kind = trace.tape.kindOf(step);
      if (!kind.startsWith("edge-")) continue;
      seen++;
      const fn = trace.funcAt(step);
      // One edge at a time may still be missing while PHIs follow; the toy has no PHIs.
      for (const id of fn.layout) for (const s of fn.blocks[id]?.succs ?? []) expect(fn.blocks[s]?.preds).toContain(id);
    }
    expect(seen).toBeGreaterThan(10);
  });

  it("keeps facts, focus and sentences as told", () => {
    const recording = new Recording(toyFunc(2));
    recording.begin(
      "visit",
      7,
      "{a} and {b} of {list}",
      { a: 1.5, b: "x", list: ["p", 2], yes: true, no: false, nil: null },
      { edges: [[0, 1]] as never },
    );
    recording.event("match", 8, "refused", { verdict: "no" }, { nodes: ["t/n1"], operands: [[4, -1]] as never });
    recording.end();
    const trace = new Trace(recording, toyFunc(2));
    expect(trace.event(0)).toEqual({
      step: 0,
      parent: -1,
      depth: 0,
      kind: "visit",
      line: 7,
      sentence: "1.5 and x of p, 2",
      facts: { a: 1.5, b: "x", list: ["p", 2], yes: true, no: false, nil: null },
      focus: { edges: [[0, 1]] },
    });
    expect(trace.event(1)).toMatchObject({ parent: 0, depth: 1, focus: { nodes: ["t/n1"], operands: [[4, -1]] } });
    expect(trace.stack(1).map((e) => e.step)).toEqual([0]);
  });

  it("says in words what an edit did", () => {
    const input = toyFunc(3);
    const recording = new Recording(input);
    const edit = new Editor(input, recording);
    recording.at(9);
    edit.remove(input.layout[0]!, 0);
    edit.redirect(input.layout[1]!, input.layout[2]!, input.layout[0]!);
    edit.setField(input.layout[2]!, "flags", 0x810);
    const trace = new Trace(recording, input);
    const said = Array.from({ length: trace.steps }, (_, i) => `${trace.event(i).line} ${trace.event(i).kind}: ${trace.event(i).sentence}`);
    expect(said).toMatchInlineSnapshot(`
      [
        "9 inst-delete: 'IADD R0, R1, 0' is deleted from BB0",
        "9 inst-insert: 'BRA BB0' is inserted into BB1",
        "9 edge-redirect: the edge from BB1 to BB2 now goes to BB0",
        "9 flag-set: BB2: loop header, 0x800 set",
      ]
    `);
  });

  it("cuts at the limit and says so", () => {
    const input = toyFunc(5);
    const recording = new Recording(input, { events: 20, entries: 1000, elements: 1000 });
    toyEdits(new Editor(input, recording), recording, 100, createPrng(5).u32);
    const trace = new Trace(recording, input);
    expect(trace.steps).toBe(20);
    expect(trace.cut).toBe(true);
    expect(recording.on).toBe(false);
  });

  it("cuts where lists become too long together", () => {
    const recording = new Recording(toyFunc(1), { events: 1000, entries: 1000, elements: 100 });
    const table = recording.structure("table", "t", "T");
    for (let i = 0; i < 50; i++) {
      recording.event("note", 1, "{regs}", { regs: ["R0", "R1"] }, { blocks: [0 as never] });
      recording.cell(table, "k", { regs: ["R0", "R1"] });
    }
    const trace = new Trace(recording, toyFunc(1));
    expect([trace.steps, trace.cut]).toEqual([20, true]);
    expect(trace.weight).toBe(20 + 20 + 12);
  });

  it("gives a repeated structure name a number", () => {
    const recording = new Recording(toyFunc(1));
    for (let i = 0; i < 3; i++) recording.structure("table", "a/b", "A");
    expect(recording.journal.structures.map((s) => s.name)).toEqual(["a/b", "a/b 2", "a/b 3"]);
    recording.cell(1 as never, "k", 1);
    expect(recording.journal.findCell("a/b 2/k")).toBe(0);
    expect(recording.journal.findCell("a/b/k")).toBe(-1);
  });
});

describe("transport", () => {
  const { trace } = traceToy(10, 120, 99);
  const all = Array.from({ length: trace.steps }, (_, i) => i);

  it("goes into every step, both ways", () => {
    expect(findStep(trace, -1, 1, { kind: "into" }, [])).toBe(0);
    expect(findStep(trace, 0, -1, { kind: "into" }, [])).toBe(-1);
    expect(findStep(trace, -1, -1, { kind: "into" }, [])).toBe(null);
    expect(findStep(trace, trace.steps - 1, 1, { kind: "into" }, [])).toBe(null);
  });

  it("goes over and out by the tree of spans", () => {
    const first = all.find((s) => trace.tape.kindOf(s) === "visit")!;
    const over = findStep(trace, first, 1, { kind: "over" }, [])!;
    expect(trace.tape.depths.get(over)).toBe(0);
    expect(all.slice(first + 1, over).every((s) => trace.tape.depths.get(s) > 0)).toBe(true);
    const inside = first + 1;
    expect(findStep(trace, inside, 1, { kind: "out" }, [])).toBe(over);
    expect(findStep(trace, inside, -1, { kind: "out" }, [])).toBe(trace.tape.parents.get(inside));
    expect(findStep(trace, over, -1, { kind: "over" }, [])).toBe(first);
  });

  it("finds changes, kinds and lines as a scan does", () => {
    const changes = all.filter((s) => trace.tape.changes.get(s) === 1);
    expect(changes.length).toBeGreaterThan(20);
    const walked: number[] = [];
    for (let s = findStep(trace, -1, 1, { kind: "change" }, []); s !== null; s = findStep(trace, s, 1, { kind: "change" }, []))
      walked.push(s);
    expect(walked).toEqual(changes);
    const back: number[] = [];
    for (let s = findStep(trace, trace.steps, -1, { kind: "change" }, []); s !== null; s = findStep(trace, s, -1, { kind: "change" }, []))
      back.push(s);
    expect(back.reverse()).toEqual(changes.filter((s) => s < trace.steps - 1 || s === trace.steps));
    expect(findStep(trace, -1, 1, { kind: "event", event: "match" }, [])).toBe(all.find((s) => trace.tape.kindOf(s) === "match"));
    expect(findStep(trace, -1, 1, { kind: "line", line: 5 }, [])).toBe(all.find((s) => trace.tape.lines.get(s) === 5));
  });

  it("finds the steps that touch an object, edits and cell writes included", () => {
    const block = findStep(trace, -1, 1, { kind: "object", subject: { kind: "block", id: 3 } }, [])!;
    const touched = trace.touched(trace.position(block - 1), trace.position(block));
    expect(trace.focus(block).blocks?.includes(3 as never) === true || touched.blocks.has(3 as never)).toBe(true);
    const node = breakpointSteps(trace, [{ kind: "subject", subject: { kind: "node", name: "work/w3" } }]);
    expect(node.length).toBeGreaterThan(0);
    for (const step of node)
      expect([...trace.touched(trace.position(step - 1), trace.position(step)).cells]).toContain(trace.journal.findCell("work/w3"));
    const regs = breakpointSteps(trace, [{ kind: "subject", subject: { kind: "reg", name: "R1" } }]);
    expect(regs.length).toBeGreaterThan(0);
  });

  it("stops at conditions", () => {
    const ticks = breakpointSteps(trace, [{ kind: "condition", text: "kind = match and block = BB4 and verdict = no" }]);
    const expected = all.filter((s) => {
      const event = trace.event(s);
      return event.kind === "match" && event.facts.block === "BB4" && event.facts.verdict === "no";
    });
    expect([...ticks]).toEqual(expected);
    expect(expected.length).toBeGreaterThan(0);
    expect(findStep(trace, -1, 1, { kind: "breakpoint" }, [{ kind: "condition", text: "round >= 7" }])).toBe(
      all.find((s) => Number(trace.event(s).facts.round) >= 7),
    );
  });

  it("tells a subject's history up to a limit", () => {
    const whole = subjectHistory(trace, { kind: "block", id: 2 }, 1000);
    const some = subjectHistory(trace, { kind: "block", id: 2 }, 2);
    expect(some.events).toEqual(whole.events.slice(0, 2));
    expect(some.left).toBe(whole.events.length - 2);
    expect(whole.events.some((e) => e.kind === "match")).toBe(true);
  });
});
