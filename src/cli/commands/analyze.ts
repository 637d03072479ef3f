/** `analyze`: blocks, dominators and loops; with a user's analysis, its result for each block. */

import type { ControlFlowReport } from "../../engine/api/analysis/control-flow.ts";
import type { Command } from "../command.ts";
import type { ExitCode } from "../io.ts";
import { openPass } from "../pass-option.ts";
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
import type { AnalyzeJson, OwnAnalysisJson } from "../shapes.ts";
import { formatTable } from "../table.ts";

export const analyzeCommand: Command = {
  name: "analyze",
  summary: "Prints the blocks with RPO numbers, dominators, loops, edges and flags.",
  positionals: ["FILE"],
  options: [FROM_OPTION, KERNEL_OPTION, AFTER_OPTION, PASS_OPTION, ...PIPELINE_OPTIONS],
  notes: ["With --pass and a file that defines an analysis: also prints its result for each block next to ours."],
  async run(args, io): Promise<ExitCode> {
    const program = loadGood(args, io);
    const kernels: ControlFlowReport[] = [];
    const analyses: OwnAnalysisJson[] = [];
    const pass = args.value("pass");
    const own = pass === null ? null : await openPass(pass, io);
    for (const { name } of chosenKernels(program, args)) {
      const before = optionsBefore("analyze", args, io);
      const options = own === null || own.isAnalysis ? before : await own.among(program, name, before);
      const moment = momentAfter(program, name, "analyze", args, io, options);
      const report = program.session.controlFlowAt(moment);
      if (report !== null) kernels.push(report);
      const handed = own?.isAnalysis === true ? program.session.ownProgram(moment) : null;
      if (own !== null && handed !== null) analyses.push(await own.analyze(name, handed));
    }
    const value: AnalyzeJson = analyses.length === 0 ? { kernels } : { kernels, own: analyses };
    if (args.has("json")) printJson(io, value);
    else io.out((analyses.length === 0 ? kernels.map(reportText) : analyses.map(ownText)).join("\n"));
    return 0;
  },
};

function ownText({ kernel, name, of, blocks }: OwnAnalysisJson): string {
  const head = of === null ? [name] : [name, `our ${of}`, ""];
  const rows = blocks.map((b) => [b.label, b.theirs, ...(b.ours === null ? [] : [b.ours, b.same ? "" : "differs"])]);
  return `${kernel}\n${formatTable(["block", ...head], rows)}`;
}

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
        l.unlisted === undefined ? l.blocks.join(" ") : `${l.unlisted} blocks, not listed: the lists of all loops would be too long`
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
