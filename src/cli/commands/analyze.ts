/** `analyze`: blocks, dominators and loops. */

import type { ControlFlowReport } from "../../engine/api/control-flow.ts";
import type { Command } from "../command.ts";
import type { ExitCode } from "../io.ts";
import { withPass } from "../pass-option.ts";
import {
  AFTER_OPTION,
  chosenKernels,
  FROM_OPTION,
  KERNEL_OPTION,
  loadGood,
  momentAfter,
  optionsBefore,
  PASS_OPTION,
  PIPELINE_OPTIONS,
  printJson,
} from "../program.ts";
import type { AnalyzeJson } from "../shapes.ts";
import { formatTable } from "../table.ts";

export const analyzeCommand: Command = {
  name: "analyze",
  summary: "Prints blocks with rpo, dominators, loops, edges and flags.",
  positionals: ["FILE"],
  options: [FROM_OPTION, KERNEL_OPTION, AFTER_OPTION, PASS_OPTION, ...PIPELINE_OPTIONS],
  async run(args, io): Promise<ExitCode> {
    const program = loadGood(args, io);
    const kernels: ControlFlowReport[] = [];
    for (const { name } of chosenKernels(program, args)) {
      const options = await withPass(program, name, optionsBefore("analyze", args, io), args, io);
      const report = program.session.controlFlowAt(momentAfter(program, name, "analyze", args, io, options));
      if (report !== null) kernels.push(report);
    }
    const value: AnalyzeJson = { kernels };
    if (args.has("json")) printJson(io, value);
    else io.out(kernels.map(reportText).join("\n"));
    return 0;
  },
};

function reportText(report: ControlFlowReport): string {
  const rows = report.blocks.map((b) => [
    b.label,
    b.rpo === 0 ? "unreachable" : String(b.rpo),
    b.idom ?? "-",
    b.ipdom ?? "-",
    [b.loopHeader ? "header" : "", b.inLoop ? "in loop" : "", b.hasPred ? "has pred" : ""].filter((w) => w !== "").join(", "),
    String(b.loopDepth),
    b.preds.join(" "),
    b.succs.join(" "),
  ]);
  const loops = report.loops.map(
    (l) =>
      `  loop ${l.header}: latches ${l.latches.join(" ")}; ${l.natural ? "natural" : "not natural"}: ${
        l.unlisted === undefined ? l.blocks.join(" ") : `${l.unlisted} blocks, not listed: the lists of all loops together are too long`
      }`,
  );
  const edges = report.retreatingEdges.map(([from, to]) => `${from}→${to}`).join(" ");
  return [
    `${report.name}${report.violation ? " (RPO violation)" : ""}`,
    formatTable(["block", "rpo", "idom", "ipdom", "flags", "depth", "preds", "succs"], rows).trimEnd(),
    ...loops,
    ...(edges === "" ? [] : [`  retreating: ${edges}${report.irreducible ? " (irreducible)" : ""}`]),
    "",
  ].join("\n");
}
