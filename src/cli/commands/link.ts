/** `link`: the permalink of a program, its options and a moment. */

import type { PhaseRun } from "../../engine/api/types.ts";
import { encodeLink, LONG_LINK } from "../../links/link-codec.ts";
import { EMPTY_LINK, type LinkData, type LinkPass, MAX_PASS } from "../../links/link-data.ts";
import type { Command } from "../command.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../io.ts";
import { splitPass } from "../pass-place.ts";
import {
  chosenKernels,
  FROM_OPTION,
  KERNEL_OPTION,
  loadProgram,
  PIPELINE_OPTIONS,
  type Program,
  pipelineOptions,
  printInterventions,
  printJson,
  refuseErrors,
} from "../program.ts";
import type { LinkJson } from "../shapes.ts";

export const linkCommand: Command = {
  name: "link",
  summary: "Prints the permalink of a program, its options and a step.",
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "phase", value: "P", doc: "The phase to open." },
    { name: "step", value: "S", doc: "The step to open." },
    {
      name: "pass",
      value: "FILE[@after:RUN]",
      doc: "Your own pass, included in the link: the page shows it, and runs it when the reader presses Run.",
    },
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
    if (result !== null) {
      refuseErrors(io, file, result.diagnostics);
      printInterventions(io, "link", result.kernel, result.interventions);
    }
    const pass = args.value("pass");
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
      pass: pass === null ? null : linkedPass(pass, result?.phases ?? [], program, io),
    };
    const url = `${(args.value("base") ?? "").replace(/#.*/s, "")}#${await encodeLink(data)}`;
    const long = url.length > LONG_LINK;
    if (long) io.err(`oriscope link: the link has ${url.length} characters; some programs truncate such links: a file is safer\n`);
    const value: LinkJson = { url, characters: url.length, long };
    if (args.has("json")) printJson(io, value);
    else io.out(`${url}\n`);
    // The page opens a faulty text, too, and shows what is wrong with it.
    return opened.ok ? 0 : 1;
  },
};

/** It does not run here: a link carries its text. */
function linkedPass(text: string, phases: readonly PhaseRun[], { session }: Program, io: Io): LinkPass {
  const { file, place } = splitPass(text);
  const source = io.readText(file);
  if (source.length > MAX_PASS) throw new InputError(`${file} has ${source.length} characters; the limit in a link is ${MAX_PASS}`);
  const title = (file.split(/[\\/]/).at(-1) ?? "").replace(/\.[jt]s$/, "");
  if (place === null) return { title, source, at: null };
  const found = session.lookupPhase(place.run);
  const beside = phases.find((p) => p.address === place.run || (found.ok && found.ids.includes(p.id)));
  if (beside === undefined) throw new UsageError(found.ok ? `${place.run} is not one of the phases that run` : found.message);
  // As the page's own list of places names it.
  return { title, source, at: { side: place.side, run: beside.phase === null ? beside.address : String(beside.phase) } };
}
