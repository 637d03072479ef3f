/** `export`: phases in a form to save or show: a trace, a file that plays it, a list of changes. */

import type { Args } from "../../../cli/args.ts";
import type { Command } from "../../../cli/command.ts";
import { type ExitCode, UsageError } from "../../../cli/io.ts";
import {
  chosenKernels,
  FROM_OPTION,
  KERNEL_OPTION,
  loadGood,
  NO_PHIS_OPTION,
  PIPELINE_OPTIONS,
  type Program,
  pipelineOptions,
  printJson,
  refuseErrors,
} from "../../../cli/program.ts";
import type { PhaseRun, RunResult } from "../../../engine/api/types.ts";
import { nodeElk } from "../../../layout/elk/node.ts";
import { PUBLISH_FORMATS, type Published, type PublishFormat, publish, USUAL_STEPS } from "../engine/publish.ts";
import type { ExportJson } from "./shapes.ts";

export const exportCommand: Command = {
  name: "export",
  summary: "Prints what phases did, step by step: as a trace, as an HTML file that plays it, or as a list of changes.",
  notes: [
    "trace: JSON lines as docs/trace.md describes them; the page opens them again.",
    "html: one file that steps forwards and backwards in a browser, without network or engine, and can print each change as a figure.",
    "log: Markdown with every step that changed the program, its explanation and the changed lines.",
  ],
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "as", value: "WHAT", oneOf: PUBLISH_FORMATS, doc: "What to print; default trace." },
    { name: "phase", value: "P", many: true, doc: "Number, id or name of a phase; default: every phase that changed something." },
    ...PIPELINE_OPTIONS,
    NO_PHIS_OPTION,
    { name: "steps", value: "N", doc: `Limit on the steps of all phases together; default ${USUAL_STEPS}.` },
  ],
  async run(args, io): Promise<ExitCode> {
    const program = loadGood(args, io);
    const kernel = chosenKernels(program, args)[0];
    if (kernel === undefined) throw new UsageError("no kernel");
    const { session, file } = program;
    const result = session.run(1, kernel.name, pipelineOptions(args, io), args.values("phase"));
    refuseErrors(io, file, result.diagnostics);
    const request = {
      format: (args.value("as") ?? "trace") as PublishFormat,
      title: file === "-" ? kernel.name : `${file.split(/[\\/]/).at(-1)}: ${kernel.name}`,
      runs: chosenRuns(program, result, args),
      mostSteps: args.count("steps", 1, USUAL_STEPS),
    };
    const published = await publish(session, result, request, nodeElk);
    for (const note of published.notes) io.err(`oriscope export: ${note}\n`);
    if (args.has("json")) printJson(io, asJson(published));
    else io.out(published.text, "data");
    return 0;
  },
};

const asJson = ({ text, phases, steps, notes }: Published): ExportJson => ({ text, phases, steps, notes });

/** Runs of the phases that were named, in the order of the pipeline; null when none was. */
function chosenRuns({ session }: Program, { phases }: RunResult, args: Args): readonly number[] | null {
  const names = args.values("phase");
  if (names.length === 0) return null;
  const wanted = new Set<PhaseRun>();
  for (const name of names) {
    const found = session.lookupPhase(name);
    if (!found.ok) throw new UsageError(found.message);
    const reached = phases.filter((p) => p.ran && found.ids.includes(p.id));
    if (reached.length === 0) {
      const reason = phases.find((p) => found.ids.includes(p.id))?.reason;
      throw new UsageError(`${name} is not reached: ${reason ?? "it is not one of the phases that run"}`);
    }
    for (const phase of reached) wanted.add(phase);
  }
  return [...wanted].map((p) => p.run).sort((a, b) => a - b);
}
