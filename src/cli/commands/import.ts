/** `import`: PTX or SASS to Ori text. */

import type { Command } from "../command.ts";
import { UsageError } from "../io.ts";
import { loadProgram, printJson } from "../program.ts";
import type { ImportJson } from "../shapes.ts";

export const importCommand: Command = {
  name: "import",
  summary: "Prints PTX or SASS as Ori text, or every diagnostic.",
  positionals: ["FILE"],
  options: [{ name: "from", value: "FORMAT", oneOf: ["ptx", "sass"], doc: "Format of FILE (needed)." }],
  run(args, io) {
    if (!args.has("from")) throw new UsageError("--from ptx or --from sass is missing");
    const { opened, session } = loadProgram(args, io);
    if (args.has("json")) {
      const header = session.headerText();
      const value: ImportJson = {
        kernels: opened.kernels.map(({ name, blocks, instructions, opaque }) => ({
          name,
          blocks,
          instructions,
          opaque,
          text: header + session.kernelText(name),
        })),
        diagnostics: opened.diagnostics,
      };
      printJson(io, value);
    } else if (opened.ok) {
      io.out(opened.ori);
    }
    return opened.ok ? 0 : 1;
  },
};
