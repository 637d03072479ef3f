/** `knobs`: the knob table. */

import { EngineSession } from "../../engine/api/session.ts";
import type { Command } from "../command.ts";
import { printJson } from "../program.ts";
import type { KnobJson } from "../shapes.ts";
import { formatTable } from "../table.ts";

export const knobsCommand: Command = {
  name: "knobs",
  summary: "Lists the knobs: number, name, type, default, the phases that read them, and what they do.",
  positionals: [],
  options: [],
  run(args, io) {
    const rows: readonly KnobJson[] = new EngineSession().knobs();
    if (args.has("json")) {
      printJson(io, rows);
      return 0;
    }
    const cells = rows.map((row) => [
      row.index === null ? "" : String(row.index),
      row.name,
      row.key,
      row.type,
      row.default,
      row.readBy.join(" "),
      row.doc,
    ]);
    io.out(formatTable(["no", "name", "key", "type", "default", "read by", "what it does"], cells));
    return 0;
  },
};
