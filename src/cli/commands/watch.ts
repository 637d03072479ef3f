/** `watch`: the steps at which a condition on the state becomes true. */

import type { Command } from "../command.ts";
import { UsageError } from "../io.ts";
import { FROM_OPTION, KERNEL_OPTION, PIPELINE_OPTIONS, printJson, runOne } from "../program.ts";
import type { WatchJson } from "../shapes.ts";

export const watchCommand: Command = {
  name: "watch",
  summary: "Prints the steps at which a condition on the program's state becomes true, in all phases or in one.",
  notes: [
    "Conditions: blocks, instructions, edges, block(B), edge(A, B), preds(B), succs(B), size(B), flags(B), live(R5, B), defs(R5), uses(R5), inst(N) and changes(text(N)) of the instruction with number N, entries(S), height(S) and chain(S) of a data structure; numbers are compared with < <= = != >= >; and, or, not; changes(X), becomes(X).",
    "Step -1 is the start of a phase. A condition that is true from the beginning is reported there.",
  ],
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    { name: "when", value: "EXPR", doc: "The condition, such as 'not edge(BB3, BB7)' (needed)." },
    { name: "phase", value: "P", doc: "Only in this phase: number, id or address of a run." },
    ...PIPELINE_OPTIONS,
  ],
  run(args, io) {
    const when = args.value("when");
    if (when === null) throw new UsageError("--when is missing");
    const wanted = args.value("phase");
    const { program, result } = runOne(args, io, "watch");
    const { session } = program;
    const known = session.checkWatch(when).problem;
    if (known !== null) throw new UsageError(`--when: ${known}`);
    const found = wanted === null ? null : session.lookupPhase(wanted);
    const phase =
      wanted === null
        ? null
        : (result.phases.find((p) => p.address === wanted) ?? result.phases.find((p) => found?.ok === true && found.ids.includes(p.id)));
    if (phase === undefined) throw new UsageError(found?.ok === false ? found.message : `${wanted} is not one of the phases that run`);
    const report = session.watch(when, phase?.run ?? null);
    if (typeof report === "string") throw new UsageError(`--when: ${report}`);
    const hits: WatchJson = report.hits;
    for (const note of report.notes) io.err(`oriscope watch: ${note}\n`);
    if (args.has("json")) printJson(io, hits);
    else for (const { phase: id, step, sentence } of hits) io.out(`${id} ${step}: ${sentence}\n`);
    return 0;
  },
};
