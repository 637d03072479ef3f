import { describe, expect, it } from "vitest";
import { reversePostOrder } from "../../analysis/order.ts";
import { targetOf } from "../../config/targets.ts";
import { Editor } from "../../ir/edit.ts";
import type { Func } from "../../ir/types.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { Remarks } from "../../remark/remarks.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { eraseCascade } from "./erase.ts";
import { oriBranchOpt, RULES } from "./ori-branch-opt.ts";
import { BranchOptState } from "./state.ts";

const env = { target: targetOf("sm_90"), level: 3, policy: "measured", knobs: {}, rec: NO_RECORDER } as const;

function run(text: string): { readonly fn: Func; readonly figures: Readonly<Record<string, number>> } {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const result = runPassOnce(oriBranchOpt, "ori-branch-opt", module.funcs[0]!, { ...env, module });
  expect(result.error).toBe(null);
  return { fn: result.fn, figures: result.outcome!.figures! };
}

describe("OriBranchOpt", () => {
  it("threads a chain of 5,000 empty blocks with as many entries, each to its end", () => {
    const n = 5000;
    const lines = [".kernel chain(n: R0, out: RD0)", "BB0:", "    ISETP.LT P0, R0, 4"];
    for (let i = 1; i < n; i++) lines.push(`@P0 BRA E${(i * 7919) % n}`, `BB${i}:`, "    IADD R0, R0, 1");
    lines.push("    STG [RD0], R0", "    EXIT");
    for (let i = 0; i < n; i++) lines.push(`E${i}:`, i + 1 < n ? `    BRA E${i + 1}` : "    EXIT");
    const { fn, figures } = run(lines.join("\n"));
    expect(fn.layout.length).toBe(n + 1);
    expect(figures.thread).toBe(n - 2);
  });

  it("erases 5,000 blocks in one cascade without recursion", () => {
    const n = 5000;
    const lines = [".kernel chain(n: R0, out: RD0)", "BB0:", "    ISETP.NE P0, R0, R0", "@P0 BRA E0", "BB1:", "    EXIT"];
    for (let i = 0; i < n; i++) lines.push(`E${i}:`, "    IADD R0, R0, 1");
    const { fn, figures } = run(`${lines.join("\n")}\n    EXIT\n`);
    expect(fn.layout.length).toBe(2);
    expect(figures.removedByCascade).toBe(n);
  });

  it("takes 100,000 instructions", () => {
    const n = 10_000;
    const lines = [".kernel big(n: R0, out: RD0)", "BB0:", "    ISETP.LT P0, R0, 4"];
    for (let i = 1; i <= n; i++)
      lines.push(
        i % 3 === 0 ? "    ISETP.EQ P0, 1, 2" : "    ISETP.LT P0, R0, 9",
        `@P0 BRA BB${n}`,
        `BB${i}:`,
        ...Array(8).fill("    IADD R0, R0, 1"),
      );
    const { fn, figures } = run(`${lines.join("\n")}\n    EXIT\n`);
    expect(figures.constant).toBe(Math.floor(n / 3));
    expect(reversePostOrder(fn).order.length).toBe(fn.layout.length);
  });

  it("gives erased blocks the slots from the counter down, inner blocks first, and leaves a shared join's count alone", () => {
    const { module } = parseModule(`.kernel k(n: R0, p: P0)
BB0:
    EXIT
BB1:
@P0 BRA BB3
BB2:
    BRA BB4
BB3:
    NOP
BB4:
    EXIT
`);
    const edit = new Editor(module.funcs[0]!, NO_RECORDER);
    const state = new BranchOptState(edit, new Remarks(edit, NO_RECORDER, RULES, null), "notes");
    state.tables.fill(Int32Array.from([-1, 0, 1, 2, 3, 4]));
    eraseCascade(state, edit.func.layout[1]!);
    // BB3 (taken edge first), BB2, then BB1; BB4 has two predecessors and stays, for the rebuild.
    expect(edit.func.layout.map((id) => edit.block(id).label)).toEqual(["BB0", "BB4"]);
    expect([...state.tables.rpoToBix]).toEqual([-1, 0, 1, 1, 2, 3]);
    expect([1, 2, 3].map((id) => state.tables.predCount[id])).toEqual([0, 0, 0]);
    expect(state.tables.counter).toBe(2);
  });
});
