/** `need`: a program that shows what a legality condition is for. */

import type { Command } from "../../../cli/command.ts";
import { UsageError } from "../../../cli/io.ts";
import { PIPELINE_OPTIONS, pipelineOptions, printJson } from "../../../cli/program.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { FutureQuestions } from "../engine/questions.ts";
import type { NeedJson } from "./shapes.ts";

const DEFAULT_COUNT = 20_000;

export const needCommand: Command = {
  name: "need",
  summary: "Finds a program and an input that go wrong when a phase ignores a condition; exit 1 when none is found.",
  notes: [
    "Tries the programs collected for the condition first, then random ones.",
    "`conditions` lists the conditions. The program is printed as a test file whose comments name condition, target and input.",
  ],
  positionals: ["ID:CONDITION"],
  options: [
    ...PIPELINE_OPTIONS.filter((o) => ["target", "level", "knob", "policy"].includes(o.name)),
    { name: "count", value: "N", doc: `Random programs to try; default ${DEFAULT_COUNT}.` },
    { name: "seed", value: "S", doc: "Seed of the first one; default 1. With this option the collected programs are not tried." },
  ],
  run(args, io) {
    const session = new EngineSession({ now: io.now });
    const [condition = ""] = args.positionals;
    const options = { count: args.count("count", 0, DEFAULT_COUNT), seed: args.count("seed", 0, 1), kept: !args.has("seed") };
    const found = new FutureQuestions(session).need(condition, options, true, pipelineOptions(args, io));
    if (typeof found === "string") throw new UsageError(found);
    const report: NeedJson = found;
    if (args.has("json")) printJson(io, report);
    else if (report.program !== null) io.out(report.program, "data");
    else io.err(`oriscope need: none found in ${report.searched} programs; ${condition} decided something in ${report.decided} of them\n`);
    return report.found ? 0 : 1;
  },
};
