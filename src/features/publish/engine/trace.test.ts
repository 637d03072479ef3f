import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { RunResult } from "../../../engine/api/types.ts";
import { draws, freshSeed } from "../../../engine/testing/seed.ts";
import { nodeElk } from "../../../layout/elk/node.ts";
import { publish, USUAL_STEPS } from "./publish.ts";
import { readTrace } from "./read-trace.ts";
import { recordTrace } from "./record-trace.ts";
import { PhaseStates, type TraceDocument } from "./trace-document.ts";
import { traceText } from "./write-trace.ts";

const PTX = new URL("../../examples/page/ptx/", import.meta.url);
const KERNELS = ["01_switch_dense.sm_90.ptx", "05_loop_nest.sm_90.ptx"];

function run(name: string): { session: EngineSession; result: RunResult } {
  const session = new EngineSession();
  const opened = session.open(1, readFileSync(new URL(name, PTX), "utf8"), null);
  const result = session.run(1, opened.kernels[0]!.name, DEFAULT_PIPELINE);
  return { session, result };
}

function record(name: string): { session: EngineSession; result: RunResult; document: TraceDocument } {
  const { session, result } = run(name);
  const runs = result.phases.filter((p) => p.ran).map((p) => p.run);
  return { session, result, document: recordTrace(session, result, { title: name, runs, mostSteps: USUAL_STEPS }) };
}

function read(text: string): TraceDocument {
  const answer = readTrace(text);
  if (!answer.ok) throw new Error(`line ${answer.line}: ${answer.message}`);
  expect(answer.notes).toEqual([]);
  return answer.documents[0]!;
}

describe("a trace file", () => {
  // One of the two, the other on other commits: both have branches, loops and structures.
  it.each(KERNELS.filter((_, i) => i === freshSeed() % KERNELS.length))("holds every state of %s as the engine has it", (name) => {
    const { session, result, document } = record(name);
    const back = read(traceText(document));
    expect(back).toEqual(document);
    let looked = 0;
    for (const phase of back.phases) {
      const { run } = result.phases.find((p) => p.id === phase.id && p.name === phase.name)!;
      const states = new PhaseStates(phase);
      // Forwards in strides and back again, across the kept states.
      const steps = Array.from({ length: phase.steps.length + 1 }, (_, i) => i - 1);
      const some = steps.filter((s) => s % 97 === 13 || s === 64 || s === steps.length - 2 || s === -1);
      for (const step of [...some, ...some.toReversed()]) {
        const state = states.at(step);
        const real = session.view(run, step, null);
        expect(state.layout).toEqual(real.layout);
        expect(state.entry).toBe(real.entry);
        expect([...state.blocks.values()].map((b) => [b.id, b.label, b.insts.map((i) => i.text), b.succs, b.kinds]).sort()).toEqual(
          real.blocks.map((b) => [b.id, b.label, b.insts.map((i) => i.text), b.succs, b.succKinds]).sort(),
        );
        const cells = [...state.cells].filter(([, c]) => c.size > 0).map(([structure, c]) => [structure, Object.fromEntries(c)]);
        expect(Object.fromEntries(cells)).toEqual(
          Object.fromEntries(real.structures.filter((s) => s.cells.length > 0).map((s) => [s.name, Object.fromEntries(s.cells)])),
        );
        looked++;
      }
      const info = session.trace(run)!;
      expect(phase.steps.map((s) => s.depth)).toEqual([...info.depths]);
      expect(phase.steps.map((s) => s.parent)).toEqual([...info.parents]);
      // What the engine counts as a change of the program at least touches it; some edits put back what was there.
      expect(phase.steps.every((s, i) => !s.program || info.changes[i] === 1)).toBe(true);
    }
    expect(looked).toBeGreaterThan(40);
  });

  it("says when steps or phases are left out", async () => {
    const { session, result } = run(KERNELS[0]!);
    const all = await publish(session, result, { format: "trace", title: "t", runs: null, mostSteps: USUAL_STEPS }, nodeElk);
    expect(all.notes).toEqual([]);
    const some = await publish(session, result, { format: "trace", title: "t", runs: null, mostSteps: 10 }, nodeElk);
    expect(some.steps).toBe(10);
    expect(some.notes.join(" ")).toMatch(/cut after 10 steps.*left out/);
    expect(read(some.text).phases.at(-1)?.cut).toBe(true);
  });

  it.each([
    ["", 1, "empty"],
    ["{", 1, "not JSON"],
    ['{"type":"phase"}', 1, "id"],
    ['{"type":"trace","version":2}', 1, "version 2"],
    ['{"type":"trace","version":1,"generator":"g","title":"t","function":"f"}', 1, "no phase"],
  ])("is refused with its line: %s", (text, line, message) => {
    const answer = readTrace(text);
    expect(answer).toMatchObject({ ok: false, line, message: expect.stringContaining(message) });
  });

  it.each([
    [{ type: "step", kind: "note", sentence: "s", parent: 0 }, "parent"],
    [{ type: "step", kind: "note", sentence: "s", line: 3 }, "line: the pseudocode has 1"],
    [{ type: "step", kind: "nonsense", sentence: "s" }, "kind"],
    [{ type: "step", kind: "note", sentence: "s", changes: { removed: [0] } }, "entry"],
    [{ type: "step", kind: "note", sentence: "s", changes: { layout: [0, 0] } }, "twice"],
    [{ type: "step", kind: "note", sentence: "s", changes: { layout: [] } }, "lists 0 blocks"],
    [{ type: "step", kind: "note", sentence: "s", changes: { blocks: [{ id: 1, label: "B", insts: [9], succs: [] }] } }, "instruction 9"],
    [
      { type: "step", kind: "note", sentence: "s", changes: { blocks: [{ id: 1, label: "B", insts: [], succs: [0], kinds: [] }] } },
      "kinds",
    ],
    [{ type: "end", steps: 4 }, "4 steps"],
  ])("is refused for a wrong third line: %j", (line, message) => {
    const head = [
      { type: "trace", version: 1, generator: "g", title: "t", function: "f" },
      { type: "phase", id: "p", name: "P", pseudocode: ["x"], input: { entry: 0, blocks: [{ id: 0, label: "A", insts: [], succs: [] }] } },
    ];
    const answer = readTrace([...head, line].map((l) => JSON.stringify(l)).join("\n"));
    expect(answer).toMatchObject({ ok: false, line: 3, message: expect.stringContaining(message) });
  });

  it("is noticed when it is cut anywhere, and never throws", () => {
    const text = traceText(record(KERNELS[1]!).document);
    const seed = freshSeed();
    fc.assert(
      fc.property(fc.nat(text.length - 2), (length) => {
        const answer = readTrace(text.slice(0, length));
        expect(answer.ok ? answer.notes.join() : answer.message).not.toBe("");
      }),
      { seed, numRuns: draws(3) },
    );
  });
});

describe("the change log", () => {
  it("lists each change with its sentence and its lines", async () => {
    const { session, result } = run("05_loop_nest.sm_90.ptx");
    const { text } = await publish(session, result, { format: "log", title: "loops", runs: null, mostSteps: USUAL_STEPS }, nodeElk);
    const document = recordTrace(session, result, {
      title: "loops",
      runs: result.phases.filter((p) => p.changed).map((p) => p.run),
      mostSteps: USUAL_STEPS,
    });
    const changing = document.phases.flatMap((p) => p.steps.filter((s) => s.program));
    expect(changing.length).toBeGreaterThan(5);
    expect(text.match(/^### Step/gm)).toHaveLength(changing.length);
    expect(text).toMatch(/^- .*\n/m);
    expect(text).toMatch(/^\+ .*\n/m);
    // Fences are balanced.
    expect((text.match(/^`{3,}/gm) ?? []).length % 2).toBe(0);
  });
});
