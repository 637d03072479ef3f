/** `mcp`: the engine as tools for assistants and editors. */

import type { Command } from "../../../cli/command.ts";
import { type ExitCode, UsageError } from "../../../cli/io.ts";

export const mcpCommand: Command = {
  name: "mcp",
  summary: "Serves the engine as tools over standard input and output, using the Model Context Protocol.",
  notes: [
    "Tools: open, run, why, step, diff, check. It does not listen on a port.",
    'A client starts it with the command "npx" and the arguments "oriscope", "mcp".',
  ],
  positionals: [],
  options: [],
  async run(args): Promise<ExitCode> {
    if (args.has("json")) throw new UsageError("--json has no meaning here: the protocol is JSON");
    // Loaded here: no other command needs what the server brings along.
    const { serveMcp } = await import("./serve.ts");
    await serveMcp();
    return 0;
  },
};
