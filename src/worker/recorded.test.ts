import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import type { StateDelta } from "../engine/api/types.ts";
import { localEngine } from "./local.ts";
import type { EngineApi } from "./questions.ts";

const KERNEL = readFileSync(new URL("../features/examples/page/ptx/05_loop_nest.sm_90.ptx", import.meta.url), "utf8");

function opened(text: string): EngineApi {
  const session = localEngine();
  const answer = session.open(1, text, null);
  expect(answer.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  session.run(1, answer.kernels[0]!.name, DEFAULT_PIPELINE);
  return session;
}

/** Blocks by id as they are after a chain of deltas, each against the one before. */
function walked(session: EngineApi, steps: readonly number[]): string[] {
  const blocks = new Map<number, string>();
  let layout: readonly number[] = [];
  let have: number | null = null;
  return steps.map((step) => {
    const delta: StateDelta = session.view(0, step, have);
    if (delta.reset) blocks.clear();
    for (const id of delta.removedBlocks) blocks.delete(id);
    for (const b of delta.blocks)
      blocks.set(b.id, `${b.label}: ${b.insts.map((i) => i.text).join("; ")} > ${b.succs.join()} (${b.succKinds.join()})`);
    layout = delta.layout ?? layout;
    have = delta.step;
    return `${layout.map((id) => blocks.get(id)).join("\n")}\n${delta.event?.sentence ?? ""}`;
  });
}

describe("a recorded trace", async () => {
  const live = opened(KERNEL);
  const result = live.run(1, "loop_nest", DEFAULT_PIPELINE);
  const run = result.phases.find((p) => p.id === "ori-branch-opt")!.run;
  const trace = (await live.publish({ format: "trace", title: "t", runs: [run], mostSteps: 20_000 }))!.text;

  it("is stepped through as the live phase is, both ways", () => {
    const recorded = opened(trace);
    const info = recorded.trace(0)!;
    const real = live.trace(run)!;
    expect([info.steps, [...info.kinds], [...info.depths], [...info.parents], [...info.lines]]).toEqual([
      real.steps,
      [...real.kinds],
      [...real.depths],
      [...real.parents],
      [...real.lines],
    ]);
    const steps = [-1, 0, 147, 148, 149, 160, 333, 149, 148, 3, -1];
    const shown = walked(recorded, steps);
    const wanted = steps.map((step) => {
      const delta = live.view(run, step, null);
      const rows = delta.layout!.map((id) => delta.blocks.find((b) => b.id === id)!);
      const text = rows.map((b) => `${b.label}: ${b.insts.map((i) => i.text).join("; ")} > ${b.succs.join()} (${b.succKinds.join()})`);
      return `${text.join("\n")}\n${delta.event?.sentence ?? ""}`;
    });
    expect(shown).toEqual(wanted);
    const ids = (list: readonly { readonly id: number }[]) => list.map((b) => b.id).sort((a, b) => a - b);
    expect(ids(recorded.graph(0).blocks)).toEqual(ids(live.graph(run).blocks));
    const block = live.view(run, -1, null).blocks[1]!.id;
    expect(recorded.history(0, { kind: "block", id: block }).items.length).toBeGreaterThan(0);
    expect([...recorded.breakpointTicks(0, [{ kind: "event", event: "inst-insert" }])]).toEqual([
      ...live.breakpointTicks(run, [{ kind: "event", event: "inst-insert" }]),
    ]);
  });

  it("can be published again, and comes back the same", async () => {
    const again = (await opened(trace).publish({ format: "trace", title: "t", runs: [0], mostSteps: 20_000 }))!.text;
    const steps = (text: string) =>
      text
        .split("\n")
        .filter((line) => line.includes('"type":"step"'))
        .map((line) => (JSON.parse(line) as { sentence: string }).sentence);
    expect(steps(again)).toEqual(steps(trace));
  });

  it("says where it is damaged, and a program opened after it runs as ever", () => {
    const session = localEngine();
    expect(session.open(1, trace.replace('"kind":"inst-insert"', '"kind":"x"'), null)).toMatchObject({
      ok: false,
      diagnostics: [{ severity: "error", code: "TRC001" }],
    });
    opened(trace);
    const kernel = session.open(2, KERNEL, null).kernels[0]!.name;
    expect(session.run(2, kernel, DEFAULT_PIPELINE).digest).toBe(result.digest);
  });
});

const TOY = readFileSync(new URL("../../examples/toy.trace.jsonl", import.meta.url), "utf8");

it("the trace of the examples' own optimizer opens", () => {
  const session = opened(TOY);
  expect(session.run(1, "count", DEFAULT_PIPELINE).phases.map((p) => [p.name, p.changed, p.blocks])).toEqual([
    ["Fold branches", true, [4, 4]],
    ["Remove unreachable", true, [4, 3]],
  ]);
  expect(session.text({ run: 1, step: null }).text).not.toContain("trace:");
});

const python = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!python)(`the optimizer of the examples writes that trace${python ? "" : " (no python3 on this machine)"}`, () => {
  const { status, stdout } = spawnSync("python3", ["examples/toy_optimizer.py"], { encoding: "utf8" });
  expect(status).toBe(0);
  expect(stdout.replaceAll("\r\n", "\n")).toBe(TOY);
});

/** A graph as IonMonkey spews it: the older form numbers blocks by `number`, version 1 by `id` and adds pointers. */
function ionFile(version: 0 | 1): string {
  const named = (number: number) => (version === 0 ? { number } : { id: number });
  const at = (ptr: number) => (version === 0 ? {} : { ptr });
  const inst = (ptr: number, id: number, opcode: string) => ({
    ...at(ptr),
    id,
    opcode,
    attributes: [],
    inputs: [],
    uses: [],
    memInputs: [],
    type: "Int32",
  });
  const block = (ptr: number, number: number, successors: number[], ...instructions: unknown[]) => ({
    ...at(ptr),
    ...named(number),
    loopDepth: 0,
    attributes: [],
    predecessors: [],
    successors,
    instructions,
  });
  const [constant, jump, back] = [inst(9001, 0, "constant 1"), inst(9002, 1, "goto"), inst(9003, 12, "return constant0")];
  const mir = [block(8001, 0, [2], constant, jump), block(8002, 2, [], back)];
  const pass = (name: string, blocks: unknown[], lir: unknown[] = []) => ({ name, mir: { blocks }, lir: { blocks: lir } });
  const low = { ...at(8001), ...named(0), instructions: [{ ...at(7001), id: 1, mirPtr: 9001, opcode: "Integer", defs: [1] }] };
  return JSON.stringify({
    ...(version === 0 ? {} : { version }),
    functions: [
      {
        name: "f.js:1",
        passes: [
          pass("BuildSSA", mir),
          pass("GVN", [block(8001, 0, [2], jump), block(8002, 2, [], back)]),
          // The second block gets a different number, and is the same block.
          pass("Renumber Blocks", [block(8001, 0, [1], jump), block(8002, 1, [], back)]),
          pass(
            "Generate LIR",
            [block(8001, 0, [1], jump), block(8002, 1, [], back)],
            [low, { ...at(8002), ...named(1), instructions: [] }],
          ),
        ],
      },
    ],
  });
}

it.each([0, 1] as const)("an ion.json of version %i opens as a phase for each pass", (version) => {
  const session = opened(ionFile(version));
  const result = session.run(1, "f.js:1", DEFAULT_PIPELINE);
  expect(result.phases.map((p) => [p.name, p.changed, p.instructions])).toEqual([
    ["BuildSSA", false, [3, 3]],
    ["GVN", true, [3, 2]],
    ["Renumber Blocks", true, [2, 2]],
    ["Generate LIR", true, [2, 1]],
  ]);
  expect(session.text({ run: 1, step: null }).text).not.toContain("constant 1");
  expect(session.text({ run: 3, step: null }).text).toContain("1 = Integer");
  const block = (run: number, label: string) => session.view(run, 0, null).blocks.find((b) => b.label === label)?.id;
  // With pointers a block is recognised under a different number.
  expect(block(2, "block1") === block(1, "block2")).toBe(version === 1);
});

it.each([
  ['{"version":2,"functions":[{"name":"f","passes":[{"name":"p","mir":{"blocks":[]}}]}]}', /version 2/],
  [ionFile(1).replace('"successors":[2]', '"successors":[7]'), /BuildSSA: block 0 leads to block 7/],
  [ionFile(0).replace('"number":2', '"number":0'), /BuildSSA: two blocks/],
])("an ion.json that cannot be shown says why", (text, why) => {
  const session = localEngine();
  expect(session.open(1, text, null)).toMatchObject({ ok: false, diagnostics: [{ code: "TRC001", message: expect.stringMatching(why) }] });
});

it("an exported HTML file opens as the trace that it plays", async () => {
  const live = opened(KERNEL);
  const run = live.run(1, "loop_nest", DEFAULT_PIPELINE).phases.find((p) => p.id === "ori-branch-opt")!.run;
  const html = (await live.publish({ format: "html", title: "t", runs: [run], mostSteps: 20_000 }))!.text;
  const recorded = opened(html);
  expect(recorded.run(1, "loop_nest", DEFAULT_PIPELINE).phases.map((p) => [p.id, p.changed])).toEqual([["ori-branch-opt", true]]);
  expect(recorded.trace(0)!.steps).toBe(live.trace(run)!.steps);
  expect(recorded.text({ run: 0, step: null }).text).toBe(
    opened((await live.publish({ format: "trace", title: "t", runs: [run], mostSteps: 20_000 }))!.text).text({ run: 0, step: null }).text,
  );
});
