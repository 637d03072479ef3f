/** `conditions`: what a phase's candidates must fulfil, and what breaks without it. */

import type { Command } from "../../../cli/command.ts";
import { UsageError } from "../../../cli/io.ts";
import { printJson } from "../../../cli/program.ts";
import { formatTable } from "../../../cli/table.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { FutureQuestions } from "../engine/questions.ts";
import type { ConditionJson } from "./shapes.ts";

export const conditionsCommand: Command = {
  name: "conditions",
  summary: "Lists the conditions of the phases, and for those that --drop can ignore, what goes wrong without them.",
  positionals: [],
  options: [{ name: "phase", value: "P", doc: "Only the conditions of this phase." }],
  run(args, io) {
    const session = new EngineSession();
    const phase = args.value("phase");
    const found = phase === null ? null : session.lookupPhase(phase);
    if (found !== null && !found.ok) throw new UsageError(found.message);
    const rows: readonly ConditionJson[] = new FutureQuestions(session).conditions(phase);
    if (args.has("json")) {
      printJson(io, rows);
      return 0;
    }
    const cells = rows.map((row) => [
      row.phase,
      row.code === null ? row.condition : `${row.condition} (${row.code})`,
      row.without ?? row.note ?? "structural: the code cannot run without it",
      row.caught === null
        ? row.droppable
          ? "none known"
          : ""
        : `a kept program: ${row.caught}${row.note === null ? "" : ", with other conditions dropped as well"}`,
    ]);
    io.out(formatTable(["phase", "condition", "without it", "shown by"], cells));
    return 0;
  },
};
