/** `phases`: the timeline, and what runs on a target and level. */

import { EngineSession } from "../../engine/api/session.ts";
import type { Command } from "../command.ts";
import { PIPELINE_OPTIONS, pipelineOptions, printJson, refuseErrors } from "../program.ts";
import type { PhaseJson } from "../shapes.ts";
import { formatTable } from "../table.ts";

export const phasesCommand: Command = {
  name: "phases",
  summary: "Lists the 159 positions and the cicc group: number, name, modelled, runs here, knobs.",
  positionals: [],
  options: PIPELINE_OPTIONS.filter((o) => ["target", "level", "knob", "no-phase", "policy"].includes(o.name)),
  run(args, io) {
    const session = new EngineSession();
    const options = pipelineOptions(args, io);
    refuseErrors(io, "", session.checkOptions(options));
    const rows = session.phases(options).map(
      ({ number, group, id, name, modelled, runs, reason, knobs }): PhaseJson => ({
        number,
        group,
        id,
        name,
        modelled,
        runs,
        reason,
        knobs,
      }),
    );
    if (args.has("json")) {
      printJson(io, rows);
      return 0;
    }
    const cells = rows.map((row) => [
      row.number === null ? row.group : String(row.number),
      row.name,
      row.id,
      row.modelled ? (row.runs ? "runs" : (row.reason ?? "")) : "not modelled",
      row.knobs.join(", "),
    ]);
    io.out(formatTable(["no", "name", "id", "here", "knobs"], cells));
    return 0;
  },
};
