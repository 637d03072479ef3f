/** The same counts of what our pipeline makes of a kernel under policy 'measured'. */

import { importPtx } from "../../src/engine/import/ptx/import.ts";
import type { Func, Inst } from "../../src/engine/ir/types.ts";
import { tableName } from "../../src/engine/ir/visit.ts";
import { DEFAULT_OPTIONS } from "../../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../../src/engine/pipeline/plan.ts";
import { runPipeline } from "../../src/engine/pipeline/run.ts";
import { MARKERS, type Seen } from "./seen.ts";

type Ours = Pick<Seen, "cond_branches" | "cond_exits" | "jumps" | "eq" | "tables" | "brx" | "isetp_with_pred_input" | "stores" | "marked">;

export function made(ptx: string, target: string, level: number): Ours {
  const { module, diagnostics } = importPtx(ptx);
  const wrong = diagnostics.filter((d) => d.severity === "error");
  if (wrong.length > 0) throw new Error(wrong.map((d) => d.message).join("; "));
  const { plan, problems } = planPipeline(
    { ...DEFAULT_OPTIONS, target, level, policy: "measured", noPhases: ["branch-folding"] },
    module.target,
  );
  const bad = problems.filter((p) => p.severity === "error");
  if (bad.length > 0) throw new Error(bad.map((p) => p.message).join("; "));
  const { result } = runPipeline(module.funcs[0] as Func, module, plan);
  const insts = result.layout.flatMap((id) => result.blocks[id]?.insts ?? []);
  const count = (test: (inst: Inst) => boolean): number => insts.filter(test).length;
  const branches = insts.filter((inst) => inst.op === "BRA");
  const conditional = (inst: Inst): boolean => inst.guard !== null || inst.ops.length > 1;
  const tables = insts.map(tableName).filter((name) => name !== null);
  return {
    cond_branches: branches.filter(conditional).length,
    cond_exits: count((inst) => inst.op === "EXIT" && inst.guard !== null),
    jumps: branches.filter((inst) => !conditional(inst)).length,
    eq: count((inst) => inst.op === "ISETP" && (inst.mods[0] === "EQ" || inst.mods[0] === "NE")),
    tables: tables.map((name) => result.tables.get(name)?.entries.length ?? 0),
    brx: tables.length,
    isetp_with_pred_input: count((inst) => (inst.op === "ISETP" || inst.op === "FSETP") && inst.ops.length > 3),
    stores: count((inst) => inst.op === "STG"),
    marked: Object.fromEntries(MARKERS.map((name) => [name, count((inst) => inst.op === name)])),
  };
}
