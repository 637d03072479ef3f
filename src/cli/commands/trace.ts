/** `trace`: the events of one phase. */

import type { PhaseRun, TraceEvent, TraceInfo } from "../../engine/api/types.ts";
import type { Args } from "../args.ts";
import type { Command } from "../command.ts";
import { type ExitCode, type Io, UsageError } from "../io.ts";
import { openPass } from "../pass-option.ts";
import {
  chosenKernel,
  FROM_OPTION,
  KERNEL_OPTION,
  loadGood,
  NO_PHIS_OPTION,
  PIPELINE_OPTIONS,
  type Program,
  pipelineOptions,
  printInterventions,
  printJson,
  refuseErrors,
} from "../program.ts";
import type { TraceJson } from "../shapes.ts";

/** Events fetched at a time. */
const BATCH = 5000;
const MOST_TIMES = 100;

export const traceCommand: Command = {
  name: "trace",
  summary: "Prints the events of one phase, one JSON object per line, after the phases before it have run.",
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "phase", value: "P", doc: "Number, id or name of the phase (this or --pass is needed)." },
    { name: "pass", value: "FILE[@after:RUN]", doc: "Trace your own pass, in TypeScript." },
    { name: "lines", doc: "With --pass: each executed line is a step, too." },
    ...PIPELINE_OPTIONS,
    NO_PHIS_OPTION,
    { name: "times", value: "N", doc: "Multiply the limits of the recording by N (an integer, 1 to 100)." },
  ],
  async run(args, io) {
    const pass = args.value("pass");
    if (pass !== null) return traceOwn(pass, args, io);
    const wanted = args.value("phase");
    if (wanted === null) throw new UsageError("--phase is missing");
    const times = Number(args.value("times") ?? 1);
    if (!(Number.isInteger(times) && times >= 1 && times <= MOST_TIMES))
      throw new UsageError(`--times takes an integer from 1 to ${MOST_TIMES}`);
    const program = loadGood(args, io);
    const kernel = chosenKernel(program, args);
    const { session } = program;
    const options = pipelineOptions(args, io);
    const found = session.lookupPhase(wanted);
    if (!found.ok && !wanted.includes("+") && !/^r\d+$/.test(wanted)) throw new UsageError(found.message);
    const result = session.run(1, kernel.name, options, [wanted]);
    refuseErrors(io, program.file, result.diagnostics);
    printInterventions(io, "trace", kernel.name, result.interventions);
    const phase = result.phases.find((p) => p.address === wanted) ?? result.phases.find((p) => found.ok && found.ids.includes(p.id));
    const info = phase === undefined ? null : session.trace(phase.run, times);
    if (phase === undefined || info === null) {
      throw new UsageError(`${wanted} is not reached: ${phase?.reason ?? "it is not one of the phases that run"}`);
    }
    print(program, phase, info, args.has("json"), io);
    if (info.cut)
      io.err(
        `oriscope trace: cut after ${info.steps} events, the limit of the recording; --times ${Math.min(MOST_TIMES, times * 4)} raises it\n`,
      );
    return 0;
  },
};

async function traceOwn(pass: string, args: Args, io: Io): Promise<ExitCode> {
  const program = loadGood(args, io);
  const { session } = program;
  const kernel = chosenKernel(program, args).name;
  const own = await openPass(pass, io);
  const { placed, id, thrown } = await own.played(program, kernel, pipelineOptions(args, io), args.has("lines"));
  const result = session.run(1, kernel, placed, [`${id}+1`]);
  const phase = result.phases.find((p) => p.id === id);
  const info = phase === undefined || !phase.ran ? null : session.trace(phase.run);
  // If the pass threw, its steps up to there are printed.
  refuseErrors(io, program.file, thrown === null ? result.diagnostics : result.diagnostics.filter((d) => d.code !== "PIPE015"));
  printInterventions(io, "trace", kernel, result.interventions);
  if (phase === undefined || info === null) throw new UsageError(`the pass is not reached: ${phase?.reason ?? "the run ends before it"}`);
  print(program, phase, info, args.has("json"), io);
  if (thrown === null) return 0;
  io.err(`${own.at(thrown.line)}: error: ${thrown.message}\n`);
  return 1;
}

const rowOf = ({ focus, ...event }: TraceEvent, label: (block: number) => string): TraceJson => ({
  ...event,
  focus: {
    blocks: [...new Set([...(focus.blocks ?? []), ...(focus.edges ?? []).flat()])].map(label),
    instructions: [...new Set([...(focus.insts ?? []), ...(focus.operands ?? []).map(([inst]) => inst)])],
  },
});

function print({ session }: Program, phase: PhaseRun, info: TraceInfo, asArray: boolean, io: Io): void {
  const label = session.labelsOf(phase.run);
  const all: TraceJson[] = [];
  for (let from = 0; from < info.steps; from += BATCH) {
    const rows = session.events(phase.run, from, BATCH).map((event) => rowOf(event, label));
    if (asArray) all.push(...rows);
    else io.out(rows.map((row) => `${JSON.stringify(row)}\n`).join(""), "json");
  }
  if (asArray) printJson(io, all);
}
