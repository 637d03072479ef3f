/** `link`: the permalink of a program, its options and a moment. */

import { encodeLink, LONG_LINK } from "../../share/link-codec.ts";
import { EMPTY_LINK, type LinkData } from "../../share/link-data.ts";
import type { Command } from "../command.ts";
import { type ExitCode, UsageError } from "../io.ts";
import {
  chosenKernels,
  FROM_OPTION,
  KERNEL_OPTION,
  loadProgram,
  PIPELINE_OPTIONS,
  pipelineOptions,
  printJson,
  refuseErrors,
} from "../program.ts";
import type { LinkJson } from "../shapes.ts";

export const linkCommand: Command = {
  name: "link",
  summary: "Prints the permalink of a program, its options and a moment.",
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "phase", value: "P", doc: "The phase to open." },
    { name: "step", value: "S", doc: "The step to open." },
    { name: "base", value: "URL", doc: "Address of the page; default: only the part from # on." },
    ...PIPELINE_OPTIONS,
  ],
  async run(args, io): Promise<ExitCode> {
    const program = loadProgram(args, io);
    const { session, opened, file, text } = program;
    const options = pipelineOptions(args, io);
    const wanted = args.value("phase");
    const phase = wanted === null ? null : session.lookupPhase(wanted);
    if (phase !== null && !phase.ok) throw new UsageError(phase.message);
    if (args.has("step") && phase === null) throw new UsageError("--step needs --phase");
    const kernel = (args.has("kernel") ? chosenKernels(program, args)[0]?.name : opened.kernels[0]?.name) ?? null;
    const result = opened.ok && kernel !== null ? session.run(1, kernel, options) : null;
    if (result !== null) refuseErrors(io, file, result.diagnostics);
    const { target, level, policy, knobs, noPhases, namedPhases, phases, until, fuel } = options;
    const data: LinkData = {
      ...EMPTY_LINK,
      engine: session.version(),
      source: text,
      title: file === "-" ? "" : (file.split(/[\\/]/).at(-1) ?? ""),
      format: opened.format,
      kernel,
      ...{ target, level, policy, knobs: [...knobs], noPhases: [...noPhases], namedPhases: [...namedPhases], until, fuel },
      interventions: [...(options.interventions ?? [])],
      phases: phases === null ? null : [...phases],
      phase: phase?.ids[0] ?? null,
      step: args.has("step") ? args.count("step", 0, 0) : null,
      digest: result?.digest ?? null,
    };
    const url = `${(args.value("base") ?? "").replace(/#.*$/s, "")}#${await encodeLink(data)}`;
    const long = url.length > LONG_LINK;
    if (long) io.err(`oriscope link: the link has ${url.length} characters; some programs cut such links: a file is safer\n`);
    const value: LinkJson = { url, characters: url.length, long };
    if (args.has("json")) printJson(io, value);
    else io.out(`${url}\n`);
    // The page opens a faulty text, too, and shows what is wrong with it.
    return opened.ok ? 0 : 1;
  },
};
