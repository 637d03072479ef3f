/** `import`: PTX, SASS or Bril to Ori text. */

import { FORMATS } from "../../base/formats.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../io.ts";
import { isEmpty, loadProgram, printJson, refuseEmpty } from "../program.ts";
import type { ImportJson } from "../shapes.ts";

export const importCommand: Command = {
  name: "import",
  summary: "Prints PTX, SASS or Bril as Ori text, or every diagnostic.",
  positionals: ["FILE"],
  options: [
    {
      name: "from",
      value: "FORMAT",
      oneOf: FORMATS.filter((format) => format !== "ori"),
      doc: "Format of FILE; default: detected from the text.",
    },
  ],
  run(args, io) {
    const { opened, session, file } = loadProgram(args, io);
    if (isEmpty(opened)) refuseEmpty(io, file);
    if (opened.ok && opened.format === "ori") throw new UsageError("this is already Ori text; give --from if it is not");
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
      io.out(opened.ori, "data");
    }
    return opened.ok ? 0 : 1;
  },
};
