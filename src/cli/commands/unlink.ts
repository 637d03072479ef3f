/** `unlink`: the content of a permalink. */

import { decodeLink } from "../../links/link-codec.ts";
import type { Command } from "../command.ts";
import { type ExitCode, InputError } from "../io.ts";
import { printJson } from "../program.ts";

export const unlinkCommand: Command = {
  name: "unlink",
  summary: "Prints the contents of a permalink.",
  notes: ["URL is a full address or the part from # on; - reads it from standard input."],
  positionals: ["URL"],
  options: [{ name: "source", doc: "Print the program's text only." }],
  async run(args, io): Promise<ExitCode> {
    const given = args.positionals[0] ?? "";
    const decoded = await decodeLink(given === "-" ? io.readText("-") : given);
    if (!decoded.ok) {
      if (decoded.source !== null) io.out(decoded.source, "data");
      throw new InputError(decoded.message);
    }
    const { version, data } = decoded;
    if (args.has("source")) {
      io.out(data.source ?? "", "data");
    } else if (args.has("json")) {
      printJson(io, { version, ...data });
    } else {
      const { source, ...rest } = data;
      const rows = Object.entries({ version, ...rest }).map(
        ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
      );
      io.out(`${rows.join("\n")}\n\n${source ?? ""}`);
    }
    return 0;
  },
};
