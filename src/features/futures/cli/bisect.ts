/** `bisect`: the first rewrite after which a program means something else. */

import type { Command } from "../../../cli/command.ts";
import { InputError } from "../../../cli/io.ts";
import { FROM_OPTION, KERNEL_OPTION, PIPELINE_OPTIONS, printJson, runOne } from "../../../cli/program.ts";
import { FutureQuestions } from "../engine/questions.ts";
import type { BisectJson } from "./shapes.ts";

const DEFAULT_INPUTS = 16;

export const bisectCommand: Command = {
  name: "bisect",
  summary: "Finds the first rewrite that changes what a kernel computes; exit 1 when there is one.",
  notes: [
    "Works on the kernel given by --kernel, else on the first. Rewrites are counted with the given interventions applied.",
    "Up to 256 rewrites, every one is checked; above that, a binary search is used, which is correct if a wrong program stays wrong.",
  ],
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    ...PIPELINE_OPTIONS,
    { name: "check", value: "N", doc: `Inputs to run each program on (1 to 10000); default ${DEFAULT_INPUTS}.` },
    { name: "seed", value: "S", doc: "Seed of the inputs; default 1." },
    { name: "scan", doc: "Check every rewrite, however many there are." },
  ],
  run(args, io) {
    const { program, kernel } = runOne(args, io, "bisect");
    const inputs = args.count("check", 1, DEFAULT_INPUTS);
    const report: BisectJson | null = new FutureQuestions(program.session).bisect(
      inputs,
      args.count("seed", 0, 1),
      args.has("scan") ? true : null,
    );
    if (report === null) throw new InputError("nothing has run");
    if (args.has("json")) printJson(io, report);
    else io.out(`${bisectText(kernel.name, report)}\n`);
    return report.first === null ? 0 : 1;
  },
};

function bisectText(kernel: string, { rewrites, first, counterexample, undecided, monotone, looked }: BisectJson): string {
  if (undecided !== null) return `${kernel}: undecided: ${undecided}`;
  const count = `${looked} of ${rewrites + 1} programs checked`;
  if (first === null) return `${kernel}: no wrong rewrite found; ${count}`;
  const { input, difference } = counterexample ?? { input: null, difference: "" };
  const words =
    input === null ? [] : [`  --threads ${input.threads}`, ...input.args.map((a) => `--arg ${a}`), ...input.mem.map((m) => `--mem ${m}`)];
  return [
    `${kernel}: ${first.address} is the first wrong rewrite (${first.total} of ${rewrites}); ${count}`,
    `  ${first.sentence}`,
    `  ${difference}`,
    ...(words.length > 0 ? [words.join(" ")] : []),
    ...(input?.note == null ? [] : [`  ${input.note}`]),
    ...(monotone ? [] : ["  Later programs are equivalent again: there is more than one wrong rewrite, or one hides another."]),
  ].join("\n");
}
