/** Dispatch on every target, and the categories of handler B. */

import { describe, expect, it } from "vitest";
import { TARGETS } from "../../config/targets.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { doSwitchOptFirst } from "./do-switch-opt-first.ts";
import { categoryOf } from "./near-branches.ts";

const TEXT = `.kernel k(n: R3)
BB0:
    BSSY B0, JOIN
    ISETP.GT P0, R3, 4
@P0 BRA JOIN
IN:
    MOV R5, 1
JOIN:
    BSYNC B0
    EXIT`;

const WANTED: Readonly<Record<string, string>> = {
  SM30: "no-op",
  SM50: "no-op",
  SM60: "sync pair",
  SM70: "sync pair",
  SM80: "near",
  SM89: "near",
  SM90: "sync pair",
};

describe("slot 17", () => {
  it.each(TARGETS.map((t) => [t.id, t.backend.id] as const))("of %s (%s)", (target, backend) => {
    const { module } = parseModule(TEXT);
    const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target, phases: ["do-switch-opt-first"] }, null);
    const [run] = runPipeline(module.funcs[0] as Func, module, plan).runs;
    const figures = run?.outcome?.figures ?? {};
    const did = run?.ran === false ? "no-op" : figures.syncPairs === 1 ? "sync pair" : figures.near === 1 ? "near" : "nothing";
    expect(did).toBe(WANTED[backend]);
    if (did === "no-op") expect(run?.reason).toContain("slot 17");
  });

  it("is a no-op for the pass itself, too, when it is run without the gate", () => {
    const { module } = parseModule(TEXT);
    const target = TARGETS.find((t) => t.backend.id === "SM30");
    if (target === undefined) throw new Error("no target");
    const env = { module, target, level: 3, policy: "notes", knobs: {}, rec: NO_RECORDER } as const;
    const result = runPassOnce(doSwitchOptFirst, "do-switch-opt-first", module.funcs[0] as Func, env);
    expect(result).toMatchObject({ changed: false, outcome: { rewrites: 0, why: "no-op on SM30: its slot 17 does nothing" } });
  });
});

describe("categories of handler B", () => {
  it("follow the table", () => {
    const { module } = parseModule(
      ".kernel k(a: R0)\nBB0:\nBSSY B0, A\nBREAK B0\nBSYNC B0\nBRX R0, T\nA:\nJMX R0, T\nB:\nBRA A\nC:\nRET\n.table T base=0 default=A { A, B, C }",
    );
    const fn = module.funcs[0] as Func;
    const rows = fn.layout
      .flatMap((id) => fn.blocks[id]?.insts ?? [])
      .map((inst) => [inst.op, categoryOf(inst).name, categoryOf(inst).code]);
    expect(rows).toEqual([
      ["BSSY", "sync-stack push", null],
      ["BREAK", "simple control flow", 3],
      ["BSYNC", "unhandled", -1],
      ["BRX", "indexed branch", 4],
      ["JMX", "jump or exit", null],
      ["BRA", "branch", null],
      ["RET", "return", null],
    ]);
  });
});
