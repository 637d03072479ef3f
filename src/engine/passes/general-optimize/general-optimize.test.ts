import { describe, expect, it } from "vitest";
import { targetOf } from "../../config/targets.ts";
import { generateModule } from "../../fuzz/generate/generate.ts";
import type { Module } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { type PlanOptions, planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { runPassOnce, runPhase } from "../../pipeline/run-phase.ts";
import { draws, freshSeed, seedsFrom } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { printFunc } from "../../text/printer.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { PASSES } from "../registry.ts";
import { generalOptimize } from "./general-optimize.ts";

const TEXT = `.kernel k(n: R0, out: RD0)
BB0:
    MOV R1, R0
    IADD R2, 4, 5
    STL [0x0], R1
    LDL R3, [0x0]
    STG [RD0], R3
    STG [RD0+4], R2
    EXIT
`;

/** Two ways into the loop of BB1 and BB2, and the way back from BB2 is never taken. */
const IRREDUCIBLE = `.kernel k(n: R0, out: RD0)
BB0:
    MOV R1, R0
    ISETP.GT P0, R0, 3
@P0 BRA BB2
BB1:
    NANOSLEEP R0
BB2:
    ISETP.NE P1, R0, R0
@P1 BRA BB1
BB3:
    STG [RD0], R1
    EXIT
`;

function run(text: string, options: Partial<PlanOptions>) {
  const { module } = parseModule(text);
  const { plan, problems } = planPipeline({ ...DEFAULT_OPTIONS, ...options }, null);
  expect(problems).toEqual([]);
  return runPipeline(module.funcs[0]!, module, plan);
}

describe("named parts", () => {
  it("--named-phases OriCopyProp runs the sub-pass alone", () => {
    const { runs, result } = run(TEXT, { namedPhases: ["OriCopyProp"] });
    expect(runs.map((r) => [r.planned.name, r.changed])).toEqual([["OriCopyProp", true]]);
    expect(printFunc(result)).toContain("STL     [0x0], R0");
    expect(printFunc(result)).toContain("IADD    R2, 4, 5");
    expect(printFunc(result)).toContain("MOV     R1, R0");
  });

  it("--named-phases ConvertMemoryToRegisterOrUniform runs the promotion alone", () => {
    const { runs, result } = run(TEXT, { namedPhases: ["ConvertMemoryToRegisterOrUniform"] });
    expect(runs.map((r) => [r.planned.name, r.changed])).toEqual([["ConvertMemoryToRegisterOrUniform", true]]);
    expect(printFunc(result)).not.toContain("LDL");
    expect(printFunc(result)).toContain("IADD    R2, 4, 5");
  });

  it("--no-phase ConvertMemoryToRegisterOrUniform switches the whole of phase 37 off", () => {
    const { runs, result } = run(TEXT, { phases: ["37"], noPhases: ["ConvertMemoryToRegisterOrUniform"] });
    expect(runs[0]!.reason).toContain("switches the whole phase off");
    expect(printFunc(result)).toContain("LDL");
    expect(printFunc(result)).toContain("IADD");
  });

  it("--no-phase OriCopyProp skips only copy propagation inside the bundles", () => {
    for (const phase of ["29", "46"]) {
      const { result } = run(TEXT, { phases: [phase], noPhases: ["OriCopyProp"] });
      expect(printFunc(result)).toContain("STL     [0x0], R1");
      expect(printFunc(result)).toContain("MOV     R2, 9");
    }
    expect(printFunc(run(TEXT, { phases: ["37"], noPhases: ["OriCopyProp"] }).result)).toContain("MOV     R1, R0");
  });
});

function twice(module: Module, phase: string) {
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: [phase, phase] }, null);
  return runPipeline(module.funcs[0]!, module, plan);
}

describe("rounds", () => {
  const first = freshSeed();

  it("end in a state that a second run of the phase leaves alone, or say that a further run may find more", () => {
    const profiles = ["any", "copies", "irreducible", "redundant"] as const;
    for (let seed = first; seed < first + draws(12); seed++) {
      const module = generateModule({ seed, profile: profiles[seed % profiles.length]! });
      for (const phase of ["general-optimize", "general-optimize-late2"]) {
        const { runs } = twice(module, phase);
        if (runs[0]!.outcome?.further == null) expect({ seed, phase, changed: runs[1]!.changed }).toEqual({ seed, phase, changed: false });
      }
    }
  });

  it("in a function that came in irreducible are said to be open to a further run, once its graph has changed", () => {
    const { module } = parseModule(IRREDUCIBLE);
    const { runs, result } = twice(module, "general-optimize");
    expect(runs[0]!.outcome?.further).toContain("the function came in irreducible, and its graph has changed");
    expect(runs.map((run) => run.changed)).toEqual([true, true]);
    expect(printFunc(result)).toContain("STG     [RD0], R0");
  });

  it("that a budget stops are said to be open to a further run", () => {
    const knobs = ["copy-prop-budget", "copy-prop-global-budget", "convergence-budget"] as const;
    let open = 0;
    let more = 0;
    for (const seed of seedsFrom(first, draws(20), () => open > 0 && more > 0)) {
      const module = generateModule({ seed, profile: (["any", "copies", "redundant"] as const)[seed % 3]! });
      const fn = module.funcs[0]!;
      for (const pass of PASSES.filter((p) => p.settles === true)) {
        for (const id of pass.ids) {
          const env = { module, target: targetOf("sm_90"), level: 3, policy: "notes" as const, rec: NO_RECORDER };
          const settings = { ...env, knobs: { [knobs[seed % knobs.length]!]: seed % 5 } };
          const one = runPassOnce(pass, id, fn, settings);
          const two = runPassOnce(pass, id, one.fn, settings);
          const further = one.outcome?.further ?? null;
          if (further !== null) open++;
          if (!two.changed || further === null) expect({ seed, id, changed: two.changed }).toEqual({ seed, id, changed: false });
          else more++;
        }
      }
    }
    // The statement is true: further runs do find more.
    expect(open).toBeGreaterThan(0);
    expect(more).toBeGreaterThan(0);
  });

  it("are counted by sub-pass in the matrix 'rounds', and applied marks are gone", () => {
    const { module } = parseModule(`.kernel k(n: R0, out: RD0)
BB0:
    MOV R1, 4
    ISETP.LT P0, R1, 9
    SEL R2, R0, R1, P0
    STG [RD0], R2
    EXIT
`);
    const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: ["29"] }, null);
    const recording = new Recording(module.funcs[0]!);
    runPhase(plan.runs[0]!, generalOptimize, module.funcs[0]!, { module, plan, rec: recording });
    const trace = new Trace(recording, module.funcs[0]!);
    trace.funcAt(trace.steps - 1);
    const at = (name: string) => {
      const cell = trace.journal.findCell(name);
      return cell < 0 ? undefined : trace.cell(cell);
    };
    const passes = ["copy propagation", "constant folding", "predicate simplification", "dead code"];
    expect(passes.map((name) => at(`rounds/${name}/1`))).toEqual([4, 1, 1, 3]);
    const select = module.funcs[0]!.blocks[0]!.insts[2]!;
    expect(select.op).toBe("SEL");
    // It was marked during the round, and the mark was removed when it was applied.
    expect(trace.journal.findCell(`operand-marks/i${select.id}`)).toBeGreaterThanOrEqual(0);
    const last = at(`operand-marks/i${select.id}`);
    expect(JSON.stringify(last ?? null)).not.toContain("SEL");
  });
});
