/** `align`: compares the result with real SASS of the same kernel. */

import type { Args } from "../../../cli/args.ts";
import type { Command } from "../../../cli/command.ts";
import { InputError } from "../../../cli/io.ts";
import {
  chosenKernels,
  FROM_OPTION,
  KERNEL_OPTION,
  loadGood,
  PIPELINE_OPTIONS,
  pipelineOptions,
  printDiagnostics,
  printJson,
  refuseErrors,
} from "../../../cli/program.ts";
import { formatTable } from "../../../cli/table.ts";
import { recogniseFormat } from "../../../engine/api/read/recognise.ts";
import type { RunResult } from "../../../engine/api/types.ts";
import type { AlignReport } from "../engine/align/report.ts";
import { SASS } from "../engine/sass.ts";
import type { AlignJson } from "./shapes.ts";

export const alignCommand: Command = {
  name: "align",
  summary: "Runs the pipeline on FILE and aligns the result with the SASS listing of the same kernel: blocks matched, decisions compared.",
  positionals: ["FILE", "SASS"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "sass-kernel", value: "NAME", doc: "Function in the listing; default: the one with the same name, or the only kernel." },
    ...PIPELINE_OPTIONS,
  ],
  notes: [
    "Two blocks match from a score of 0.42; 1 means the same content, shape and neighbours. A block without a counterpart was merged, predicated or created on one side only.",
  ],
  run(args, io) {
    const program = loadGood(args, io);
    const sassFile = args.positionals[1] ?? "-";
    const sass = io.readText(sassFile);
    const format = recogniseFormat(sass);
    if (format === "ptx" || (format === "ori" && /^[ \t]*\.(?:kernel|func)\b/m.test(sass))) {
      throw new InputError(`${sassFile} is ${format === "ptx" ? "PTX" : "Ori text"}, not a SASS listing`);
    }
    const reports: AlignReport[] = [];
    for (const { name } of chosenKernels(program, args)) {
      const result = program.session.run(1, name, pipelineOptions(args, io));
      refuseErrors(io, program.file, result.diagnostics);
      const report = SASS.align(program.session.soundAt({ run: lastRun(result), step: null }), sass, args.value("sass-kernel"));
      if (reports.length === 0) printDiagnostics(io, sassFile, report.diagnostics);
      reports.push(report);
    }
    checkReports(reports, args, sassFile);
    const value: AlignJson = { kernels: reports };
    if (args.has("json")) printJson(io, value);
    else io.out(reports.map(reportText).join("\n"));
    // What could not be read of the listing is missing from its side.
    return reports.some((r) => r.diagnostics.some((d) => d.severity === "error")) ? 1 : 0;
  },
};

const lastRun = (result: RunResult): number => result.phases.length - 1;

function checkReports(reports: readonly AlignReport[], args: Args, file: string): void {
  const bad = reports.find((r) => !r.ok);
  if (bad === undefined) return;
  const wanted = args.value("sass-kernel");
  throw new InputError(
    wanted === null || bad.candidates.length === 0
      ? `${file} contains no function to align with`
      : `${file} has no function ${wanted}; it has ${bad.candidates.slice(0, 20).join(", ")}`,
  );
}

function reportText(report: AlignReport): string {
  const { ours, real, pairs, decisions, notes } = report;
  const label = (side: AlignReport["ours"]): Map<number, string> => new Map(side.blocks.map((b) => [b.id, b.label]));
  const mine = label(ours);
  const theirs = label(real);
  const counted = decisions.filter((d) => d.ours !== 0 || d.real !== 0);
  const rows = counted.map((d) => [d.title, String(d.ours), String(d.real), d.agree ? "agree" : "differ"]);
  const matched = pairs.map((p) => [mine.get(p.ours) ?? "", theirs.get(p.real) ?? "", p.score.toFixed(2), p.reasons.join(", ")]);
  const alone = (side: AlignReport["ours"]): string =>
    side.blocks
      .filter((b) => b.match === null)
      .map((b) => b.label)
      .join(" ") || "none";
  return [
    `${ours.name} and ${real.name}: score ${report.score.toFixed(2)}, ${pairs.length} of ${ours.blocks.length} and ${real.blocks.length} blocks matched, ${counted.filter((d) => d.agree).length} of ${counted.length} decisions agree`,
    "",
    formatTable(["decision", "ours", "real", ""], rows),
    formatTable(["ours", "real", "score", "because of"], matched),
    `only ours: ${alone(ours)}`,
    `only real: ${alone(real)}`,
    ...notes,
    "",
  ].join("\n");
}
