/** Interventions on the command line: `--skip`, `--fuel RUN#N`, `--knob NAME=V@RUN`, …, and the commands that rest on them. */

import { describe, expect, it } from "vitest";
import type { ExecJson, RunJson, RunKernelJson, TraceJson, WatchJson } from "../../../cli/shapes.ts";
import { cli } from "../../../cli/testing/cli.ts";
import { ADDS, TABLE } from "../../../cli/testing/futures-programs.ts";
import type { BisectJson, ConditionJson, NeedJson } from "./shapes.ts";

const FILES = {
  "adds.ori": ADDS,
  "table.ori": TABLE,
  "other.ori": ADDS.replaceAll("IADD    R3", "ISUB    R3"),
  "bad.ori": ADDS.replace("IADD", "IADE"),
};
const DROP = "--phases expand-jmx-computation --drop expand-jmx-computation:unbounded";

async function run(words: string, file = "adds.ori"): Promise<RunKernelJson & { readonly code: number; readonly err: string }> {
  const { code, out, err } = await cli(`run ${file} ${words} --json`, FILES);
  const kernel = (JSON.parse(out) as RunJson).kernels[0];
  if (kernel === undefined) throw new Error(err);
  return { ...kernel, code, err };
}

const phase = (kernel: RunKernelJson, address: string) => kernel.phases.find((p) => p.address === address);

describe("interventions", () => {
  it("skip a rewrite, say how many asked, and say when they do not apply", async () => {
    const usual = await run("--phases gvn-cse");
    expect(phase(usual, "49")).toMatchObject({ asked: 1, refused: 0, rewrites: 1 });
    const skipped = await run("--phases gvn-cse --skip 49#1");
    expect(phase(skipped, "49")).toMatchObject({ asked: 1, refused: 1, rewrites: 0, changed: false });
    expect(skipped.interventions).toEqual([{ text: "skip 49#1", applied: true, reason: null }]);
    const beyond = await run("--phases gvn-cse --skip 49#7");
    expect(beyond.interventions).toEqual([{ text: "skip 49#7", applied: false, reason: "GvnCse asks once" }]);
    expect([beyond.code, beyond.err]).toEqual([0, "oriscope run: adds: skip 49#7 does not apply: GvnCse asks once\n"]);
    expect((await run("--phases gvn-cse --skip 49#7 --strict")).code).toBe(1);
  });

  it("stop the rewrites at an address, and run what rewrites nothing", async () => {
    const none = await run("--fuel 49#0");
    expect(phase(none, "49")).toMatchObject({ ran: false, reason: "the fuel is spent" });
    expect(phase(none, "50")?.reason).toBe("the fuel is spent");
    const input = await cli("run adds.ori --until branch-folding", FILES);
    expect((await cli("run adds.ori --rewrites 0", FILES)).out).toBe(input.out);
  });

  it("go on with a condition that cannot be dropped any more, and say so", async () => {
    const usual = await run("--phases gvn-cse");
    const asked = await run("--phases gvn-cse --drop gvn-cse:register-class --skip 49#1");
    const skipped = await run("--phases gvn-cse --skip 49#1");
    const reason = "this condition cannot be dropped. No program shows that it is needed. There is no such instruction:";
    expect(asked.code).toBe(0);
    expect(asked.err).toContain(`oriscope run: adds: drop gvn-cse:register-class does not apply: ${reason}`);
    expect(asked.interventions.map(({ text, applied }) => [text, applied])).toEqual([
      ["skip 49#1", true],
      ["drop gvn-cse:register-class", false],
    ]);
    expect([asked.digest, asked.digest === usual.digest]).toEqual([skipped.digest, false]);
    expect((await run("--phases gvn-cse --drop gvn-cse:register-class --strict")).code).toBe(1);
    const link = await cli("link adds.ori --drop gvn-cse:register-class", FILES);
    expect([link.code, link.err]).toEqual([0, expect.stringContaining(reason)]);
    const need = await cli("need gvn-cse:register-class", FILES);
    expect([need.code, need.err]).toEqual([2, expect.stringContaining("gvn-cse:register-class cannot be dropped")]);
  });

  it("set a knob in a range of runs, leave out, insert and move runs", async () => {
    const off = await run("--phases gvn-cse --knob EnableGvnCseMode=0@49");
    const usual = await run("--phases gvn-cse");
    expect(off.digest).not.toBe(usual.digest);
    expect((await run("--leave-out 49")).phases.find((p) => p.id === "gvn-cse")).toMatchObject({ ran: false, reason: "left out" });
    const twice = await run("--phases gvn-cse --insert gvn-cse@after:49");
    expect(twice.phases.map((p) => [p.address, p.rewrites])).toEqual([
      ["49", 1],
      ["gvn-cse+1", 0],
    ]);
    const moved = await run("--phases 3,49 --move 49@before:3");
    expect(moved.phases.map((p) => p.address)).toEqual(["49", "3"]);
  });

  it("take another program from a run on, and refuse a bad one at its line", async () => {
    const edited = await run("--phases gvn-cse --edit 49=other.ori");
    expect(edited.text).toContain("ISUB");
    expect(edited.interventions).toEqual([{ text: "edit 49", applied: true, reason: null }]);
    const bad = await cli("run adds.ori --edit 49=bad.ori", FILES);
    expect([bad.code, bad.err]).toEqual([1, expect.stringMatching(/^oriscope: error ORI\d+: edit 49, line 3: .*IADE/)]);
    const foreign = await cli("run adds.ori --edit 49=table.ori", FILES);
    expect([foreign.code, foreign.err]).toEqual([1, expect.stringContaining("the edited program is of the kernel k, not of adds")]);
  });

  it.each([
    ["--skip 49#0", "--skip takes RUN#N"],
    ["--skip r999#1", "there is no run r999"],
    ["--skip OriPerformLiveDead#1", "runs 4 times"],
    ["--fuel 1 --rewrites 2", "give one of them"],
    ["--drop gvn-cse:nothing", "has no condition 'nothing'"],
    ["--insert gvn-cse@49", "--insert takes"],
    ["--edit 49", "--edit takes RUN=FILE"],
  ])("%s is a wrong use", async (words, message) => {
    const { code, err } = await cli(`run adds.ori ${words}`, FILES);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it("hold in trace, exec and analyze, and travel in links", async () => {
    const { out } = await cli("trace adds.ori --phase gvn-cse --skip 49#1 --json", FILES);
    const refused = (JSON.parse(out) as TraceJson[]).filter((event) => event.facts.condition === "skipped");
    expect(refused.map((event) => event.sentence)).toEqual([expect.stringMatching(/^rewrite 1 is skipped \(/)]);
    const memory = async (words: string): Promise<string | undefined> => {
      const result = await cli(`exec table.ori --threads 1 --arg a=1 --mem out=4 ${words} --json`, FILES);
      return (JSON.parse(result.out) as ExecJson).memory.out;
    };
    expect(await memory("")).toBe("01000000");
    expect(await memory(DROP)).toBe("0a000000");
    expect((await cli("analyze adds.ori --after end", FILES)).code).toBe(0);
    const link = (await cli("link adds.ori --skip 49#1 --fuel 49#2", FILES)).out.trim();
    expect((await cli(`unlink ${link} --json`, FILES)).out).toContain('"interventions":[{"kind":"skip","run":"49","n":1}');
  });
});

describe("watch", () => {
  it("prints the steps at which a condition becomes true, and refuses one that cannot be read with its column", async () => {
    const { code, out } = await cli("watch adds.ori --when changes(instructions) --json", FILES);
    const hits = JSON.parse(out) as WatchJson;
    expect([code, hits.length]).toEqual([0, 1]);
    expect(hits[0]?.step).toBeGreaterThan(0);
    const plain = await cli("watch adds.ori --when changes(instructions)", FILES);
    const skipped = await cli("watch adds.ori --when changes(instructions) --skip 49#1", FILES);
    expect(skipped.code).toBe(0);
    expect(skipped.out).not.toBe(plain.out);
    const start = await cli("watch adds.ori --when blocks=1 --phase 49", FILES);
    expect(start.out).toBe("gvn-cse -1: GvnCse begins\n");
    const bad = await cli("watch adds.ori --when instructions<", FILES);
    expect([bad.code, bad.err]).toEqual([2, expect.stringContaining("column 14: expected a condition")]);
    expect((await cli("watch adds.ori", FILES)).code).toBe(2);
  });
});

describe("what rests on them", () => {
  it("bisect finds the first wrong rewrite, with an input that runs again", async () => {
    expect((await cli("bisect adds.ori", FILES)).code).toBe(0);
    const { code, out } = await cli(`bisect table.ori ${DROP} --json`, FILES);
    const report = JSON.parse(out) as BisectJson;
    expect(code).toBe(1);
    expect(report.first).toMatchObject({ n: 1, phase: "expand-jmx-computation" });
    const { input } = report.counterexample ?? {};
    const words = [
      `--threads ${input?.threads}`,
      ...(input?.args ?? []).map((a) => `--arg ${a}`),
      ...(input?.mem ?? []).map((m) => `--mem ${m}`),
    ];
    const before = await cli(`exec table.ori ${words.join(" ")} --json`, FILES);
    const after = await cli(`exec table.ori ${words.join(" ")} ${DROP} --json`, FILES);
    expect((JSON.parse(after.out) as ExecJson).memory).not.toEqual((JSON.parse(before.out) as ExecJson).memory);
  });

  it("conditions say what goes wrong without them", async () => {
    const { out } = await cli("conditions --phase gvn-cse --json", FILES);
    const rows = JSON.parse(out) as ConditionJson[];
    expect(rows.filter((r) => r.droppable).every((r) => r.without !== null)).toBe(true);
    expect(rows.map((r) => r.condition)).toContain("leader-dominates");
  });

  it("need finds a program, on which bisect finds the rewrite", async () => {
    const first = await cli("need gvn-cse:value-overwritten --count 2 --seed 749 --json", FILES);
    const need = JSON.parse(first.out) as NeedJson;
    expect([first.code, need.found, need.seed]).toEqual([0, true, 750]);
    expect(need.program).toContain("// drops: value-overwritten");
    const kept = await cli("bisect need.ori --phases gvn-cse --drop gvn-cse:value-overwritten --json", { "need.ori": need.program ?? "" });
    expect((JSON.parse(kept.out) as BisectJson).first).toMatchObject({ phase: "gvn-cse" });
    expect((await cli("need gvn-cse:nothing", FILES)).code).toBe(2);
  });

  it("need finds a kept program at once, with all that it drops", async () => {
    const { out } = await cli("need gvn-cse:leader-dominates --count 0 --json", FILES);
    const { found, kept, drops, program, difference } = JSON.parse(out) as NeedJson;
    expect({ found, kept, drops, kind: difference?.kind }).toEqual({
      found: true,
      kept: true,
      drops: ["leader-dominates", "value-overwritten"],
      kind: "verifier",
    });
    expect(program).toContain("// drops: leader-dominates, value-overwritten");
    const rows = JSON.parse((await cli("conditions --phase gvn-cse --json", FILES)).out) as ConditionJson[];
    const of = (name: string) => rows.find((row) => row.condition === name);
    expect(of("leader-dominates")).toMatchObject({ caught: "verifier", note: expect.stringContaining("value-overwritten") });
    expect(of("value-overwritten")?.witness).toContain("// drops: value-overwritten\n");
    expect(of("register-class")).toMatchObject({ witness: null, note: expect.stringContaining("uniform") });
  });
});
