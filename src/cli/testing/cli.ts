/** The command line in a test: its output, and files that are texts. */

import { runCommandLine } from "../command-line.ts";
import { InputError, type Io } from "../io.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line whose words have no blanks, on files given as texts. */
export async function cli(argv: string, files: Readonly<Record<string, string>>, more: Pick<Io, "terminal"> = {}): Promise<Outcome> {
  let out = "";
  let err = "";
  let stdinReads = 0;
  const io: Io = {
    readText: (path) => {
      if (path === "-" && ++stdinReads > 1) throw new InputError("standard input was read before");
      const text = files[path];
      if (text === undefined) throw new InputError(`no such file: ${path}`);
      return text;
    },
    readBytes: (path) => new TextEncoder().encode(files[path] ?? ""),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => 0,
    ...more,
  };
  const code = await runCommandLine(
    argv.split(" ").filter((w) => w !== ""),
    io,
  );
  return { code, out, err };
}
