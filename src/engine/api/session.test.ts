import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "./defaults.ts";
import { EngineSession } from "./session.ts";
import type { BlockView, CellChange, PipelineOptions, StateDelta } from "./types.ts";
import { ENGINE_VERSION } from "./version.ts";

const options: PipelineOptions = { ...DEFAULT_PIPELINE, verify: true };

const PROGRAM = `.kernel sum(n: R0, a: RD1, out: RD2)
BB0:
    MOV     R4, 0
    MOV     R5, 0
BB1:
    ISETP.GE P0, R5, R0
@P0 BRA     BB4
    IMAD.WIDE RD3, R5, 4, RD1
    LDG     R6, [RD3]
    ISETP.LE P1, R6, RZ
@P1 BRA     BB3
    IADD    R4, R4, R6
BB3:
    IADD    R5, R5, 1
    BRA     BB1
BB4:
    STG     [RD2], R4
    EXIT
`;

function opened(text = PROGRAM): EngineSession {
  const session = new EngineSession();
  expect(session.open(1, text, null)).toMatchObject({ ok: true, diagnostics: [] });
  return session;
}

describe("running up to a phase", () => {
  const placed = { ...options, interventions: [{ kind: "leave-out", run: "13" }] } satisfies PipelineOptions;
  it.each([["13"], ["ori-branch-opt", "GvnCse"], ["r20"]])("%s: all up to it as in a whole run, nothing after it", (...upTo) => {
    const whole = opened();
    const all = whole.run(1, "sum", options);
    const part = opened();
    const { phases, digest } = part.run(1, "sum", options, upTo);
    const last = phases.findIndex((p) => p.reason?.startsWith("not reached: the run was stopped after ")) - 1;
    expect(last).toBeGreaterThan(5);
    expect(phases.slice(0, last + 1)).toEqual(all.phases.slice(0, last + 1));
    for (const { reason } of phases.slice(last + 1)) expect(reason).toMatch(/^not reached: the run was stopped after /);
    expect([phases.length, digest]).toEqual([all.phases.length, ""]);
    expect(part.text({ run: last, step: null })).toEqual(whole.text({ run: last, step: null }));
    expect(part.trace(last)).toEqual(whole.trace(last));
    // Part of a run is not taken for the whole.
    expect(part.run(1, "sum", options)).toEqual(all);
  });

  it("all is run where something is told of what comes after it, and where there is no such phase", () => {
    for (const [given, upTo] of [
      [placed, "3"],
      [options, "no-such-phase"],
    ] as const)
      expect(opened().run(1, "sum", given, [upTo])).toEqual(opened().run(1, "sum", given));
  });
});

describe("opening", () => {
  it("recognises the format and lists kernels", () => {
    const result = new EngineSession().open(7, PROGRAM, null);
    expect(result).toMatchObject({ revision: 7, format: "ori", ok: true });
    expect(result.kernels).toEqual([
      {
        name: "sum",
        kind: "kernel",
        blocks: 6,
        instructions: 13,
        opaque: 0,
        params: [
          { name: "n", reg: "R0" },
          { name: "a", reg: "RD1" },
          { name: "out", reg: "RD2" },
        ],
        line: 1,
      },
    ]);
    expect(new EngineSession().open(8, result.ori, "ori").ori).toBe(result.ori);
  });

  it("keeps the last good module when a text has errors", () => {
    const session = opened();
    const broken = session.open(2, PROGRAM.replace("IADD    R4", "IAD     R4"), null);
    expect(broken.ok).toBe(false);
    expect(broken.diagnostics[0]).toMatchObject({ line: 12, severity: "error" });
    expect(session.run(3, "sum", options).phases[0]?.instructions[0]).toBe(13);
  });
});

describe("running", () => {
  it("lists every position with why it did not run", () => {
    const result = opened().run(4, "sum", options);
    expect(result).toMatchObject({ revision: 4, engine: ENGINE_VERSION, target: "sm_90", level: 3, kernel: "sum", diagnostics: [] });
    expect(result.phases.length).toBe(160);
    expect(result.phases.map((p) => p.run)).toEqual(Array.from({ length: 160 }, (_, i) => i));
    expect(result.phases[0]).toMatchObject({ group: "cicc", phase: null, id: "branch-folding" });
    for (const phase of result.phases) if (!phase.changed) expect(phase.reason).toMatch(/\S/);
    expect(result.phases.find((p) => p.phase === 4)).toMatchObject({ modelled: false, ran: false, reason: "not modelled" });
    expect(result.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(result.phases.flatMap((p) => p.verifyErrors)).toEqual([]);
  });

  it("reports what is wrong with options instead of running", () => {
    const session = opened();
    const codes = (o: Partial<PipelineOptions>, kernel = "sum"): string[] =>
      session.run(1, kernel, { ...options, ...o }).diagnostics.map((d) => d.code);
    expect(codes({ target: "sm_1x" })).toEqual(["PIPE001"]);
    expect(codes({ target: "sm_86" })).toEqual(["PIPE006"]);
    expect(codes({ level: 9 })).toEqual(["PIPE002"]);
    expect(codes({ knobs: ["NoSuch=1"] })).toEqual(["KNOB002"]);
    expect(codes({ phases: ["15", "Foo"] })).toEqual(["PIPE004"]);
    expect(codes({ namedPhases: ["OriCopyProp"], phases: ["15"] })).toContain("PIPE008");
    expect(codes({ phases: ["15"], until: "30" })).toEqual(["PIPE008"]);
    expect(codes({ phases: ["15", "30"], until: "30" })).toEqual([]);
    expect(codes({ phases: ["15"], until: "zzz" })).toEqual(["PIPE004"]);
    expect(codes({}, "nope")).toEqual(["PIPE007"]);
    expect(codes({ phases: ["15", "13"] })).toContain("PIPE005");
  });

  it("stops before a position", () => {
    const result = opened().run(1, "sum", { ...options, until: "15" });
    expect(result.phases.find((p) => p.phase === 15)).toMatchObject({
      ran: false,
      reason: "the run was asked to stop before OriBranchOpt",
    });
    expect(result.phases.length).toBe(160);
  });

  it("shows the program as it is at a position that did not run", () => {
    const session = opened();
    for (const part of [
      { until: "15" },
      { interventions: [{ kind: "leave-out", run: "15" }] },
      { interventions: [{ kind: "fuel", run: "15", n: 0 }] },
    ] as const) {
      const { phases } = session.run(1, "sum", { ...options, ...part });
      const run = phases.findIndex((p) => p.phase === 15);
      expect(phases[run]?.ran).toBe(false);
      expect(session.trace(run)).toBe(null);
      const delta = session.view(run, -1, null);
      expect(delta.blocks.map((block) => block.id)).toEqual(session.graph(run).blocks.map((block) => block.id));
      expect(delta).toMatchObject({ run, step: -1, event: null });
      expect(delta.blocks.length).toBeGreaterThan(0);
    }
  });

  it("answers moments and tables before any run", () => {
    const session = new EngineSession();
    expect(session.trace(3)).toBe(null);
    expect(session.view(3, 0, null)).toMatchObject({ blocks: [], event: null });
    expect(session.text({ run: 2, step: null }).text).toBe("");
    expect(session.graph(9).blocks).toEqual([]);
    expect(session.history(null, { kind: "block", id: 1 })).toEqual({ items: [], notes: [] });
    expect(session.phases(options).length).toBe(160);
    expect(session.knobs().length).toBeGreaterThan(30);
    expect(session.opcodes().find((row) => row.name === "IADD")).toMatchObject({ effect: "pure" });
    expect(session.checkCondition("kind =")).toContain("column");
  });
});

/** Applies a delta the way a page does. */
class Page {
  blocks = new Map<number, BlockView>();
  layout: readonly number[] = [];
  tables: StateDelta["tables"] = null;
  cells = new Map<string, CellChange[1]>();
  apply(delta: StateDelta): void {
    if (delta.reset) {
      this.blocks.clear();
      this.cells.clear();
    }
    for (const block of delta.blocks) this.blocks.set(block.id, block);
    for (const id of delta.removedBlocks) this.blocks.delete(id);
    if (delta.layout !== null) this.layout = delta.layout;
    if (delta.tables !== null) this.tables = delta.tables;
    for (const s of delta.structures) {
      for (const [key, value] of s.cells) {
        if (value === undefined) this.cells.delete(`${s.name}/${key}`);
        else this.cells.set(`${s.name}/${key}`, value);
      }
    }
  }
  plain(): unknown {
    return {
      blocks: this.layout.map((id) => this.blocks.get(id)),
      tables: this.tables,
      cells: [...this.cells].sort(([a], [b]) => (a < b ? -1 : 1)),
    };
  }
}

describe("stepping", () => {
  it("gives deltas that add up to the whole state, both ways", () => {
    const session = opened();
    const { phases } = session.run(1, "sum", options);
    let checked = 0;
    for (const { run, ran } of phases) {
      const info = session.trace(run);
      if (info === null || !ran) continue;
      const page = new Page();
      page.apply(session.view(run, -1, null));
      const steps = [...Array(info.steps).keys(), ...[...Array(info.steps).keys()].reverse()];
      let have = -1;
      for (const step of steps.slice(0, 400)) {
        const delta = session.view(run, step, have);
        page.apply(delta);
        have = step;
        const whole = new Page();
        whole.apply(session.view(run, step, null));
        expect(page.plain()).toEqual(whole.plain());
        expect(delta.event?.step).toBe(step);
        checked++;
      }
    }
    // Without a single registered pass there is nothing to step through.
    expect(checked).toBeGreaterThanOrEqual(phases.some((p) => p.ran) ? 10 : 0);
  });

  it("has columns of one length and gates in the trace of a phase that did not run", () => {
    const session = opened();
    const { phases } = session.run(1, "sum", { ...options, level: 0 });
    const closed = phases.find((p) => p.phase === 15 && p.modelled);
    if (closed === undefined) return;
    const info = session.trace(closed.run);
    expect(info?.kinds.length).toBe(info?.steps);
    expect(session.events(closed.run, 0, 100).some((e) => e.kind === "gate" && e.facts.ok === false)).toBe(true);
  });
});

describe("running code", () => {
  it("interprets a moment", () => {
    const session = opened();
    session.run(1, "sum", options);
    const report = session.exec({ run: -1, step: null }, { threads: 2, fuel: 1000, args: ["n=4"], mem: ["a=i32:5,-1,7,0", "out=4"] });
    expect(report).toMatchObject({ status: "ok", memory: { out: "0c000000" }, counters: { divergentBranches: 0 }, diagnostics: [] });
    expect(report.heat.find((h) => h.executions === 5)).toBeDefined();
    expect(session.exec({ run: -1, step: null }, { threads: 1, fuel: 5, args: ["n=4"], mem: [] }).status).toBe("fuel");
    expect(session.exec({ run: -1, step: null }, { threads: 1, fuel: 5, args: ["m=4"], mem: [] }).diagnostics[0]).toMatchObject({
      code: "EXE004",
    });
    expect(new EngineSession().exec({ run: 4, step: 2 }, { threads: 1, fuel: 5, args: [], mem: [] }).message).toContain("nothing to run");
  });
});

describe("moments", () => {
  it("prints, draws and analyses the input", () => {
    const session = opened();
    session.run(1, "sum", options);
    const input = { run: -1, step: null };
    const { text, blockOfLine, instOfLine } = session.text(input);
    expect(text.split("\n").length - 1).toBe(blockOfLine.length);
    expect(instOfLine.length).toBe(blockOfLine.length);
    expect(session.analyses(input)).toMatchObject({ irreducible: false, loops: [{ natural: true }] });
    expect(session.exportAs(input, "dot")).toContain("digraph");
    expect(session.exportAs(input, "mermaid")).toContain("flowchart TD");
    expect(JSON.parse(session.exportAs(input, "json"))).toMatchObject({ name: "sum", loops: [{ header: "BB1", latches: ["BB3"] }] });
    const graph = session.graph(0);
    expect(graph.blocks.length).toBe(6);
    expect(graph.edges.filter((e) => e.retreating).length).toBe(1);
    expect(graph.edges.map((e) => e.kind)).toContain("taken");
    expect(graph.loops).toMatchObject([{ parent: null }]);
  });

  it("reports control flow by label", () => {
    const [report] = opened().controlFlow();
    expect(report).toMatchObject({ name: "sum", violation: false, irreducible: false, retreatingEdges: [["BB3", "BB1"]] });
    expect(
      report?.blocks.map((b) => `${b.label} ${b.rpo} ${b.idom} ${b.ipdom} ${b.loopHeader} ${b.inLoop} ${b.hasPred} ${b.loopDepth}`),
    ).toMatchInlineSnapshot(`
      [
        "BB0 1 null BB1 false false false 0",
        "BB1 2 BB0 BB4 true true true 1",
        "BB1.1 3 BB1 BB3 false true true 1",
        "BB1.2 4 BB1.1 BB3 false true true 1",
        "BB3 5 BB1.1 BB1 false true true 1",
        "BB4 6 BB1 null false false true 0",
      ]
    `);
  });
});

describe("the limits of a recording", () => {
  it("cut the trace, are raised for the run that is asked for more, and stay raised", () => {
    const session = new EngineSession({ limits: { events: 8, entries: 1_000, elements: 1_000 } });
    session.open(1, PROGRAM, null);
    const { phases } = session.run(1, "sum", options);
    const [first, second] = phases.filter((p) => (session.trace(p.run)?.cut ?? false) === true).map((p) => p.run);
    if (first === undefined || second === undefined) throw new Error("too few phases were cut");
    expect(session.trace(first)).toMatchObject({ steps: 8, cut: true, limit: 8 });
    const whole = session.trace(first, 1_000);
    expect(whole).toMatchObject({ cut: false, limit: 8_000 });
    expect(whole?.steps).toBeGreaterThan(8);
    expect(session.trace(first)?.steps).toBe(whole?.steps);
    expect(session.trace(second)).toMatchObject({ steps: 8, cut: true });
  });

  it("end the run under the other policy beside a whole recording, and the closing note says that its result is not known", () => {
    const closing = (events: number) => {
      const session = new EngineSession({ limits: { events, entries: 1_000, elements: 1_000 } });
      session.open(1, PROGRAM, null);
      const { run } = session.run(1, "sum", options).phases.find((p) => p.id === "general-optimize") ?? { run: -1 };
      const { steps = 0, cut } = session.trace(run) ?? {};
      return { steps, cut, facts: session.view(run, steps - 1, null)?.event?.facts };
    };
    const whole = closing(1_000);
    expect(whole.facts).toMatchObject({ otherPolicy: "measured", otherVerdict: "same" });
    const tight = closing(whole.steps + 1);
    expect(tight).toMatchObject({ steps: whole.steps, cut: false, facts: { otherPolicy: "measured", otherVerdict: "unknown" } });
    expect(tight.facts?.otherAnswer).toMatch(/^not known: .* was ended$/);
  });

  it("lists the loops of a deep nest once, and leaves out lists that grow with the square of its depth", () => {
    const depth = 1_000;
    const heads = Array.from({ length: depth }, (_, i) => `    MOV R${10 + i}, 0\nH${i}:\n`);
    const ends = heads
      .map((_, i) => `L${i}:\n    IADD R${10 + i}, R${10 + i}, 1\n    ISETP.LT P${i}, R${10 + i}, R2\n@P${i} BRA H${i}\n`)
      .reverse();
    const session = new EngineSession();
    session.open(1, `.kernel nest(out: RD0, n: R2)\nB:\n${heads.join("")}    STG [RD0], R2\n${ends.join("")}X:\n    EXIT\n`, "ori");
    session.run(1, "nest", { ...DEFAULT_PIPELINE, phases: ["analyze-control-flow"] });
    const { loops, blocks } = session.graph(0);
    expect(loops).toHaveLength(depth);
    const own = loops.flatMap((l) => l.own);
    expect(new Set(own).size).toBe(own.length);
    expect(own.length).toBeLessThanOrEqual(blocks.length);
    const known = new Set<number>();
    for (const { header, parent } of loops) {
      expect(parent === null || known.has(parent)).toBe(true);
      known.add(header);
    }
    const analyses = session.analyses({ run: 0, step: null });
    const listed = analyses.loops.filter((l) => l.blocks.length > 0);
    expect(analyses.loopsCut).toBe(depth - listed.length);
    expect(listed.reduce((n, l) => n + l.blocks.length, 0)).toBeLessThanOrEqual(300_000);
    expect(analyses.innermost).toHaveLength(own.length);
    const report = session.controlFlow()[0]?.loops ?? [];
    expect(report.filter((l) => l.unlisted !== undefined)).toHaveLength(depth - listed.length);
  });
});
