/** Finds the command, parses its arguments and runs it: everything but the process itself. */

import { closest } from "../base/closest.ts";
import { ENGINE_VERSION } from "../engine/api/version.ts";
import { allCommands, COMMAND_NAMES, loadCommand } from "../features/commands.ts";
import { revealed } from "../links/hidden.ts";
import { parseArgs } from "./args.ts";
import { COMMON_OPTIONS, type Command, helpText, usageLine } from "./command.ts";
import { type ExitCode, InputError, type Io, UsageError } from "./io.ts";

/** Runs one command line (without the program's name) and returns its exit code. */
export async function runCommandLine(argv: readonly string[], given: Io): Promise<ExitCode> {
  const io = shownBy(given);
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    (name === undefined ? io.err : io.out)(await overview());
    return name === undefined ? 2 : 0;
  }
  if (name === "--version" || name === "-V") {
    io.out(`${ENGINE_VERSION}\n`);
    return 0;
  }
  const command = await loadCommand(name);
  if (command === null) {
    const guess = closest(name, COMMAND_NAMES);
    io.err(`oriscope: there is no command ${name}${guess === null ? "" : `; did you mean ${guess}?`}\nSee oriscope --help.\n`);
    return 2;
  }
  return runCommand(command, rest, io);
}

/** Control characters of other people's texts reach neither a terminal nor a table; data that is kept, and JSON, are printed as they are. */
function shownBy(io: Io): Io {
  return {
    ...io,
    out: (text, kind = "text") => io.out(kind === "json" || (kind === "data" && io.terminal !== true) ? text : revealed(text)),
    err: (text) => io.err(revealed(text)),
  };
}

async function runCommand(command: Command, argv: readonly string[], io: Io): Promise<ExitCode> {
  const literal = argv.indexOf("--");
  const before = literal < 0 ? argv : argv.slice(0, literal);
  if (before.includes("--help") || before.includes("-h")) {
    io.out(helpText(command));
    return 0;
  }
  try {
    return await command.run(parseArgs(argv, { positionals: command.positionals, options: [...command.options, ...COMMON_OPTIONS] }), io);
  } catch (error) {
    if (error instanceof UsageError) {
      if (error.message !== "") io.err(`oriscope ${command.name}: ${error.message}\nUsage: ${usageLine(command)}\n`);
      return 2;
    }
    if (error instanceof InputError) {
      if (error.message !== "") io.err(`oriscope ${command.name}: ${error.message}\n`);
      return 1;
    }
    throw error;
  }
}

async function overview(): Promise<string> {
  const commands = await allCommands();
  const width = Math.max(...commands.map((c) => usageLine(c).length));
  const rows = commands.map((c) => `  ${usageLine(c).padEnd(width)}  ${c.summary}`);
  return `${["Usage: oriscope COMMAND [ARGUMENTS]", "", "Commands:", ...rows, "", "Every command has --help and --json. FILE may be - for standard input."].join("\n")}\n`;
}
